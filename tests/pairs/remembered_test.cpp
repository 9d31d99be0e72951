// What is kept of pairs that live: each costs the same, however many there are, and none is kept of those that are
// gone.
#include "pairs/remembered.hpp"

#include <chrono>
#include <memory>
#include <vector>

#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

PairPtr gaussian(int i) { return dominating_pair(Gaussian{.sigma = 1 + 1e-3 * i}, Direction::remove); }

TEST_CASE("pairs.remembered.each_costs_the_same") {
  constexpr int n = 20'000;
  Remembered<int> remembered;
  std::vector<PairPtr> live;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < n; ++i) {
    live.push_back(gaussian(i));
    CHECK(remembered.of({{live.back(), 1}}, [&] { return i; }) == i);
  }
  for (int i = 0; i < n; ++i) CHECK(remembered.of({{live[static_cast<std::size_t>(i)], 1}}, [] { return -1; }) == i);
  // Of all looked through for each, some seconds.
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < 1);
}

TEST_CASE("pairs.remembered.nothing_of_pairs_that_are_gone") {
  Remembered<std::shared_ptr<int>> remembered;
  std::vector<std::weak_ptr<int>> values;
  const auto add = [&](const PairPtr& pair) {
    values.push_back(remembered.of({{pair, 1}}, [] { return std::make_shared<int>(0); }));
  };
  const PairPtr kept = gaussian(0);
  add(kept);
  for (int i = 1; i < 10'000; ++i) add(gaussian(i));
  int left = 0;
  for (const auto& value : values) left += value.expired() ? 0 : 1;
  CHECK_FALSE(values.front().expired());
  CHECK(left < 100);
}

}  // namespace
}  // namespace pld::test
