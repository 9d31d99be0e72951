#include <algorithm>
#include <cmath>

#include "exact.hpp"
#include "finite_pairs.hpp"
#include "parts.hpp"
#include "pld/bounds/concentrated.hpp"
#include "pld/core/rounding.hpp"

namespace pld::validation::notes_parts {

namespace b = bounds;

namespace {

Row definition() {
  return {.id = "notes-privacy-loss",
          .reference = "Section 1",
          .claim = "The privacy loss random variable",
          .stated = "A definition, for equal supports",
          .computed = "Nothing",
          .verdict = Verdict::nothing_to_compute,
          .why = "As everywhere; with unequal supports losses are infinite."};
}

Row four_expressions() {
  std::mt19937_64 random(41);
  double apart = 0, below = -infinity;
  for (int i = 0; i < trials; ++i) {
    const auto pair = random_pair(random, 6);
    for (const double epsilon : {0.0, 0.5, 2.0}) {
      const auto d = b::delta_expressions(pair, epsilon);
      const auto [least, most] = std::minmax({d.supremum, d.tails, d.expectation, d.integral});
      apart = std::max(apart, most - least);
      below = std::max(below, d.expectation - d.tail_bound);
    }
  }
  return confirmed(apart < 1e-12 && below < 1e-14,
                   {.id = "notes-four-expressions",
                    .reference = "Section 2.1, equation .1",
                    .claim = "Four expressions of δ agree, and are at most P(Z > ε)",
                    .stated = "Equal; an upper bound",
                    .computed = "1,000 random pairs, 3 ε: largest difference " + number(apart, 2) +
                                ", largest excess over the tail " + number(below, 2),
                    .verdict = Verdict::holds,
                    .why = "They are one number."});
}

Row moment_difference() {
  std::mt19937_64 random(42);
  std::uniform_real_distribution<double> unit(-1, 1);
  double most = -infinity;
  for (int i = 0; i < trials; ++i) {
    const auto pair = random_pair(random, 5);
    double x = 0, y = 0, abs_y = 0;
    for (int j = 0; j < 5; ++j) {
      const double value = unit(random);
      x += pair.p[j] * value, y += pair.q[j] * value, abs_y += pair.q[j] * std::fabs(value);
    }
    for (const double epsilon : {0.0, 0.3, 1.5}) {
      most = std::max(most, x - y - b::moment_difference_bound(epsilon, worse_delta(pair, epsilon), abs_y, 1));
    }
  }
  return confirmed(most <= 1e-13, {.id = "notes-moment-difference",
                                   .reference = "Section 2.2, equation .2",
                                   .claim = "E[X] - E[Y] ≤ (e^{ε} - 1) E|Y| + 2δΔ",
                                   .stated = "An inequality",
                                   .computed = "1,000 random pairs, 3 ε: largest left minus right " + number(most, 3),
                                   .verdict = Verdict::holds,
                                   .why = "Never exceeded."});
}

Row xi_rho() {
  // A mixture of a pure part and a Gaussian one: both conversions against the exact composition.
  const double epsilon = 0.2, rho = 0.05;
  double least = infinity;
  for (const double delta : {1e-3, 1e-9}) {
    const b::Steps steps{{worst_pure(epsilon)}, {Gaussian{.sigma = std::sqrt(1 / (2 * rho))}}};
    const double exact = exact_epsilon(steps, delta).upper;
    least = std::min(least, b::epsilon_from_zcdp({epsilon, rho}, delta) / exact);
    least = std::min(least, b::epsilon_from_zcdp({0, rho + epsilon * epsilon / 2}, delta) / exact);
  }
  return confirmed(
      least >= 1,
      {.id = "notes-xi-rho",
       .reference = "Section 3, equation .3",
       .claim = "(ξ, ρ)-zCDP as a bound on the moments of the loss",
       .stated = "E[e^{(α-1)Z}] ≤ e^{(α-1)(ξ+ρα)}",
       .computed = "Randomized response (ε = 0.2) with a Gaussian (ρ = 0.05), the first through ξ or through ρ, two δ: "
                   "converted, at least " +
                   number(least, 5) + " times the exact ε",
       .verdict = Verdict::holds,
       .why = "Both forms give bounds."});
}

Row key_properties() {
  double least = infinity;
  for (const double epsilon : {0.05, 0.5}) {
    for (const double k : {1.0, 20.0, 400.0}) {
      for (const double delta : {1e-2, 1e-8}) {
        const double bound = epsilon * std::sqrt(2 * k * std::log(1 / delta)) + epsilon * epsilon * k / 2;
        const double exact = exact_epsilon({{worst_pure(epsilon), 1, static_cast<std::int64_t>(k)}}, delta).lower;
        if (exact > 0) least = std::min(least, bound / exact);
      }
    }
  }
  return confirmed(least >= 1,
                   {.id = "notes-key-properties",
                    .reference = "Section 3.1, items 1 to 3",
                    .claim = "ε-DP is ½ε^{2}-zCDP, and k of them give ε√(2k log(1/δ)) + ½ε^{2}k",
                    .stated = "An upper bound",
                    .computed = "12 cases of randomized response: at least " + number(least, 4) + " times the exact ε",
                    .verdict = Verdict::holds,
                    .why = "A bound in every case."});
}

}  // namespace

void privacy_loss(Section& section) {
  for (const auto row : {definition, four_expressions, moment_difference, xi_rho, key_properties})
    section.rows.push_back(row());
}

}  // namespace pld::validation::notes_parts
