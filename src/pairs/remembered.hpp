#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/price.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// What was worked out of so many of each of some pairs, for as long as those live: many queries compose the same
/// mechanisms. Safe to ask from several threads. A value holds none of its pairs, which would live for ever.
template <class Value>
class Remembered {
 public:
  using Count = std::pair<PairPtr, std::int64_t>;

  template <class Make>
  [[nodiscard]] Value of(const std::vector<Count>& asked, const Make& make) {
    Key key;
    for (const auto& [pair, count] : asked) key.push_back({pair, count});
    {
      const std::lock_guard lock(asking_);
      if (const auto found = values_.find(key); found != values_.end()) return found->second.get();
    }
    Priced<Value> value(make);  // others need not wait for it
    const std::lock_guard lock(asking_);
    forget_expired();
    return values_.emplace(std::move(key), std::move(value)).first->second.get();
  }

 private:
  struct Counted {
    std::weak_ptr<const DominatingPair> pair;
    std::int64_t count = 1;

    bool operator<(const Counted& other) const {
      if (pair.owner_before(other.pair) || other.pair.owner_before(pair)) return pair.owner_before(other.pair);
      return count < other.count;
    }
  };
  using Key = std::vector<Counted>;

  /// Looks through all only once they are twice as many as were left the last time: each costs the same, however many.
  void forget_expired() {
    if (values_.size() < enough_) return;
    std::erase_if(values_, [](const auto& entry) {
      return std::any_of(entry.first.begin(), entry.first.end(), [](const auto& of) { return of.pair.expired(); });
    });
    enough_ = std::max(few, 2 * values_.size());
  }

  static constexpr std::size_t few = 4;
  std::mutex asking_;
  std::map<Key, Priced<Value>> values_;
  std::size_t enough_ = few;
};

}  // namespace pld
