#include "readout/gaussian_line.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "account/directed_run.hpp"
#include "numeric/log_bound.hpp"
#include "numeric/normal_tail.hpp"
#include "numeric/roundings.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// A point and how far it may be off.
struct Located {
  double x = 0, error = 0;
};

/// Where P(N > x) = tail, 0 < tail <= 1/2: a step of Newton's method on the logarithm, which is concave. What that
/// leaves over the hazard rate bounds the error; a tenth more, as the rate is less on the left.
Located upper_quantile(double tail) {
  double x = std::numbers::sqrt2 * boost::math::erfc_inv(2 * tail);
  const double log_tail = std::log(tail);
  x = std::max(0.0, x + (log_normal_tail(x) - log_tail) * mills_ratio(x));
  const double left = std::fabs(log_normal_tail(x) - log_tail) + roundings(8, 1, log_tail);
  return {x, 1.1 * left * mills_ratio(x) + 2 * unit_roundoff * x};
}

/// log P(N > x) for a point within an error of x.
Bracket log_tail_about(const Located& at) {
  const LogBound least = bound_of_mass(log_normal_tail(at.x + at.error), Side::lower),
                 most = bound_of_mass(log_normal_tail(at.x - at.error), Side::upper);
  return {least.log(), log_normal_tail(at.x), most.log_probability()};
}

}  // namespace

std::optional<double> gaussian_mu_of(const PrivacyProfile& profile) {
  const Engine engine = profile.options().engine;
  if (engine != Engine::automatic && engine != Engine::closed_form) return std::nullopt;
  const Terms terms = run_in(profile.composition(), Direction::remove).terms;
  if (terms.size() != 1 || terms.front().count != 1) return std::nullopt;
  const auto law = terms.front().pair->sampled_gaussian();
  return law && law->q == 1 && law->mu > 0 ? std::optional(law->mu) : std::nullopt;
}

SupportingLine gaussian_line(double mu, double alpha) {
  // 1 - alpha is exact for alpha >= 1/2.
  Located at = upper_quantile(std::min(alpha, 1 - alpha));
  if (alpha > 0.5) at.x = -at.x;
  const Located shifted{at.x - mu, at.error + 4 * unit_roundoff * (std::fabs(at.x) + mu)};
  return {mu * (at.x - mu / 2), log_tail_about(shifted), log_tail_about({-shifted.x, shifted.error})};
}

}  // namespace pld
