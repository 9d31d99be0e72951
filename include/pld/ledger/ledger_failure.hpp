#pragma once

#include <stdexcept>

namespace pld {

/// A disk or a lock that failed. `what()` is one line, and says what is recorded of what was asked for.
struct LedgerFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace pld
