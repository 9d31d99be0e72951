#include "readout/law_points.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engines/question.hpp"
#include "pld/core/contradictions.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

using namespace pld;

namespace {

/// What real neighbours attain of an epoch whose two directions' laws are rounded apart.
PrivacyProfile rounded_law(double tolerance) {
  Composition run;
  run.add(randomly_allocated(IntegerNoise{.masses = {0.0625, 0.875, 0.0625}}, 2), 2);
  return PrivacyProfile(run, {.tolerance = tolerance}).attained().front();
}

}  // namespace

TEST_CASE("readout.law_points.a_look_without_work_keeps_what_a_rounded_law_has_proved") {
  const std::int64_t before = contradictions();
  for (const double alpha : {0.0147, 0.3, 0.9}) {
    LawPoints points(rounded_law(1e-3), DirectionChoice::remove, {alpha});
    CHECK(points.rounded() == Side::lower);
    const Question question;
    points.narrow(1e-3, points.all());
    const OperatingPoint proved = points.points().front();
    const PartOfQuestion part(0);
    points.narrow(1e-9, points.all());
    const OperatingPoint& kept = points.points().front();
    CAPTURE(alpha);
    CHECK(kept.power.lower >= proved.power.lower);
    CHECK(kept.log_power.lower >= proved.log_power.lower);
    CHECK(kept.beta.upper <= proved.beta.upper);
    CHECK(kept.log_beta.upper <= proved.log_beta.upper);
  }
  CHECK(contradictions() == before);
}

TEST_CASE("readout.law_points.of_a_rounded_law_more_is_proved_at_larger_alphas") {
  const std::int64_t before = contradictions();
  std::vector<double> alphas;
  for (int i = 0; i < 40; ++i) alphas.push_back(0.0146 + 1e-6 * i);
  LawPoints points(rounded_law(1e-3), DirectionChoice::remove, alphas);
  points.narrow(1e-3, points.all());
  for (std::size_t i = 1; i < alphas.size(); ++i) {
    const OperatingPoint &here = points.points()[i], &smaller = points.points()[i - 1];
    CAPTURE(here.alpha);
    CHECK(here.log_power.lower >= smaller.log_power.lower);
    CHECK(here.log_beta.upper <= smaller.log_beta.upper);
  }
  CHECK(contradictions() == before);
}

// A removal's law on 1000 nodes and an addition's on 3: what one proves at an alpha is above the other's line at the
// next.
TEST_CASE("readout.law_points.laws_of_unlike_fineness_contradict_nothing") {
  const std::int64_t before = contradictions();
  const Law law = randomly_allocated(Laplace{.scale = 1}, 2).law();
  const auto on_nodes = [&](int count) { return *law.at_nodes(Nodes{.count = count}).below; };
  const Mechanism unlike("unlike", on_nodes(1000).remove, on_nodes(3).add);
  std::vector<double> alphas;
  for (int i = 0; i < 60; ++i) alphas.push_back(0.3 * (1 + i * 1e-4));
  for (const DirectionChoice one : {DirectionChoice::remove, DirectionChoice::add}) {
    LawPoints points(PrivacyProfile(Composition().add(unlike, 2), {.tolerance = 1e-4}), one, alphas);
    for (const double tolerance : {1e-3, 1e-4}) points.narrow(tolerance, points.all());
  }
  CHECK(contradictions() == before);
}
