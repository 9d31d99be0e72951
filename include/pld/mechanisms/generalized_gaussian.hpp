#pragma once

#include <string>

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// Noise with density proportional to e^{-|x/scale|^shape}: generalized normal law (Subbotin 1923). Shape 1 is Laplace
/// of that scale, shape 2 Gaussian of sigma = scale / sqrt(2). Shapes below 1 are not log-concave: no theorem gives a
/// dominating pair.
struct GeneralizedGaussian {
  double shape = 2;        ///< 1 <= shape <= 64
  double scale = 1;        ///< > 0, finite; sensitivity / scale from 1e-3 to 300
  double sensitivity = 1;  ///< > 0, finite
};

/// "generalized:shape=2,scale=1" with every parameter, in the form the command reads.
[[nodiscard]] std::string describe(const GeneralizedGaussian& mechanism);

/// Throws DomainError for a parameter out of range.
[[nodiscard]] PairPtr dominating_pair(const GeneralizedGaussian& mechanism, Direction direction);

}  // namespace pld
