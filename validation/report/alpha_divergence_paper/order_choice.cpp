#include <algorithm>
#include <cmath>

#include "exact.hpp"
#include "gaussian_releases.hpp"
#include "parts.hpp"
#include "pld/bounds/alpha_divergence.hpp"
#include "pld/bounds/gaussian_dp.hpp"

namespace pld::validation::alpha_divergence_parts {

namespace b = bounds;

namespace {

constexpr double count = 1000, delta = 1e-5;  // of figures 4 and 5

double cumulative(double alpha, double sigma) {
  return b::epsilon_from_adp_as_proved(b::compose(b::adp_gaussian(alpha, sigma, 1), count), delta);
}

Row convex_in_the_order() {
  const auto orders = log_spaced(1.2, 300, 150);
  bool one_turn = true;
  std::string shown;
  for (const double sigma : {10.0, 20.0, 50.0, 100.0}) {
    const auto total = [&](double alpha) { return cumulative(alpha, sigma); };
    int turns = 0;
    for (std::size_t i = 2; i < orders.size(); ++i) {
      turns += (total(orders[i]) > total(orders[i - 1])) != (total(orders[i - 1]) > total(orders[i - 2]));
    }
    one_turn = one_turn && turns == 1;
    const auto best = b::best_order(total);
    shown += (shown.empty() ? "" : "; ") + std::string("σ = ") + number(sigma) + ": " + number(best.epsilon, 5) +
             " at α = " + number(best.alpha, 4) + " (exact " +
             number(exact_epsilon(gaussian(sigma, count), delta).estimate, 5) + ")";
  }
  return confirmed(one_turn, {.id = "adp-convex",
                              .reference = "Figure 4, section 7",
                              .claim = "1000 Gaussian releases: ε against α is convex-like, with one minimum",
                              .stated = "One minimum",
                              .computed = shown,
                              .verdict = Verdict::holds,
                              .why = "kα/(2σ^{2}) + log(1/δ)/(α - 1) is convex in α.",
                              .figure = "adp-figure-4"});
}

Figure figure_4() {
  Panel panel{"", "order α", "ε at δ = 1e-5", {}, true, true, "[0.5:1000]"};
  const auto orders = log_spaced(1.2, 300, 150);
  int i = 0;
  for (const double sigma : {10.0, 20.0, 50.0, 100.0}) {
    const double exact = exact_epsilon(gaussian(sigma, count), delta).estimate;
    panel.series.push_back(curve(
        "σ = " + number(sigma), orders, [&](double alpha) { return cumulative(alpha, sigma); }, colours[i]));
    panel.series.push_back(curve(
        "", orders, [&](double) { return exact; }, colours[i], true));
    ++i;
  }
  return draw("adp-figure-4", "Figure 4 of the paper: 1000 Gaussian releases against the order",
              "Solid: ADP (as proved) at δ = 10^{-5}; dashed: the exact ε, which no order reaches. The caption names "
              "no σ; these are ours.",
              {panel});
}

Row least_noise() {
  std::string shown;
  double worst = 0;
  bool kept = true;
  for (const double bound : {0.5, 1.0, 2.0, 5.0}) {
    const double exact = std::sqrt(count) * b::analytic_gaussian_sigma(bound, delta, 1);
    const auto least = b::adp_algorithm_2(bound, 1, count, delta, 300);
    worst = std::max(worst, least.epsilon / exact);
    kept = kept && exact_epsilon(gaussian(least.epsilon, count), delta).upper <= bound;
    shown += (shown.empty() ? "" : "; ") + std::string("ε = ") + number(bound) + ": σ = " + number(least.epsilon, 5) +
             " at α = " + number(least.alpha) + " (needed " + number(exact, 5) + ")";
  }
  return confirmed(
      kept, {.id = "adp-least-noise",
             .reference = "Figure 5 and algorithm 2, section 7",
             .claim = "The order can be chosen to minimise the noise of 1000 releases for a bound on ε at δ = 10^{-5}",
             .stated = "The optimal σ",
             .computed = shown,
             .verdict = Verdict::holds,
             .why = "It keeps the bound, with the conversion as proved and up to " + number(100 * (worst - 1), 3) +
                    "% more noise than needed. Line 17 as printed is judged in its own row.",
             .figure = "adp-figure-5"});
}

Figure figure_5() {
  Panel panel{"", "order α", "least σ for the bound", {}, true, true, "[10:2000]"};
  const auto orders = log_spaced(1.5, 300, 200);
  int i = 0;
  for (const double bound : {0.5, 1.0, 2.0, 5.0}) {
    const double exact = std::sqrt(count) * b::analytic_gaussian_sigma(bound, delta, 1);
    panel.series.push_back(curve(
        "ε = " + number(bound), orders,
        [&](double alpha) { return b::adp_sigma_for_order(alpha, bound, 1, count, delta); }, colours[i]));
    panel.series.push_back(curve(
        "", orders, [&](double) { return exact; }, colours[i], true));
    ++i;
  }
  return draw("adp-figure-5", "Figure 5 of the paper: least noise for a bound on ε, 1000 releases",
              "Solid: ADP (as proved) at δ = 10^{-5}; dashed: the σ that is needed. The caption names no bounds; these "
              "are ours.",
              {panel});
}

Row algorithm_line() {
  const auto best = b::adp_algorithm_1(100, 1, 50, delta, 300, b::epsilon_from_adp_algorithm_line);
  const Bracket truth = exact_epsilon(gaussian(100, 50), delta);
  return confirmed(
      best.epsilon > 100 * truth.upper,
      {.id = "adp-algorithm-line-12",
       .reference = "Algorithm 1, line 12; algorithm 2, line 17",
       .claim = "log(ε α(α - 1) + 1)/(δ(α - 1)) converts to (ε, δ)-DP",
       .stated = "σ = 100, 50 releases, δ = 10^{-5}: " + number(best.epsilon) + ", at α = " + number(best.alpha),
       .computed = "Exact " + text(truth),
       .verdict = Verdict::misprint,
       .why = "δ has slipped out of the logarithm, where equation 63 has it. As printed the value is a bound, off by "
              "orders of "
              "magnitude, and its best order is always the smallest tried."});
}

/// The best real order of k Gaussian releases, 1 + sigma sqrt(2 log(1/delta)/k), which figures 4 and 5 and the nine
/// settings of figures 6 to 8 have below 300.
Row order_range() {
  double largest = 0;
  for (const auto& [sigma, k, delta_here] : {std::tuple{10.0, count, delta},
                                             {100.0, count, delta},
                                             {100.0, 50.0, 1e-5},
                                             {100.0, 50.0, 1e-10},
                                             {100.0, 50.0, 1e-15},
                                             {100.0, 300.0, 1e-15},
                                             {10.0, 300.0, 1e-25},
                                             {50.0, 300.0, 1e-25},
                                             {100.0, 300.0, 1e-25}}) {
    largest = std::max(largest, best_renyi_order(sigma, k, delta_here));
  }
  const double single = 1 + 100 * std::sqrt(-2 * std::log(1e-25));
  return confirmed(largest <= 300 && single > 300,
                   {.id = "adp-order-range",
                    .reference = "Section 7, last paragraph",
                    .claim = "Over multiple iterations orders between 2 and 300 are generally sufficient",
                    .stated = "\"Typically between 2 and 300\"",
                    .computed = "Best order in the settings of figures 4 to 8: at most " + number(largest) +
                                "; the captions' orders go up to 164",
                    .verdict = Verdict::holds,
                    .why = "Every setting of the paper lies within. A single release, of which the sentence does not "
                           "speak, can need more: " +
                           number(single, 4) + " for σ = 100 at δ = 10^{-25}."});
}

}  // namespace

void order_choice(Section& section) {
  for (const auto row : {convex_in_the_order, least_noise, algorithm_line, order_range}) section.rows.push_back(row());
  section.figures.push_back(figure_4());
  section.figures.push_back(figure_5());
}

}  // namespace pld::validation::alpha_divergence_parts
