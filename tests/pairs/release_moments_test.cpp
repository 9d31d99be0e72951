#include "pairs/release_moments.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "numeric/log_sum.hpp"
#include "pld/mechanisms/discrete_gaussian.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "pld/sampling/poisson_sampled.hpp"

namespace pld::test {
namespace {

// A tilt of 60 puts all weight at outcomes about 60, and the outline of this law ends before 40.
TEST_CASE("pairs.release_moments.count_what_lies_between_an_outline_and_a_border") {
  const PairPtr pair = dominating_pair(DiscreteGaussian{.sigma = 1}, Direction::remove);
  for (const double border : {20.0, 50.0, 80.0, 1e4}) {
    const ReleaseMoments moments(pair, border, 1000);
    for (const double tilt : {1.0, 30.0, 60.0}) {
      CAPTURE(border);
      CAPTURE(tilt);
      double exact = -infinity;
      for (const LossCell& atom : pair->atoms({-100, std::min(border, 200.0)}))
        exact = log_sum(exact, atom.log_mass + tilt * atom.loss);
      CHECK(moments.log_moment_upper(tilt) >= exact - 1e-9);
    }
  }
}

// Thousands of kinds have as few cells as this: those of an outline would be some standard deviations wide, and make
// log E e^{tz} twenty times what it is.
TEST_CASE("pairs.release_moments.of_few_cells_are_close_where_losses_are_likely") {
  const Mechanism mechanisms[] = {poisson_sampled(Gaussian{.sigma = 1}, 1e-3), Gaussian{.sigma = 30},
                                  poisson_sampled(Laplace{.scale = 5}, 0.05)};
  for (const Mechanism& mechanism : mechanisms)
    for (const Direction direction : {Direction::remove, Direction::add}) {
      CAPTURE(mechanism.text());
      const PairPtr pair = mechanism.pair(direction);
      const ReleaseMoments few(pair, infinity, 32), many(pair, infinity, 2000);
      for (const double tilt : {0.5, 3.0}) {
        CAPTURE(tilt);
        const double least = many.tilted(tilt).log_moment, most = many.log_moment_upper(tilt);
        CHECK(few.log_moment_upper(tilt) >= least - 1e-12);
        CHECK(few.tilted(tilt).log_moment <= most + 1e-12);
        CHECK(few.log_moment_upper(tilt) <= 1.3 * most);
        CHECK(few.tilted(tilt).log_moment >= 0.7 * least);
      }
    }
}

}  // namespace
}  // namespace pld::test
