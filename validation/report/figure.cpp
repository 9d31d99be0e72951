#include "figure.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "gnuplot/gnuplot.hpp"
#include "markup.hpp"

namespace pld::validation {

namespace {

constexpr const char* palette[] = {"#0072B2", "#C84B00", "#007A5A", "#AA3377", "#000000"};

void write_data(std::ostream& script, const Panel& panel) {
  script.precision(12);
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    script << "$d" << i << " << EOD\n";
    for (const auto& [x, y] : panel.series[i].points) {
      const bool drawable = std::isfinite(x) && std::isfinite(y) && (x > 0 || !panel.log_x) && (y > 0 || !panel.log_y);
      if (drawable) script << x << ' ' << y << '\n';
    }
    script << "EOD\n";
  }
}

void write_curves(std::ostream& script, const Panel& panel) {
  script << "plot ";
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    const Series& s = panel.series[i];
    script << (i ? ", " : "") << "$d" << i << " using 1:2 with lines lw 2 lc rgb '"
           << palette[static_cast<int>(s.colour)] << "' dt " << (s.dashed ? "(8,6)" : "1")
           << (s.label.empty() ? std::string(" notitle") : " title " + gnuplot::quoted(s.label));
  }
  script << '\n';
}

int legend_lines(const Panel& panel) {
  int lines = 0;
  for (const Series& s : panel.series) lines += !s.label.empty();
  return lines;
}

/// One column of the legend below the axes, so that no label is cut off.
std::string script_of(const Panel& panel, bool alone, const std::string& path) {
  const int width = alone ? 760 : 540, plot = alone ? 420 : 400;
  std::ostringstream script;
  script << "set terminal svg noenhanced size " << width << ',' << plot + 24 * legend_lines(panel)
         << " font 'sans-serif,16' background '#ffffff'\nset output " << gnuplot::quoted(path)
         << "\nset encoding utf8\nset grid lc rgb '#dddddd'\nset border 3\nset tics nomirror\nset format '%g'\n"
         << "set key below maxcols 1 height 1 samplen 2 spacing 1.1 Left reverse\n"
         << "set title " << gnuplot::quoted(panel.title) << "\nset xlabel " << gnuplot::quoted(panel.x_label)
         << "\nset ylabel " << gnuplot::quoted(panel.y_label) << '\n';
  if (panel.log_x) script << "set logscale x\n";
  if (panel.log_y) script << "set logscale y\n";
  if (!panel.y_range.empty()) script << "set yrange " << panel.y_range << '\n';
  write_data(script, panel);
  write_curves(script, panel);
  return script.str();
}

/// In /tmp, and gone with everything in it at the end, an exception's too.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    if (mkdtemp(pattern_) == nullptr) throw std::runtime_error("cannot make a temporary directory in /tmp");
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(pattern_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::filesystem::path path() const { return pattern_; }

 private:
  char pattern_[26] = "/tmp/pld-validate-XXXXXX";
};

std::string drawn(const Panel& panel, bool alone) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "figure.svg";
  gnuplot::draw(script_of(panel, alone, path.string()), path.string());
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string description(const std::string& title, const Panel& panel) {
  std::string text = title + (panel.title.empty() ? "" : ", " + panel.title) + ": " + panel.y_label + " against " +
                     panel.x_label + "; curves:";
  std::string separator = " ";
  for (const Series& s : panel.series) {
    if (s.label.empty()) continue;
    text += separator + s.label;
    separator = ", ";
  }
  return text;
}

/// What lies between two marks goes, the marks too.
void cut(std::string& text, const std::string& from, const std::string& to) {
  const auto start = text.find(from);
  if (start == std::string::npos) return;
  const auto end = text.find(to, start);
  if (end != std::string::npos) text.erase(start, end + to.size() - start);
}

/// Gnuplot's file as an element for a page: no prologue, no definitions of point marks (which nothing uses), no names
/// that the other pictures on the page have too, and the description as its title.
std::string element(std::string svg, const std::string& id, const std::string& alt) {
  const auto start = svg.find("<svg");
  if (start == std::string::npos) throw std::runtime_error("gnuplot drew nothing for " + id);
  svg.erase(0, start);
  cut(svg, "<title>", "</title>");
  cut(svg, "<desc>", "</desc>");
  cut(svg, "<defs>", "</defs>");
  svg = std::regex_replace(svg, std::regex(R"( id="gnuplot_\w+"|<title>gnuplot_\w+</title>)"), "");
  const auto end = svg.find('>');
  svg.insert(end + 1, "<title id=\"" + id + "-title\">" + escaped(alt) + "</title>");
  svg.insert(end, " role=\"img\" aria-labelledby=\"" + id + "-title\"");
  return svg;
}

}  // namespace

Figure draw(const std::string& id, std::string title, std::string caption, const std::vector<Panel>& panels) {
  Figure figure{id, std::move(title), std::move(caption), {}};
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const std::string file = panels.size() == 1 ? id : id + "-" + std::to_string(i + 1);
    const std::string alt = description(figure.title, panels[i]);
    figure.panels.push_back({file, alt, element(drawn(panels[i], panels.size() == 1), file, alt)});
  }
  return figure;
}

std::vector<double> spaced(double low, double high, int n) {
  std::vector<double> x(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) x[i] = low + (high - low) * i / (n - 1);
  return x;
}

std::vector<double> log_spaced(double low, double high, int n) {
  std::vector<double> x = spaced(std::log(low), std::log(high), n);
  for (double& value : x) value = std::exp(value);
  return x;
}

Series curve(std::string label, const std::vector<double>& x, const std::function<double(double)>& f, Colour colour,
             bool dashed) {
  Series series{std::move(label), {}, colour, dashed};
  for (const double at : x) series.points.emplace_back(at, f(at));
  return series;
}

}  // namespace pld::validation
