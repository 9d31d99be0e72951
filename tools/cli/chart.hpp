#pragma once

#include <string>
#include <utility>
#include <vector>

namespace pld::cli {

/// A small drawing inside a page: one curve over two axes, told in words to those who do not see it.
struct Chart {
  std::string id;            ///< of its own on the page
  std::string title, words;  ///< what it shows; what can be read off it
  std::string x_label, y_label;
  std::vector<std::pair<double, double>> points;
  double x_end = 1;       ///< x runs from 0
  int y_decades = 0;      ///< 0: y runs from 0 to 1; otherwise down to 1e-y_decades on a logarithmic scale
  bool diagonal = false;  ///< a dashed line y = x, for comparison
};

/// Inline SVG that scales with the page and needs nothing else.
[[nodiscard]] std::string svg(const Chart& chart);

/// Text inside HTML or SVG.
[[nodiscard]] std::string escaped(const std::string& text);

}  // namespace pld::cli
