#include "pairs/renyi_conversion.hpp"

#include <algorithm>
#include <array>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <utility>

#include "numeric/log_sum.hpp"
#include "numeric/roundings.hpp"
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
    // Rounds every logarithm, product and sum by a few u of terms of these sizes.
    return std::min(log_certain(epsilon),
                    bound + roundings(16, 3, exponent, t_power, b_ * (1 + epsilon), std::log(b_), log_left));
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
/// A grid of orders, in log(order - 1): those that are the best of some curve and epsilon.
constexpr double grid_step = 0.5, lowest_of_grid = -7, highest_of_grid = 25;

/// The least f over [low, high] and its place.
template <class F>
std::pair<double, double> least(const F& f, double low, double high) {
  return boost::math::tools::brent_find_minima(f, low, high, bits);
}

/// The orders 1 + e^log_b that a conversion tries.
class Orders {
 public:
  explicit Orders(const RenyiCurve& curve)
      : curve_(curve),
        highest_(std::min(std::log(curve.highest_order - 1), 60.0)),
        lowest_(std::min(-30.0, highest_ - 1)) {}

  /// A curve of chords has a hollow between any two of its knots, of which the lowest few are searched.
  [[nodiscard]] RenyiDelta least_of_all(double epsilon) const {
    RenyiDelta best = improved(least_between(lowest_, highest_, 0, epsilon), epsilon);
    if (is_line()) return best;
    for (const RenyiDelta& hollow : lowest_hollows(epsilon))
      if (hollow.log_delta < 0) best = smaller(best, improved(least_within(grid_step, hollow, epsilon), epsilon));
    return best;
  }
  [[nodiscard]] RenyiDelta least_near(const RenyiDelta& near, double epsilon) const {
    return least_within(1, near, epsilon);
  }
  /// Whether no order of a grid is better, at the same share.
  [[nodiscard]] bool is_lowest(const RenyiDelta& found, double epsilon) const {
    if (is_line()) return true;
    for (double log_b = top_of_grid(); log_b > lowest_of_grid; log_b -= 2 * grid_step)
      if (at(log_b).log_delta(epsilon, found.share) < found.log_delta) return false;
    return true;
  }

  /// Share and order by turns, as long as they gain: about as large a part of delta as delta itself.
  [[nodiscard]] RenyiDelta improved(RenyiDelta best, double epsilon) const {
    constexpr double no_gain = -40, enough = 1e-14;
    constexpr int most_rounds = 12;
    for (int round = 0; round < most_rounds && best.log_delta > no_gain; ++round) {
      const double before = best.log_delta;
      const OneOrder order = at(best.log_b);
      const auto [share, log_delta] = least([&](double s) { return order.log_delta(epsilon, s); }, 0.0, largest_share);
      if (!(log_delta < before)) break;
      const RenyiDelta by_order = least_near({log_delta, best.log_b, share}, epsilon);
      best = by_order.log_delta < log_delta ? by_order : RenyiDelta{log_delta, best.log_b, share};
      if (before - best.log_delta < enough) break;
    }
    best.log_delta = std::min(0.0, best.log_delta);
    return best;
  }

 private:
  [[nodiscard]] OneOrder at(double log_b) const { return {curve_, std::exp(log_b)}; }

  /// Which has one hollow.
  [[nodiscard]] bool is_line() const { return curve_.exact_slope.has_value(); }
  [[nodiscard]] double top_of_grid() const { return std::min(highest_, highest_of_grid); }

  using Hollows = std::array<RenyiDelta, 3>;  ///< nothing, 0, where there are fewer

  static RenyiDelta smaller(const RenyiDelta& a, const RenyiDelta& b) { return b.log_delta < a.log_delta ? b : a; }

  /// Where the bound is lower than at both neighbours on a grid of orders, the lowest few.
  [[nodiscard]] Hollows lowest_hollows(double epsilon) const {
    Hollows lowest;
    const auto take = [&](RenyiDelta hollow) {
      for (RenyiDelta& one : lowest)
        if (hollow.log_delta < one.log_delta) std::swap(one, hollow);
    };
    RenyiDelta before, here = best_of_shares(top_of_grid(), epsilon);
    for (double log_b = top_of_grid() - grid_step; log_b > lowest_of_grid; log_b -= grid_step) {
      const RenyiDelta after = best_of_shares(log_b, epsilon);
      if (here.log_delta < before.log_delta && here.log_delta <= after.log_delta) take(here);
      before = here, here = after;
    }
    if (here.log_delta < before.log_delta) take(here);
    return lowest;
  }

  [[nodiscard]] RenyiDelta best_of_shares(double log_b, double epsilon) const {
    RenyiDelta best;
    const OneOrder order = at(log_b);
    for (const double share : {0.0, 0.5, 0.8, 0.95})
      best = smaller(best, {order.log_delta(epsilon, share), log_b, share});
    return best;
  }

  [[nodiscard]] RenyiDelta least_within(double distance, const RenyiDelta& near, double epsilon) const {
    return least_between(std::max(lowest_, near.log_b - distance), std::min(highest_, near.log_b + distance),
                         near.share, epsilon);
  }

  /// The least at orders between two, or at the highest of all.
  [[nodiscard]] RenyiDelta least_between(double low, double high, double share, double epsilon) const {
    const auto log_delta = [&](double log_b) { return at(log_b).log_delta(epsilon, share); };
    const auto [log_b, found] = least(log_delta, low, high);
    const double end = log_delta(highest_);
    return end < found ? RenyiDelta{end, highest_, share} : RenyiDelta{found, log_b, share};
  }

  const RenyiCurve& curve_;
  double highest_, lowest_;
};

}  // namespace

double log_delta_of_renyi(const RenyiCurve& curve, double epsilon) { return delta_of_renyi(curve, epsilon).log_delta; }

RenyiDelta delta_of_renyi(const RenyiCurve& curve, double epsilon) { return Orders(curve).least_of_all(epsilon); }

RenyiDelta delta_of_renyi_from(const RenyiDelta& near, const RenyiCurve& curve, double epsilon) {
  const Orders orders(curve);
  const RenyiDelta best = orders.least_near(near, epsilon);
  constexpr double well_within = 0.9;  // of an order e times as far from 1: the least lies beyond
  const bool is_near = std::fabs(best.log_b - near.log_b) < well_within;
  if (!is_near || !orders.is_lowest(best, epsilon)) return delta_of_renyi(curve, epsilon);
  return orders.improved(best, epsilon);
}

double log_delta_of_order(double order, double divergence, double epsilon) {
  const OneOrder one(order - 1, divergence);
  const auto by_share = least([&](double share) { return one.log_delta(epsilon, share); }, 0.0, largest_share);
  return std::min({0.0, one.log_delta(epsilon, 0), by_share.second});
}

}  // namespace pld
