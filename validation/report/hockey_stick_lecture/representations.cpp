#include <algorithm>
#include <cmath>

#include "exact.hpp"
#include "parts.hpp"
#include "pld/bounds/concentrated.hpp"
#include "pld/bounds/gaussian_dp.hpp"
#include "pld/bounds/optimal_composition.hpp"
#include "pld/core/rounding.hpp"

namespace pld::validation::lecture_parts {

namespace b = bounds;

namespace {

double divergence(const b::Step& step, double alpha) {
  return b::log_moment(step, alpha, Direction::remove) / (alpha - 1);
}

double response_delta(double epsilon) {
  const double truth = worst_pure(1).p;
  return std::max(0.0, truth - std::exp(epsilon) * (1 - truth));
}
double laplace_delta(double epsilon) { return exact_delta({laplace()}, epsilon).estimate; }

Row suboptimal() {
  const double k = 100, delta = 1e-6, sigma = 20, each = delta / (2 * k);
  const double best = b::optimal_composition_epsilon({{{b::gdp_epsilon(1 / sigma, each), each}, k}}, delta);
  const Bracket truth = exact_epsilon(gaussian(sigma, k), delta);
  return confirmed(
      best > 1.5 * truth.upper,
      {.id = "lecture-worst-case",
       .reference = "\"What makes advanced composition suboptimal?\"",
       .claim = "Composition that knows only (ε, δ) of each mechanism is more worst-case than needed, as for Gaussians",
       .stated = "A gap",
       .computed = "100 Gaussians of σ = 20, δ = 10^{-6}: the optimal composition of their (ε, δ) gives " +
                   number(best) + ", the exact ε is " + text(truth),
       .verdict = Verdict::holds,
       .why = "Even the best theorem on (ε, δ) has to allow for mechanisms other than Gaussians."});
}

Row hardness() {
  return {.id = "lecture-hardness",
          .reference = "\"What makes advanced composition suboptimal?\", Murtagh and Vadhan",
          .claim = "Optimal composition of approximate DP is #P-hard",
          .stated = "A theorem on the worst case",
          .computed = "Nothing; few distinct parts are enumerated exactly elsewhere in this report",
          .verdict = Verdict::nothing_to_compute,
          .why = "A statement on the cost of computing, for many different ε."};
}

Row calibrations() {
  double response_rho = 0, gaussian_rho = 0;
  for (const double alpha : log_spaced(1.001, 1e4, 400)) {
    response_rho = std::max(response_rho, divergence(response(), alpha) / alpha);
    gaussian_rho = std::max(gaussian_rho, divergence(gaussian_at_half(), alpha) / alpha);
  }
  const double response_epsilon = exact_epsilon({response()}, 1e-12).upper,
               laplace_epsilon = exact_epsilon({laplace()}, 1e-12).upper;
  return confirmed(
      response_rho <= 0.5 && std::fabs(gaussian_rho - 0.5) < 1e-9 && response_epsilon <= 1 && laplace_epsilon <= 1,
      {.id = "lecture-calibrations",
       .reference = "\"Example: Renyi DP of our familiar mechanisms\"",
       .claim =
           "Randomized response and Laplace have ε = 1; Gaussian and randomized response satisfy zCDP with ρ = 1/2",
       .stated = "ε = 1, ρ = 1/2",
       .computed = "ε at δ = 10^{-12}: " + number(response_epsilon, 10) + " and " + number(laplace_epsilon, 10) +
                   "; largest D_{α}/α over 400 orders: " + number(gaussian_rho) + " (Gaussian), " +
                   number(response_rho, 4) + " (randomized response)",
       .verdict = Verdict::holds,
       .why = "ε^{2}/2 is the general bound for pure DP; the response itself needs a little less.",
       .figure = "lecture-familiar"});
}

Panel renyi_panel() {
  const auto orders = log_spaced(1.01, 100, 120);
  const auto of = [](const b::Step& step) { return [step](double alpha) { return divergence(step, alpha); }; };
  return {"Rényi DP",
          "order α",
          "Rényi divergence",
          {curve("randomized response", orders, of(response()), Colour::blue),
           curve("Laplace", orders, of(laplace()), Colour::red),
           curve("Gaussian", orders, of(gaussian_at_half()), Colour::green)},
          true,
          false,
          "[0:3]"};
}

/// f from the profile at epsilons up to 1, beyond which these symmetric mechanisms have no loss.
std::function<double(double)> trade_off_of(double (*delta)(double)) {
  std::vector<std::pair<double, double>> profile;
  for (const double epsilon : spaced(0, 1, 81)) profile.emplace_back(epsilon, delta(epsilon));
  return [profile](double alpha) {
    double best = 0;
    for (const auto& [epsilon, d] : profile) {
      best = std::max({best, 1 - d - std::exp(epsilon) * alpha, std::exp(-epsilon) * (1 - d - alpha)});
    }
    return best;
  };
}

Panel trade_off_panel() {
  const auto alphas = spaced(0, 1, 201);
  return {"tradeoff function",
          "type I error",
          "type II error",
          {curve("randomized response", alphas, trade_off_of(response_delta), Colour::blue),
           curve("Laplace", alphas, trade_off_of(laplace_delta), Colour::red),
           curve(
               "Gaussian", alphas, [](double a) { return b::gdp_trade_off(1, a); }, Colour::green),
           curve(
               "no information", alphas, [](double a) { return 1 - a; }, Colour::black, true)},
          false,
          false,
          "[0:1]"};
}

Panel profile_panel() {
  const auto epsilons = spaced(0, 4, 120);
  return {"privacy profile",
          "ε",
          "δ",
          {curve("randomized response", epsilons, response_delta, Colour::blue),
           curve("Laplace", spaced(0, 0.999, 60), laplace_delta, Colour::red),
           curve(
               "Gaussian", epsilons, [](double e) { return b::gdp_delta(1, e); }, Colour::green)},
          false,
          true,
          "[1e-5:1]"};
}

Figure familiar_mechanisms() {
  return draw("lecture-familiar", "Slides \"Example: ... of our familiar mechanisms\"",
              "Randomized response and Laplace at ε = 1, Gaussian at ρ = 1/2. Profiles of the first two end at ε = 1, "
              "where their δ is 0; the "
              "Gaussian's never is.",
              {renyi_panel(), trade_off_panel(), profile_panel()});
}

Row family() {
  double apart = 0, below = infinity;
  for (const double epsilon : {0.0, 0.5, 2.0}) {
    double best = 0;
    for (const double a : log_spaced(1e-8, 1, 20000)) {
      best = std::max(best, 1 - b::gdp_trade_off(1, a) - std::exp(epsilon) * a);
      below = std::min(below, b::gdp_trade_off(1, a) - (1 - b::gdp_delta(1, epsilon) - std::exp(epsilon) * a));
    }
    apart = std::max(apart, std::fabs(best / b::gdp_delta(1, epsilon) - 1));
  }
  return confirmed(
      apart < 1e-5 && below > -1e-12,
      {.id = "lecture-family",
       .reference = "\"... characterizes the family of all (ε, δ)-DP\", proposition 2.12",
       .claim = "A trade-off function and all (ε, δ(ε)) determine each other: δ(ε) = 1 + f^{*}(-e^{ε})",
       .stated = "Duality, for a symmetric f",
       .computed = "Gaussian, μ = 1, ε = 0, 0.5, 2, a grid of 20,000: the conjugate gives the profile within " +
                   number(apart, 2) + ", and every line of slope -e^{ε} lies below f and touches it",
       .verdict = Verdict::holds,
       .why = "Each (ε, δ(ε)) is a supporting line of f.",
       .figure = "lecture-family-figure"});
}

Figure family_figure() {
  const auto alphas = spaced(0, 1, 201);
  Panel panel{"", "type I error", "type II error", {}, false, false, "[0:1]"};
  panel.series.push_back(curve(
      "trade-off function of the Gaussian, μ = 1", alphas, [](double a) { return b::gdp_trade_off(1, a); },
      Colour::blue));
  for (const double epsilon : {0.0, 0.5, 1.0, 2.0, 3.0}) {
    const double delta = b::gdp_delta(1, epsilon);
    const auto label = epsilon == 0 ? std::string("lines 1 - δ - exp(ε) α of ε = 0, 0.5, 1, 2, 3") : std::string();
    panel.series.push_back(curve(
        label, spaced(0, (1 - delta) * std::exp(-epsilon), 2),
        [=](double a) { return 1 - delta - std::exp(epsilon) * a; }, Colour::red));
    panel.series.push_back(curve(
        "", spaced(0, 1 - delta, 2), [=](double a) { return std::exp(-epsilon) * (1 - delta - a); }, Colour::red,
        true));
  }
  return draw("lecture-family-figure", "Slide \"A mechanism-specific tradeoff function characterizes the family\"",
              "Each (ε, δ(ε)) that the mechanism satisfies is a pair of lines (solid and its mirror image, dashed); f "
              "is their upper envelope. "
              "μ and the five ε are ours.",
              {panel});
}

}  // namespace

void representations(Section& section) {
  for (const auto row : {suboptimal, hardness, calibrations, family}) section.rows.push_back(row());
  section.figures.push_back(familiar_mechanisms());
  section.figures.push_back(family_figure());
}

}  // namespace pld::validation::lecture_parts
