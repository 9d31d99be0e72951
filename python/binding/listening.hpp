#pragma once

#include <nanobind/nanobind.h>

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "pld/core/time_limit.hpp"

namespace pld::python {

/// The earliest of the limits of time within whose blocks this thread is. Called with the GIL.
[[nodiscard]] std::optional<TimeLimit::Clock::time_point> end_of_limits();

/// Work on threads of its own while this one, without the GIL, hears Ctrl-C.
class Listening {
 public:
  /// `work` must own all it uses: after Ctrl-C it goes on unheard until its end. It must not touch Python.
  void start(std::function<void()> work);

  /// Until all work has ended. Calls `meanwhile` about every 50 ms and at the end, with the GIL. Where that throws, or
  /// a signal's handler does (KeyboardInterrupt), `stop` is called and the exception goes on at once. Rethrows the
  /// first that work threw.
  void wait(
      const std::function<void()>& stop = [] {}, const std::function<void()>& meanwhile = [] {});

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t running = 0;
    std::exception_ptr thrown;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

/// The result of `work`, for which Ctrl-C need not wait; see Listening::start().
template <class Work>
auto heard(Work work) {
  using Result = decltype(work());
  const auto result = std::make_shared<std::optional<Result>>();
  Listening listening;
  listening.start([result, work = std::move(work)] { result->emplace(work()); });
  listening.wait();
  return std::move(**result);
}

}  // namespace pld::python
