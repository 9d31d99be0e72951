#pragma once

#include <map>
#include <vector>

#include "interval.hpp"

namespace vectors {

/// The masses of one outcome, with the record and without it.
struct Outcome {
  Interval p, q;
};

/// A pair of laws with finitely many outcomes. What has no q mass is an infinite loss.
struct FiniteLaw {
  std::vector<Outcome> outcomes;
  Interval p_at_infinity = 0;
};

/// The same with the outcomes of equal loss joined: the loss of outcome i is i times a common spacing.
struct LatticeLaw {
  std::map<int, Outcome> outcomes;
  Interval p_at_infinity = 0;
  Interval p_dropped = 0;  ///< p mass of outcomes left out: between none and all of it counts in delta
};

/// Sum over the outcomes of the positive part of p - e^epsilon q, and the p mass at infinity.
[[nodiscard]] Interval delta(const FiniteLaw& law, const Interval& epsilon);
[[nodiscard]] Interval delta(const LatticeLaw& law, const Interval& epsilon);

/// The record takes part with probability `rate`: ((1 - rate) q + rate p, q), or its two laws swapped.
[[nodiscard]] FiniteLaw sampled(const FiniteLaw& law, const Interval& rate, bool swapped);

/// `count` independent releases: products of the masses; by multinomial counts of the outcomes, so for few of them.
[[nodiscard]] FiniteLaw power(const FiniteLaw& law, int count);
[[nodiscard]] FiniteLaw product(const FiniteLaw& a, const FiniteLaw& b);

/// `count` independent releases: exact convolution of both laws.
[[nodiscard]] LatticeLaw power(const LatticeLaw& law, int count);
[[nodiscard]] FiniteLaw outcomes_of(const LatticeLaw& law);

/// The true one of k answers with probability p, each other one with (1 - p) / (k - 1).
[[nodiscard]] FiniteLaw randomized_response(const Interval& p, int k);

/// The worst (epsilon, delta)-DP mechanism: losses of +-epsilon and +-infinity.
[[nodiscard]] FiniteLaw approximate_dp(const Interval& epsilon, const Interval& delta);

/// Integer noise with mass proportional to e^(-a |x|) about 0 and about `shift`: spacing a.
[[nodiscard]] LatticeLaw discrete_laplace(const Interval& a, int shift);

/// Integer noise with mass proportional to e^(-x^2 / (2 sigma^2)) about 0 and about `shift`, for |x| up to `reach`: spacing
/// shift / (2 sigma^2). The tails beyond are bounded by geometric series and counted as dropped.
[[nodiscard]] LatticeLaw discrete_gaussian(const Interval& sigma, int shift, int reach);

/// The number of heads of `coins` fair coins, and the same moved by `shift`.
[[nodiscard]] FiniteLaw binomial_noise(int coins, int shift);

}  // namespace vectors
