#include "pld/mechanisms/selection.hpp"

#include <cmath>
#include <memory>
#include <vector>

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "numeric/extended.hpp"
#include "numeric/roundings.hpp"
#include "pairs/atomic_pair.hpp"
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

std::string describe(const TwoAnswers& mechanism) {
  return mechanism_text("two-answers", {{"first", mechanism.first}, {"other", mechanism.other}});
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

// Masses p and 1 - p of P have p e^-first + (1 - p) e^-other = 1.
PairPtr dominating_pair(const TwoAnswers& mechanism, Direction) {
  const Extended first = mechanism.first, other = mechanism.other;
  const Extended log_all = log(-expm1(other - first));
  const Extended log_p = log(-expm1(other)) - log_all, log_rest = other + log(-expm1(-first)) - log_all;
  return std::make_shared<AtomicPair>(
      std::vector<UnroundedAtom>{{first, log_p, log_p - first}, {other, log_rest, log_rest - other}}, -infinity,
      -infinity, 4 * unit_roundoff * static_cast<double>(first - other));
}

std::optional<ApproximateDp> witness(const ExponentialMechanism& mechanism) {
  return ApproximateDp{.epsilon = mechanism.epsilon / 2};
}

std::optional<ApproximateDp> witness(const MultipliedExponential& mechanism) {
  return witness(ExponentialMechanism{doubles_around_product(mechanism.one.epsilon, mechanism.times).below});
}

namespace {

/// log of the chance that the first of two candidates wins though it is behind by y >= 0, in units of the noise.
double log_noisy_win_behind(double y) { return std::log((2 + y) / 4) - y; }

/// The same of permute-and-flip, y = epsilon times the gap over twice the sensitivity.
double log_flip_win_behind(double y) { return -y - std::log(2.0); }

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
  return two_answers(-std::expm1(-x) - x / 2 * std::exp(-x), log_noisy_win_behind(x));
}

// Here u = e^{-epsilon/2} / 2: the worse candidate is tried first, and its coin falls well.
std::optional<ApproximateDp> witness(const PermuteAndFlip& mechanism) {
  return two_answers(-std::expm1(-mechanism.epsilon / 2), log_flip_win_behind(mechanism.epsilon / 2));
}

// The first candidate's loss may be anything up to epsilon, and the other one's is that less epsilon. Both are doubles:
// the difference is exact from half of epsilon on (Sterbenz's lemma).
std::vector<TwoAnswers> other_witnesses(const ExponentialMechanism& mechanism) {
  std::vector<TwoAnswers> answers;
  for (const double share : {0.65, 0.8, 0.95}) {
    const double first = share * mechanism.epsilon;
    answers.push_back({.first = first, .other = first - mechanism.epsilon});
  }
  return answers;
}

std::vector<TwoAnswers> other_witnesses(const MultipliedExponential& mechanism) {
  return other_witnesses(ExponentialMechanism{doubles_around_product(mechanism.one.epsilon, mechanism.times).below});
}

namespace {

/// Logarithms of the chances that the first of two candidates wins, and that it does not.
struct Chances {
  double log_wins, log_loses;
};

/// `log_tail(y)`, y >= 0: that of the chance to win when behind by y.
template <class LogTail>
Chances chances_at(double ahead, const LogTail& log_tail) {
  const double log_rarer = log_tail(std::fabs(ahead)), log_other = std::log1p(-std::exp(log_rarer));
  return ahead < 0 ? Chances{log_rarer, log_other} : Chances{log_other, log_rarer};
}

/// Two candidates whose scores the record draws apart by `move`, to where the first one is ahead by each of `places`.
template <class LogTail>
std::vector<TwoAnswers> answers_from(const std::vector<double>& places, double move, const LogTail& log_tail) {
  std::vector<TwoAnswers> answers;
  for (const double place : places) {
    const Chances p = chances_at(place, log_tail), q = chances_at(place - move, log_tail);
    // Each logarithm is off by 8 units of itself and of 1, and by as much as its place is: it moves no faster.
    const double off = roundings(16, p.log_wins, p.log_loses, q.log_wins, q.log_loses, place, move);
    const TwoAnswers one{.first = p.log_wins - q.log_wins - off, .other = p.log_loses - q.log_loses + off};
    if (one.first > 0 && one.other < 0) answers.push_back(one);
  }
  return answers;
}

}  // namespace

// As above, of another x than half of the move; far behind, losses come near the whole of it.
std::vector<TwoAnswers> other_witnesses(const ReportNoisyMax& mechanism) {
  const double move = 2 * mechanism.sensitivity / mechanism.scale;
  return answers_from({move / 4, -0.5, -1, -2, -4}, move, log_noisy_win_behind);
}

// Further behind both losses shrink, or stay.
std::vector<TwoAnswers> other_witnesses(const PermuteAndFlip& mechanism) {
  const double move = mechanism.epsilon;
  return answers_from({0.25 * move, 0.1 * move, 0}, move, log_flip_win_behind);
}

}  // namespace pld
