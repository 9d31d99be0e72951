#include "chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "core/number_text.hpp"

namespace pld::cli {

namespace {

// In units of the view box: what axes and their labels leave to the curve.
constexpr double plot_left = 70, top = 12, width = 430, height = 260;

std::string one_decimal(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

/// 0.15 for three steps of 0.05, which are no double's 0.15.
std::string two_digits(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2g", value);
  return number_text(std::strtod(text, nullptr));
}

class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart) {
    out_ << "<svg viewBox=\"0 0 520 330\" role=\"img\" aria-labelledby=\"" << chart.id << "-title " << chart.id
         << "-words\">\n<title id=\"" << chart.id << "-title\">" << escaped(chart.title) << "</title>\n<desc id=\""
         << chart.id << "-words\">" << escaped(chart.words) << "</desc>\n";
    x_axis();
    y_axis();
    if (chart.diagonal)
      out_ << "<path class=\"compare\" d=\"M" << place(0, 0) << " L" << place(chart.x_end, chart.x_end) << "\"/>\n";
    curve();
    out_ << "</svg>\n";
  }
  [[nodiscard]] std::string text() const { return out_.str(); }

 private:
  [[nodiscard]] double x_of(double x) const { return plot_left + width * x / chart_.x_end; }
  /// From the top, 0 to 1.
  [[nodiscard]] double depth(double y) const {
    if (chart_.y_decades == 0) return 1 - y;
    return y > 0 ? std::min(1.0, -std::log10(y) / chart_.y_decades) : 1;
  }
  [[nodiscard]] double y_of(double y) const { return top + height * depth(y); }
  [[nodiscard]] std::string place(double x, double y) const {
    return one_decimal(x_of(x)) + ' ' + one_decimal(y_of(y));
  }

  void label(double x, double y, const char* anchor, const std::string& text) {
    out_ << "<text x=\"" << one_decimal(x) << "\" y=\"" << one_decimal(y) << "\" text-anchor=\"" << anchor << "\">"
         << text << "</text>\n";
  }
  void grid(double x1, double y1, double x2, double y2) {
    out_ << "<path class=\"grid\" d=\"M" << one_decimal(x1) << ' ' << one_decimal(y1) << " L" << one_decimal(x2) << ' '
         << one_decimal(y2) << "\"/>\n";
  }

  void x_axis() {
    const double unit = std::pow(10, std::floor(std::log10(chart_.x_end))), steps = chart_.x_end / unit;
    const double step = unit * (steps <= 2 ? 0.2 : steps <= 5 ? 0.5 : 1);
    for (int i = 0; i * step <= chart_.x_end * (1 + 1e-9); ++i) {
      const double x = i * step;
      grid(x_of(x), top, x_of(x), top + height);
      label(x_of(x), top + height + 18, "middle", two_digits(x));
    }
    label(plot_left + width / 2, top + height + 42, "middle", escaped(chart_.x_label));
  }

  void y_axis() {
    const int lines = chart_.y_decades == 0 ? 5 : chart_.y_decades / 2;
    for (int i = 0; i <= lines; ++i) {
      const double y = top + height * i / lines;
      grid(plot_left, y, plot_left + width, y);
      label(plot_left - 8, y + 5, "end",
            chart_.y_decades == 0 ? one_decimal(1 - static_cast<double>(i) / lines)
            : i == 0              ? "1"
                                  : "10<tspan dy=\"-5\" class=\"power\">−" + std::to_string(2 * i) + "</tspan>");
    }
    out_ << "<text transform=\"translate(16 " << one_decimal(top + height / 2)
         << ") rotate(-90)\" text-anchor=\"middle\">" << escaped(chart_.y_label) << "</text>\n";
  }

  void curve() {
    out_ << "<path class=\"curve\" d=\"";
    bool drawn = false;
    for (const auto& [x, y] : chart_.points) {
      if (!std::isfinite(y) || x > chart_.x_end) continue;
      out_ << (drawn ? " L" : "M") << place(x, y);
      drawn = true;
      if (depth(y) >= 1 && chart_.y_decades > 0) break;
    }
    out_ << "\"/>\n";
  }

  const Chart& chart_;
  std::ostringstream out_;
};

}  // namespace

std::string svg(const Chart& chart) { return Drawing(chart).text(); }

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace pld::cli
