// What is made later is made once, by whoever asks first.
#include "numeric/later.hpp"

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/checks.hpp"

namespace pld::test {
namespace {

TEST_CASE("numeric.later.made_once_and_not_before_it_is_asked_for") {
  std::atomic<int> made = 0;
  const Later<int> later([&made] { return ++made; });
  CHECK(made == 0);
  std::vector<std::thread> asking;
  std::atomic<int> sum = 0;
  for (int i = 0; i < 8; ++i) asking.emplace_back([&] { sum += later.get(); });
  for (std::thread& thread : asking) thread.join();
  CHECK(made == 1);
  CHECK(sum == 8);
}

TEST_CASE("numeric.later.what_failed_is_tried_again") {
  int tries = 0;
  const Later<int> later([&tries] { return ++tries < 2 ? throw std::runtime_error("too early") : tries; });
  CHECK_THROWS_AS(static_cast<void>(later.get()), std::runtime_error);
  CHECK(later.get() == 2);
}

}  // namespace
}  // namespace pld::test
