#pragma once

#include <stdexcept>
#include <string>

namespace pld {

/// Text that cannot be read as what it should be. `what()` is one line for a person: where, what, its value and what
/// is accepted.
class ReadError : public std::runtime_error {
 public:
  explicit ReadError(const std::string& message);

  /// "gaussian: sigma is 'x', but must be a finite number"
  ReadError(const std::string& where, const std::string& what, const std::string& value, const std::string& accepted);

  /// What was read, as the message has it; empty where it is about no one value.
  [[nodiscard]] const std::string& value() const { return value_; }

 private:
  std::string value_{};
};

}  // namespace pld
