#include <algorithm>
#include <cmath>

#include "finite_pairs.hpp"
#include "parts.hpp"
#include "pld/bounds/gaussian_dp.hpp"
#include "pld/core/rounding.hpp"

namespace pld::validation::lecture_parts {

namespace b = bounds;

namespace {

/// A test's errors: type I, calling Q's output P's, and type II, calling P's output Q's.
struct Errors {
  double type_1, type_2;
};

/// Every deterministic test of an output of P against one of Q.
std::vector<Errors> all_tests(const b::FinitePair& pair) {
  std::vector<Errors> tests;
  for (int accepted = 0; accepted < 1 << pair.p.size(); ++accepted) {
    Errors errors{0, 1};
    for (std::size_t i = 0; i < pair.p.size(); ++i) {
      if (accepted >> i & 1) errors.type_1 += pair.q[i], errors.type_2 -= pair.p[i];
    }
    tests.push_back(errors);
  }
  return tests;
}

/// The least type II error at type I error alpha over all tests, randomized between two deterministic ones.
double least_type_2(const std::vector<Errors>& tests, double alpha) {
  double least = 1;
  for (const Errors& low : tests) {
    if (low.type_1 > alpha) continue;
    least = std::min(least, low.type_2);
    for (const Errors& high : tests) {
      if (high.type_1 <= alpha) continue;
      const double share = (alpha - low.type_1) / (high.type_1 - low.type_1);
      least = std::min(least, (1 - share) * low.type_2 + share * high.type_2);
    }
  }
  return least;
}

Row line_both_ways() {
  std::mt19937_64 random(22);
  double above = 0, attained = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto pair = random_pair(random, 5);
    for (const double epsilon : {0.0, 0.4, 2.0}) {
      const double delta = worse_delta(pair, epsilon);
      double one_way = -infinity, other_way = -infinity;
      for (const Errors& test : all_tests(pair)) {
        one_way = std::max(one_way, 1 - test.type_2 - std::exp(epsilon) * test.type_1);
        other_way = std::max(other_way, 1 - test.type_1 - std::exp(epsilon) * test.type_2);
      }
      above = std::max({above, one_way - delta, other_way - delta});
      attained = std::max(attained, std::fabs(std::max(one_way, other_way) - delta));
    }
  }
  return confirmed(
      above <= 1e-13 && attained <= 1e-13,
      {.id = "lecture-dp-and-tests",
       .reference = "\"'⇒' Differential Privacy implies a lower bound on the tradeoff\" and \"'⇐'\"",
       .claim = "(ε, δ)-DP if and only if 1 - α ≤ e^{ε} β + δ for every test, whichever data set is called D",
       .stated = "Both directions",
       .computed = "300 random pairs, 3 ε, all 32 tests, both roles: at most " + number(above, 2) +
                   " above δ, and the worst test within " + number(attained, 2) + " of it",
       .verdict = Verdict::holds,
       .why = "A test is an event, and the other way round.",
       .figure = "lecture-region"});
}

Row neyman_pearson() {
  std::mt19937_64 random(23);
  double apart = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const auto pair = random_pair(random, 5);
    const auto tests = all_tests(pair);
    for (const double alpha : spaced(0, 1, 21))
      apart = std::max(apart, std::fabs(least_type_2(tests, alpha) - b::trade_off(pair, alpha)));
  }
  return confirmed(
      apart < 1e-12,
      {.id = "lecture-neyman-pearson",
       .reference = "\"What is the optimal classifier?\"",
       .claim = "The most powerful test of two point hypotheses is the likelihood ratio test",
       .stated = "Thresholds of the log-likelihood ratio are optimal",
       .computed = "200 random pairs, 21 type I errors: the best of all tests, randomized ones too, is within " +
                   number(apart, 2) + " of the likelihood ratio's",
       .verdict = Verdict::holds,
       .why = "The Neyman-Pearson lemma; the library's trade-off function is computed by it.",
       .figure = "lecture-region"});
}

double dp_line(double alpha, double epsilon, double delta) {
  return std::max({0.0, 1 - delta - std::exp(epsilon) * alpha, std::exp(-epsilon) * (1 - delta - alpha)});
}

Row checkpoint_2() {
  // Two kinds of neighbours: identical outputs, and a randomized response that gives much away.
  const double epsilon = 1, delta = 0.01, lie = 1 / (1 + std::exp(3.0));
  const b::FinitePair revealing{{1 - lie, lie}, {lie, 1 - lie}};
  bool supremum_accepts = true, infimum_accepts = true;
  for (const double a : spaced(0, 1, 101)) {
    const double harmless = 1 - a, harmful = b::trade_off(revealing, a);
    supremum_accepts = supremum_accepts && std::max(harmless, harmful) >= dp_line(a, epsilon, delta);
    infimum_accepts = infimum_accepts && std::min(harmless, harmful) >= dp_line(a, epsilon, delta);
  }
  const double needed = hockey_stick(revealing, std::exp(epsilon));
  return confirmed(
      supremum_accepts && !infimum_accepts && needed > delta,
      {.id = "lecture-checkpoint-2",
       .reference = "\"Checkpoint 2\", item 2",
       .claim = "(ε, δ)-DP if and only if the sup over neighbours of T(α) is at least max{0, 1 - δ - e^{ε}α, e^{-ε}(1 "
                "- δ - α)}",
       .stated =
           "Neighbours with equal outputs, and others a randomized response of ε = 3 apart: the sup accepts (1, 0.01)",
       .computed = "The infimum rejects it; δ at ε = 1 is " + number(needed, 4),
       .verdict = Verdict::misprint,
       .why = "It should be the infimum. Items 1 and 3 of the same theorem, to which item 2 is said to be equivalent, "
              "reject it too."});
}

Figure region() {
  const auto alphas = spaced(0, 1, 201);
  const double epsilon = 1, delta = 0.1;
  Panel panel{"", "type I error", "type II error", {}, false, false, "[0:1]"};
  panel.series = {
      curve(
          "no test of an (1, 0.1)-DP mechanism lies below", alphas,
          [=](double a) { return dp_line(a, epsilon, delta); }, Colour::red),
      curve(
          "Gaussian with that δ at ε = 1", alphas,
          [mu = 1 / b::analytic_gaussian_sigma(epsilon, delta, 1)](double a) { return b::gdp_trade_off(mu, a); },
          Colour::blue),
      curve(
          "no information", alphas, [](double a) { return 1 - a; }, Colour::black, true)};
  return draw("lecture-region", "Slide \"On the figure of Type II error vs Type I error\": (ε, δ)-DP as a region",
              "The two lines 1 - δ - e^{ε}α and e^{-ε}(1 - δ - α) touch the trade-off function of a mechanism that has "
              "exactly this δ. ε = 1 and "
              "δ = 0.1 are ours.",
              {panel});
}

}  // namespace

void testing(Section& section) {
  for (const auto row : {line_both_ways, neyman_pearson, checkpoint_2}) section.rows.push_back(row());
  section.figures.push_back(region());
}

}  // namespace pld::validation::lecture_parts
