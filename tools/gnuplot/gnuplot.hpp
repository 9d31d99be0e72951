#pragma once

#include <string>

namespace pld::gnuplot {

/// Text as a string of gnuplot's, quotes included, that holds letters, blanks and escapes only: nothing in it ends the
/// string, runs a command or expands. Control characters are shown as \xNN.
[[nodiscard]] std::string quoted(const std::string& text);

/// What gnuplot writes to its standard output for a script that sets no output of its own; its complaints go to
/// stderr. No shell takes part, and no start-up file of anybody's. Throws std::runtime_error where gnuplot is missing,
/// fails, or draws nothing.
[[nodiscard]] std::string drawn(const std::string& script);

/// Runs a script that sets its own output, `path`. Throws as drawn(), naming the path.
void draw(const std::string& script, const std::string& path);

}  // namespace pld::gnuplot
