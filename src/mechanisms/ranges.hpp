#pragma once

#include "core/range.hpp"
#include "pairs/whole_sensitivity.hpp"

/// Every range of a mechanism's parameters, once: dominating_pair() checks by it, and the registry prints it in
/// messages, help, the README and Python's docstrings.
namespace pld::ranges {

inline constexpr Range positive = above(0), probability = from_to(0, 1);
using pld::whole_sensitivity;

/// sensitivity / sigma and sensitivity / scale of Gaussian and Laplace noise.
inline constexpr Range closed_form_ratio = from_to(1e-100, 1e100);
/// The same of other additive noise: beyond, its losses leave the range that their round-off was derived for.
inline constexpr Range scaled_sensitivity = from_to(1e-3, 300);

inline constexpr Range generalized_shape = from_to(1, 64);
inline constexpr double most_generalized_power = 1e5;    ///< (sensitivity / scale)^shape
inline constexpr Range sinh_normal_a = from_to(1, 1e6);  ///< in units of sigma
inline constexpr Range truncation = from_to(1e-3, 700);  ///< bound / scale
inline constexpr Range answers = whole_from_to(2, 1e9);  ///< of randomized response
inline constexpr Range selection_epsilon = from_to(1e-6, 500);
inline constexpr Range dp_epsilon = at_least(0);
inline constexpr Range discrete_laplace_a = closed_form_ratio;
inline constexpr Range discrete_gaussian_sigma = from_to(0.01, 1e6);
inline constexpr Range coins = whole_from_to(1, 1000), heads = from_to(0.01, 0.99);
inline constexpr Range poisson_variance = from_to(1e-3, 1e6);  ///< plus + minus
inline constexpr Range poisson_skew = from_to(1e-4, 1e4);      ///< minus / plus
inline constexpr Range mixture_shift = from_to(1e-6, 100);     ///< in units of sigma, where it is not 0
inline constexpr Range mixture_weight{.lowest = 0, .highest = 1, .open = true};
inline constexpr double most_points = 1e5;  ///< of a guarantee
inline constexpr Range guarantee_epsilon = from_to(0, 1e6);
inline constexpr Range concentrated_rho = from_to(1e-12, 1e6), concentrated_xi = guarantee_epsilon;
inline constexpr Range renyi_order = from_to(1.01, 1e9);

}  // namespace pld::ranges
