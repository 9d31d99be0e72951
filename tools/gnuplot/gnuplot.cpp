#include "gnuplot.hpp"

#include <cstdio>
#include <stdexcept>

namespace pld::gnuplot {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c != '`') out += c;
  }
  return out + '"';
}

void draw(const std::string& script, const std::string& path) {
  FILE* gnuplot = popen("gnuplot", "w");
  if (gnuplot == nullptr) throw std::runtime_error("cannot start gnuplot");
  const bool written = std::fwrite(script.data(), 1, script.size(), gnuplot) == script.size();
  const int status = pclose(gnuplot);
  if (!written || status != 0)
    throw std::runtime_error("gnuplot failed to draw '" + path + "' (is it installed? Debian calls it gnuplot-nox)");
}

}  // namespace pld::gnuplot
