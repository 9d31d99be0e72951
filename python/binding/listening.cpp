#include "listening.hpp"

#include <atomic>
#include <chrono>

#include "bindings.hpp"
#include "pld/core/time_limit.hpp"

namespace pld::python {

namespace {

namespace nb = nanobind;

/// Threads at work, whoever waits for them.
std::atomic<std::size_t> at_work = 0;

}  // namespace

void Listening::start(std::function<void()> work) {
  {
    const std::scoped_lock lock(state_->mutex);
    ++state_->running;
  }
  ++at_work;
  std::thread([state = state_, work = std::move(work), end = TimeLimit::end()]() mutable {
    std::exception_ptr thrown;
    try {
      const TimeLimit limit(end);
      work();
    } catch (...) {
      thrown = std::current_exception();
    }
    work = nullptr;  // before anybody is told that it has ended
    {
      const std::scoped_lock lock(state->mutex);
      if (!state->thrown) state->thrown = thrown;
      --state->running;
      state->changed.notify_one();
    }
    --at_work;
    at_work.notify_all();
  }).detach();
}

void Listening::wait(const std::function<void()>& stop, const std::function<void()>& meanwhile) {
  constexpr std::chrono::milliseconds turn{50};
  try {
    const nb::gil_scoped_release others_run;
    const auto ended = [&] {
      std::unique_lock lock(state_->mutex);
      return state_->changed.wait_for(lock, turn, [&] { return state_->running == 0; });
    };
    while (!ended()) {
      const nb::gil_scoped_acquire python;
      if (PyErr_CheckSignals() != 0) nb::raise_python_error();
      meanwhile();
    }
  } catch (...) {
    stop();
    throw;
  }
  if (state_->thrown) std::rethrow_exception(state_->thrown);
  meanwhile();
}

/// Has the interpreter wait at its end for work that was left behind; and the limits of time that work is handed.
void bind_listening(nb::module_& module) {
  using Held = std::optional<TimeLimit>;
  struct Limit {
    double seconds;
    Held held;
  };
  nb::class_<Limit>(
      module, "TimeLimit",
      "The seconds that all that is asked within a `with` block may take. What is certified by then is the answer.")
      .def(
          "__init__",
          [](Limit* self, double seconds) {
            const TimeLimit refused_at_once(seconds);
            new (self) Limit{seconds, {}};
          },
          nb::arg("seconds"))
      .def("__enter__", [](Limit& self) { self.held.emplace(self.seconds); })
      .def("__exit__", [](Limit& self, const nb::args&) { self.held.reset(); });
  module.def("wait_for_work", [] {
    const nb::gil_scoped_release others_run;
    for (std::size_t left = at_work; left > 0; left = at_work) at_work.wait(left);
  });
  nb::module_::import_("atexit").attr("register")(module.attr("wait_for_work"));
}

}  // namespace pld::python
