#include "account/boxed_kinds.hpp"

#include <cmath>
#include <functional>
#include <vector>

#include "pld/bounds/gaussian_dp.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace pld {
namespace {

using Kind = std::function<Mechanism(double)>;

/// Noise that falls from step to step, none equal to another.
Composition schedule(const Kind& kind, int steps, int count = 1, const Neighbours& neighbours = {}) {
  Composition out(neighbours);
  for (int i = 0; i < steps; ++i) out.add(kind(1 + static_cast<double>(i) / steps), count);
  return out;
}

Mechanism sampled_gaussian(double noise) { return poisson_sampled(Gaussian{noise}, 0.01); }

TEST_CASE("account.boxed_kinds.boxes hold what all kinds compose to") {
  const std::vector<Kind> kinds{sampled_gaussian,
                                [](double noise) { return poisson_sampled(Gaussian{1.5}, 0.01 * noise); },
                                [](double noise) { return poisson_sampled(Laplace{2 * noise}, 0.02); },
                                [](double noise) { return Laplace{50 * noise}; },
                                [](double noise) { return poisson_sampled(DiscreteLaplace{.a = 0.5 / noise}, 0.05); },
                                [](double noise) { return RandomizedResponse{.p = 0.5 + 0.01 / noise}; }};
  constexpr int steps = 24;
  constexpr std::size_t most = 8;
  for (const Kind& kind : kinds) {
    const Composition all = schedule(kind, steps), few = with_few_kinds(all, most);
    CAPTURE(all.releases().front().mechanism.text());
    CHECK(few.releases().size() <= most);
    CHECK(few.is_exact());
    CHECK(few.has_worst_neighbours());
    const auto choices = {DirectionChoice::remove, DirectionChoice::add};
    for (const DirectionChoice direction : choices) {
      for (const double epsilon : {-0.05, 0.2}) {
        const DeltaAnswer truth = delta(all, {.epsilon = epsilon, .tolerance = 1e-5, .direction = direction});
        const DeltaAnswer boxed = delta(few, {.epsilon = epsilon, .direction = direction});
        CHECK_INSIDE(boxed.log_delta, truth.log_delta.lower);
        CHECK_INSIDE(boxed.log_delta, truth.log_delta.upper);
      }
      const Answer truth = epsilon(all, {.delta = 1e-4, .tolerance = 1e-5, .direction = direction});
      const Answer boxed = epsilon(few, {.delta = 1e-4, .direction = direction});
      CHECK_INSIDE(boxed, truth.lower);
      CHECK_INSIDE(boxed, truth.upper);
      CHECK(boxed.width() > truth.width());
      CHECK(boxed.width() < 0.2 * truth.upper);
    }
  }
}

/// More kinds than a line has work for: between blocks of ten equal steps, at the least noise and at the largest in
/// each. side.
TEST_CASE("account.boxed_kinds.replaced records and groups come in boxes too") {
  constexpr int steps = 400;
  for (const Neighbours& neighbours : {Neighbours(Relation::replace_one), Neighbours(Relation::add_remove, 3)}) {
    const auto in_blocks = [&](double shift) {
      constexpr int blocks = 40;
      const auto kind = [shift](double noise) { return sampled_gaussian(noise + shift); };
      return epsilon(schedule(kind, blocks, steps / blocks, neighbours), {.delta = 1e-6});
    };
    const Answer found = epsilon(schedule(sampled_gaussian, steps, 1, neighbours), {.delta = 1e-6});
    CHECK(found.lower < in_blocks(0).upper);
    CHECK(found.upper > in_blocks(1.0 / 40).lower);
    CHECK(found.width() < 0.06 * found.upper);
  }
}

// All were cut coarsely where work ran out: 0.7 to 1.4.
TEST_CASE("account.boxed_kinds.of dozens of dear kinds a few boxes tell more than all") {
  const auto alike = [](double sigma, std::int64_t count) {
    return Composition(Relation::replace_one).add(poisson_sampled(Gaussian{sigma}, 0.01), count);
  };
  constexpr int kinds = 60;
  Composition all(Relation::replace_one);
  for (int i = 0; i < kinds; ++i) all.add(poisson_sampled(Gaussian{1 + 1e-3 * i}, 0.01));
  const Answer found = epsilon(all, {.delta = 1e-6});
  CHECK(found.width() < 0.08 * found.upper);
  CHECK(found.lower < epsilon(alike(1, kinds), {.delta = 1e-6}).upper);
  CHECK(found.upper > epsilon(alike(1 + 1e-3 * (kinds - 1), kinds), {.delta = 1e-6}).lower);
}

TEST_CASE("account.boxed_kinds.few kinds, and Gaussians without sampling, stay as they are") {
  const Composition few = schedule(sampled_gaussian, 20);
  CHECK(with_few_kinds(few, 20).releases().front().mechanism.text() == few.releases().front().mechanism.text());
  Composition gaussians;
  double squared = 0;
  for (int i = 1; i <= 2000; ++i) {
    const double sigma = 40 + 0.01 * i;
    gaussians.add(Gaussian{sigma});
    squared += 1 / (sigma * sigma);
  }
  CHECK(with_few_kinds(gaussians, 8).releases().size() == gaussians.releases().size());
  const PrivacyProfile profile(gaussians, {});
  for (const Bracket& found : {static_cast<Bracket>(delta(gaussians, {.epsilon = 1}).log_delta),
                               profile.log_profile(1, DirectionChoice::remove).log_delta}) {
    CHECK_INSIDE(found, bounds::gdp_log_delta(std::sqrt(squared), 1));
    CHECK(found.width() < 1e-9);
  }
}

TEST_CASE("account.boxed_kinds.more releases than a box may hold stay as they are") {
  Composition all;
  for (const double noise : {1.0, 1.1, 1.2}) all.add(sampled_gaussian(noise), Composition::max_count);
  CHECK(with_few_kinds(all, 2).releases().size() == 3);
}

/// Its blocks of equal steps, at the least noise and at the largest in each.
TEST_CASE("account.boxed_kinds.a schedule of very many steps lies between its blocks") {
  constexpr int blocks = 1000, steps = 8000, in_block = steps / blocks;
  const Composition all = schedule(sampled_gaussian, steps), above = schedule(sampled_gaussian, blocks, in_block);
  const Composition below =
      schedule([](double noise) { return sampled_gaussian(noise + 1.0 / blocks); }, blocks, in_block);
  const double most = epsilon(above, {.delta = 1e-6}).upper, least = epsilon(below, {.delta = 1e-6}).lower;
  const Answer found = epsilon(all, {.delta = 1e-6});
  CHECK(found.exact);
  CHECK(found.lower > least * (1 - 1e-3));
  CHECK(found.upper < most * (1 + 1e-3));
  CHECK(found.width() < 2e-3 * found.upper);
  CHECK(found.lower < most);
  CHECK(found.upper > least);
  const PrivacyProfile profile(all, {});
  const Bracket at_upper = profile.log_delta(found.upper, DirectionChoice::worst),
                at_lower = profile.log_delta(found.lower, DirectionChoice::worst);
  CHECK(at_upper.lower < std::log(1e-6));
  CHECK(at_lower.upper > std::log(1e-6));
  const OperatingPoint point = trade_off(all).at(0.1);
  CHECK(point.power.width() < 0.02 * point.power.upper);
}

}  // namespace
}  // namespace pld
