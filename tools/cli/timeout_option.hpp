#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "pld/core/time_limit.hpp"

namespace pld::cli {

/// --timeout SECONDS.
class TimeoutOption {
 public:
  /// `this` must outlive the parsing.
  CLI::Option* add_to(CLI::App& command, const std::string& help);
  /// From now on; without the option none. Throws ReadError or DomainError for what is no number above 0, in the name
  /// of `command`.
  [[nodiscard]] TimeLimit limit(const std::string& command) const;

 private:
  std::string seconds_;
};

}  // namespace pld::cli
