#include "pairs/release_moments.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "numeric/log_sum.hpp"
#include "pld/mechanisms/discrete_gaussian.hpp"

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

}  // namespace
}  // namespace pld::test
