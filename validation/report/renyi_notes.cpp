#include <algorithm>
#include <cmath>

#include "exact.hpp"
#include "finite_pairs.hpp"
#include "gaussian_releases.hpp"
#include "pld/bounds/concentrated.hpp"
#include "pld/bounds/renyi.hpp"
#include "pld/core/rounding.hpp"
#include "quadrature.hpp"
#include "sources.hpp"

namespace pld::validation {

namespace b = bounds;

namespace {

Row max_divergence() {
  // P has an outcome that Q lacks: over events inside the support of Q no ratio exceeds 1.
  const b::FinitePair pair{{0.5, 0.3, 0.2}, {0.5, 0.5, 0}};
  double printed = -infinity;
  for (int event = 1; event < 4; ++event) {
    const double p = (event & 1) * pair.p[0] + (event >> 1) * pair.p[1],
                 q = (event & 1) * pair.q[0] + (event >> 1) * pair.q[1];
    printed = std::max(printed, std::log(p / q));
  }
  const double truth = b::renyi_divergence(pair, infinity);
  return confirmed(
      printed == 0 && std::isinf(truth),
      {.id = "renyi-max-divergence",
       .reference = "\"Max-divergence\"",
       .claim = "D_{∞}(P‖Q) is the largest log P(S)/Q(S) over S ⊆ supp(Q), and ε-DP is D_{∞} ≤ ε",
       .stated = "For P = (.5, .3, .2) and Q = (.5, .5, 0), over S ⊆ supp(Q): " + number(printed),
       .computed = "Over all events: " + number(truth),
       .verdict = Verdict::misprint,
       .why = "The support meant is that of P (Dwork, Roth 2014, definition 3.6). The notes' next line, "
              "P(S) ≤ e^{ε} Q(S), is right, and the notes reached us as a machine's reading of handwriting."});
}

Row limits() {
  std::mt19937_64 random(1);
  double kl = 0, max = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const auto pair = random_pair(random, 5);
    kl = std::max(kl, std::fabs(b::renyi_divergence(pair, 1 + 1e-7) - b::renyi_divergence(pair, 1)));
    max = std::max(max, std::fabs(b::renyi_divergence(pair, 1e7) - b::renyi_divergence(pair, infinity)));
  }
  return confirmed(
      kl < 1e-4 && max < 1e-4,
      {.id = "renyi-limits",
       .reference = "\"Rényi divergence\"",
       .claim = "D_{α} tends to the max divergence as α → ∞ and to the Kullback-Leibler divergence as α → 1",
       .stated = "Two limits",
       .computed = "500 random pairs of 5 outcomes: distance to the second at α = 1 + 10^{-7} at most " +
                   number(kl, 2) + ", to the first at α = 10^{7} at most " + number(max, 2),
       .verdict = Verdict::holds_under_a_condition,
       .why =
           "The first limit always holds; the second needs one finite divergence of an order above 1 (van Erven, "
           "Harremoës 2014, theorem 5). The paper on alpha divergence claims the same, and its row has a pair without.",
       .condition = "some D_{α} with α > 1 is finite"});
}

Row monotone() {
  std::mt19937_64 random(2);
  double most = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const auto pair = random_pair(random, 5);
    double before = 0;
    for (const double alpha : {1.0, 1.1, 2.0, 7.0, 60.0, infinity}) {
      const double d = b::renyi_divergence(pair, alpha);
      most = std::max(most, before - d);
      before = d;
    }
  }
  return confirmed(most <= 1e-13,
                   {.id = "renyi-monotone",
                    .reference = "\"Fact\" after the definition of RDP",
                    .claim = "D_{α} does not fall as α rises",
                    .stated = "D_{α} ≥ D_{α'} for α ≥ α'",
                    .computed = "500 random pairs, six orders from 1 to ∞: largest fall " + number(most, 2),
                    .verdict = Verdict::holds,
                    .why = "No pair falls."});
}

