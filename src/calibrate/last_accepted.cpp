#include "calibrate/last_accepted.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "calibrate/miss.hpp"
#include "core/work.hpp"
#include "engines/search.hpp"
#include "pld/core/rounding.hpp"
#include "pld/core/time_limit.hpp"

namespace pld {
namespace {

/// The work of so many answers; beyond it ends that are farther apart have to do.
constexpr double most_answers = 2;

/// The range continued to all numbers: beyond its unsafe end everything is refused.
class RuleOnLine {
 public:
  RuleOnLine(const Unknown& range, const std::function<Verdict(double)>& rule) : range_(range), rule_(rule) {}

  [[nodiscard]] bool larger_is_safer() const { return range_.safer == Unknown::Safer::larger; }
  [[nodiscard]] bool is_beyond(double x) const { return larger_is_safer() ? x < range_.lowest : x > range_.highest; }

  /// Of whole numbers the one at or below.
  [[nodiscard]] double value_at(double x) const {
    const double value = std::clamp(x, range_.lowest, range_.highest);
    return range_.scale == Unknown::Scale::whole ? std::floor(value) : value;
  }

  /// The excess, never 0, with the sign that falls as x grows.
  [[nodiscard]] double falling(double x) {
    const double excess = is_beyond(x) ? 1 : excess_of(value_at(x));
    return larger_is_safer() ? excess : -excess;
  }

  [[nodiscard]] bool accepts(double value) { return excess_of(value) < 0; }

  [[nodiscard]] bool adjacent(double a, double b) const {
    const double low = value_at(std::min(a, b)), high = value_at(std::max(a, b));
    return range_.scale == Unknown::Scale::whole ? high - low <= 1 : std::nextafter(low, infinity) >= high;
  }

 private:
  [[nodiscard]] double excess_of(double value) {
    const auto known = known_.find(value);
    if (known != known_.end()) return known->second;
    const Verdict verdict = rule_(value);
    return known_[value] = with_sign(verdict.excess, !verdict.accepted);
  }

  const Unknown& range_;
  const std::function<Verdict(double)>& rule_;
  std::map<double, double> known_;
};

}  // namespace

LastAccepted last_accepted(const Unknown& range, const std::function<Verdict(double)>& rule) {
  RuleOnLine line(range, rule);
  const double near = std::clamp(1.0, range.lowest, range.highest);
  const double most_taken = Work::taken() + most_answers * Work::left();
  const auto is_done = [&](double a, double b) {
    return TimeLimit::is_over() || Work::taken() > most_taken || line.adjacent(a, b);
  };
  auto [above, below] = crossing([&](double x) { return line.falling(x); }, near, near, is_done);
  while (!is_done(above, below)) {
    const double middle = above + (below - above) / 2;
    (line.falling(middle) > 0 ? above : below) = middle;
  }
  const double accepted = line.larger_is_safer() ? below : above, refused = line.larger_is_safer() ? above : below;
  LastAccepted out{.accepted = line.value_at(accepted), .adjacent = line.adjacent(above, below)};
  if (!line.is_beyond(refused)) {
    out.refused = line.value_at(refused);
  } else if (out.adjacent) {  // the end itself, or next to it
    const double end = range.unsafe_end();
    (line.accepts(end) ? out.accepted : out.refused.emplace()) = end;
  }
  return out;
}

}  // namespace pld
