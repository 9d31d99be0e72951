#include "figure.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "gnuplot/gnuplot.hpp"

namespace pld::validation {

namespace {

/// Okabe and Ito's palette, which people who confuse red and green can tell apart.
constexpr const char* palette[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
constexpr int colours = 7;

void write_panel(std::ostream& script, const Panel& panel, int index) {
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    script << "$d" << index << '_' << i << " << EOD\n";
    script.precision(12);
    for (const auto& [x, y] : panel.series[i].points) {
      const bool drawable = std::isfinite(x) && std::isfinite(y) && (x > 0 || !panel.log_x) && (y > 0 || !panel.log_y);
      if (drawable) script << x << ' ' << y << '\n';
    }
    script << "EOD\n";
  }
  script << "set title " << gnuplot::quoted(panel.title) << "\nset xlabel " << gnuplot::quoted(panel.x_label) << "\nset ylabel "
         << gnuplot::quoted(panel.y_label) << '\n';
  script << (panel.log_x ? "set logscale x\n" : "unset logscale x\n") << (panel.log_y ? "set logscale y\n" : "unset logscale y\n");
  script << "set autoscale\n";
  if (!panel.y_range.empty()) script << "set yrange " << panel.y_range << '\n';
  script << "plot ";
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    const Series& s = panel.series[i];
    script << (i ? ", " : "") << "$d" << index << '_' << i << " using 1:2 with lines lw 2 lc rgb '"
           << palette[s.colour % colours] << "' dt " << (s.dashed ? "(8,6)" : "1")
           << (s.label.empty() ? std::string(" notitle") : " title " + gnuplot::quoted(s.label));
  }
  script << "\n";
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

}  // namespace

Figure draw(std::string file, std::string title, std::string caption, const std::vector<Panel>& panels) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "figure.svg";
  const int width = panels.size() == 1 ? 760 : 470 * static_cast<int>(panels.size());
  // Narrow panels stack their legend line by line below the axes.
  const int height = panels.size() == 1 ? 480 : 430 + 20 * static_cast<int>(panels.front().series.size());
  std::ostringstream script;
  script << "set terminal svg noenhanced size " << width << ',' << height << " font 'DejaVu Sans,13' background '#ffffff'\nset output "
         << gnuplot::quoted(path.string()) << "\nset grid lc rgb '#dddddd'\nset border 3\nset tics nomirror\n"
         << "set encoding utf8\nset format '%g'\nset key below height 1 samplen 2 spacing 1.1\nset multiplot layout 1," << panels.size() << '\n';
  for (std::size_t i = 0; i < panels.size(); ++i) write_panel(script, panels[i], static_cast<int>(i));
  script << "unset multiplot\n";
  gnuplot::draw(script.str(), path.string());
  std::ifstream drawn(path);
  Figure figure{std::move(file), std::move(title), std::move(caption),
                {std::istreambuf_iterator<char>(drawn), std::istreambuf_iterator<char>()}};
  if (figure.svg.empty()) throw std::runtime_error("gnuplot drew nothing for " + figure.file);
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

Series curve(std::string label, const std::vector<double>& x, const std::function<double(double)>& f, int colour,
             bool dashed) {
  Series series{std::move(label), {}, colour, dashed};
  for (const double at : x) series.points.emplace_back(at, f(at));
  return series;
}

}  // namespace pld::validation
