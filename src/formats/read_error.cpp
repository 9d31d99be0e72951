#include "pld/formats/read_error.hpp"

#include "core/printable.hpp"

namespace pld {

ReadError::ReadError(const std::string& message) : runtime_error(printable(message)) {}

ReadError::ReadError(const std::string& where, const std::string& what, const std::string& value,
                     const std::string& accepted)
    : ReadError(where + ": " + what + " is " + value + ", but must be " + accepted) {
  value_ = value;
}

}  // namespace pld
