#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

#include "pld/core/rounding.hpp"

namespace pld::contour {

/// The round-off u that error bounds of sums in this type are told in: for long doubles twice that of an operation, for
/// their elementary functions' sake, and no less than that of 64 bits, to which series are summed.
template <class Real>
inline constexpr double round_off = std::is_same_v<Real, double>
                                        ? unit_roundoff
                                        : std::max(0x1p-63, static_cast<double>(std::numeric_limits<Real>::epsilon()));

/// The likelihood ratio of a Poisson-sampled Gaussian, r(x) = 1 - q + q e^y with y = mu x - mu^2/2, for x ~ N(0, 1):
/// the density of the mixture (1-q) N(0,1) + q N(mu,1) relative to N(0,1). 0 < q < 1, mu > 0.
struct SampledRatio {
  double mu = 0;
  double q = 0;
};

/// e^a - 1 - a. Relative error: <= 40 u.
template <class Real>
[[nodiscard]] Real expm1_less(Real a);

/// Midpoints of equal intervals that fill a body [lowest, highest] of outcomes x, with the ratio there.
/// `step` and all x are exact doubles, so the rule's equal spacing holds exactly. Real: double, or long double where
/// what is read is far smaller than what is summed.
template <class Real>
struct RatioGridOf {
  double step = 0;
  double missing = 0, missing_ratio = 0;  ///< 1 - E[1] and 1 - E[r]: mass on which r is infinite, or 0
  bool sums_to_one = true;                ///< 1 - E[1] and 1 - E[r] are known
  std::vector<Real> x;
  std::vector<Real> log_weight;       ///< log(step phi(x))
  std::vector<Real> weight;           ///< step phi(x)
  std::vector<Real> excess;           ///< r - 1
  std::vector<Real> weighted_excess;  ///< step phi(x) (r - 1): finite where r overflows
  std::vector<Real> log_ratio;        ///< log r
  std::vector<Real> log_less_excess;  ///< log r - (r - 1) with full relative accuracy
  std::vector<Real> slope;            ///< d log r / d y = q e^y / r, in (0, 1)
  // Bounds on errors in units of round-off, besides those of the operations above.
  std::vector<Real> weight_units;  ///< relative, of a weight
  std::vector<Real> log_units;     ///< absolute, of log r
  std::vector<Real> excess_units;  ///< relative, of an r - 1 that is not small

  [[nodiscard]] std::size_t size() const { return log_weight.size(); }
};
using RatioGrid = RatioGridOf<double>;

/// The outcomes kept. Everything outside is lost mass, bounded by the one who cuts. The body is a whole number of
/// cells, `cell_width` a short dyadic number.
struct Body {
  double cell_width = 0;
  long first_cell = 0, last_cell = 0;  ///< [first_cell, last_cell) * cell_width

  [[nodiscard]] double lowest() const { return static_cast<double>(first_cell) * cell_width; }
  [[nodiscard]] double highest() const { return static_cast<double>(last_cell) * cell_width; }
  [[nodiscard]] std::size_t cells() const { return static_cast<std::size_t>(last_cell - first_cell); }
};

/// A body that covers [lowest, highest], its cells fine enough for the ratio, mu * cell_width <= 1/2, and no wider
/// than `widest`.
[[nodiscard]] Body make_body(const SampledRatio& ratio, double lowest, double highest, double widest = 0.25);

/// The standard deviation of x under the tilted law phi r^rho near its mode, rho < 0: the law is log-concave then, and
/// narrow where rho is large.
[[nodiscard]] double tilted_width(const SampledRatio& ratio, double rho);

/// The grid with `per_cell` midpoints a cell; per_cell is one of the divisors admissible_refinement() returns.
template <class Real = double>
[[nodiscard]] RatioGridOf<Real> make_grid(const SampledRatio& ratio, const Body& body, long per_cell);

/// The least number of points a cell >= wanted that keeps every grid point an exact double.
[[nodiscard]] long admissible_refinement(double wanted);

/// G(rho) = E[r^rho] over the body, as the grid's sum, and the tilted law dW = phi r^rho dx / G(rho).
struct TiltedMoment {
  double log_moment = 0;      ///< log G(rho)
  double rounding = 0;        ///< bound on the floating-point error of log G(rho)
  bool as_excess = false;     ///< G - 1 was summed instead of G (G is near 1, and masses sum to 1)
  double mean = 0;            ///< of log r under the tilted law
  double variance = 0;        ///< of log r under the tilted law
  double spread = 0;          ///< E |log r - centre| under the tilted law, about
  double phase_rounding = 0;  ///< the floating-point error of E[e^{is (log r - centre)}] is at most |s| times this
};

/// Also stores the tilted weights, which add up to 1, where `weights` is given. `centre` is any number near the mean:
/// phases relative to it lose least.
template <class Real>
[[nodiscard]] TiltedMoment tilt(const RatioGridOf<Real>& grid, double rho, std::vector<Real>* weights = nullptr,
                                double centre = 0);

/// A logarithm of a moment function and its first two derivatives: at 0 the mean and variance of the loss z, elsewhere
/// those of the loss tilted by e^{lambda z}.
struct Cumulant {
  double value = 0, mean = 0, variance = 0;
};

/// log G(rho), mean and variance as by tilt(), in doubles and with no bounds on their errors: for searching.
[[nodiscard]] Cumulant tilted_cumulant(const RatioGrid& grid, double rho);

/// Whether a log r is subnormal: it has lost digits, and sums of it take ten times as long.
[[nodiscard]] bool has_subnormal_losses(const RatioGrid& grid);

}  // namespace pld::contour
