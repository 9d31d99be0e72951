#include "account/mirrored_profile.hpp"

#include <cmath>
#include <random>

#include "support/checks.hpp"
#include "support/readout_reference.hpp"

using namespace pld;
using test::as_double;
using test::check_holds;
using test::Real;
using test::to_an_ulp;

// delta(-epsilon) = 1 - e^-epsilon (1 - opposite delta(epsilon)): held, and with the digits of whichever of delta and 1
// - delta is small.
TEST_CASE("readout.mirrored_profile.holds_50_digits") {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> decades(-15, 0), even(0, 1);
  for (int i = 0; i < 20000; ++i) {
    const double epsilon = i % 3 == 0 ? std::pow(10, decades(random)) : (i % 3 == 1 ? 20 : 2000) * even(random);
    const double small = std::pow(10, decades(random)), log_delta = std::log(even(random) < 0.5 ? small : 1 - small);
    if (!(log_delta < 0)) continue;
    const Real log_rest = log1p(-exp(Real(log_delta))), complement = log_rest - epsilon,
               delta = log1p(-exp(complement));
    const ProfileBracket found = mirrored_profile({{log_delta, log_delta, log_delta}, to_an_ulp(log_rest)}, epsilon);
    CAPTURE(epsilon);
    CAPTURE(log_delta);
    check_holds(found.log_delta, delta);
    check_holds(found.log_complement, complement);
    const double size = std::fabs(as_double(delta));
    CHECK(found.log_delta.width() <=
          1e-322 + 1e-13 * (size < 0.5 ? size * (1 + epsilon + std::fabs(as_double(log_rest))) : 1 + size + epsilon));
  }
}
