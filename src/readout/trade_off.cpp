#include "pld/readout/trade_off.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "directed_run.hpp"
#include "mirrored_profile.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "pld/numeric/log_sum.hpp"
#include "supporting_line.hpp"

namespace pld {
namespace {

OperatingPoint point(double alpha, const Bracket& log_power, const Bracket& log_beta, double epsilon) {
  return {alpha, probability(log_beta), probability(log_power), log_beta, log_power, epsilon};
}

DirectionChoice opposite(DirectionChoice direction) {
  if (direction == DirectionChoice::worst) return direction;
  return direction == DirectionChoice::remove ? DirectionChoice::add : DirectionChoice::remove;
}

}  // namespace

TradeOff::TradeOff(PrivacyProfile profile, DirectionChoice direction)
    : profile_(std::move(profile)), direction_(direction) {}

OperatingPoint TradeOff::at(double alpha) const { return at(std::vector<double>{alpha}).front(); }

std::vector<OperatingPoint> TradeOff::at(const std::vector<double>& alphas) const {
  for (const double alpha : alphas)
    require(alpha >= 0 && alpha <= 1, "trade-off", "alpha", alpha, "0 <= alpha <= 1");
  std::vector<std::size_t> order(alphas.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return alphas[a] > alphas[b]; });
  const DirectionChoice other = opposite(direction_);
  const std::function<LineProfile(double)> read = [&](double epsilon) -> LineProfile {
    if (epsilon >= 0) return {profile_.log_profile(epsilon, direction_), {}};
    const ProfileBracket opposite_at = profile_.log_profile(-epsilon, other);
    return {mirrored_profile(opposite_at, -epsilon), opposite_at.log_delta};
  };

  std::vector<OperatingPoint> out(alphas.size());
  const ProfileBracket end = profile_.log_profile(infinity, direction_), opposite_end = profile_.log_profile(infinity, other);
  const ProfileEnd right_end{end.log_delta.lower, profile_.largest_loss(direction_).upper};
  double start = 0, scale = 0.01;
  for (const std::size_t i : order) {
    const double alpha = alphas[i];
    if (alpha == 0) {
      // Only an infinite loss is detected without any type I error.
      out[i] = point(0, end.log_delta, end.log_complement, infinity);
      continue;
    }
    if (alpha == 1 || std::log1p(-alpha) <= opposite_end.log_delta.lower) {
      // No type II error at all: what P cannot put out is told from Q without any.
      out[i] = point(alpha, {0, 0, 0}, {-infinity, -infinity, -infinity}, -infinity);
      continue;
    }
    const SupportingLine line = lowest_line(read, right_end, alpha, start, scale);
    out[i] = point(alpha, line.log_power, line.log_beta, line.epsilon);
    scale = std::clamp(std::fabs(line.epsilon - start), 1e-6, 1.0);
    start = line.epsilon;
  }
  return out;
}

Bracket TradeOff::inverse(double beta) const {
  require(beta >= 0 && beta <= 1, "trade-off", "beta", beta, "0 <= beta <= 1");
  return TradeOff(profile_, opposite(direction_)).at(beta).beta;
}

OperatingPoint TradeOff::at_epsilon(double epsilon) const {
  require(std::isfinite(epsilon), "trade-off", "epsilon", epsilon, "a finite number");
  // Q(z > epsilon) = -d delta / d e^epsilon, by a difference: any alpha is a point of f, which alone is certified.
  constexpr double step = 1e-4;
  const auto log_value = [&](double e) { return profile_.log_profile(e, direction_); };
  const ProfileBracket below = log_value(epsilon - step), above = log_value(epsilon + step);
  const double by_delta = std::exp(below.log_delta.estimate) - std::exp(above.log_delta.estimate);
  const double by_complement = std::exp(above.log_complement.estimate) - std::exp(below.log_complement.estimate);
  const double rise = below.log_delta.estimate < -1 ? by_delta : by_complement;
  const double alpha = std::clamp(rise / (2 * std::sinh(step)) * std::exp(-epsilon), 0.0, 1.0);
  return at(alpha);
}

}  // namespace pld
