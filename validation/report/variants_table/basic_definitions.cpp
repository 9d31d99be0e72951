#include <algorithm>
#include <cmath>

#include "exact.hpp"
#include "parts.hpp"
#include "pld/bounds/composition_theorems.hpp"
#include "pld/bounds/concentrated.hpp"
#include "pld/bounds/gaussian_dp.hpp"
#include "pld/bounds/optimal_composition.hpp"
#include "pld/bounds/renyi.hpp"
#include "pld/core/rounding.hpp"

namespace pld::validation::variants_parts {

namespace b = bounds;

namespace {

double printed_sigma(double epsilon, double delta) { return std::sqrt(2 * std::log(1.25 / delta)) / epsilon; }

Row gaussian_noise() {
  double largest = 0;
  for (const double epsilon : {0.05, 0.5, 0.95}) {
    for (const double delta : {1e-3, 1e-9}) {
      largest = std::max(largest, exact_epsilon(gaussian(printed_sigma(epsilon, delta)), delta).upper / epsilon);
    }
  }
  const double epsilon = 10, delta = 1e-6, sigma = printed_sigma(epsilon, delta);
  const Bracket truth = exact_epsilon(gaussian(sigma), delta);
  return confirmed(largest <= 1 && truth.lower > epsilon,
                   {.id = "variants-gaussian-noise",
                    .reference = "First table, rows (ε, δ)-DP and moments accountant, column Gaussian mech.",
                    .claim = "σ^{2} = 2Δ^{2} log(1.25/δ)/ε^{2} gives (ε, δ)-DP",
                    .stated = "ε = 10 at δ = 10^{-6}, by σ = " + number(sigma),
                    .computed = "That σ has ε = " + text(truth) + "; for ε below 1 (6 cases) the exact ε is at most " +
                                number(largest, 4) + " times the promised one",
                    .verdict = Verdict::unsound,
                    .why = "The theorem asks for ε < 1 (Dwork, Roth 2014, theorem A.1), which the table leaves out. "
                           "Well beyond, the noise is too "
                           "little."});
}

Row sequential() {
  const double k = 20, total = 1e-3;
  const b::DpGuarantee each{0.1, 1e-6};
  const auto basic = b::basic_composition({{each, k}});
  const double exact =
      exact_delta({{ApproximateDp{.epsilon = each.epsilon, .delta = each.delta}, 1, 20}}, basic.epsilon).upper;
  double apart = 0;
  for (const double alpha : {1.5, 20.0}) {
    const b::Step step{Gaussian{.sigma = 4}};
    apart = std::max(apart, std::fabs(b::renyi_curve({{step.mechanism, 1, 7}}, Direction::remove)(alpha) /
                                          (7 * b::renyi_gaussian(alpha, 4, 1)) -
                                      1));
  }
  return confirmed(
      exact <= basic.delta && basic.delta < total && apart < 1e-12,
      {.id = "variants-sequential",
       .reference = "First table, column Seq. Comp., all rows",
       .claim = "ε and δ add up under (ε, δ)-DP (and the moments accountant), ε under RDP of one order, ρ under zCDP",
       .stated = "20 releases of (0.1, 10^{-6})-DP: (" + number(basic.epsilon) + ", " + number(basic.delta) + ")",
       .computed = "The worst such mechanism has δ = " + number(exact, 4) +
                   " at that ε; 7 Gaussians of σ = 4: D_{α} within " + number(apart, 2) + " of 7 times one",
       .verdict = Verdict::holds,
       .why = "Basic composition, and the additivity of the Rényi divergence."});
}

Row advanced() {
  const b::DpGuarantee each{0.1, 0};
  double k = 1;
  while (b::advanced_composition_short_unchecked(each, k, 1e-6).epsilon >=
             b::optimal_composition_epsilon({{each, k}}, 1e-6) &&
         k < 3e6)
    k = std::ceil(1.5 * k);
  const double stated = b::advanced_composition_short_unchecked(each, k, 1e-6).epsilon;
  const Bracket truth = exact_epsilon({{worst_pure(0.1), 1, static_cast<std::int64_t>(k)}}, 1e-6);
  return confirmed(stated < truth.lower,
                   {.id = "variants-advanced",
                    .reference = "First table, row (ε, δ)-DP, column Advanced comp.",
                    .claim = "k releases are (2ε √(2k log(1/δ')), kδ + δ')-DP",
                    .stated = number(k, 8) + " randomized responses of ε = 0.1, δ' = 10^{-6}: " + number(stated),
                    .computed = "Exact ε: " + text(truth),
                    .verdict = Verdict::unsound,
                    .why = "The term that grows like kε^{2} is dropped. The corollary (Dwork, Roth 2014, 3.21) asks "
                           "for a composed ε below 1, which "
                           "the table leaves out."});
}

Row moments() {
  const double epsilon = 0.5, delta = 1e-5, sigma = b::classical_gaussian_sigma(epsilon, delta, 1);
  double k = 1;
  while (b::moments_accountant_epsilon_unchecked(epsilon, k, delta) >= exact_epsilon(gaussian(sigma, k), delta).lower &&
         k < 1e11)
    k *= 4;
  const double stated = b::moments_accountant_epsilon_unchecked(epsilon, k, delta);
  const double within =
      b::moments_accountant_epsilon(epsilon, 1000, delta) / exact_epsilon(gaussian(sigma, 1000), delta).estimate;
  const Bracket truth = exact_epsilon(gaussian(sigma, k), delta);
  return confirmed(
      stated < truth.lower && within >= 1,
      {.id = "variants-moments",
       .reference = "First table, row Moments acct., column Advanced comp.",
       .claim = "k Gaussian releases are (4ε √(2k log(1/δ)), δ)-DP",
       .stated = number(k, 8) + " releases of ε = 0.5, δ = 10^{-5} each: " + number(stated),
       .computed =
           "Exact ε: " + text(truth) + "; at 1000 releases the formula is " + number(within, 4) + " times the exact ε",
       .verdict = Verdict::unsound,
       .why =
           "It is a bound while ε √k ≤ 4L(4√(2L) - 1), L = log(1/δ); without a condition it fails for many releases."});
}

Row renyi_and_zcdp() {
  const double alpha = 7, target = 0.3;
  const double by_renyi = b::renyi_gaussian(alpha, std::sqrt(alpha / (2 * target)), 1);
  const double by_zcdp = b::zcdp_gaussian_rho(std::sqrt(1 / (2 * target)), 1);
  double least = infinity;
  for (const double rho : {1e-3, 0.3, 20.0}) {
    for (const double delta : {1e-2, 1e-12}) {
      const double exact = exact_epsilon(gaussian(std::sqrt(1 / (2 * rho))), delta).upper;
      least = std::min(least, b::epsilon_from_zcdp({0, rho}, delta) / exact);
      for (const double order : {1.5, 8.0})
        least = std::min(least, b::epsilon_from_renyi_basic(order, order * rho, delta) / exact);
    }
  }
  return confirmed(std::fabs(by_renyi / target - 1) < 1e-12 && std::fabs(by_zcdp / target - 1) < 1e-12 && least >= 1,
                   {.id = "variants-renyi-zcdp",
                    .reference = "First table, rows RDP and zCDP, columns Gaussian mech. and Conv.",
                    .claim = "RDP and zCDP: noise and conversion to (ε, δ)-DP",
                    .stated = "σ^{2} = αΔ^{2}/(2ε), Δ^{2}/(2ρ); ε + log(1/δ)/(α - 1), ρ + 2√(ρ log(1/δ))",
                    .computed = "Divergences at those σ for a target of 0.3: " + number(by_renyi) + " and " +
                                number(by_zcdp) + "; conversions at least " + number(least, 4) + " times the exact ε",
                    .verdict = Verdict::holds,
                    .why = "Noise exact, conversions never below."});
}

}  // namespace

void basic_definitions(Section& section) {
  for (const auto row : {gaussian_noise, sequential, advanced, moments, renyi_and_zcdp}) section.rows.push_back(row());
}

}  // namespace pld::validation::variants_parts
