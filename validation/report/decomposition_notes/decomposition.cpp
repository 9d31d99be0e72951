#include <algorithm>
#include <cmath>

#include "finite_pairs.hpp"
#include "parts.hpp"
#include "pld/core/rounding.hpp"
#include "quadrature.hpp"

namespace pld::validation::notes_parts {

namespace b = bounds;

namespace {

constexpr double epsilon = 0.4;  // of the random pairs, each at its least delta

Row basic() {
  std::mt19937_64 random(51);
  double error = 0;
  for (int i = 0; i < trials; ++i) {
    const auto pair = random_pair(random, 5);
    const double delta = worse_delta(pair, epsilon);
    for (const double at : {delta, std::min(1.0, 2 * delta)}) {
      error = std::max(error, b::decomposition_error(b::decompose(pair, epsilon, at), pair));
    }
  }
  return confirmed(
      error < 1e-12,
      {.id = "notes-decomposition",
       .reference = "Section 8.1, properties 1 and 2, corollary, interpretation",
       .claim = "Every (ε, δ)-close pair is a post-processing of leaky randomized response",
       .stated = "A, B, P'' and Q'' exist",
       .computed = "1,000 random pairs, each rebuilt from its parts, at the least δ and at twice that: largest error " +
                   number(error, 2),
       .verdict = Verdict::holds,
       .why = "Constructed and verified for each."});
}

Row supports() {
  std::mt19937_64 random(51);
  double misplaced = 0;
  for (int i = 0; i < trials; ++i) {
    const auto pair = random_pair(random, 5);
    const double delta = worse_delta(pair, epsilon);
    const auto d = b::decompose(pair, epsilon, delta);
    for (int j = 0; j < 5; ++j) {
      if (pair.p[j] < pair.q[j]) misplaced = std::max(misplaced, delta * d.p_leak[j]);
      if (pair.q[j] < pair.p[j]) misplaced = std::max(misplaced, delta * d.q_leak[j]);
    }
  }
  return confirmed(misplaced < 1e-13, {.id = "notes-decomposition-supports",
                                       .reference = "Section 8.1, property 3",
                                       .claim = "P'' lies where P ≥ Q, Q'' where Q ≥ P",
                                       .stated = "Two supports",
                                       .computed = "The same pairs: largest mass misplaced " + number(misplaced, 2),
                                       .verdict = Verdict::holds,
                                       .why = "As stated."});
}

/// What a posterior may reach: p/(p + (1 - p) e^-epsilon).
double ceiling(double prior, double at_epsilon) { return prior / (prior + (1 - prior) * std::exp(-at_epsilon)); }

Row bayesian() {
  std::mt19937_64 random(52);
  double posterior_excess = 0, mean_excess = 0;
  for (int i = 0; i < trials; ++i) {
    const auto pair = random_pair(random, 5);
    const double delta = worse_delta(pair, epsilon);
    const auto accept = b::posterior_test(pair, epsilon);
    double under_p = 0, under_q = 0;
    for (int j = 0; j < 5; ++j) {
      under_p += pair.p[j] * accept[j], under_q += pair.q[j] * accept[j];
      for (const double prior : {0.05, 0.5, 0.9}) {
        const double posterior = prior * pair.p[j] / (prior * pair.p[j] + (1 - prior) * pair.q[j]);
        posterior_excess = std::max(posterior_excess, posterior * accept[j] - ceiling(prior, epsilon));
      }
    }
    mean_excess = std::max(mean_excess, 1 - delta - std::min(under_p, under_q));
  }
  return confirmed(
      posterior_excess < 1e-13 && mean_excess < 1e-12,
      {.id = "notes-bayesian",
       .reference = "Section 8.1, \"Question\", items 1 and 2",
       .claim = "A test E exists whose joint posterior is at most p/(p + (1-p)e^{-ε}), and whose mean is at least 1 - "
                "δ under both",
       .stated = "Both properties",
       .computed = "E = min(1, e^{ε} Q/P), 1,000 random pairs, three priors: the first exceeded by at most " +
                   number(posterior_excess, 2) + ", the second by " + number(mean_excess, 2),
       .verdict = Verdict::holds,
       .why = "This E has both.",
       .figure = "notes-figure-1"});
}

Figure figure_1() {
  // Two Gaussians; P is the one on the right.
  const double distance = 1.5, at_epsilon = 1, prior = 0.5;
  const auto p = [=](double y) { return std::exp(normal_log_density(distance, 1)(y)); };
  const auto q = [=](double y) { return std::exp(normal_log_density(0, 1)(y)); };
  const auto accepted = [=](double y) { return std::min(1.0, std::exp(at_epsilon) * q(y) / p(y)); };
  const auto posterior = [=](double y) { return prior * p(y) / (prior * p(y) + (1 - prior) * q(y)); };
  const auto outcomes = spaced(-3, 5, 161);
  const Panel densities{
      "densities",
      "outcome y",
      "density",
      {curve("P", outcomes, p, Colour::red), curve("Q", outcomes, q, Colour::blue),
       curve(
           "exp(ε) Q", outcomes, [=](double y) { return std::exp(at_epsilon) * q(y); }, Colour::blue, true),
       curve(
           "P where E = 1: min(P, exp(ε) Q)", outcomes, [=](double y) { return accepted(y) * p(y); }, Colour::black)}};
  const Panel posteriors{"posterior of P, prior 1/2",
                         "outcome y",
                         "probability",
                         {curve("posterior of P", outcomes, posterior, Colour::red),
                          curve(
                              "posterior of P together with E = 1", outcomes,
                              [=](double y) { return posterior(y) * accepted(y); }, Colour::black),
                          curve(
                              "its ceiling p/(p + (1 - p) exp(-ε))", outcomes,
                              [=](double) { return ceiling(prior, at_epsilon); }, Colour::green, true)},
                         false,
                         false,
                         "[0:1.05]"};
  return draw("notes-figure-1", "Figure 1 of the notes: the Bayesian version of the decomposition",
              "What the figure showed did not reach us; this is drawn for two Gaussians 1.5 apart at ε = 1. Where P "
              "exceeds e^{ε}Q the test E fails "
              "with the probability that keeps the joint posterior at its ceiling; what it takes from P weighs δ.",
              {densities, posteriors});
}

}  // namespace

void decomposition(Section& section) {
  for (const auto row : {basic, supports, bayesian}) section.rows.push_back(row());
  section.figures.push_back(figure_1());
}

}  // namespace pld::validation::notes_parts
