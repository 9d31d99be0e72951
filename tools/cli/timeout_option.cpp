#include "timeout_option.hpp"

#include <optional>

#include "formats/read_number.hpp"
#include "pld/core/errors.hpp"

namespace pld::cli {

CLI::Option* TimeoutOption::add_to(CLI::App& command, const std::string& help) {
  return command.add_option("--timeout", seconds_, help);
}

TimeLimit TimeoutOption::limit(const std::string& command) const {
  if (seconds_.empty()) return TimeLimit(std::nullopt);
  const double seconds = finite_from_text(seconds_, command, "timeout");
  require(seconds > 0, command.c_str(), "timeout", seconds, "timeout > 0 and finite");
  return TimeLimit(seconds);
}

}  // namespace pld::cli
