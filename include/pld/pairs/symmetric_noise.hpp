#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "pld/core/rounding.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// Real noise with a density that is symmetric about 0 and log-concave. Among the shifts of up to s of such noise the
/// pair (X + s, X) dominates all others: the density ratio grows with the outcome, and the trade-off function of a
/// location family falls as the shift grows (Dong, Roth, Su 2022, appendix A). A new family overrides the two pure
/// functions, and what its shape asks for of the rest.
class SymmetricLogConcaveNoise {
 public:
  virtual ~SymmetricLogConcaveNoise() = default;

  /// log f(x), -inf outside the support. Error: <= 4 u (1 + |result|).
  [[nodiscard]] virtual double log_density(double x) const = 0;

  /// log P(X > x). Domain: 0 <= x <= +inf. Error: <= 4 u (1 + |result|).
  [[nodiscard]] virtual double log_tail(double x) const = 0;

  /// log f(x - s) - log f(x), s > 0; called for s/2 <= x < +inf inside both supports. Where the difference below
  /// cancels, as in a tail, override it together with loss_error.
  [[nodiscard]] virtual double loss(double x, double s) const { return log_density(x - s) - log_density(x); }

  /// Bound on the error of loss(), the rounding of x and of x - s included, for all outcomes from s/2 to x.
  [[nodiscard]] virtual double loss_error(double x, double s) const {
    return 16 * unit_roundoff * (1 + std::fabs(log_density(x)) + std::fabs(log_density(x - s)));
  }

  /// The supremum of the loss, where exp(-tail) noise bounds it.
  [[nodiscard]] virtual double highest_loss(double /*s*/) const { return infinity; }

  /// Upper bound of log int_x^inf f(y - s)^order f(y)^(1 - order) dy, x > s, order > 1. +inf where none is known.
  [[nodiscard]] virtual double log_ratio_moment_beyond(double /*order*/, double /*x*/, double /*s*/) const {
    return infinity;
  }

  /// The order from which on that integral is infinite.
  [[nodiscard]] virtual double infinite_order(double /*s*/) const { return infinity; }

  /// Upper bound of D_order / order of the pair (X + s, X), order > 1. +inf where none is known.
  [[nodiscard]] virtual double renyi_slope(double /*s*/) const { return infinity; }

  /// What noise of equal names is equal by, so that its pairs are told to differ in their shifts only: they compose in
  /// boxes where there are thousands. Empty: a pair is like no other.
  [[nodiscard]] virtual std::string name() const { return {}; }

  /// Half the length of the support.
  [[nodiscard]] virtual double largest() const { return infinity; }

  /// The density is exactly proportional to e^{-rate |x|} from here on: the loss is flat there, an atom.
  [[nodiscard]] virtual double exponential_from() const { return infinity; }

  /// Points x >= 0 where the density is not analytic: quadrature stops at them.
  [[nodiscard]] virtual std::vector<double> kinks() const { return {}; }

  /// Roughly how long a loss takes, in those of normal noise: what a budget of work counts.
  [[nodiscard]] virtual double loss_cost() const { return 1; }

  /// How the log density leaves its kinks: like this power of the distance at most.
  [[nodiscard]] virtual double power_at_kinks() const { return 1; }
};

/// The pair (X + sensitivity, X). Throws DomainError unless sensitivity > 0 and finite.
[[nodiscard]] PairPtr additive_noise_pair(std::shared_ptr<const SymmetricLogConcaveNoise> noise, double sensitivity);

}  // namespace pld
