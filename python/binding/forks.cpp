#include "forks.hpp"

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <new>

#include "bindings.hpp"

namespace pld::python {

namespace {

namespace nb = nanobind;

/// Who holds its lock never waits for the GIL.
struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t working = 0, forks = 0;

  void enter() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return forks == 0; });
    ++working;
  }
  void leave() {
    const std::scoped_lock lock(mutex);
    if (--working == 0) changed.notify_all();
  }
  void wait_for_all(std::unique_lock<std::mutex>& lock) {
    changed.wait(lock, [this] { return working == 0; });
  }
};

/// Lives as long as the process: threads may still work when it ends.
Gate& gate() {
  static Gate* const only = new Gate;
  return *only;
}

void before_fork() {
  const WithoutGil others_run;
  std::unique_lock lock(gate().mutex);
  ++gate().forks;
  gate().wait_for_all(lock);
}

void after_in_parent() {
  const std::scoped_lock lock(gate().mutex);
  --gate().forks;
  gate().changed.notify_all();
}

/// Makes the gate anew: threads that wait at it, or hold its lock, are not in the child.
void after_in_child() { new (&gate()) Gate; }

}  // namespace

Working::Working() { gate().enter(); }
Working::~Working() { gate().leave(); }

void Working::pause() {
  {
    const std::scoped_lock lock(gate().mutex);
    if (gate().forks == 0) return;
  }
  gate().leave();
  gate().enter();
}

void Working::wait_for_all() {
  std::unique_lock lock(gate().mutex);
  gate().wait_for_all(lock);
}

InPython::Rest::Rest() { gate().leave(); }
InPython::Rest::~Rest() { gate().enter(); }

void bind_forks(nb::module_& module) {
  module.def("before_fork", before_fork);
  module.def("after_fork_in_parent", after_in_parent);
  module.def("after_fork_in_child", after_in_child);
  nb::module_::import_("os").attr("register_at_fork")(nb::arg("before") = module.attr("before_fork"),
                                                      nb::arg("after_in_parent") = module.attr("after_fork_in_parent"),
                                                      nb::arg("after_in_child") = module.attr("after_fork_in_child"));
}

}  // namespace pld::python
