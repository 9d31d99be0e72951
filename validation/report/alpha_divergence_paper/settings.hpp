#pragma once

#include <array>

namespace pld::validation::alpha_divergence_parts {

/// A panel of figures 6 to 8, with what its caption and section 8.1 state of it.
struct Setting {
  double sigma, delta;
  int rdp_order, adp_order;
  double single_epsilon;  ///< ADP's, of one query
};
using FigureSettings = std::array<Setting, 3>;

/// Section 8.3 puts figure 6 at 50 releases. The count of figures 7 and 8 is stated nowhere: at 300 the best orders of
/// RDP are all three of figure 8's, and those of figure 7 at standard deviations 10, 50 and 100 (which a row
/// recomputes).
inline constexpr double few = 50, many = 300;

inline constexpr FigureSettings figure_6{
    {{100, 1e-5, 69, 136, 5.00e-5}, {100, 1e-10, 97, 152, 5.05e-5}, {100, 1e-15, 119, 164, 5.24e-5}}};
inline constexpr FigureSettings figure_7{
    {{100, 1e-5, 6, 13, 5.29e-5}, {100, 1e-10, 25, 64, 5.19e-5}, {100, 1e-15, 49, 127, 5.12e-5}}};
inline constexpr FigureSettings figure_8{
    {{10, 1e-25, 7, 14, 5.02e-3}, {50, 1e-25, 32, 67, 2.01e-4}, {100, 1e-25, 63, 133, 5.04e-5}}};

/// Figure 7 as the orders of its caption have it, not its words: sigma 10, 50, 100 at delta 1e-15.
inline constexpr FigureSettings figure_7_by_orders{
    {{10, 1e-15, 6, 13, 5.29e-5}, {50, 1e-15, 25, 64, 5.19e-5}, {100, 1e-15, 49, 127, 5.12e-5}}};

}  // namespace pld::validation::alpha_divergence_parts
