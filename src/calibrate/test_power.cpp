#include "calibrate/test_power.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>

#include "calibrate/normal_quantile.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

namespace {

/// h(x) = delta(log x) + alpha x, convex in x = e^epsilon: delta is a supremum of lines.
class PowerBound {
 public:
  PowerBound(const Composition& composition, double alpha, const TestQuery& query)
      : composition_(composition), alpha_(alpha), query_(query) {}

  [[nodiscard]] Bracket at(double epsilon) const {
    const auto direction = query_.direction == Direction::remove ? DirectionChoice::remove : DirectionChoice::add;
    const DeltaAnswer d = delta(composition_, {.epsilon = epsilon,
                                               .tolerance = query_.tolerance,
                                               .direction = direction,
                                               .engine = query_.engine});
    const double line = alpha_ * std::exp(epsilon);
    return {round_down(d.lower + round_down(line, 4)), d.estimate + line, round_up(d.upper + round_up(line, 4))};
  }

 private:
  const Composition& composition_;
  double alpha_;
  TestQuery query_;
};

/// A normal law of the same total variation: its mu.
double equivalent_mu(const Composition& composition, const TestQuery& query) {
  const double variation = delta(composition, {.epsilon = 0, .tolerance = 1e-2, .engine = query.engine}).estimate;
  return std::clamp(2 * normal_quantile((1 + std::min(variation, 1 - 1e-15)) / 2), 1e-9, 20.0);
}

/// A minimiser of the estimates to within 2^-bits or so of `width`.
double minimiser(const PowerBound& bound, double start, double width, int bits) {
  constexpr int most_shifts = 40;
  for (int shift = 0;; ++shift) {
    const auto h = [&](double part) { return bound.at(start + width * part).estimate; };
    const double found = boost::math::tools::brent_find_minima(h, -1.0, 1.0, bits).first;
    const bool at_end = std::fabs(found) > 0.98;
    if (!at_end || shift == most_shifts) return start + width * found;
    start += width * found;
    width *= 2;
  }
}

/// The lowest point of the parabola through three points around a minimum.
double vertex(const PowerBound& bound, double middle, double step) {
  const double left = bound.at(middle - step).estimate, right = bound.at(middle + step).estimate;
  const double curvature = left + right - 2 * bound.at(middle).estimate;
  return curvature > 0 ? middle + std::clamp((left - right) / (2 * curvature), -1.0, 1.0) * step : middle;
}

/// Where h is lowest, to 1e-3 mu or better: by parabolas where h is smooth; at a kink, where those mislead, by halving.
double lowest_point(const PowerBound& bound, double start, double width, double mu) {
  constexpr int rough_bits = 8, fine_bits = 30;
  const double rough = minimiser(bound, start, width, rough_bits);
  double best = rough;
  for (const double step : {2e-2, 2e-3}) best = vertex(bound, best, step * mu);
  return bound.at(best).estimate <= bound.at(rough).estimate ? best : minimiser(bound, rough, 0.02 * width, fine_bits);
}

/// Lower bound of inf h from its brackets at three points. Where h rises from the middle one to both sides, its infimum lies
/// between them, and there h lies above the lines through the middle and either side, prolonged.
double lower_bound(const Bracket& left, const Bracket& middle, const Bracket& right, double step) {
  if (!(left.lower > middle.upper && right.lower > middle.upper)) return 0;
  const double left_width = -std::expm1(-step), right_width = std::expm1(step);  // in x, over the middle's
  const double beyond_left = (left.upper - middle.lower) * right_width / left_width;
  const double beyond_right = (right.upper - middle.lower) * left_width / right_width;
  return round_down(middle.lower - std::max(beyond_left, beyond_right) * (1 + 1e-9), 4);
}

}  // namespace

BestTest best_test(const Composition& composition, double alpha, const TestQuery& query, std::optional<double> near) {
  const PowerBound bound(composition, alpha, query);
  const double mu = equivalent_mu(composition, query);
  // A normal law's best test rejects beyond mu (quantile - mu / 2).
  const double start = near ? *near : mu * (normal_quantile(1 - alpha) - mu / 2);
  const double best = lowest_point(bound, start, (near ? 0.1 : 0.5) * mu, mu);
  const Bracket middle = bound.at(best);
  BestTest out{.power = {alpha, std::min(middle.estimate, 1.0), std::min(middle.upper, 1.0)}, .epsilon = best};
  // As close as the minimum is known, and as h can be told to rise: by about (step / mu)^2 / 2 of itself.
  const double doubt = middle.width() / middle.estimate;
  const double step = mu * std::max(3e-4, std::sqrt(100 * doubt));
  out.power.lower = std::max(alpha, lower_bound(bound.at(best - step), middle, bound.at(best + step), step));
  out.converged = doubt <= query.tolerance;
  out.power.estimate = std::clamp(out.power.estimate, out.power.lower, out.power.upper);
  return out;
}

}  // namespace pld
