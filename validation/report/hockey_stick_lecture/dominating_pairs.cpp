#include <algorithm>
#include <cmath>

#include "exact.hpp"
#include "finite_pairs.hpp"
#include "parts.hpp"
#include "pld/bounds/gaussian_dp.hpp"
#include "pld/bounds/optimal_composition.hpp"
#include "pld/core/rounding.hpp"

namespace pld::validation::lecture_parts {

namespace b = bounds;

namespace {

/// Ratios p/q of a pair's outcomes, between which its hockey-stick divergence is linear.
std::vector<double> ratios(const b::FinitePair& pair) {
  std::vector<double> x;
  for (std::size_t i = 0; i < pair.p.size(); ++i) {
    if (pair.q[i] > 0) x.push_back(pair.p[i] / pair.q[i]);
  }
  return x;
}

/// The largest excess of one pair's hockey-stick divergence over another's. The first is convex and the second linear
/// between its ratios, so that looking there is looking everywhere.
double excess(const b::FinitePair& pair, const b::FinitePair& over) {
  double most = -infinity;
  for (const double x : ratios(over)) most = std::max(most, hockey_stick(pair, x) - hockey_stick(over, x));
  return most;
}

/// Masses (Q(S), P(S)) of an event.
struct Event {
  double q, p;
};

/// Events of a loss above a threshold, from none to all.
void add_threshold_events(const b::FinitePair& pair, std::vector<Event>& events) {
  std::vector<std::size_t> order(pair.p.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return pair.p[i] * pair.q[j] > pair.p[j] * pair.q[i]; });
  Event event{0, 0};
  for (const std::size_t i : order) {
    event.q += pair.q[i], event.p += pair.p[i];
    events.push_back(event);
  }
}

/// The pair whose profile is the largest of those of `pairs` at every x: its outcomes are the edges of the upper hull
/// of their events (Zhu, Dong, Wang 2022, proposition 8).
b::FinitePair tight_dominating_pair(const std::vector<b::FinitePair>& pairs) {
  std::vector<Event> events{{0, 0}};
  for (const auto& pair : pairs) add_threshold_events(pair, events);
  std::sort(events.begin(), events.end(),
            [](const Event& a, const Event& c) { return a.q < c.q || (a.q == c.q && a.p < c.p); });
  std::vector<Event> hull;
  for (const Event& event : events) {
    const auto turns_left = [&] {
      const Event &last = hull.back(), &before = hull[hull.size() - 2];
      return (last.q - before.q) * (event.p - before.p) >= (event.q - before.q) * (last.p - before.p);
    };
    while (hull.size() > 1 && turns_left()) hull.pop_back();
    hull.push_back(event);
  }
  b::FinitePair dominating;
  for (std::size_t i = 1; i < hull.size(); ++i) {
    dominating.q.push_back(hull[i].q - hull[i - 1].q);
    dominating.p.push_back(hull[i].p - hull[i - 1].p);
  }
  return dominating;
}

/// A mechanism's outputs on three data sets, every two of which are neighbours, either first.
std::vector<b::FinitePair> random_mechanism(std::mt19937_64& random, std::size_t outcomes) {
  const auto a = random_masses(random, outcomes), c = random_masses(random, outcomes),
             d = random_masses(random, outcomes);
  return {{a, c}, {c, a}, {a, d}, {d, a}, {c, d}, {d, c}};
}

Row theorem_1() {
  std::mt19937_64 random(25);
  double apart = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const auto mechanism = random_mechanism(random, 4);
    const auto pair = tight_dominating_pair(mechanism);
    std::vector<double> places = ratios(pair);
    for (const auto& neighbours : mechanism) {
      for (const double x : ratios(neighbours)) places.push_back(x);
    }
    for (const double x : places) {
      double largest = 0;
      for (const auto& neighbours : mechanism) largest = std::max(largest, hockey_stick(neighbours, x));
      apart = std::max(apart, std::fabs(hockey_stick(pair, x) - largest));
    }
  }
  return confirmed(
      apart < 1e-12,
      {.id = "lecture-theorem-1",
       .reference = "\"Dominating pair distributions\", theorem 1",
       .claim = "A tight dominating pair always exists",
       .stated = "H_{α}(P‖Q) = sup over neighbours, for all α > 0",
       .computed = "500 random mechanisms with 6 pairs of neighbours, one pair built for each from the hull of their "
                   "events: H_{α} differs from the sup by at most " +
                   number(apart, 2) + " at every corner of either",
       .verdict = Verdict::holds,
       .why = "Both sides are linear between the corners."});
}

Row theorem_2() {
  std::mt19937_64 random(26);
  double most = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto first = random_mechanism(random, 3);
    std::vector<std::vector<b::FinitePair>> second;  // a mechanism for each output of the first
    std::vector<b::FinitePair> all;
    for (int output = 0; output < 3; ++output) {
      second.push_back(random_mechanism(random, 3));
      all.insert(all.end(), second.back().begin(), second.back().end());
    }
    const auto composed = product(tight_dominating_pair(first), tight_dominating_pair(all));
    for (std::size_t n = 0; n < first.size(); ++n) {
      most = std::max(most, excess(adaptive(first[n], {second[0][n], second[1][n], second[2][n]}), composed));
    }
  }
  // An edge of a hull is a difference of sums near 1, and its round-off is multiplied by x.
  return confirmed(
      most <= 1e-12,
      {.id = "lecture-theorem-2",
       .reference = "\"Dominating pair distributions\", theorem 2",
       .claim = "Dominating pairs compose adaptively",
       .stated = "(P_{1} × P_{2}, Q_{1} × Q_{2}) dominates",
       .computed =
           "300 random mechanisms, each followed by one chosen by its output, all 6 pairs of neighbours: the joint "
           "output's H_{α} is at most " +
           number(most, 2) + " above the product's, at every corner of the product's",
       .verdict = Verdict::holds,
       .why = "A convex function below a piecewise linear one at its corners is below it everywhere."});
}

