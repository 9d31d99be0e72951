#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include "exact.hpp"
#include "parts.hpp"
#include "pld/bounds/composition_theorems.hpp"
#include "pld/core/rounding.hpp"

namespace pld::validation::notes_parts {

namespace b = bounds;

namespace {

/// The least ratio of a bound to the exact epsilon over 18 compositions of randomized responses; those whose exact
/// epsilon is not positive, which any bound covers, do not count.
double least_ratio(double (*bound)(double epsilon, double k, double delta)) {
  double least = infinity;
  for (const double epsilon : {0.02, 0.3, 1.0}) {
    for (const double k : {1.0, 30.0, 1000.0}) {
      for (const double delta : {1e-2, 1e-10}) {
        const double exact = exact_epsilon({{worst_pure(epsilon), 1, static_cast<std::int64_t>(k)}}, delta).lower;
        if (exact > 0) least = std::min(least, bound(epsilon, k, delta) / exact);
      }
    }
  }
  return least;
}

Row equation_6() {
  const double least = least_ratio([](double epsilon, double k, double delta) {
    return b::advanced_composition({epsilon, 0}, k, delta).epsilon;
  });
  return confirmed(least >= 1,
                   {.id = "notes-eq-6",
                    .reference = "Section 5.1, equation .6",
                    .claim = "k releases of ε-DP are (ε√(2k log(1/δ')) + kε(e^{ε} - 1), δ')-DP",
                    .stated = "An upper bound",
                    .computed = "18 cases of randomized response: at least " + number(least, 4) + " times the exact ε",
                    .verdict = Verdict::holds,
                    .why = "A bound in every case."});
}

Row equation_7() {
  double least = least_ratio([](double epsilon, double k, double delta) {
    return b::heterogeneous_advanced_composition({{{epsilon, 0}, k}}, delta).epsilon;
  });
  // Different parts that leak: delta' is what they leave of delta.
  const b::Steps steps{{ApproximateDp{.epsilon = 0.1, .delta = 1e-7}, 1, 40},
                       {ApproximateDp{.epsilon = 0.5, .delta = 1e-6}, 1, 3}};
  const std::vector<b::RepeatedGuarantee> parts{{{0.1, 1e-7}, 40}, {{0.5, 1e-6}, 3}};
  for (const double delta : {1e-5, 1e-2}) {
    const double bound = b::heterogeneous_advanced_composition(parts, b::slack_left(parts, delta)).epsilon;
    least = std::min(least, bound / exact_epsilon(steps, delta).upper);
  }
  return confirmed(
      least >= 1,
      {.id = "notes-eq-7",
       .reference = "Section 5.1, equation .7",
       .claim = "M_{1...k} is (min{Σε_{j}, ½Σε_{j}^{2} + √(2 log(1/δ') Σε_{j}^{2})}, δ)-DP for any δ > Σδ_{j}",
       .stated = "An upper bound in δ', which the text does not define",
       .computed =
           "The same 18 cases, and 40 releases of (0.1, 10^{-7})-DP with 3 of (0.5, 10^{-6})-DP at two δ: at least " +
           number(least, 10) + " times the exact ε",
       .verdict = Verdict::holds_under_a_condition,
       .why = "That is what δ' is in the theorem (Steinke 2022, theorem 22).",
       .condition = "δ' = δ - Σδ_{j}"});
}

Row joint_dp() {
  return {.id = "notes-joint-dp",
          .reference = "Section 6, equation .8",
          .claim = "(ε, δ)-joint DP: all outputs but one's own are (ε, δ)-close",
          .stated = "A definition",
          .computed = "Nothing",
          .verdict = Verdict::nothing_to_compute,
          .why = "Nothing is claimed of it."};
}

/// E[(f - P) sum (X_i - P)] + E_P[(E_X f - P)^2] for f on {0,1}^n given by its table. The integrand is a polynomial of
/// degree 2n + 2 in p, which Simpson's rule on 2,000 intervals integrates to 1e-12.
double dichotomy(const std::vector<double>& f, int n) {
  constexpr int grid = 2000;
  double total = 0;
  for (int i = 0; i <= grid; ++i) {
    const double p = static_cast<double>(i) / grid;
    double correlation = 0, mean_gap = 0;
    for (std::uint64_t x = 0; x < f.size(); ++x) {
      const int ones = std::popcount(x);
      const double mass = std::pow(p, ones) * std::pow(1 - p, n - ones);
      correlation += mass * (f[x] - p) * (ones - n * p);
      mean_gap += mass * (f[x] - static_cast<double>(ones) / n);
    }
    total += (i == 0 || i == grid ? 1 : (i % 2 ? 4 : 2)) * (correlation + mean_gap * mean_gap) / (3.0 * grid);
  }
  return total;
}

Row correlation_variance() {
  std::mt19937_64 random(47);
  std::uniform_real_distribution<double> unit(0, 1);
  double least = infinity;
  for (int i = 0; i < 200; ++i) {
    const int n = 1 + i % 6;
    std::vector<double> f(std::size_t{1} << n);
    for (double& value : f) value = i % 3 ? unit(random) : (unit(random) < 0.5 ? 0 : 1);
    if (i < 6) std::fill(f.begin(), f.end(), 0.5);  // where equality holds
    least = std::min(least, dichotomy(f, n));
  }
  return confirmed(std::fabs(least - 1.0 / 12) < 1e-9,
                   {.id = "notes-eq-9",
                    .reference = "Section 7.1, equation .9",
                    .claim = "Correlation plus squared gap of the means is at least 1/12",
                    .stated = "1/12 = " + number(1.0 / 12, 8) + ", for f on {0, 1}^{d} applied to X_{1}, ..., X_{n}",
                    .computed = "200 functions of up to 6 bits: least value " + number(least, 8),
                    .verdict = Verdict::holds_under_a_condition,
                    .why = "With equality for the constant 1/2.",
                    .condition = "d = n, without which f(X) means nothing"});
}

}  // namespace

void composition(Section& section) {
  for (const auto row : {equation_6, equation_7, joint_dp, correlation_variance}) section.rows.push_back(row());
}

}  // namespace pld::validation::notes_parts
