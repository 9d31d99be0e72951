#pragma once

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace pld::cli {

/// Red on a terminal, where NO_COLOR is not set (no-color.org); as it stands for programs and files.
[[nodiscard]] inline std::string alarming(const std::string& text, int descriptor = STDOUT_FILENO) {
  const char* const none = std::getenv("NO_COLOR");
  const bool coloured = isatty(descriptor) != 0 && (none == nullptr || *none == '\0');
  return coloured ? "\033[1;31m" + text + "\033[0m" : text;
}

}  // namespace pld::cli
