#pragma once

#include <optional>
#include <string>

#include "pld/core/doubles_around.hpp"
#include "pld/mechanisms/approximate_dp.hpp"
#include "pld/mechanisms/parameters_around.hpp"
#include "pld/pairs/dominating_pair.hpp"
#include "pld/pairs/law_kind.hpp"

namespace pld {

/// The exponential mechanism: a candidate with probability proportional to e^{epsilon u / (2 sensitivity)}, u its
/// utility. Its losses lie in a range of length epsilon. The pair is the pointwise supremum of the profiles of all
/// two-point pairs with losses t and t - epsilon (Dong, Durfee, Rogers 2020, lemma 3.2), each of which some two
/// candidates have: attained by one release, an upper bound of more.
struct ExponentialMechanism {
  double epsilon = 1;  ///< from 1e-6 to 500
};

// The other two are epsilon-DP for utilities that move by the sensitivity, and lambda epsilon-DP for those that move by
// a part lambda of it. So they are accounted for as Laplace noise of scale 1 / epsilon, which is less than pure DP:
// along the straight way from one data set's utilities to the other's, the probability of an event, log(2 p) where p <=
// 1/2 and -log(2 (1 - p)) above, rises by no more than epsilon (docs/selection.md). Between two candidates
// permute-and-flip is a threshold of that noise, and attains it as a single release; of more, and of the noisy maximum,
// it is an upper bound.

/// Report the noisy maximum of counts of the given sensitivity, each with Laplace noise: (2 sensitivity / scale)-DP
/// (Dwork, Roth 2014, section 3.3).
struct ReportNoisyMax {
  double scale = 1;        ///< > 0, finite
  double sensitivity = 1;  ///< > 0, finite; 2 sensitivity / scale from 1e-6 to 500
};

/// Permute-and-flip: epsilon-DP; it has no bounded range (McKenna, Sheldon 2020).
struct PermuteAndFlip {
  double epsilon = 1;  ///< from 1e-6 to 500
};

/// "exponential:epsilon=1" and the like.
[[nodiscard]] std::string describe(const ExponentialMechanism& mechanism);
[[nodiscard]] std::string describe(const ReportNoisyMax& mechanism);
[[nodiscard]] std::string describe(const PermuteAndFlip& mechanism);

/// Each throws DomainError for a parameter out of range.
[[nodiscard]] PairPtr dominating_pair(const ExponentialMechanism& mechanism, Direction direction);
[[nodiscard]] PairPtr dominating_pair(const ReportNoisyMax& mechanism, Direction direction);
[[nodiscard]] PairPtr dominating_pair(const PermuteAndFlip& mechanism, Direction direction);

/// A replaced record moves a utility by up to twice the sensitivity to an added one, and the losses with it.
[[nodiscard]] inline ExponentialMechanism replacing(const ExponentialMechanism& mechanism) {
  return {2 * mechanism.epsilon};
}
[[nodiscard]] inline PermuteAndFlip replacing(const PermuteAndFlip& mechanism) { return {2 * mechanism.epsilon}; }

/// The exponential mechanism with so many times its epsilon, which need not be a double.
struct MultipliedExponential {
  ExponentialMechanism one{};
  double times = 1;  ///< a whole number
};

[[nodiscard]] std::string describe(const MultipliedExponential& mechanism);
[[nodiscard]] PairPtr dominating_pair(const MultipliedExponential& mechanism, Direction direction);
[[nodiscard]] inline MultipliedExponential replacing(const MultipliedExponential& mechanism) {
  return {mechanism.one, 2 * mechanism.times};
}

/// A group moves a utility by up to the sum of what its records do.
[[nodiscard]] inline MultipliedExponential grouped(const ExponentialMechanism& mechanism, int group) {
  return {mechanism, static_cast<double>(group)};
}
[[nodiscard]] inline ParametersAround<PermuteAndFlip> grouped(const PermuteAndFlip& mechanism, int group) {
  const DoublesAround epsilon = doubles_around_product(mechanism.epsilon, group);
  return {{epsilon.below}, {epsilon.above}};
}

[[nodiscard]] inline LawKind law_kind(const ExponentialMechanism&) { return {.attained = Attainment::alone}; }
[[nodiscard]] inline LawKind law_kind(const MultipliedExponential&) { return {.attained = Attainment::alone}; }
[[nodiscard]] inline LawKind law_kind(const ReportNoisyMax&) { return {.attained = Attainment::nowhere}; }
[[nodiscard]] inline LawKind law_kind(const PermuteAndFlip&) { return {.attained = Attainment::alone}; }

/// Two answers whose losses these are, which tells the masses: generalized randomized response (Dong, Durfee, Rogers
/// 2020). It coarsens any with larger losses.
struct TwoAnswers {
  double first = 1;   ///< > 0 and finite, of the answer that P has more often
  double other = -1;  ///< < 0 and finite
};

[[nodiscard]] std::string describe(const TwoAnswers& mechanism);
[[nodiscard]] PairPtr dominating_pair(const TwoAnswers& mechanism, Direction direction);

/// The mechanism with two candidates whose utilities the record draws apart by twice the sensitivity, evenly to both
/// sides: randomized response, its epsilon rounded down.
[[nodiscard]] std::optional<ApproximateDp> witness(const ExponentialMechanism& mechanism);
[[nodiscard]] std::optional<ApproximateDp> witness(const MultipliedExponential& mechanism);
[[nodiscard]] std::optional<ApproximateDp> witness(const ReportNoisyMax& mechanism);
[[nodiscard]] std::optional<ApproximateDp> witness(const PermuteAndFlip& mechanism);

/// Two candidates that the record draws apart as far, but from another place: the rarer the first one wins, the more it
/// tells, which is what small deltas of few releases are about. Their losses are rounded towards 0.
[[nodiscard]] std::vector<TwoAnswers> other_witnesses(const ExponentialMechanism& mechanism);
[[nodiscard]] std::vector<TwoAnswers> other_witnesses(const MultipliedExponential& mechanism);
[[nodiscard]] std::vector<TwoAnswers> other_witnesses(const ReportNoisyMax& mechanism);
[[nodiscard]] std::vector<TwoAnswers> other_witnesses(const PermuteAndFlip& mechanism);

}  // namespace pld
