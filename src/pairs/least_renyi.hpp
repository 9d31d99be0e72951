#pragma once

#include <algorithm>
#include <cmath>

#include "numeric/roundings.hpp"
#include "pld/core/rounding.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// A pair of whose Renyi divergences a lower bound is known that costs nothing: where it is next to the upper one, no
/// cells are cut.
class KnownLeastRenyi {
 public:
  virtual ~KnownLeastRenyi() = default;

  /// A lower bound of the divergence of an order > 1.
  [[nodiscard]] virtual double least_renyi(double order) const = 0;
};

/// 0 where none is known.
[[nodiscard]] inline double least_renyi(const DominatingPair& pair, double order) {
  const auto* known = dynamic_cast<const KnownLeastRenyi*>(&pair);
  return known ? std::max(0.0, known->least_renyi(order)) : 0;
}

/// A lower bound of the order's divergence of P and Q from one of P' and Q', P >= e^log_share P' and Q <= Q': the
/// integral of P^a Q^(1-a) is at least e^(a log_share) times theirs.
[[nodiscard]] inline double least_renyi_of_share(double least, double log_share, double order) {
  // Takes off ten times what a quotient, a logarithm, a product and two sums of such size are rounded by.
  const double more = order / (order - 1) * log_share;
  return least + more - roundings(32, least, more);
}

/// The same of the outcomes alone at which P' >= Q': the others have at most 1 of the integral.
[[nodiscard]] inline double least_renyi_of_gains(double least, double order) {
  const double exponent = (order - 1) * least;
  if (!(exponent > 0)) return 0;
  const double less = std::log(-std::expm1(-exponent)) / (order - 1);
  return least + less - 8 * unit_roundoff * (least - less);
}

/// D_a <= constant + slope a for all orders a > 1.
struct RenyiLine {
  double constant = 0, slope = infinity;

  /// Rounded up.
  [[nodiscard]] double at(double order) const { return round_up(constant + slope * order, 4); }
};

/// A pair of which more is known of large orders than DominatingPair::renyi_slope().
class KnownMostRenyi {
 public:
  virtual ~KnownMostRenyi() = default;
  [[nodiscard]] virtual RenyiLine renyi_line() const = 0;

  /// An upper bound of the divergence of an order > 1 that costs nothing.
  [[nodiscard]] virtual double most_renyi(double order) const = 0;
};

[[nodiscard]] inline RenyiLine renyi_line(const DominatingPair& pair) {
  const auto* known = dynamic_cast<const KnownMostRenyi*>(&pair);
  return known ? known->renyi_line() : RenyiLine{0, pair.renyi_slope()};
}

[[nodiscard]] inline double most_renyi(const DominatingPair& pair, double order) {
  const auto* known = dynamic_cast<const KnownMostRenyi*>(&pair);
  const double plain = round_up(order * pair.renyi_slope(), 4);
  return known ? std::min(plain, known->most_renyi(order)) : plain;
}

/// An upper bound of the order's divergence of a mixture sum_j w_j P_j and Q from D_a(P_j || Q) <= c_j a. The norm of a
/// sum in L^a(Q) is at most the sum of the norms, those of P_j / Q being e^((a-1) c_j) at most. `log_moment` is log
/// sum_j w_j e^((a-1) c_j), from exponents of `reach` at most.
[[nodiscard]] inline double most_renyi_of_mixture(double log_moment, double reach, double order) {
  return order / (order - 1) * (std::max(0.0, log_moment) + 64 * unit_roundoff * (8 + reach));
}

}  // namespace pld
