#include <algorithm>
#include <cmath>

#include "finite_pairs.hpp"
#include "parts.hpp"
#include "pld/account/query.hpp"
#include "pld/core/rounding.hpp"
#include "pld/mechanisms/mass_table.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "pld/readout/divergence.hpp"

namespace pld::validation::lecture_parts {

namespace b = bounds;

namespace {

/// The pair as a mechanism of the library, which then answers for it by its own routes.
Composition released_once(const b::FinitePair& pair) {
  return Composition().add(Mechanism(MassTable{.p = pair.p, .q = pair.q}));
}

Row definition() {
  return {.id = "lecture-definition",
          .reference = "\"Recall: definition of DP\"; recaps",
          .claim = "Definition 2.4 of (ε, δ)-DP; concentrated and Rényi DP as bounds on the loss's moments",
          .stated = "Definitions, and the question which event attains the bound",
          .computed = "Nothing; the hockey-stick row below enumerates events",
          .verdict = Verdict::nothing_to_compute,
          .why = "The event is that of a loss above ε."};
}

Row examples() {
  std::mt19937_64 random(20);
  double apart = 0, grows = 0;
  const auto kl = [](double u) { return u * std::log(u); };
  const auto chi_squared = [](double u) { return (u - 1) * (u - 1); };
  const auto total_variation = [](double u) { return std::fabs(u - 1) / 2; };
  const auto hellinger = [](double u) { return (1 - std::sqrt(u)) * (1 - std::sqrt(u)) / 2; };
  for (int trial = 0; trial < 50; ++trial) {
    const auto pair = random_pair(random, 5);
    const Composition run = released_once(pair);
    const auto compare = [&](double by_definition, double by_library) {
      apart = std::max(apart, std::fabs(by_library - by_definition) / by_definition);
    };
    const auto direction = DirectionChoice::remove;
    compare(f_divergence(pair, kl), kl_divergence(run, direction).estimate);
    compare(f_divergence(pair, chi_squared), 2 * alpha_divergence(run, 2, direction).estimate);
    compare(f_divergence(pair, total_variation), delta(run, {.epsilon = 0, .direction = direction}).estimate);
    compare(std::sqrt(f_divergence(pair, hellinger)), hellinger_distance(run).estimate);
    const auto image = post_processed(random, pair, 4);
    for (const std::function<double(double)>& f :
         {std::function<double(double)>(kl), {chi_squared}, {total_variation}, {hellinger}}) {
      grows = std::max(grows, f_divergence(image, f) - f_divergence(pair, f));
    }
  }
  return confirmed(
      apart < 1e-9 && grows <= 1e-12,
      {.id = "lecture-f-divergences",
       .reference = "\"Detour: f-divergence\" and \"Example of f-divergence\"",
       .claim = "KL, χ^{2}, total variation and Hellinger are f-divergences, a family with nice properties",
       .stated = "D_{f}(P‖Q) = E_{Q} f(dP/dQ), f convex, f(1) = 0",
       .computed = "50 random pairs, each sum against the library's own divergence: within " + number(apart, 2) +
                   "; none grows in a random channel (by " + number(grows, 2) + ")",
       .verdict = Verdict::holds,
       .why = "f(u) = u log u, (u - 1)^{2}, |u - 1|/2 and (1 - √u)^{2}/2."});
}

Row hockey_stick_equivalence() {
  std::mt19937_64 random(21);
  double apart = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto pair = random_pair(random, 5);
    const double epsilon = 0.3;
    double worst_event = 0;
    for (int event = 0; event < 32; ++event) {
      double difference = 0;
      for (int i = 0; i < 5; ++i) difference += (event >> i & 1) * (pair.p[i] - std::exp(epsilon) * pair.q[i]);
      worst_event = std::max(worst_event, difference);
    }
    apart = std::max(apart, std::fabs(worst_event - b::delta_expressions(pair, epsilon).tails));
    apart = std::max(apart, std::fabs(worst_event - hockey_stick(pair, std::exp(epsilon))));
  }
  return confirmed(
      apart < 1e-13,
      {.id = "lecture-hockey-stick",
       .reference = "\"Hockey-Stick divergence\" to \"Rewriting it\"; checkpoint 1",
       .claim = "(ε, δ)-DP if and only if H_{e^{ε}} ≤ δ, and if and only if P(L > ε) - e^{ε} P'(L' < -ε) ≤ δ",
       .stated = "Equivalent",
       .computed =
           "300 random pairs, all 32 events: the worst event differs from either by at most " + number(apart, 2),
       .verdict = Verdict::holds,
       .why = "The worst event is that of a loss above ε.",
       .figure = "lecture-hockey-stick-figure"});
}

Figure hockey_stick_figure() {
  Panel panel{"", "likelihood ratio x", "f(x)", {}, false, false, "[0:3]"};
  int i = 0;
  for (const double alpha : {1.0, 2.0, 3.0}) {
    panel.series.push_back(curve(
        "α = " + number(alpha), {0, alpha, 6}, [=](double x) { return std::max(0.0, x - alpha); }, colours[i++]));
  }
  return draw("lecture-hockey-stick-figure", "Slide \"Hockey-Stick divergence\": (x - α)+",
              "The function whose mean under Q is H_{α}; at α = 1 it gives the total variation. These α are ours.",
              {panel});
}

}  // namespace

void divergences(Section& section) {
  for (const auto row : {definition, examples, hockey_stick_equivalence}) section.rows.push_back(row());
  section.figures.push_back(hockey_stick_figure());
}

}  // namespace pld::validation::lecture_parts
