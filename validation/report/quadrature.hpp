#pragma once

#include <functional>

namespace pld::validation {

/// Logarithm of a density.
using LogDensity = std::function<double(double)>;

[[nodiscard]] LogDensity normal_log_density(double mean, double sigma);

/// E_Q[(dP/dQ)^alpha] by the trapezoidal rule over [low, high], at whose ends the integrand must have vanished: for
/// smooth densities the error then falls faster than any power of the step.
[[nodiscard]] double moment_by_quadrature(const LogDensity& p, const LogDensity& q, double alpha, double low,
                                          double high, double step);

/// D_alpha(P||Q) from it.
[[nodiscard]] double renyi_by_quadrature(const LogDensity& p, const LogDensity& q, double alpha, double low,
                                         double high, double step);

}  // namespace pld::validation
