#pragma once

#include "gil.hpp"

namespace pld::python {

/// Is there while its thread, which has not the GIL, works in the library. os.fork() waits until none is: a child has
/// no other threads than the one that forked, and would wait for ever for a lock that another one held.
class Working {
 public:
  Working();
  ~Working();
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

  /// Lets a fork that waits go first: between the pieces of long work.
  static void pause();

  /// Returns when no thread works.
  static void wait_for_all();
};

/// The same of a thread that has the GIL, which it gives away meanwhile.
class AtWork {
  WithoutGil others_run_;
  Working working_;
};

/// Is there while a thread at work calls Python, with the GIL: no fork waits for that, which may fork itself.
class InPython {
 public:
  InPython() = default;
  InPython(const InPython&) = delete;
  InPython& operator=(const InPython&) = delete;

 private:
  struct Rest {
    Rest();
    ~Rest();
    Rest(const Rest&) = delete;
    Rest& operator=(const Rest&) = delete;
  };
  Rest rest_;
  WithGil python_;
};

}  // namespace pld::python
