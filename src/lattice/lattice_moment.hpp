#pragma once

#include <complex>

#include "lattice/lattice_measure.hpp"

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
[[nodiscard]] ComplexEstimate moment_excess(const LatticeMeasure& measure, std::complex<double> t);

}  // namespace pld
