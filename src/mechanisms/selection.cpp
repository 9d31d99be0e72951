#include "pld/mechanisms/selection.hpp"

#include <cmath>
#include <memory>

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "pairs/bounded_range_pair.hpp"
#include "pairs/laplace_pair.hpp"
#include "pld/core/doubles_around.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

std::string describe(const ExponentialMechanism& mechanism) {
  return mechanism_text("exponential", {{"epsilon", mechanism.epsilon}});
}
std::string describe(const MultipliedExponential& mechanism) {
  return describe(ExponentialMechanism{mechanism.times * mechanism.one.epsilon});
}
std::string describe(const ReportNoisyMax& mechanism) {
  return mechanism_text("report-noisy-max", {{"scale", mechanism.scale}, {"sensitivity", mechanism.sensitivity}});
}
std::string describe(const PermuteAndFlip& mechanism) {
  return mechanism_text("permute-and-flip", {{"epsilon", mechanism.epsilon}});
}

PairPtr dominating_pair(const ExponentialMechanism& mechanism, Direction) {
  require_in(ranges::selection_epsilon, "exponential", "epsilon", mechanism.epsilon);
  return std::make_shared<BoundedRangePair>(mechanism.epsilon);
}

PairPtr dominating_pair(const MultipliedExponential& mechanism, Direction) {
  const auto& [one, times] = mechanism;
  require_in(ranges::selection_epsilon, "exponential", "epsilon", times * one.epsilon);
  return std::make_shared<BoundedRangePair>(one.epsilon, times);
}

PairPtr dominating_pair(const ReportNoisyMax& mechanism, Direction) {
  const auto& [scale, sensitivity] = mechanism;
  require_in(ranges::positive, "report-noisy-max", "scale", scale);
  require_in(ranges::positive, "report-noisy-max", "sensitivity", sensitivity);
  require_in(ranges::selection_epsilon, "report-noisy-max", "2 sensitivity / scale", 2 * sensitivity / scale);
  return std::make_shared<LaplacePair>(2 * sensitivity, scale);
}

PairPtr dominating_pair(const PermuteAndFlip& mechanism, Direction) {
  require_in(ranges::selection_epsilon, "permute-and-flip", "epsilon", mechanism.epsilon);
  return std::make_shared<LaplacePair>(mechanism.epsilon);
}

std::optional<ApproximateDp> witness(const ExponentialMechanism& mechanism) {
  return ApproximateDp{.epsilon = mechanism.epsilon / 2};
}

std::optional<ApproximateDp> witness(const MultipliedExponential& mechanism) {
  return witness(ExponentialMechanism{doubles_around_product(mechanism.one.epsilon, mechanism.times).below});
}

namespace {

/// log((1 - u) / u), rounded down, of `advantage` = 1 - 2 u in (0, 1) and log u: each is used where it keeps its
/// digits.
ApproximateDp two_answers(double advantage, double log_u) {
  const double loss = advantage < 0.5 ? 2 * std::atanh(advantage) : std::log1p(-std::exp(log_u)) - log_u;
  return {.epsilon = round_down(loss, 16)};
}

}  // namespace

// The first candidate wins with probability 1 - u where it is ahead by the sensitivity, and with u where it is behind.
// x is the sensitivity over the scale; the difference of two Laplace variables exceeds x with u = e^-x (2 + x) / 4.
std::optional<ApproximateDp> witness(const ReportNoisyMax& mechanism) {
  const double x = mechanism.sensitivity / mechanism.scale;
  return two_answers(-std::expm1(-x) - x / 2 * std::exp(-x), std::log((2 + x) / 4) - x);
}

// Here u = e^{-epsilon/2} / 2: the worse candidate is tried first, and its coin falls well.
std::optional<ApproximateDp> witness(const PermuteAndFlip& mechanism) {
  return two_answers(-std::expm1(-mechanism.epsilon / 2), -mechanism.epsilon / 2 - std::log(2.0));
}

}  // namespace pld
