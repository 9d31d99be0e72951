#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "core/work.hpp"

namespace pld {

/// What is kept from one question to the next: the `most` last ones or fewer of a kind, told apart by numbers.
struct Kept {
  int kind = 0;
  std::size_t most = 0;
  std::vector<double> which{};
  double points = 0;  ///< that making it takes

  bool operator<(const Kept& other) const { return kind < other.kind || (kind == other.kind && which < other.which); }
};

/// Takes the points of each question once, whoever made it: an answer is the same in any process.
void take_once(const Kept& kept);

/// The points (docs/glossary.md) that making something took. Each question that uses it pays them once, whoever made
/// it: what is left for an answer does not depend on what was asked before.
struct Price {
  struct Parts {
    std::vector<Kept> kept{};
    std::vector<Price> others{};
  };
  std::uint64_t number = 0;  ///< told apart by it; 0 where nothing was taken
  double points = 0;
  std::shared_ptr<const Parts> parts{};  ///< what else is kept that it was made of; null for nothing

  /// Takes as many points as there are. Safe to call from several threads.
  void pay() const;
};

/// What this thread takes, and what it pays for others, for as long as it stands.
class Purchase {
 public:
  Purchase();
  ~Purchase();
  Purchase(const Purchase&) = delete;
  Purchase& operator=(const Purchase&) = delete;

  /// Of all so far, which the question of this thread has paid.
  [[nodiscard]] Price price();
  void add(const Kept& kept) { kept_.insert(kept); }
  void add(const Price& other) { others_.emplace(other.number, other); }
  /// Points that have a price of their own.
  void leave_out(double points) { left_out_ += points; }

 private:
  double before_;  ///< what had been taken then
  double left_out_ = 0;
  std::set<Kept> kept_{};
  std::map<std::uint64_t, Price> others_{};
  Purchase* around_;
};

/// What `make()` gives, which costs nothing, nor does what it is made of.
template <class Make>
[[nodiscard]] auto for_nothing(const Make& make) {
  const Purchase nobodys;
  const double before = Work::taken();
  auto made = make();
  Work::give_back(Work::taken() - before);
  return made;
}

/// What is kept with its price.
template <class Value>
class Priced {
 public:
  /// The question of this thread pays for it as it is made.
  template <class Make>
  explicit Priced(const Make& make) : Priced(make, Purchase()) {}

  [[nodiscard]] const Value& get() const {
    price_.pay();
    return value_;
  }

 private:
  template <class Make>
  Priced(const Make& make, Purchase&& purchase) : value_(make()), price_(purchase.price()) {}

  Value value_;
  Price price_;
};

}  // namespace pld