Row theorem_3() {
  std::mt19937_64 random(27);
  int dominated = 0, mismatches = 0;
  constexpr int trials = 4000;
  for (int trial = 0; trial < trials; ++trial) {
    const auto pair = random_pair(random, 4);
    // Half of the candidates are dominated by construction, as images; the others by chance.
    const auto candidate = trial % 2 == 0 ? post_processed(random, pair, 4) : random_pair(random, 4);
    const bool by_profile = excess(candidate, pair) <= 1e-12;
    bool by_tests = true;
    std::vector<Event> events{{0, 0}};
    add_threshold_events(candidate, events);
    for (const Event& event : events) {  // the corners of the candidate's trade-off function
      const double type_1 = std::clamp(event.q, 0.0, 1.0);
      by_tests = by_tests && b::trade_off(candidate, type_1) >= b::trade_off(pair, type_1) - 1e-12;
    }
    dominated += by_profile;
    mismatches += by_profile != by_tests;
  }
  return confirmed(mismatches == 0 && dominated > trials / 4 && dominated < trials * 9 / 10,
                   {.id = "lecture-theorem-3",
                    .reference = "\"Dominating pair distributions\", theorem 3",
                    .claim = "(P, Q) dominates if and only if the mechanism is f-DP with f = T[P, Q]",
                    .stated = "Equivalent",
                    .computed = "4,000 random pairs and candidates, " + number(dominated) +
                                " of them dominated by their profiles: " + number(mismatches) +
                                " for which the trade-off functions say otherwise",
                    .verdict = Verdict::holds,
                    .why = "Profile and trade-off function are dual; both are compared at all their corners."});
}

Row leaky_dominates() {
  std::mt19937_64 random(28);
  double most = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto pair = random_pair(random, 4);
    const double epsilon = 0.5;
    const auto leaky = leaky_response(epsilon, worse_delta(pair, epsilon));
    most = std::max({most, excess(pair, leaky), excess(swapped(pair), leaky)});
  }
  const double own = hockey_stick(leaky_response(0.7, 0.01), std::exp(0.7));
  return confirmed(
      most <= 1e-12 && std::fabs(own - 0.01) < 1e-15,
      {.id = "lecture-leaky-response",
       .reference = "\"Two satisfying consequences\", table",
       .claim = "Leaky randomized response is a dominating pair of every (ε, δ)-DP mechanism",
       .stated = "The table of four outcomes",
       .computed = "Its own δ at ε = 0.7 is " + number(own) + " for 0.01; 300 random pairs, both ways: at most " +
                   number(most, 2) + " above it at every corner",
       .verdict = Verdict::holds,
       .why = "No pair exceeds it."});
}

Row leaky_composes() {
  const double epsilon = 0.1, delta = 1e-8, k = 100, total = 1e-6;
  const double optimal = b::optimal_composition_epsilon({{{epsilon, delta}, k}}, total);
  const Bracket truth = exact_epsilon({{ApproximateDp{.epsilon = epsilon, .delta = delta}, 1, 100}}, total);
  return confirmed(truth.lower <= optimal * (1 + 1e-9) && optimal <= truth.upper * (1 + 1e-9),
                   {.id = "lecture-leaky-composition",
                    .reference = "\"Two satisfying consequences\"",
                    .claim = "It gives advanced composition for (ε, δ)-DP, with one mechanism that attains it",
                    .stated = "The optimal composition",
                    .computed = "100 releases of (0.1, 10^{-8})-DP at δ = 10^{-6}: the sum over binomials gives " +
                                number(optimal, 9) + ", the composed pair " + text(truth),
                    .verdict = Verdict::holds,
                    .why = "The same number by two routes."});
}

Row gaussians_add() {
  double worst = 0;
  for (const double k : {2.0, 30.0, 500.0}) {
    const b::Steps steps{{Gaussian{.sigma = 3}, 1, static_cast<std::int64_t>(k)}, {Gaussian{.sigma = 11}}};
    const double truth = exact_delta(steps, 2, Engine::lattice).estimate;
    worst = std::max(worst, std::fabs(b::gdp_delta(std::sqrt(k / 9 + 1 / 121.0), 2) / truth - 1));
  }
  return confirmed(
      worst < 1e-4,
      {.id = "lecture-gaussians-add",
       .reference = "\"Two satisfying consequences\", last line",
       .claim = "Compositions of Gaussians: simply add the losses of the individual ones",
       .stated = "N(η, 2η) with η summed",
       .computed =
           "2, 30 and 500 of σ = 3 with one of σ = 11, δ at ε = 2: one Gaussian of μ^{2} = Σ 1/σ_{i}^{2} is within " +
           number(worst, 2) + " of the profile composed numerically",
       .verdict = Verdict::holds,
       .why = "Sums of normal losses are normal, and keep variance = 2 mean."});
}

}  // namespace

void dominating_pairs(Section& section) {
  for (const auto row : {theorem_1, theorem_2, theorem_3, leaky_dominates, leaky_composes, gaussians_add})
    section.rows.push_back(row());
}

}  // namespace pld::validation::lecture_parts
