#include <algorithm>
#include <cmath>
#include <numbers>

#include "exact.hpp"
#include "finite_pairs.hpp"
#include "parts.hpp"
#include "pld/bounds/central_limit.hpp"
#include "pld/bounds/gaussian_dp.hpp"
#include "pld/bounds/renyi.hpp"
#include "pld/core/rounding.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "pld/mechanisms/randomized_response.hpp"
#include "pld/readout/trade_off.hpp"

namespace pld::validation::lecture_parts {

namespace b = bounds;

namespace {

Row deviation() {
  const double epsilon = 0.1, mean = epsilon * (2 * worst_pure(epsilon).p - 1);
  double least = infinity, most = 0;
  for (const std::int64_t k : {100, 400, 1600, 6400}) {
    const double exact = exact_epsilon({{worst_pure(epsilon), 1, k}}, 1e-6).estimate, n = static_cast<double>(k);
    const double scaled = (exact - n * mean) / std::sqrt(n);
    least = std::min(least, scaled), most = std::max(most, scaled);
  }
  return confirmed(most / least < 1.15,
                   {.id = "lecture-deviation",
                    .reference = "\"Recap: Advanced Composition\"",
                    .claim = "The loss has the mean k KL, and deviates from it by O(√k)",
                    .stated = "O(√k)",
                    .computed = "100 to 6400 randomized responses, ε = 0.1, δ = 10^{-6}: (ε of all - k KL)/√k is " +
                                number(least, 4) + " to " + number(most, 4),
                    .verdict = Verdict::holds,
                    .why = "It stays put while k grows 64 times."});
}

Row gaussian_or_laplace() {
  const double k = 200, delta = 1e-6, sigma = 20;
  const Bracket normal = exact_epsilon(gaussian(sigma, k), delta);
  const Bracket exponential = exact_epsilon({{Laplace{.scale = sigma / std::numbers::sqrt2}, 1, 200}}, delta);
  // A vector query of 100 coordinates that all move by 0.1: l2 sensitivity 1, l1 sensitivity 10; variance of a
  // coordinate's noise.
  const double gaussian_sigma = b::analytic_gaussian_sigma(1, delta, 1), laplace_sigma = 10 * std::numbers::sqrt2;
  return confirmed(normal.upper < exponential.lower && gaussian_sigma < laplace_sigma,
                   {.id = "lecture-gaussian-or-laplace",
                    .reference = "\"Recap: Gaussian mechanism\"",
                    .claim = "The Gaussian mechanism is better than Laplace where its ℓ_{2} sensitivity is "
                             "substantially smaller, or over many rounds",
                    .stated = "Less noise, or a smaller ε",
                    .computed = "200 releases at equal variance 400, δ = 10^{-6}: ε = " + text(normal) + " and " +
                                text(exponential) + "; one release with Δ_{2} = 1, Δ_{1} = 10 at ε = 1: σ = " +
                                number(gaussian_sigma, 4) + " and " + number(laplace_sigma, 4),
                    .verdict = Verdict::holds,
                    .why = "In both situations it is."});
}

Row renyi_not_tight() {
  const auto best = b::best_order([](double a) {
    return b::epsilon_from_renyi_tight(a, 100 * b::log_moment(response(), a, Direction::remove) / (a - 1), 1e-6);
  });
  const Bracket truth = exact_epsilon({{response().mechanism, 1, 100}}, 1e-6);
  return confirmed(best.epsilon > truth.upper, {.id = "lecture-rdp-adds",
                                                .reference = "\"Composition of Mechanism Specific Representations\", 1",
                                                .claim = "RDP functions just add up, but the result is not tight",
                                                .stated = "Looser than the profile's composition",
                                                .computed = "100 randomized responses of ε = 1, δ = 10^{-6}: RDP " +
                                                            number(best.epsilon) + ", exact " + text(truth),
                                                .verdict = Verdict::holds,
                                                .why = "Even the tight conversion at the best order stays above."});
}

Row tensor_product() {
  const double p = 0.7;
  const b::FinitePair answers{{p, 1 - p}, {1 - p, p}};
  const b::FinitePair three = product(product(answers, answers), answers);
  const TradeOff of_responses(PrivacyProfile(Composition().add(Mechanism(RandomizedResponse{.p = p}), 3)));
  const TradeOff of_gaussians(PrivacyProfile(Composition().add(Mechanism(Gaussian{.sigma = 3}), 4)));
  double responses = 0, gaussians = 0;
  for (const double alpha : spaced(0.01, 0.99, 40)) {
    responses = std::max(responses, std::fabs(of_responses(alpha).estimate - b::trade_off(three, alpha)));
    gaussians = std::max(gaussians, std::fabs(of_gaussians(alpha).estimate - b::gdp_trade_off(2.0 / 3, alpha)));
  }
  return confirmed(responses < 1e-9 && gaussians < 1e-9,
                   {.id = "lecture-tensor-product",
                    .reference = "\"Composition of Tradeoff functions\"",
                    .claim = "A composition is f_{1} ⊗ ... ⊗ f_{n}-DP, f ⊗ g := T(P × P', Q × Q')",
                    .stated = "The trade-off function of the product",
                    .computed = "The library's trade-off function of 3 randomized responses (p = 0.7) against all "
                                "tests of the 8 joint outcomes: "
                                "within " +
                                number(responses, 2) +
                                "; of 4 Gaussians (σ = 3) against the Gaussian of μ = 2/3, which their product "
                                "is: within " +
                                number(gaussians, 2),
                    .verdict = Verdict::holds,
                    .why = "Both agree at 40 type I errors."});
}

Row convolution() {
  std::mt19937_64 random(24);
  double apart = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto x = random_pair(random, 3), y = random_pair(random, 4);
    const double epsilon = 0.5;
    double convolved = 0;  // E max(0, 1 - e^{epsilon - L - L'}) over independent losses
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        const double loss = std::log(x.p[i] / x.q[i]) + std::log(y.p[j] / y.q[j]);
        convolved += x.p[i] * y.p[j] * std::max(0.0, -std::expm1(epsilon - loss));
      }
    }
    apart = std::max(apart, std::fabs(convolved - hockey_stick(product(x, y), std::exp(epsilon))));
  }
  return confirmed(
      apart < 1e-13,
      {.id = "lecture-convolution",
       .reference = "\"Composition of Mechanism Specific Representations\", 3; \"Composition of Privacy Profiles\"",
       .claim = "Profiles compose by convolving the distributions of the losses, pair by pair",
       .stated = "δ of the sum of losses",
       .computed = "300 random products: within " + number(apart, 2) + " of the hockey-stick divergence of the product",
       .verdict = Verdict::holds,
       .why = "Losses of a product are sums."});
}

