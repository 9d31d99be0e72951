#include <doctest/doctest.h>

#include <cmath>

#include "pld/account/query.hpp"
#include "pld/account/running_total.hpp"
#include "pld/core/contradictions.hpp"
#include "pld/mechanisms/approximate_dp.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/sampling/random_allocation.hpp"
#include "sampling/ratio_pair.hpp"
#include "support/composition_of.hpp"

namespace pld::test {
namespace {

/// A release that shows all with the probability 1e-3, and what a bound from below leaves of one: losses that are no
/// doubles are left out.
constexpr const char* far_apart = "dp:epsilon=800,delta=1e-3,allocation=2";

TEST_CASE("sampling.far_ratios.infinite_losses_are_all_that_is_left_of_a_law") {
  const auto before = contradictions();
  for (const Composition& run :
       {composition_of({"dp:epsilon=800,delta=1e-3,allocation=2,count=2"}),
        composition_of({"gaussian:sigma=1", far_apart}),
        composition_of({"gaussian:sigma=1", "dp:epsilon=300,delta=1e-3,allocation=2,passes=2"})}) {
    CHECK(epsilon(run, {.delta = 1e-5}).lower == infinity);
    const Answer rare = epsilon(run, {.delta = 0.5});
    CHECK(rare.lower <= rare.upper);
    CHECK(rare.upper > 0);
    for (const double at : {-1.0, 0.0, 1.0, 300.0}) {
      CAPTURE(at);
      const DeltaAnswer found = delta(run, {.epsilon = at});
      // Of a record that is in one step of two, and of either step all may be shown.
      CHECK(found.lower >= 0.999e-3);
      CHECK(found.upper >= 0.999e-3);
      CHECK(found.lower <= 1);
    }
  }
  CHECK(contradictions() == before);
}

TEST_CASE("sampling.far_ratios.infinite_losses_in_a_running_total") {
  const Mechanism far = randomly_allocated(ApproximateDp{.epsilon = 800, .delta = 1e-3}, 2);
  const Composition expected = Composition().add(far).add(Gaussian{}, 10);
  for (const TotalGrid& grid : {TotalGrid{}, grid_for(expected, 1e-2)}) {
    RunningTotal total(grid);
    total.add(far), total.add(Gaussian{}, 10);
    CHECK(total.epsilon({.delta = 1e-5}).lower == infinity);
    const DeltaAnswer found = total.delta({.epsilon = 1});
    CHECK(found.lower <= found.upper);
    CHECK(found.upper >= 0.999e-3);
  }
}

TEST_CASE("sampling.far_ratios.products_beyond_doubles_are_answered") {
  const auto before = contradictions();
  for (const Composition& run : {composition_of({"dp:epsilon=3,allocation=100,passes=1000", "gaussian:sigma=1"}),
                                 composition_of({"laplace:scale=.01,allocation=1000,passes=50", "laplace:scale=1"})}) {
    const Answer found = epsilon(run, {.delta = 1e-5, .tolerance = 1e-2});
    CHECK(found.lower <= found.upper);
    // The last step alone, and all passes told.
    CHECK(found.lower > 0);
    CHECK(found.upper > 600);
  }
  CHECK(contradictions() == before);
}

TEST_CASE("sampling.far_ratios.a_law_beyond_doubles_tells_nothing") {
  const auto pair_of = [](const RatioLaw& law, Side side) {
    return pair_of_ratio([law] { return law; }, Direction::remove, side);
  };
  for (const RatioLaw& law : {RatioLaw{.ratios = {0, std::nan("")}, .masses = {1, 1e-300}},
                              RatioLaw{.ratios = {0.5, infinity}, .masses = {1, 1e-300}},
                              RatioLaw{.ratios = {0.5, 2}, .masses = {std::nan(""), 0.5}},
                              RatioLaw{.ratios = {0.5, 2}, .masses = {infinity, 0.5}}}) {
    CHECK(pair_of(law, Side::upper)->log_mass_at_plus_infinity() == 0);
    CHECK(pair_of(law, Side::lower)->log_mass_at_plus_infinity() == -infinity);
    CHECK(pair_of(law, Side::lower)->range().highest == 0);
  }
}

}  // namespace
}  // namespace pld::test
