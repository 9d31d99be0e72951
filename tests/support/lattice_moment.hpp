#pragma once

#include <cmath>
#include <complex>
#include <cstdint>

#include "lattice/lattice_measure.hpp"
#include "numeric/compensated_sum.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

/// A complex number within `error` of another, which is infinite where nothing is certain.
struct ComplexEstimate {
  std::complex<double> value;
  double error = 0;
};

/// M(t) - 1 = sum_i p_i (e^{t z_i} - 1) of a measure as it stands, for any complex t: the finite sum, small differences
/// kept to full relative accuracy. It lets a law on a lattice be put into the same integrals as one whose moments are
/// known in closed form, which checks either engine by the other. The error bounds round-off: not what the measure may
/// be away from the one it stands for (slack, noise, positions and scale).
[[nodiscard]] inline ComplexEstimate moment_excess(const LatticeMeasure& measure, std::complex<double> t) {
  CompensatedSum real, imaginary;
  double error = 0;
  for (std::size_t i = 0; i < measure.weights.size(); ++i) {
    if (measure.weights[i] == 0) continue;
    const double z = measure.position(measure.first + static_cast<std::int64_t>(i));
    const double growth = t.real() * z, angle = t.imag() * z, exponent = measure.log_scale - measure.tilt * z;
    const double mass = measure.weights[i] * std::exp(exponent), half = std::sin(angle / 2);
    // e^{a + ib} - 1 = (e^a - 1) cos b - 2 sin^2(b/2) + i e^a sin b
    const double along = std::expm1(growth) * std::cos(angle), back = 2 * half * half,
                 across = std::exp(growth) * std::sin(angle);
    real.add(mass * (along - back));
    imaginary.add(mass * across);
    // z is off by 2 u of what it is the sum of, each function by 2 u and what that moves its argument by.
    const double place = 2 * unit_roundoff * (std::fabs(measure.origin) + std::fabs(z));
    const double mass_off = (8 + 4 * std::fabs(measure.log_scale) + 4 * std::fabs(measure.tilt * z)) * unit_roundoff +
                            std::fabs(measure.tilt) * place;
    const double argument_off = std::abs(t) * (place + 4 * unit_roundoff * std::fabs(z));
    const double size = std::fabs(along) + back + std::fabs(across);
    error += mass * (size * (mass_off + 16 * unit_roundoff) + 2 * std::exp(std::fmax(growth, 0.0)) * argument_off);
  }
  const std::complex<double> value{real.value(), imaginary.value()};
  error = (error + 4 * unit_roundoff * std::abs(value)) * (1 + 1e-6);
  if (!std::isfinite(error) || !std::isfinite(std::abs(value))) return {0, infinity};
  return {value, error};
}

}  // namespace pld
