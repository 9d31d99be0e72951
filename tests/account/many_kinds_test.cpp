// Hundreds and thousands of different kinds of releases, each with atoms beside a density or alone.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/composition_of.hpp"

namespace pld {
namespace {

using Kind = std::function<Mechanism(double)>;

/// As many as `kinds`, of noise from 1 to `most` times that of the first.
Composition spread(const Kind& kind, int kinds, double most) {
  Composition out;
  for (int i = 0; i < kinds; ++i) out.add(kind(1 + (most - 1) * i / kinds));
  return out;
}

const std::vector<Kind>& kinds_with_atoms() {
  static const std::vector<Kind> all{
      [](double noise) { return poisson_sampled(Laplace{20 * noise}, 0.01); },
      [](double noise) { return Laplace{30 * noise}; },
      [](double noise) { return poisson_sampled(DiscreteLaplace{.a = 0.1 / noise}, 0.02); },
      [](double noise) { return RandomizedResponse{.p = 0.5 + 0.02 / noise}; }};
  return all;
}

// Of kinds that hardly differ the truth is that of one kind, which is asked of another engine's plan.
TEST_CASE("account.many_kinds.a thousand that hardly differ lose what as many equal ones do") {
  constexpr int number = 1000;
  for (const Kind& kind : kinds_with_atoms()) {
    const Answer found = epsilon(spread(kind, number, 1 + 1e-12), {.delta = 1e-6});
    const Answer truth = epsilon(Composition().add(kind(1), number), {.delta = 1e-6, .tolerance = 1e-6});
    CAPTURE(kind(1).text());
    CHECK(found.converged);
    CHECK(found.lower <= truth.upper * (1 + 1e-9));
    CHECK(truth.lower * (1 - 1e-9) <= found.upper);
  }
}

TEST_CASE("account.many_kinds.a line and a lattice meet") {
  for (const Kind& kind : kinds_with_atoms()) {
    const Composition all = spread(kind, 40, 3);
    for (const DirectionChoice asked : {DirectionChoice::remove, DirectionChoice::add}) {
      const Answer line = epsilon(all, {.delta = 1e-6, .direction = asked, .engine = Engine::contour});
      const Answer lattice = epsilon(all, {.delta = 1e-6, .direction = asked, .engine = Engine::lattice});
      CAPTURE(kind(1).text());
      CHECK(line.converged);
      CHECK(lattice.converged);
      CHECK(line.lower <= lattice.upper);
      CHECK(lattice.lower <= line.upper);
    }
  }
}

TEST_CASE("account.many_kinds.different ones are told to the tolerance, between their least and most noise") {
  constexpr double most = 4;
  for (const int number : {40, 300, 1500}) {
    for (const Kind& kind : kinds_with_atoms()) {
      const Composition all = spread(kind, number, most);
      const Answer found = epsilon(all, {.delta = 1e-6});
      CAPTURE(number);
      CAPTURE(kind(1).text());
      CHECK(found.converged);
      CHECK(found.upper < epsilon(Composition().add(kind(1), number), {.delta = 1e-6}).lower);
      CHECK(found.lower > epsilon(Composition().add(kind(most), number), {.delta = 1e-6}).upper);
      const DeltaAnswer back = delta(all, {.epsilon = found.estimate});
      if (number <= 300) CHECK(back.converged);
      CHECK(back.log_delta.lower <= std::log(1e-6) + 2e-3);
      CHECK(back.log_delta.upper >= std::log(1e-6) - 2e-3);
    }
  }
}

// Generalized noise took all the work for the upper end: at least -1e-6.
TEST_CASE("account.many_kinds.a lower end has work of its own") {
  const Composition run = test::composition_of(
      {"generalized:shape=1.7106,scale=113.92,count=2453,q=0.033694", "logistic:scale=14.085,q=0.009792",
       "report-noisy-max:scale=76.883,count=95,q=0.0201", "generalized:shape=4.1971,scale=7.0687,q=0.0011394",
       "logistic:scale=148.86,q=0.0073373", "report-noisy-max:scale=196.24,q=0.0010097",
       "generalized:shape=2.8925,scale=71.601,q=0.0028676", "logistic:scale=232.21,q=0.063512",
       "report-noisy-max:scale=21.919,q=0.0011243", "generalized:shape=3.2574,scale=159.79,q=0.0057864"});
  const Answer found = epsilon(run, {.delta = 1e-6});
  CHECK(found.lower > 0.95 * found.upper);
}

}  // namespace
}  // namespace pld
