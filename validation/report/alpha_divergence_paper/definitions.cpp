#include <algorithm>
#include <cmath>

#include "exact.hpp"
#include "finite_pairs.hpp"
#include "parts.hpp"
#include "pld/bounds/alpha_divergence.hpp"
#include "pld/bounds/concentrated.hpp"
#include "pld/bounds/gaussian_dp.hpp"
#include "pld/bounds/renyi.hpp"
#include "pld/core/rounding.hpp"

namespace pld::validation::alpha_divergence_parts {

namespace b = bounds;

namespace {

Row pure_dp() {
  const b::FinitePair answers{{0.9, 0.1}, {0.1, 0.9}};
  const double of_the_range = std::log((answers.p[0] + answers.p[1]) / (answers.q[0] + answers.q[1]));
  const double truth = b::renyi_divergence(answers, infinity);
  return confirmed(
      of_the_range == 0 && truth > 2,
      {.id = "adp-eq-1",
       .reference = "Equation 1",
       .claim = "ε-DP: Pr[M(D_{1}) ∈ R] ≤ e^{ε} Pr[M(D_{2}) ∈ R], R the range of M",
       .stated = "Randomized response, p = 0.9: both sides are 1, so ε = " + number(of_the_range) + " would do",
       .computed = "Over all events ε = " + number(truth),
       .verdict = Verdict::misprint,
       .why = "With the range itself as the event both sides are 1 for every mechanism, so that nothing is defined; it "
              "should be every event "
              "inside the range."});
}

Row approximate_dp() {
  const double mu = 1, epsilon = 1;
  const double tail = std::erfc((epsilon / mu - mu / 2) / std::sqrt(2)) / 2, delta = b::gdp_delta(mu, epsilon);
  return confirmed(tail > delta,
                   {.id = "adp-eq-2",
                    .reference = "Definition 2, equation 2",
                    .claim = "(ε, δ)-DP: the ratio of probabilities exceeds e^{ε} with probability at most δ",
                    .stated = "Gaussian, σ = 1, ε = 1: δ = " + number(tail),
                    .computed = "(1, δ)-DP from δ = " + number(delta) + " on",
                    .verdict = Verdict::does_not_hold,
                    .why = "That is probabilistic DP, which asks for more than the (ε, δ)-DP of the source cited; it "
                           "implies it, but not "
                           "the other way round."});
}

Row laplace_scale() {
  double worst = 0;
  for (const double epsilon : {0.1, 1.0, 4.0}) {
    const b::Steps release{{Laplace{.scale = 1 / epsilon}}};
    worst = std::max(worst, exact_epsilon(release, 1e-12).upper / epsilon);
  }
  return confirmed(worst <= 1 && worst > 0.999, {.id = "adp-eq-5",
                                                 .reference = "Equations 3 to 7 and 9",
                                                 .claim = "Laplace noise of scale Δ_{1}/ε gives ε-DP",
                                                 .stated = "b = Δ_{1}/ε",
                                                 .computed = "ε = 0.1, 1, 4: exact ε at δ = 10^{-12} is at most " +
                                                             number(worst, 10) + " times the promised one",
                                                 .verdict = Verdict::holds,
                                                 .why = "The promise is what the exact ε tends to as δ falls."});
}

Row gaussian_sigma() {
  const double epsilon = 0.1, delta = 1e-5;
  const double sigma = std::sqrt(2 * std::log(1.25 / delta) / epsilon);
  const Bracket truth = exact_epsilon(gaussian(sigma), delta);
  return confirmed(truth.lower > epsilon, {.id = "adp-eq-8",
                                           .reference = "Equation 8",
                                           .claim = "σ^{2} = 2 log(1.25/δ) Δ_{2}^{2}/ε gives (ε, δ)-DP",
                                           .stated = "ε = 0.1 at δ = 10^{-5}, by σ = " + number(sigma),
                                           .computed = "That σ has ε = " + text(truth),
                                           .verdict = Verdict::unsound,
                                           .why = "The theorem has ε^{2} in the denominator, which gives σ = " +
                                                  number(b::classical_gaussian_sigma(epsilon, delta, 1)) +
                                                  ". Below ε = 1 the printed formula adds too little noise."});
}

Row divergences() {
  return {.id = "adp-eqs-10-to-13",
          .reference = "Definitions 4 and 5, equations 10 to 13",
          .claim = "Kullback-Leibler, max and Rényi divergence",
          .stated = "Their usual definitions",
          .computed = "Nothing",
          .verdict = Verdict::nothing_to_compute,
          .why = "Definitions, as everywhere."};
}

Row limits() {
  // Losses n = 1, 2, ... with P(n) ~ n^-3 and Q(n) = e^-n P(n), what Q has left on an outcome of its own.
  constexpr double zeta_2 = 1.6449340668482264, zeta_3 = 1.2020569031595942;
  double kl = 0, near_one[2] = {0, 0};
  for (int n = 100000; n >= 1; --n) {
    const double p = std::pow(n, -3.0) / zeta_3;
    kl += n * p;
    for (int i = 0; i < 2; ++i) {
      if (n <= (i == 0 ? 10000 : 100000)) near_one[i] += p * std::exp(0.001 * n);
    }
  }
  return confirmed(
      std::fabs(kl - zeta_2 / zeta_3) < 1e-4 && near_one[1] > 1e20 * near_one[0],
      {.id = "adp-lemma-1",
       .reference = "Lemma 1, equations 14 to 32",
       .claim = "D_{α} → D_{KL} as α → 1, and D_{α} → D_{∞} as α → ∞",
       .stated = "For any P ≪ Q",
       .computed = "P(loss = n) = n^{-3}/ζ(3), Q = e^{-n} P there: D_{KL} = " + number(kl) +
                   ", but the moment behind D_{1.001} is " + number(near_one[0], 4) + " after 10^{4} terms and " +
                   number(near_one[1], 3) + " after 10^{5}: infinite, like every D_{α} with α > 1",
       .verdict = Verdict::holds_under_a_condition,
       .why =
           "Equation 19 differentiates under the integral, which needs a finite moment of an order above 1; the second "
           "limit needs nothing. With the condition both hold (van Erven, Harremoës 2014, theorems 5 and 6).",
       .condition = "some D_{α} with α > 1 is finite"});
}

Row renyi_and_zcdp() {
  double worst = 0, least = infinity;
  for (const double target : {0.01, 0.3}) {
    const double alpha = 5;
    worst = std::max(worst, std::fabs(b::renyi_gaussian(alpha, std::sqrt(alpha / (2 * target)), 1) / target - 1));
    worst = std::max(worst, std::fabs(b::zcdp_gaussian_rho(std::sqrt(1 / (2 * target)), 1) / target - 1));
    const double exact = exact_epsilon(gaussian(std::sqrt(1 / (2 * target))), 1e-6).upper;
    least = std::min(least, b::epsilon_from_zcdp({0, target}, 1e-6) / exact);
    least = std::min(least, b::epsilon_from_renyi_basic(alpha, alpha * target, 1e-6) / exact);
  }
  return confirmed(worst < 1e-12 && least >= 1,
                   {.id = "adp-eqs-33-to-38",
                    .reference = "Equations 33 to 38",
                    .claim = "RDP and zCDP: their Gaussian noise, and their conversions to (ε, δ)-DP",
                    .stated = "σ^{2} = αΔ^{2}/(2ε), Δ^{2}/(2ρ); ε + log(1/δ)/(α - 1), ρ + 2√(ρ log(1/δ))",
                    .computed = "Divergences at those σ within " + number(worst, 2) +
                                " of their targets; conversions at least " + number(least, 4) + " times the exact ε",
                    .verdict = Verdict::holds,
                    .why = "Both are the cited theorems."});
}

Row zcdp_parameters() {
  return confirmed(std::fabs(b::epsilon_from_zcdp({0, 0.3}, 1e-6) - (0.3 + 2 * std::sqrt(0.3 * std::log(1e6)))) < 1e-12,
                   {.id = "adp-before-eq-38",
                    .reference = "The line before equation 38",
                    .claim = "\"(α, ε̄)-zCDP\" converts to ρ + 2√(ρ log(1/δ))",
                    .stated = "A guarantee with parameters α and ε̄",
                    .computed = "Equation 38 uses ρ alone: at ρ = 0.3, δ = 10^{-6} it is " +
                                number(b::epsilon_from_zcdp({0, 0.3}, 1e-6)),
                    .verdict = Verdict::misprint,
                    .why = "ρ-zCDP is meant, as equation 36 defines it."});
}

Row f_divergences() {
  std::mt19937_64 random(10);
  double least = infinity, apart = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const auto pair = random_pair(random, 5);
    for (const double alpha : {-1.5, 0.4, 1.6, 3.0}) {
      const double d = f_divergence(
          pair, [&](double u) { return (std::pow(u, alpha) - alpha * u - (1 - alpha)) / (alpha * (alpha - 1)); });
      least = std::min(least, d);
      if (alpha > 1) apart = std::max(apart, std::fabs(d / b::alpha_divergence(pair, alpha) - 1));
    }
  }
  return confirmed(
      least >= 0 && apart < 1e-9,
      {.id = "adp-lemma-2",
       .reference = "Definitions 6 and 7, lemma 2, equations 39 to 46",
       .claim = "The alpha divergence is an f-divergence, and f-divergences are not negative",
       .stated = "Equations 41 and 42 agree; D_{f} ≥ 0",
       .computed = "1,000 random pairs: the two differ by at most " + number(apart, 2) +
                   " in relative terms; over orders -1.5, 0.4, 1.6, 3 the least value is " + number(least, 2),
       .verdict = Verdict::holds,
       .why = "Jensen's inequality, as the paper says."});
}

Row definition_of_adp() {
  return {.id = "adp-definition-8",
          .reference = "Definition 8 and remark 1",
          .claim = "(α, ε)-ADP is a bound ε on the alpha divergence of order α > 1",
          .stated = "A definition",
          .computed = "Nothing",
          .verdict = Verdict::nothing_to_compute,
          .why = "What follows from it is judged below."};
}

}  // namespace

void definitions(Section& section) {
  for (const auto row : {pure_dp, approximate_dp, laplace_scale, gaussian_sigma, divergences, limits, renyi_and_zcdp,
                         zcdp_parameters, f_divergences, definition_of_adp}) {
    section.rows.push_back(row());
  }
}

}  // namespace pld::validation::alpha_divergence_parts
