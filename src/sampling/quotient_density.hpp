#pragma once

#include <memory>

#include "pairs/analytic_law.hpp"

namespace pld {

/// A law's density against X at an outcome x of X: the one of a known density at x - centre, or at -x - centre.
struct PlacedDensity {
  std::shared_ptr<const AnalyticDensity> density;
  double centre = 0;
  bool mirrored = false;

  /// The interval of x from which on the density is known.
  [[nodiscard]] double from() const { return mirrored ? -density->to() - centre : density->from() + centre; }
  [[nodiscard]] double to() const { return mirrored ? -density->from() - centre : density->to() + centre; }
};

/// P = X R_p and Q = X R_q, from the densities of both against the same X, at its outcomes from `from` to `to`, where
/// R_p / R_q does not fall.
[[nodiscard]] std::shared_ptr<const AnalyticDensity> quotient_density(PlacedDensity p, PlacedDensity q, double from,
                                                                      double to);

/// The same of P = X R(x) against Q = X R(-x), X symmetric about 0: from the law of P against X, over outcomes x -
/// centre.
[[nodiscard]] AnalyticLaw opposite_law(AnalyticLaw against_still, double centre);

}  // namespace pld
