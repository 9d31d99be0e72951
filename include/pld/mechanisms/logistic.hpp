#pragma once

#include <string>

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// Noise with the logistic density e^{-|x|/scale} / (scale (1 + e^{-|x|/scale})^2); its variance is pi^2 scale^2 / 3.
struct Logistic {
  double scale = 1;        ///< > 0, finite; sensitivity / scale from 1e-3 to 300
  double sensitivity = 1;  ///< > 0, finite
};

/// "logistic:scale=1" with every parameter, in the form the command reads.
[[nodiscard]] std::string describe(const Logistic& mechanism);

/// Throws DomainError for a parameter out of range.
[[nodiscard]] PairPtr dominating_pair(const Logistic& mechanism, Direction direction);

}  // namespace pld
