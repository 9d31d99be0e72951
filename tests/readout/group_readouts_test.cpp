#include <algorithm>
#include <cmath>

#include "pld/pld.hpp"
#include "pld/readout/concentrated.hpp"
#include "pld/readout/gaussian_comparison.hpp"
#include "pld/readout/trade_off.hpp"
#include "support/checks.hpp"

// Read-outs of groups of which only the steps from record to record are known. Geometric noise is an epsilon-DP
// mechanism whose group's pair is known: what holds for all of them holds for it.

namespace {

using namespace pld;

Composition unknown_pair(double epsilon, int group) {
  return Composition(Neighbours(Relation::add_remove, group)).add(ApproximateDp{.epsilon = epsilon}, 3);
}

Composition geometric(double epsilon, int group) {
  return Composition(Neighbours(Relation::add_remove, group)).add(DiscreteLaplace{.a = epsilon}, 3);
}

/// The largest power of a test between neighbours of one epsilon-DP release.
double power_of_one(double epsilon, double alpha) {
  return std::min({1.0, std::exp(epsilon) * alpha, 1 - std::exp(-epsilon) * (1 - alpha)});
}

}  // namespace

TEST_CASE("readout.group.trade-off functions of single steps, one after the other") {
  for (const int group : {2, 3, 5}) {
    for (const double epsilon : {0.05, 0.3, 1.0}) {
      const TradeOff steps(profile(unknown_pair(epsilon, group))), real(profile(geometric(epsilon, group)));
      const TradeOff one(profile(Composition(Neighbours(Relation::add_remove, group)).add(ApproximateDp{epsilon})));
      for (const double alpha : {1e-6, 0.01, 0.2, 0.7}) {
        CAPTURE(group);
        CAPTURE(epsilon);
        CAPTURE(alpha);
        CHECK(real.at(alpha).power.lower <= steps.at(alpha).power.upper);
        CHECK(real.at(alpha).beta.upper >= steps.at(alpha).beta.lower);
        CHECK(steps.at(alpha).power.lower <= steps.at(alpha).power.upper);
        double power = alpha;
        for (int step = 0; step < group; ++step) power = power_of_one(epsilon, power);
        CHECK_REL(one.at(alpha).power.upper, power, 1e-9);
      }
    }
  }
}

TEST_CASE("readout.group.rho by the square of the group, mu by the profile") {
  for (const int group : {2, 3, 5}) {
    for (const double epsilon : {0.05, 0.3}) {
      CAPTURE(group);
      CAPTURE(epsilon);
      const double rho = zcdp_rho(unknown_pair(epsilon, group)).upper;
      CHECK_REL(rho, zcdp_rho(geometric(epsilon, group)).upper, 1e-9);
      CHECK(rho <= group * group * zcdp_rho(unknown_pair(epsilon, 1)).upper);
      const GaussianComparison steps = compare_with_gaussian(profile(unknown_pair(epsilon, group)));
      const GaussianComparison real = compare_with_gaussian(profile(geometric(epsilon, group)));
      CHECK(steps.smallest_mu.upper >= real.smallest_mu.lower);
      CHECK(steps.smallest_mu.upper < infinity);
      CHECK(steps.largest_mu.lower <= real.largest_mu.upper);
    }
  }
  CHECK(contradictions() == 0);
}
