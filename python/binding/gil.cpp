#include "gil.hpp"

#include <chrono>
#include <thread>

namespace pld::python {

StaysUnlessTaken::~StaysUnlessTaken() {
  while (!taken_) std::this_thread::sleep_for(std::chrono::hours(1));  // the process ends meanwhile
}

void WithoutGil::take_back() {
  StaysUnlessTaken here;
  PyEval_RestoreThread(state_);
  here.taken();
}

WithGil::WithGil() {
  StaysUnlessTaken here;
  state_ = PyGILState_Ensure();
  here.taken();
}

}  // namespace pld::python
