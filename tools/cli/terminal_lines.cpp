#include "terminal_lines.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <sstream>

namespace pld::cli {

std::size_t width_of(int descriptor) {
  winsize size{};
  if (isatty(descriptor) == 0 || ioctl(descriptor, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

std::string wrapped(const std::string& line, std::size_t width, std::size_t indent) {
  if (width == 0) return line;
  std::string out;
  std::size_t column = indent;
  std::istringstream words(line);
  for (std::string word; words >> word; column += word.size()) {
    if (!out.empty() && column + 1 + word.size() > width) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!out.empty()) {
      out += ' ';
      ++column;
    }
    out += word;
  }
  return out;
}

}  // namespace pld::cli
