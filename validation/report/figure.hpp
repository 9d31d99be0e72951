#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace pld::validation {

/// A curve's index into the palette, which people who confuse red and green can tell apart; each stands 3 : 1 against
/// white.
enum class Colour { blue, red, green, purple, black };

/// For curves that are counted through.
inline constexpr Colour colours[] = {Colour::blue, Colour::red, Colour::green, Colour::purple};

/// A curve; points that cannot be drawn (not finite, or not positive on a log scale) are left out.
struct Series {
  std::string label;  ///< empty: not in the legend
  std::vector<std::pair<double, double>> points;
  Colour colour = Colour::blue;  ///< curves that belong together share it
  bool dashed = false;
};

struct Panel {
  std::string title;
  std::string x_label, y_label;
  std::vector<Series> series;
  bool log_x = false, log_y = false;
  std::string y_range = "";  ///< e.g. "[0:5]"; left to gnuplot where empty
};

/// A panel drawn.
struct Drawing {
  std::string file;  ///< name without extension
  std::string alt;   ///< what a person who cannot see it is told
  std::string svg;   ///< an element that can stand in a file or inside a page
};

struct Figure {
  std::string id;  ///< its anchor in the page
  std::string title;
  std::string caption;
  std::vector<Drawing> panels;
};

/// Draws each panel (gnuplot's svg terminal), a single one larger than several. Throws std::runtime_error where gnuplot
/// is missing or fails.
[[nodiscard]] Figure draw(const std::string& id, std::string title, std::string caption,
                          const std::vector<Panel>& panels);

/// n points from low to high, evenly or by a constant factor.
[[nodiscard]] std::vector<double> spaced(double low, double high, int n);
[[nodiscard]] std::vector<double> log_spaced(double low, double high, int n);

/// The curve of a function.
[[nodiscard]] Series curve(std::string label, const std::vector<double>& x, const std::function<double(double)>& f,
                           Colour colour, bool dashed = false);

}  // namespace pld::validation
