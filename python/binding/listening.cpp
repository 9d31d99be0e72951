#include "listening.hpp"

#include <atomic>
#include <chrono>
#include <set>

#include "bindings.hpp"
#include "forks.hpp"
#include "pld/core/errors.hpp"

namespace pld::python {

namespace {

namespace nb = nanobind;

/// Threads at work, whoever waits for them.
std::atomic<std::size_t> at_work = 0;

/// When the limits end within whose blocks one thread is. Coroutines leave theirs in any order. Touched with the GIL.
using Ends = std::multiset<TimeLimit::Clock::time_point>;
thread_local const std::shared_ptr<Ends> ends_here = std::make_shared<Ends>();

class Limit {
 public:
  explicit Limit(double seconds) : seconds_(seconds) { const TimeLimit refused_at_once(seconds); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;
  ~Limit() { leave(); }

  void enter() {
    if (within_)
      throw DomainError("TimeLimit", "the block", "entered", "left before it is entered again: make another limit");
    const TimeLimit limit(seconds_);
    if (const auto end = TimeLimit::end())
      place_ = ends_here->insert(*end), within_ = ends_here;
    else
      within_ = std::make_shared<Ends>();
  }
  /// From any thread.
  void leave() {
    if (within_ && !within_->empty()) within_->erase(place_);
    within_.reset();
  }

 private:
  double seconds_;
  std::shared_ptr<Ends>
      within_{};  ///< those of the thread that entered it; none that are its own where no clock ends it
  Ends::iterator place_{};
};

}  // namespace

std::optional<TimeLimit::Clock::time_point> end_of_limits() {
  return ends_here->empty() ? std::nullopt : std::optional(*ends_here->begin());
}

void Listening::start(std::function<void()> work) {
  {
    const std::scoped_lock lock(state_->mutex);
    ++state_->running;
  }
  ++at_work;
  std::thread([state = state_, work = std::move(work), end = end_of_limits()]() mutable {
    std::exception_ptr thrown;
    {
      const Working working;
      try {
        const TimeLimit limit(end);
        work();
      } catch (...) {
        thrown = std::current_exception();
      }
      work = nullptr;  // before anybody is told that it has ended
    }
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
    const WithoutGil others_run;
    const auto ended = [&] {
      std::unique_lock lock(state_->mutex);
      return state_->changed.wait_for(lock, turn, [&] { return state_->running == 0; });
    };
    while (!ended()) {
      const WithGil python;
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

namespace {

/// What threads still do as the interpreter ends reads what the process then destroys.
void wait_for_work() {
  for (std::size_t left = at_work; left > 0; left = at_work) at_work.wait(left);
  Working::wait_for_all();
}

/// Has nanobind name no objects that daemon threads still hold as leaks of this module.
void forgive_leaks() {
  for (const nb::handle thread : nb::iter(nb::module_::import_("sys").attr("_current_frames")()))
    if (nb::cast<unsigned long>(thread) != PyThread_get_thread_ident()) nb::set_leak_warnings(false);
}

}  // namespace

/// Has the interpreter wait at its end for work that was left behind; and the limits of time that work is handed.
void bind_listening(nb::module_& module) {
  nb::class_<Limit>(
      module, "TimeLimit",
      "The seconds that all that is asked within a `with` block may take. What is certified by then is the answer.")
      .def(nb::init<double>(), nb::arg("seconds"))
      .def("__enter__", &Limit::enter)
      .def("__exit__", [](Limit& self, const nb::args&) { self.leave(); });
  static const int waits_at_the_end = Py_AtExit(wait_for_work);
  static_cast<void>(waits_at_the_end);
  module.def("forgive_leaks", forgive_leaks);
  nb::module_::import_("atexit").attr("register")(module.attr("forgive_leaks"));
  module.def("forget_work", [] { at_work = 0; });  // a child has none of its parent's threads
  nb::module_::import_("os").attr("register_at_fork")(nb::arg("after_in_child") = module.attr("forget_work"));
}

}  // namespace pld::python
