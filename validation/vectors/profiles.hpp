#pragma once

#include <functional>

#include "interval.hpp"

namespace vectors {

/// delta at an epsilon of any sign. At every epsilon the true delta lies in the interval returned.
using Profile = std::function<Interval(const Interval& epsilon)>;

/// Gaussian pair whose means are `mu` standard deviations apart: k releases have mu = sqrt(k) sensitivity / sigma.
[[nodiscard]] Profile gaussian(const Interval& mu);

/// k releases of Laplace noise, `ratio` = sensitivity / scale. With g(z) = e^(-z/2) p(z) = e^(z/2) q(z) the law of one loss is
/// symmetric: e^(-ratio/2) times atoms of 1/2 at +-ratio and the density 1/4 between. With S the shift by `ratio` and D the
/// derivative, g = e^(-ratio/2) ((S + 1/S)/2 + (1/S - S)/(4 D)), so its k-th power is a finite sum of shifted truncated
/// powers, and their integrals against e^(-+z/2) follow by parts.
[[nodiscard]] Profile laplace(const Interval& ratio, int k);

/// Noise with a symmetric log-concave density about 0 and about `shift`. The loss grows with the outcome; where it passes
/// epsilon is found by bisection, each step certified.
struct Noise {
  std::function<Interval(const Interval&)> log_density;  ///< up to a constant
  std::function<Interval(const Interval&)> cdf;
};
[[nodiscard]] Profile additive(const Noise& noise, const Interval& shift);

[[nodiscard]] Noise logistic();                          ///< of scale 1
[[nodiscard]] Noise quartic();                           ///< density proportional to e^(-x^4)
[[nodiscard]] Noise sinh_normal(const Interval& a);      ///< a arsinh(N(0, 1) / a)

/// Laplace noise of scale 1 conditioned on |x| <= bound, shift <= bound, for |epsilon| < shift and for epsilon >= shift.
[[nodiscard]] Profile truncated_laplace(const Interval& shift, const Interval& bound);

/// The pointwise supremum over all pairs of two losses t and t - range (Dong, Durfee, Rogers 2020): for |epsilon| < range.
[[nodiscard]] Profile bounded_range(const Interval& range);

/// One release on a Poisson sample, of a pair with the same profile in both directions: p and q less e^epsilon times the
/// mixture are multiples of p and q less another factor times the other.
[[nodiscard]] Profile sampled(const Profile& profile, const Interval& rate, bool swapped);

}  // namespace vectors
