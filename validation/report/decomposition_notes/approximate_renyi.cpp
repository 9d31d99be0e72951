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

// The guarantee of the rows on numbers: (0.5, 1e-6)-DP at order 8.
constexpr double epsilon = 0.5, delta = 1e-6, lambda = 8;

Row definition() {
  return {.id = "notes-approximate-rdp",
          .reference = "Section 4, definition of approximate RDP",
          .claim = "δ-approximate (λ, ε)-RDP: D_{λ}^{δ} ≤ ε",
          .stated = "D_{λ}^{δ} is not defined in the text",
          .computed = "Nothing",
          .verdict = Verdict::nothing_to_compute,
          .why =
              "Taken here as in Papernot, Steinke 2022, definition 7: both laws are mixtures of weight 1 - δ of two "
              "laws with D_{λ} ≤ ε."};
}

Row of_dp() {
  const double truth = b::renyi_divergence(leaky_response(epsilon, 0), infinity);
  return confirmed(truth > delta * (1 + 1e-6),
                   {.id = "notes-approximate-1",
                    .reference = "Section 4.1, property 1",
                    .claim = "(ε, δ)-DP is equivalent to δ-approximate (∞, δ)-RDP",
                    .stated = "(0.5, 10^{-6})-DP: D_{∞} ≤ " + number(delta) + " once δ is set aside",
                    .computed = "The worst such mechanism: " + number(truth),
                    .verdict = Verdict::unsound,
                    .why = "One symbol: the second parameter should be ε."});
}

Row of_dp_at_an_order() {
  const double stated = epsilon * epsilon * delta / 2, truth = b::renyi_divergence(leaky_response(epsilon, 0), lambda);
  return confirmed(truth > stated * (1 + 1e-6) && truth <= lambda * epsilon * epsilon / 2,
                   {.id = "notes-approximate-2",
                    .reference = "Section 4.1, property 2",
                    .claim = "(ε, δ)-DP implies δ-approximate (λ, ½ε^{2}δ)-RDP",
                    .stated = "(0.5, 10^{-6})-DP at λ = 8: " + number(stated),
                    .computed = "The worst such mechanism, δ set aside: " + number(truth) +
                                ", below ½ε^{2}λ = " + number(lambda * epsilon * epsilon / 2),
                    .verdict = Verdict::unsound,
                    .why = "One symbol: the last factor should be λ, not δ."});
}

Row conversion() {
  const b::ApproximateRenyi guarantee = b::approximate_renyi_of_dp(epsilon, delta, lambda);
  const double below = 0.1, above = 2;
  const double printed = b::delta_from_approximate_renyi_as_printed(guarantee, below);
  const double truth = hockey_stick(leaky_response(epsilon, delta), std::exp(below));
  return confirmed(
      printed < truth && b::delta_from_approximate_renyi(guarantee, below) >= truth &&
          b::delta_from_approximate_renyi_as_printed(guarantee, above) > 1,
      {.id = "notes-approximate-3",
       .reference = "Section 4.1, property 3, equation .5",
       .claim = "(ε̂, δ̂)-DP with δ̂ = δ + (e^{(λ-1)(ε̂-ε)}/λ)(1 - 1/λ)^{λ-1}",
       .stated = "(0.5, 10^{-6})-DP at λ = 8 and ε̂ = " + number(below) + ": δ̂ = " + number(printed),
       .computed = "The worst such mechanism has δ = " + number(truth) + " there; at ε̂ = " + number(above) +
                   " the formula gives " + number(b::delta_from_approximate_renyi_as_printed(guarantee, above), 4),
       .verdict = Verdict::unsound,
       .why = "One sign: the exponent should be (λ - 1)(ε - ε̂), as in property 8. As printed δ̂ grows with ε̂: too small "
              "below ε, "
              "beyond 1 above."});
}

Row post_processing() {
  std::mt19937_64 random(50);
  const double share = 0.05;
  double apart = 0, most = 0;
  for (int i = 0; i < trials; ++i) {
    const auto core = random_pair(random, 4), leak = random_pair(random, 4);
    const Channel channel = random_channel(random, 4, 3);
    const auto whole = image(mixture(share, core, leak), channel);
    const auto parts = mixture(share, image(core, channel), image(leak, channel));
    for (int j = 0; j < 3; ++j)
      apart = std::max({apart, std::fabs(whole.p[j] - parts.p[j]), std::fabs(whole.q[j] - parts.q[j])});
    most = std::max(most, b::renyi_divergence(image(core, channel), lambda) - b::renyi_divergence(core, lambda));
  }
  return confirmed(
      apart < 1e-15 && most <= 1e-12,
      {.id = "notes-approximate-4",
       .reference = "Section 4.1, property 4",
       .claim = "δ-approximate (λ, ε)-RDP is closed under post-processing",
       .stated = "The same δ and ε",
       .computed = "1,000 random mixtures of weight 0.95 and 0.05 through random channels, λ = 8: the image is the "
                   "mixture of the images "
                   "within " +
                   number(apart, 2) + ", and the divergence of its first part rises by at most " + number(most, 2),
       .verdict = Verdict::holds,
       .why = "Channels are linear, and D_{λ} of the first part does not rise."});
}

Row composition() {
  double least = infinity;
  for (const double total : {1e-4, 1e-2}) {
    const auto best = b::best_order([&](double order) {
      b::ApproximateRenyi all = b::approximate_renyi_of_dp(0.3, 1e-5, order);
      for (int i = 1; i < 5; ++i) all = b::compose(all, b::approximate_renyi_of_dp(0.3, 1e-5, order));
      return b::epsilon_from_approximate_renyi(all, total);
    });
    const b::Steps steps{{ApproximateDp{.epsilon = 0.3, .delta = 1e-5}, 1, 5}};
    least = std::min(least, best.epsilon / exact_epsilon(steps, total).upper);
  }
  return confirmed(least >= 1,
                   {.id = "notes-approximate-5",
                    .reference = "Section 4.1, property 5",
                    .claim = "Composition: δs and εs of approximate RDP add up at one order",
                    .stated = "(δ_{1} + δ_{2})-approximate (λ, ε_{1} + ε_{2})-RDP",
                    .computed = "5 releases of (0.3, 10^{-5})-DP, two δ, converted with the sign put right: at least " +
                                number(least, 4) + " times the exact ε",
                    .verdict = Verdict::holds,
                    .why = "Never below."});
}

}  // namespace

void approximate_renyi(Section& section) {
  for (const auto row : {definition, of_dp, of_dp_at_an_order, conversion, post_processing, composition})
    section.rows.push_back(row());
}

}  // namespace pld::validation::notes_parts
