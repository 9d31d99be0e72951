#include "pairs/profile_pair.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "numeric/extended.hpp"
#include "numeric/log_sum.hpp"
#include "support/delta_of_atoms.hpp"

namespace pld::test {
namespace {

double log_delta_of(const AtomicPair& pair, double epsilon) {
  return static_cast<double>(log(delta_of_atoms(pair, epsilon)));
}

/// A Gaussian-like tail from `middle` on, about which delta falls from 1.
std::vector<ProfilePoint> points_about(double middle, double spread) {
  std::vector<ProfilePoint> points;
  for (int i = -12; i <= 30; ++i) {
    const double epsilon = middle + spread * i, tail = std::erfc(i / 4.0) / 2;
    points.push_back({epsilon, std::log(static_cast<Extended>(tail))});
  }
  return points;
}

// Their logarithms are as large as the losses, so that a slope's has few digits left for the mass at a vertex.
TEST_CASE("pairs.profile_pair.of_large_losses_has_all_its_mass") {
  for (const double middle : {200.0, 1e4, 6.7e7, 1e11}) {
    CAPTURE(middle);
    const auto pair = pair_of_profile(points_about(middle, std::sqrt(middle)));
    Extended p = std::exp(static_cast<Extended>(pair->log_mass_at_plus_infinity()));
    for (const LossCell& atom : pair->atoms({-infinity, infinity})) p += exp(static_cast<Extended>(atom.log_mass));
    CHECK(std::fabs(static_cast<double>(p - 1)) < 1e-15);
    CHECK(log_delta_of(*pair, 1) > -1e-15);
  }
}

TEST_CASE("pairs.profile_pair.is_nowhere_below_its_points_by_more_than_rounding") {
  for (const double middle : {200.0, 1e4, 6.7e7, 1e11}) {
    CAPTURE(middle);
    const auto points = points_about(middle, std::sqrt(middle));
    const auto pair = pair_of_profile(points);
    for (const ProfilePoint& point : points) {
      const auto asked = static_cast<double>(point.log_delta);
      const double found = log_delta_of(*pair, static_cast<double>(point.epsilon));
      CHECK(found >= asked - 1e-14 * (1 + std::fabs(asked)));
      CHECK(found <= asked + 1e-12 * (1 + std::fabs(asked)));
    }
  }
}

}  // namespace
}  // namespace pld::test
