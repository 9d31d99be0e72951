#pragma once

#include <string>

namespace pld::gnuplot {

/// Text between gnuplot's double quotes, quotes included. A backquote, which would run a command, is left out.
[[nodiscard]] std::string quoted(const std::string& text);

/// Runs a script that draws `path`; gnuplot's complaints go to stderr. Throws std::runtime_error, naming the path.
void draw(const std::string& script, const std::string& path);

}  // namespace pld::gnuplot
