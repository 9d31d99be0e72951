#pragma once

#include <string>

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// Laplace noise conditioned on |x| <= bound: losses of +inf with the mass of a shift beyond the bound
/// (Geng, Ding, Guo, Kumar 2020).
struct TruncatedLaplace {
  double scale = 1;        ///< > 0, finite; sensitivity / scale from 1e-3 to 300
  double bound = 10;       ///< > 0, finite; bound / scale from 1e-3 to 700
  double sensitivity = 1;  ///< > 0, finite
};

/// "truncated-laplace:scale=1,bound=10" with every parameter, in the form the command reads.
[[nodiscard]] std::string describe(const TruncatedLaplace& mechanism);

/// Throws DomainError for a parameter out of range.
[[nodiscard]] PairPtr dominating_pair(const TruncatedLaplace& mechanism, Direction direction);

}  // namespace pld
