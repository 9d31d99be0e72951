#pragma once

#include <nanobind/nanobind.h>

namespace pld::python {

/// Ends a thread that the interpreter ends while it asks for the GIL: by staying where it is. Before Python 3.14
/// pthread_exit() would go on through callers that let nothing pass, and abort the process (3.14 itself has it stay).
class StaysUnlessTaken {
 public:
  StaysUnlessTaken() = default;
  ~StaysUnlessTaken();
  StaysUnlessTaken(const StaysUnlessTaken&) = delete;
  StaysUnlessTaken& operator=(const StaysUnlessTaken&) = delete;
  void taken() { taken_ = true; }

 private:
  bool taken_ = false;
};

/// Gives the GIL away while it lives.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil() { take_back(); }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  void take_back();
  PyThreadState* state_;
};

/// Has the GIL while it lives.
class WithGil {
 public:
  WithGil();
  ~WithGil() { PyGILState_Release(state_); }
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace pld::python
