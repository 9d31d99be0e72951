#include "pairs/renyi_conversion.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>

#include "numeric/log_sum.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// The conversion at one order A = 1 + b: log of a bound of delta for any `share` in [0, 1), which places r at
/// share c(r), a little more than share. Any order and share give a bound.
class OneOrder {
 public:
  /// A double 1 + b may lie below A: the divergence, which rises with the order, is taken at one above.
  OneOrder(const RenyiCurve& curve, double b) : OneOrder(b, curve.at(std::min(curve.highest_order, round_up(1 + b)))) {}
  OneOrder(double b, double divergence) : b_(b), order_(1 + b), divergence_(divergence) {}

  [[nodiscard]] double log_delta(double epsilon, double share) const {
    // u = r / t, and t = e^epsilon c with c = A (1 - u^{A-1}) / ((A-1) (1 - u^A)), so that r = share c.
    const double log_u = std::log(share) - epsilon;
    const double log_left = log_one_minus_exp(b_ * log_u),
                 log_c = std::log(order_ / b_) + log_left - log_one_minus_exp(order_ * log_u);
    const double exponent = b_ * divergence_, t_power = b_ * (epsilon + log_c);
    const double bound = log_numerator(exponent, std::log(share) + log_c) - std::log(order_) - t_power - log_left;
    return std::min(log_certain(epsilon), bound + 16 * unit_roundoff *
                                                      (4 + exponent + std::fabs(t_power) + b_ * (1 + epsilon) +
                                                       std::fabs(std::log(b_)) - log_left));
  }

 private:
  /// log(1 - e^{epsilon - D}), where that holds.
  [[nodiscard]] double log_certain(double epsilon) const {
    const double above = divergence_ - epsilon;
    if (!(above > std::log1p(1 / b_) * (1 + 4 * unit_roundoff))) return 0;
    return round_up(log_one_minus_exp(round_down(-above, 4)), 8);
  }

  /// log(e^exponent - A r^{A-1} + (A-1) r^A) as a sum of two terms >= 0, e^exponent - 1 and what is left of 1.
  [[nodiscard]] double log_numerator(double exponent, double log_r) const {
    const double power = std::exp(b_ * log_r);
    const double rest = std::max(0.0, -std::expm1(b_ * log_r) + b_ * power * std::expm1(log_r));
    const double rounding = 4 * unit_roundoff * (power > 0 ? b_ * std::fabs(log_r) * power : 0);
    if (exponent > 30) return exponent + std::log1p((rest - 1) * std::exp(-exponent));
    return std::log(std::expm1(exponent) + rest + rounding);
  }

  double b_, order_, divergence_;
};

constexpr double largest_share = 1 - 1e-9;  ///< of those tried
constexpr int bits = 30;                    ///< of the place of a minimum, where the value is flat

/// The least f over [low, high] and its place.
template <class F>
std::pair<double, double> least(const F& f, double low, double high) {
  return boost::math::tools::brent_find_minima(f, low, high, bits);
}

}  // namespace

double log_delta_of_renyi(const RenyiCurve& curve, double epsilon) {
  const double highest = std::min(std::log(curve.highest_order - 1), 60.0), lowest = std::min(-30.0, highest - 1);
  double share = 0;
  const auto at_order = [&](double log_b) { return OneOrder(curve, std::exp(log_b)).log_delta(epsilon, share); };
  auto [place, best] = least(at_order, lowest, highest);
  if (const double end = at_order(highest); end < best) place = highest, best = end;
  // What a share gains is about as large a part of delta as delta itself.
  constexpr double no_gain = -40, enough = 1e-14;
  constexpr int most_rounds = 12;
  for (int round = 0; round < most_rounds && best > no_gain; ++round) {
    const double before = best;
    const OneOrder order(curve, std::exp(place));
    const auto [best_share, by_share] =
        least([&](double s) { return order.log_delta(epsilon, s); }, 0.0, largest_share);
    if (!(by_share < best)) break;
    share = best_share, best = by_share;
    const auto [best_place, by_order] = least(at_order, std::max(lowest, place - 1), std::min(highest, place + 1));
    if (by_order < best) place = best_place, best = by_order;
    if (before - best < enough) break;
  }
  return std::min(0.0, best);
}

double log_delta_of_order(double order, double divergence, double epsilon) {
  const OneOrder one(order - 1, divergence);
  const auto by_share = least([&](double share) { return one.log_delta(epsilon, share); }, 0.0, largest_share);
  return std::min({0.0, one.log_delta(epsilon, 0), by_share.second});
}

}  // namespace pld
