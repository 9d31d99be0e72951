#pragma once

#include <optional>
#include <string>

#include "pld/mechanisms/parameters_around.hpp"
#include "pld/pairs/dominating_pair.hpp"
#include "pld/pairs/law_kind.hpp"

namespace pld {

/// Additive Gaussian noise of standard deviation sigma on a query of l2 sensitivity `sensitivity` (any dimension:
/// the one-dimensional pair N(sensitivity, sigma^2), N(0, sigma^2) dominates by rotation invariance; Dong, Roth, Su
/// 2022).
struct Gaussian {
  double sigma = 1;        ///< > 0, finite
  double sensitivity = 1;  ///< > 0, finite
};

/// "gaussian:sigma=1" with every parameter, in the form the command reads.
[[nodiscard]] std::string describe(const Gaussian& mechanism);

/// Throws DomainError for a parameter out of range.
[[nodiscard]] PairPtr dominating_pair(const Gaussian& mechanism, Direction direction);

/// The same noise where the sensitivity is only bounded: no record moves the query by more than `sensitivity`, and some
/// record by `attained`, as of the strategy matrix of a matrix mechanism. Known from two sides.
struct BoundedGaussian {
  double sigma = 1;        ///< > 0, finite
  double sensitivity = 1;  ///< > 0, finite
  double attained = 1;     ///< > 0, at most the sensitivity
};

/// "gaussian:sigma=1,sensitivity=2,attained_sensitivity=1.5".
[[nodiscard]] std::string describe(const BoundedGaussian& mechanism);

/// Throws DomainError for a parameter out of range.
[[nodiscard]] PairPtr dominating_pair(const BoundedGaussian& mechanism, Direction direction);

[[nodiscard]] inline LawKind law_kind(const BoundedGaussian&) { return {.attained = Attainment::nowhere}; }
[[nodiscard]] std::optional<Gaussian> witness(const BoundedGaussian& mechanism);
[[nodiscard]] BoundedGaussian replacing(BoundedGaussian mechanism);
[[nodiscard]] ParametersAround<BoundedGaussian> grouped(const BoundedGaussian& mechanism, int group);

}  // namespace pld
