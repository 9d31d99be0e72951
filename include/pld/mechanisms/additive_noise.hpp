#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pld/core/rounding.hpp"
#include "pld/mechanisms/dominating_pair.hpp"

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
  [[nodiscard]] virtual double log_ratio_moment_beyond(double /*order*/, double /*x*/, double /*s*/) const { return infinity; }

  /// The order from which on that integral is infinite.
  [[nodiscard]] virtual double infinite_order(double /*s*/) const { return infinity; }

  /// Half the length of the support.
  [[nodiscard]] virtual double largest() const { return infinity; }

  /// The density is exactly proportional to e^{-rate |x|} from here on: the loss is flat there, an atom.
  [[nodiscard]] virtual double exponential_from() const { return infinity; }

  /// Points x >= 0 where the density is not analytic: quadrature stops at them.
  [[nodiscard]] virtual std::vector<double> kinks() const { return {}; }
};

/// The pair (X + sensitivity, X). Throws DomainError unless sensitivity > 0 and finite.
[[nodiscard]] PairPtr additive_noise_pair(std::shared_ptr<const SymmetricLogConcaveNoise> noise, double sensitivity);

/// Noise with the logistic density e^{-|x|/scale} / (scale (1 + e^{-|x|/scale})^2); its variance is pi^2 scale^2 / 3.
struct Logistic {
  double scale = 1;        ///< > 0, finite; sensitivity / scale from 1e-3 to 300
  double sensitivity = 1;  ///< > 0, finite
};

/// Noise with density proportional to e^{-|x/scale|^shape}: generalized normal law (Subbotin 1923). Shape 1 is Laplace of
/// that scale, shape 2 Gaussian of sigma = scale / sqrt(2). Shapes below 1 are not log-concave: no theorem gives a
/// dominating pair.
struct GeneralizedGaussian {
  double shape = 2;        ///< 1 <= shape <= 64
  double scale = 1;        ///< > 0, finite; sensitivity / scale from 1e-3 to 300
  double sensitivity = 1;  ///< > 0, finite
};

/// The arsinh mechanism: noise a arsinh(N(0, sigma^2) / a), with tails that fall off like a double exponential
/// (Bun, Dwork, Rothblum, Steinke 2018, section 4). Log-concave, and so accepted, for a >= sigma only.
struct SinhNormal {
  double sigma = 1;        ///< > 0, finite; sensitivity / sigma from 1e-3 to 300
  double a = 1;            ///< >= sigma, finite
  double sensitivity = 1;  ///< > 0, finite
};

/// Laplace noise conditioned on |x| <= bound: losses of +inf with the mass of a shift beyond the bound
/// (Geng, Ding, Guo, Kumar 2020).
struct TruncatedLaplace {
  double scale = 1;        ///< > 0, finite; sensitivity / scale from 1e-3 to 300
  double bound = 10;       ///< > 0, finite; bound / scale from 1e-3 to 700
  double sensitivity = 1;  ///< > 0, finite
};

/// "logistic:scale=1" with every parameter, in the form the command reads.
[[nodiscard]] std::string describe(const Logistic& mechanism);
[[nodiscard]] std::string describe(const GeneralizedGaussian& mechanism);
[[nodiscard]] std::string describe(const SinhNormal& mechanism);
[[nodiscard]] std::string describe(const TruncatedLaplace& mechanism);

/// Each throws DomainError for a parameter out of range.
[[nodiscard]] PairPtr dominating_pair(const Logistic& mechanism, Direction direction);
[[nodiscard]] PairPtr dominating_pair(const GeneralizedGaussian& mechanism, Direction direction);
[[nodiscard]] PairPtr dominating_pair(const SinhNormal& mechanism, Direction direction);
[[nodiscard]] PairPtr dominating_pair(const TruncatedLaplace& mechanism, Direction direction);

}  // namespace pld