Row weaker_than_pure() {
  // Probability preservation: P(S) <= (e^{D_alpha} Q(S))^{(alpha-1)/alpha}, at half lines of two Gaussians.
  const double sigma = 2, alpha = 8, d = b::renyi_gaussian(alpha, sigma, 1);
  double most = 0;
  for (double t = -10; t < 40; t += 0.1) {
    const double p = std::erfc((t - 1) / (sigma * std::sqrt(2))) / 2, q = std::erfc(t / (sigma * std::sqrt(2))) / 2;
    most = std::max(most, p / std::pow(std::exp(d) * q, (alpha - 1) / alpha));
  }
  return confirmed(
      most <= 1,
      {.id = "renyi-weaker-than-pure",
       .reference = "\"So weaker than ε-DP\" and \"Interpretation\"",
       .claim = "RDP is weaker than ε-DP, yet unlikely events cannot grow without bound",
       .stated = "Finite D_{α} where D_{∞} may be infinite",
       .computed = "Gaussian, σ = 2, α = 8: D_{∞} = ∞, D_{8} = " + number(d) +
                   "; over 500 half lines P(S) is at most " + number(most, 4) + " times (e^{D} Q(S))^{(α-1)/α}",
       .verdict = Verdict::holds,
       .why =
           "That power of Q(S) is what an event of probability Q(S) can grow to (Langlois, Stehlé, Steinfeld 2014)."});
}

Row dp_for_rdp() {
  const double rdp = 2 * b::renyi_gaussian(4, 2, 1);
  const Bracket truth = exact_epsilon(gaussian(2, 2), 1e-12);
  return confirmed(
      truth.lower > rdp,
      {.id = "renyi-dp-for-rdp",
       .reference = "\"⇒ (α, ε)-DP ∀α\" and \"Composition: Thm\"",
       .claim = "ε-DP gives \"(α, ε)-DP\" for all α, and (α, ε_{1})- and (α, ε_{2})-RDP compose to \"(α, ε_{1} + "
                "ε_{2})-DP\"",
       .stated = "Two Gaussians of σ = 2 at α = 4: ε_{1} + ε_{2} = " + number(rdp),
       .computed = "As RDP that is exact; as pure DP it would fail: ε at δ = 10^{-12} is " + text(truth),
       .verdict = Verdict::misprint,
       .why = "A pair (α, ε) is a guarantee of RDP, which is what the proof below it shows: the letter R is missing."});
}

Row composition() {
  std::mt19937_64 random(3);
  double most = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const auto first = random_pair(random, 3);
    std::vector<b::FinitePair> second;
    for (int i = 0; i < 3; ++i) second.push_back(random_pair(random, 4));
    for (const double alpha : {1.3, 2.0, 9.0}) {
      double largest = 0;
      for (const auto& pair : second) largest = std::max(largest, b::renyi_divergence(pair, alpha));
      most = std::max(
          most, b::renyi_divergence(adaptive(first, second), alpha) - b::renyi_divergence(first, alpha) - largest);
    }
  }
  return confirmed(most <= 1e-12,
                   {.id = "renyi-composition",
                    .reference = "\"Composition: Thm\"",
                    .claim = "RDP adds up, also where the second mechanism is chosen by the first one's output",
                    .stated = "ε_{1} + ε_{2}",
                    .computed = "500 random adaptive compositions, three orders: the joint divergence is at most " +
                                number(most, 2) + " above the sum",
                    .verdict = Verdict::holds,
                    .why = "The second divergence is at most its largest over the first one's outputs."});
}

Row composition_proof() {
  std::mt19937_64 random(4);
  const auto pair = random_pair(random, 4);
  const double alpha = 2;
  double integral = 0;  // of Y^alpha Y'^(1 - alpha)
  for (std::size_t i = 0; i < 4; ++i) integral += std::pow(pair.p[i], alpha) * std::pow(pair.q[i], 1 - alpha);
  const double under_q = f_divergence(pair, [&](double r) { return std::pow(r, alpha); });
  const double under_p = f_divergence(pair, [&](double r) { return std::pow(r, alpha + 1); });
  return confirmed(
      std::fabs(under_q / integral - 1) < 1e-12 && std::fabs(under_p / integral - 1) > 0.1,
      {.id = "renyi-composition-proof",
       .reference = "Proof of composition, sixth line",
       .claim = "∫ Y^{α} Y'^{1-α} dy = E_{y~Y(x)}[(Y/Y')^{α}]",
       .stated = "A random pair, α = 2: the expectation under Y is " + number(under_p),
       .computed = "The integral is " + number(integral) + ", the expectation under Y' " + number(under_q),
       .verdict = Verdict::misprint,
       .why = "It should be y ~ Y'(x), as the next line has it: e^{(α-1)D_{α}} is a mean under the second law."});
}

