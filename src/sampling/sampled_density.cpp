#include "sampling/sampled_density.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "numeric/extended.hpp"
#include "numeric/log_doubt.hpp"
#include "numeric/log_sum.hpp"

namespace pld {
namespace {

/// log R, R = 1 - q + q e^y.
long double log_mixture(long double q, long double y) {
  constexpr long double large = 40;
  if (y > large) return y + std::log(q + (1 - q) * std::exp(-y));
  const long double excess = q * std::expm1(y);
  return excess > -0.5L ? std::log1p(excess) : std::log((1 - q) + q * std::exp(y));
}

/// d log R / dy, the share of the sampled part in R.
double share(double q, double y) { return 1 / (1 + (1 - q) / q * std::exp(-y)); }

/// The angle of 1 - w + w e^{it}.
double turned(double w, double t) { return std::atan2(w * std::sin(t), 1 - w + w * std::cos(t)); }

LawPoint sampled(const LawPoint& base, double q, Direction direction) {
  const bool removing = direction == Direction::remove;
  const long double y = removing ? base.loss : -base.loss, log_ratio = log_mixture(q, y);
  // log R's own rounding in long doubles of 64 bits is below u |log R|.
  const double size = static_cast<double>(std::fabs(log_ratio)), reach = static_cast<double>(std::fabs(base.loss));
  const double off = unit_roundoff * size + felt_rounding(16 * size + 8 * reach) +
                     std::min(1.0, 1.01 * share(q, static_cast<double>(y) + base.loss_error)) * base.loss_error;
  if (removing) return {log_ratio, base.log_q, off, base.log_q_error};
  return {-log_ratio, base.log_q + base.loss + log_ratio, off,
          base.log_q_error + base.loss_error + off + felt_rounding(2 * static_cast<double>(std::fabs(base.log_q)))};
}

/// remove: the ratio is R = 1 - q + q r to the base's Q; add: the base's P over P R, R = 1 - q + q / r.
class SampledDensity final : public AnalyticDensity {
 public:
  SampledDensity(std::shared_ptr<const AnalyticDensity> base, double q, Direction direction)
      : AnalyticDensity(base->from(), base->to()), base_(std::move(base)), q_(q), direction_(direction) {}

  [[nodiscard]] LawPoint at(long double x) const override { return sampled(base_->at(x), q_, direction_); }

  // At Im x = y > 0 the base's ratio turns by t, least_turn y <= t <= most_turn y <= T, and R is |R at t = 0| times a
  // point of the chord from 1 to e^{it}. For T <= pi/2 its angle grows with t and with the share w of e^{it}, is a
  // concave or a convex function of t by whether w < 1/2, so between t w and t / T of the angle at T; and its distance
  // from 0 is at least cos(T/2).
  [[nodiscard]] std::optional<Box> box(double a, double b, double height) const override {
    const auto base = base_->box(a, b, height);
    if (!base) return std::nullopt;
    const double most = base->most_turn * height;
    if (!(base->least_turn >= 0 && most <= std::numbers::pi / 2)) return std::nullopt;
    const bool removing = direction_ == Direction::remove;
    const double low = removing ? base->least_loss : -base->most_loss,
                 high = removing ? base->most_loss : -base->least_loss;
    const auto log_ratio = [&](double y) { return static_cast<double>(log_mixture(q_, y)); };
    const double least_ratio = log_ratio(low) + std::log(std::cos(most / 2)), most_ratio = log_ratio(high);
    const double least_share = share(q_, low), most_share = share(q_, high);
    const double at_least = most > 0 ? std::min(least_share, turned(least_share, most) / most) : least_share,
                 at_most = most > 0 ? std::max(most_share, turned(most_share, most) / most) : most_share;
    Box box{base->log_q, least_ratio, most_ratio, base->least_turn * at_least, base->most_turn * at_most};
    if (removing) return box;
    box.log_q += log_sum(std::log(q_), std::log1p(-q_) + base->most_loss);
    box.least_loss = -most_ratio, box.most_loss = -least_ratio;
    return box;
  }

 private:
  std::shared_ptr<const AnalyticDensity> base_;
  double q_;
  Direction direction_;
};

}  // namespace

AnalyticLaw sampled_law(const AnalyticLaw& base, double q, Direction direction) {
  const bool removing = direction == Direction::remove;
  AnalyticLaw law;
  law.log_lost = base.log_lost;
  law.sums_to_one = base.sums_to_one;
  for (const LawPoint& atom : base.atoms) law.atoms.push_back(sampled(atom, q, direction));
  for (const auto& density : base.densities)
    law.densities.push_back(std::make_shared<SampledDensity>(density, q, direction));
  // Where the base's Q is alone the mixture is 1 - q of it, and likewise for its P.
  const double log_alone = removing ? base.log_infinite_q : base.log_infinite_p, log_rest = std::log1p(-q);
  (removing ? law.log_infinite_p : law.log_infinite_q) =
      std::log(q) + (removing ? base.log_infinite_p : base.log_infinite_q);
  if (log_alone > -infinity) {
    const double error = 4 * unit_roundoff * std::fabs(log_rest);
    const double of_mass = mass_error(log_alone) + error;
    if (removing)
      law.atoms.push_back({log_rest, log_alone, error, of_mass});
    else
      law.atoms.push_back({-log_rest, log_alone + log_rest, error, of_mass});
  }
  return law;
}

}  // namespace pld
