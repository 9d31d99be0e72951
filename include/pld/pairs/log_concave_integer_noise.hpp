#pragma once

#include <memory>

#include "pld/core/rounding.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// Integer noise on all whole numbers with log-concave masses. The ratio of the masses at x - s and x grows with x, so
/// that a test's power grows with the shift: the pair (X + s, X) dominates all shifts from 0 to s, and where the masses
/// are symmetric also those from -s to 0 (Dong, Roth, Su 2022, appendix A, with sums for integrals). A new family
/// overrides the pure functions.
class LogConcaveIntegerNoise {
 public:
  virtual ~LogConcaveIntegerNoise() = default;

  /// log of the mass at a whole number x. Error: <= 2^-57 + 2^-60 |result|, and a rounding to long double where
  /// that has fewer than 64 bits.
  [[nodiscard]] virtual long double log_mass(double x) const = 0;

  /// log mass(x - s) - log mass(x), s > 0 and whole. Where that cancels, |x| from 2^40 on, override it; nearer, keep
  /// it.
  [[nodiscard]] virtual long double loss(double x, double s) const { return log_mass(x - s) - log_mass(x); }

  /// Upper bound of log sum_{y >= x} mass(y - s)^order mass(y)^(1 - order), order > 1; `mirrored`: of the noise -X.
  /// +inf where none is known.
  [[nodiscard]] virtual double log_ratio_moment_from(double /*order*/, double /*x*/, double /*s*/,
                                                     bool /*mirrored*/) const {
    return infinity;
  }

  /// A whole number where the mass is largest.
  [[nodiscard]] virtual double mode() const { return 0; }

  /// Whether x and -x have one mass: then mode() is 0.
  [[nodiscard]] virtual bool symmetric() const { return true; }
};

/// remove: (X + sensitivity, X), add: swapped. The sensitivity is how far a record can move the query, either way for
/// symmetric noise, upward only for other noise. Throws DomainError unless it is a whole number from 1 to 1e6.
[[nodiscard]] PairPtr integer_noise_pair(std::shared_ptr<const LogConcaveIntegerNoise> noise, double sensitivity,
                                         Direction direction);

}  // namespace pld
