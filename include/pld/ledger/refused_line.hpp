#pragma once

#include <cstdint>
#include <string>

#include "pld/formats/read_error.hpp"

namespace pld {

/// A line of a ledger's export that cannot be read, or does not belong there; the message begins with its number. What
/// else goes wrong in an import is the new ledger's.
class RefusedLine : public ReadError {
 public:
  RefusedLine(std::int64_t number, const std::string& what);
};

}  // namespace pld
