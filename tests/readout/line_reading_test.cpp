#include "readout/line_reading.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include "pld/pld.hpp"
#include "readout/reference.hpp"
#include "support/checks.hpp"

using namespace pld;
using test::as_double;
using test::Real;

TEST_CASE("readout.line_reading.readings_far_apart_hold_the_gaussian's_line") {
  // Also where the outermost lines have a power above 1, no type II error at all.
  const double mu = 1;
  const PrivacyProfile profile(Composition().add(Gaussian{.sigma = 1, .sensitivity = mu}));
  const ProfileEnd end{-infinity, infinity};
  int above_one = 0;
  for (const double alpha : {1e-6, 0.01, 0.3, 0.7, 0.99})
    for (const double step : {0.1, 0.4, 1.0})
      for (const double aside : {-0.4, -0.2, 0.0, 0.2, 0.4}) {
        const auto exact = test::gaussian_errors(mu, alpha);
        const double touching = mu * as_double(test::normal_upper_quantile(alpha)) - mu * mu / 2;
        std::vector<LineReading> five;
        for (const double place : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
          const double epsilon = touching + step * (place + aside);
          const ProfileBracket at = profile.log_profile(epsilon), opposite = profile.log_profile(-epsilon);
          five.push_back(line_reading({at, opposite.log_delta}, epsilon, alpha));
        }
        CAPTURE(alpha);
        CAPTURE(step);
        CAPTURE(aside);
        const SupportingLine found = certified_line({{&five[0], &five[1], &five[2], &five[3], &five[4]}, 5, 2}, end, alpha).line;
        CHECK_INSIDE(found.log_power, as_double(log(exact.power)));
        CHECK_INSIDE(found.log_beta, as_double(log(exact.beta)));
        CHECK(found.log_beta.width() <= 10 * step * step);
        above_one += five[4].log_beta.upper == -infinity;
      }
  CHECK(above_one >= 10);
}