Row conversion() {
  double least = infinity;
  for (const double sigma : {0.5, 2.0, 30.0}) {
    for (const double delta : {1e-3, 1e-9}) {
      const double truth = exact_epsilon(gaussian(sigma), delta).upper;
      for (const double alpha : {1.1, 3.0, 50.0})
        least = std::min(least, renyi_epsilon(alpha, sigma, 1, delta) / truth);
    }
  }
  return confirmed(least >= 1, {.id = "renyi-conversion",
                                .reference = "\"Thm: If f is (α, ε)-RDP\"",
                                .claim = "(α, ε)-RDP is (ε + log(1/δ)/(α - 1), δ)-DP",
                                .stated = "An upper bound",
                                .computed = "18 Gaussian cases: least ratio to the exact ε " + number(least),
                                .verdict = Verdict::holds,
                                .why = "Never below the exact answer."});
}

Row gaussian_divergence() {
  const double sigma = 2, alpha = 8;
  const double truth =
      renyi_by_quadrature(normal_log_density(1, sigma), normal_log_density(0, sigma), alpha, -60, 80, 0.001);
  return confirmed(
      std::fabs(truth / b::renyi_gaussian(alpha, sigma, 1) - 1) < 1e-9,
      {.id = "renyi-gaussian",
       .reference = "\"Thm: If f has sensitivity 1\"",
       .claim = "The Gaussian mechanism is (α, ε/(2σ^{2}))-RDP for all α > 1",
       .stated = "ε/(2σ^{2}), in which ε is nowhere defined",
       .computed = "σ = 2, α = 8, by quadrature: " + number(truth) + ", which is α/(2σ^{2})",
       .verdict = Verdict::misprint,
       .why = "The numerator is α, most likely misread in the handwriting: the notes use α/(2σ^{2}) below, for "
              "ρ = 1/(2σ^{2})."});
}

Row better_than_advanced() {
  double least = infinity;
  for (const double k : {10.0, 100.0, 1000.0}) {
    least = std::min(least, advanced_composition_epsilon(20, k, 1e-6) / zcdp_epsilon(20, k, 1e-6));
  }
  const double gap = zcdp_epsilon(20, 100, 1e-6) / exact_epsilon(gaussian(20, 100), 1e-6).upper;
  return confirmed(
      least > 1,
      {.id = "renyi-beats-advanced",
       .reference = "\"In practice\"",
       .claim = "Composing in RDP and converting once beats (ε, δ)-DP with advanced composition",
       .stated = "A smaller ε",
       .computed = "σ = 20, 10 to 1000 releases, δ = 10^{-6}: advanced composition is at least " + number(least, 4) +
                   " times RDP, and RDP at 100 releases " + number(gap, 4) + " times the exact ε",
       .verdict = Verdict::holds,
       .why = "It does, and still leaves a gap to the exact answer."});
}

Row zcdp() {
  double worst = 0, least = infinity;
  for (const double alpha : {1.5, 10.0, 1e4}) {
    worst = std::max(worst, std::fabs(b::renyi_gaussian(alpha, 3, 1) / (alpha * b::zcdp_gaussian_rho(3, 1)) - 1));
  }
  for (const double k : {1.0, 30.0})
    least = std::min(least, zcdp_epsilon(3, k, 1e-6) / exact_epsilon(gaussian(3, k), 1e-6).upper);
  return confirmed(
      worst < 1e-12 && least >= 1,
      {.id = "renyi-zcdp",
       .reference = "\"2CDP\" (zCDP)",
       .claim = "The Gaussian mechanism is 1/(2σ^{2})-zCDP, ρ adds up, and ρ-zCDP converts to (ε, δ)-DP",
       .stated = "D_{α} = ρα",
       .computed = "Largest relative difference from ρα " + number(worst, 2) +
                   "; σ = 3, 1 and 30 releases, δ = 10^{-6}: at least " + number(least, 4) + " times the exact ε",
       .verdict = Verdict::holds,
       .why = "D_{α} is exactly linear in α, so it adds up as ρ does."});
}

}  // namespace

Section renyi_notes() {
  Section section{
      "renyi-notes",
      "Lecture notes on Rényi and concentrated DP",
      "Hand-written notes of an unnamed lecturer, as a machine read them (\"2CDP\" is zCDP): definitions, composition, "
      "conversion. They have no page numbers; rows name the passage by its first words.",
      {},
      {}};
  for (const auto row : {max_divergence, limits, monotone, weaker_than_pure, dp_for_rdp, composition, composition_proof,
                         conversion, gaussian_divergence, better_than_advanced, zcdp}) {
    section.rows.push_back(row());
  }
  return section;
}

}  // namespace pld::validation