constexpr std::int64_t counts[] = {1, 4, 16, 64};

/// k Laplace releases of scale sqrt(k): many small ones that together tell about as much.
b::Steps many_small(std::int64_t k) { return {{Laplace{.scale = std::sqrt(static_cast<double>(k))}, 1, k}}; }

TradeOff exact_trade_off(std::int64_t k) {
  return TradeOff(PrivacyProfile(Composition().add(Mechanism(Laplace{.scale = std::sqrt(static_cast<double>(k))}), k)));
}

double limit_mu(std::int64_t k) { return b::clt_mu(many_small(k), Direction::remove); }

Row central_limit() {
  std::string shown;
  double before = infinity;
  bool closing = true;
  for (const std::int64_t k : counts) {
    const TradeOff exact = exact_trade_off(k);
    double apart = 0;
    for (const double alpha : spaced(0.02, 0.98, 25)) {
      apart = std::max(apart, std::fabs(exact(alpha).estimate - b::gdp_trade_off(limit_mu(k), alpha)));
    }
    closing = closing && apart < before;
    before = apart;
    shown += (shown.empty() ? "" : ", ") + std::string("k = ") + std::to_string(k) + ": " + number(apart, 2);
  }
  const b::Steps training = gaussian(0.8, 1000, 0.005);
  const double limit = b::gdp_epsilon(b::dp_sgd_limit_mu(training), 1e-6);
  return confirmed(
      closing && before < 0.01,
      {.id = "lecture-central-limit",
       .reference = "\"Composition of Tradeoff functions\", theorem 3.4 cited there",
       .claim = "A central limit theorem exists: trade-off functions of compositions tend to a Gaussian one",
       .stated = "A limit",
       .computed = "k Laplace releases of scale √k, largest distance of the type II errors from the limit's: " + shown,
       .verdict = Verdict::holds,
       .why = "The distance shrinks with k. For comparison, claimed by nobody here: the limit taken for an answer "
              "gives DP-SGD (σ = 0.8, "
              "q = 0.005, 1000 steps, δ = 10^{-6}) ε = " +
              number(limit) + ", where the exact one is " + text(exact_epsilon(training, 1e-6)) + ".",
       .figure = "lecture-clt"});
}

Figure central_limit_figure() {
  std::vector<Panel> panels;
  const auto alphas = spaced(0.005, 0.995, 100);
  for (const std::int64_t k : counts) {
    const auto points = exact_trade_off(k).at(alphas);
    Series exact{"exact", {}, Colour::blue, false};
    for (const OperatingPoint& point : points) exact.points.emplace_back(point.alpha, point.beta.estimate);
    panels.push_back({"k = " + std::to_string(k),
                      "type I error",
                      "type II error",
                      {exact, curve(
                                  "Gaussian limit", alphas,
                                  [mu = limit_mu(k)](double a) { return b::gdp_trade_off(mu, a); }, Colour::red, true)},
                      false,
                      false,
                      "[0:1]"});
  }
  return draw("lecture-clt", "Slide \"Composition of Tradeoff functions\": the central limit theorem",
              "k Laplace releases of scale √k, and the Gaussian trade-off function of the same mean and variance of "
              "the loss. The mechanism is ours.",
              panels);
}

}  // namespace

void composition(Section& section) {
  for (const auto row : {deviation, gaussian_or_laplace, renyi_not_tight, tensor_product, central_limit, convolution}) {
    section.rows.push_back(row());
  }
  section.figures.push_back(central_limit_figure());
}

}  // namespace pld::validation::lecture_parts
