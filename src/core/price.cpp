#include "core/price.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace pld {
namespace {

/// What a question has paid.
struct Paid {
  long question = 0;
  std::vector<std::uint64_t> numbers{};  ///< rising
  std::map<int, std::set<std::vector<double>>> kept{};
};

Paid& paid_so_far() {
  thread_local Paid paid;
  if (paid.question != Work::question()) paid = {.question = Work::question()};
  return paid;
}

/// Whether it had not been paid.
bool settle(std::uint64_t number) {
  auto& numbers = paid_so_far().numbers;
  const auto at = std::lower_bound(numbers.begin(), numbers.end(), number);
  if (at != numbers.end() && *at == number) return false;
  numbers.insert(at, number);
  return true;
}

thread_local Purchase* purchase = nullptr;

/// Leaves out of what is being spent all that is taken while it stands.
class Apart {
 public:
  ~Apart() {
    if (purchase) purchase->leave_out(Work::taken() - before_);
  }

 private:
  double before_ = Work::taken();
};

void take_unless_paid(const Kept& kept) {
  if (!Work::is_counted()) return Work::take(kept.points);
  auto& paid = paid_so_far().kept[kept.kind];
  if (paid.contains(kept.which)) return;
  Work::take(kept.points);
  if (paid.size() >= kept.most) paid.clear();
  paid.insert(kept.which);
}

void pay_unless_paid(const Price& price) {
  if (!settle(price.number)) return;
  if (price.parts) {
    for (const Kept& kept : price.parts->kept) take_unless_paid(kept);
    for (const Price& other : price.parts->others) pay_unless_paid(other);
  }
  Work::note(price.points);
}

}  // namespace

void take_once(const Kept& kept) {
  if (purchase) purchase->add(kept);
  const Apart apart;
  take_unless_paid(kept);
}

void Price::pay() const {
  if (number == 0) return;
  if (purchase) purchase->add(*this);
  if (!Work::is_counted()) return;
  const Apart apart;
  pay_unless_paid(*this);
}

Purchase::Purchase() : before_(Work::taken()), around_(std::exchange(purchase, this)) {}

Purchase::~Purchase() { purchase = around_; }

Price Purchase::price() {
  static std::atomic<std::uint64_t> last = 0;
  const double all = Work::taken() - before_, points = all - left_out_;
  if (points == 0 && kept_.empty() && others_.empty()) return {};
  Price price{.number = ++last, .points = points};
  if (!kept_.empty() || !others_.empty()) {
    Price::Parts parts{.kept = {kept_.begin(), kept_.end()}};
    for (const auto& [number, other] : others_) parts.others.push_back(other);
    price.parts = std::make_shared<const Price::Parts>(std::move(parts));
  }
  if (Work::is_counted()) settle(price.number);
  if (around_) around_->add(price), around_->leave_out(all);
  return price;
}

}  // namespace pld
