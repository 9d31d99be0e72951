#pragma once

#include <string>

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// The arsinh mechanism: noise a arsinh(N(0, sigma^2) / a), with tails that fall off like a double exponential
/// (Bun, Dwork, Rothblum, Steinke 2018, section 4). Log-concave, and so accepted, for a >= sigma only.
struct SinhNormal {
  double sigma = 1;        ///< > 0, finite; sensitivity / sigma from 1e-3 to 300
  double a = 1;            ///< >= sigma, finite
  double sensitivity = 1;  ///< > 0, finite
};

/// "sinh-normal:sigma=1,a=1" with every parameter, in the form the command reads.
[[nodiscard]] std::string describe(const SinhNormal& mechanism);

/// Throws DomainError for a parameter out of range.
[[nodiscard]] PairPtr dominating_pair(const SinhNormal& mechanism, Direction direction);

}  // namespace pld
