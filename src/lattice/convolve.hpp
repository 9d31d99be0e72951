#pragma once

#include <cstdint>
#include <span>

#include "lattice/lattice_measure.hpp"

namespace pld {

/// A measure and how often it is convolved.
struct Factor {
  const LatticeMeasure* measure = nullptr;
  std::int64_t count = 1;
};

/// Lattice indices first, ..., first + size - 1. size is the transform's length.
struct IndexWindow {
  std::int64_t first = 0;
  std::size_t size = 2;
};

/// The indices from low to high (within 2^40 spacings; only low where that is above) on the lattice and a few beside,
/// as many as make a fast transform. None is beyond 2^62, however far away the positions are: convolve() bounds what
/// that leaves out.
[[nodiscard]] IndexWindow window_over(double low, double high, double origin, double spacing);

enum class Precision { standard, extended };  ///< transforms in double or in long double

/// The convolution of all factors (of one tilt and spacing, counts >= 1) within the window, by one transform a factor.
/// What the window leaves out or wraps around, and the round-off of the transforms, are bounded and kept in the
/// result's slack, pointwise and other error fields; the weights themselves carry no safety margin.
[[nodiscard]] LatticeMeasure convolve(std::span<const Factor> factors, IndexWindow window, Precision precision);

}  // namespace pld
