#include "account/renyi_profile.hpp"

#include <cmath>

#include "account/renyi_routes.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

TEST_CASE("account.renyi_profile.inverse_is_where_the_bound_comes_down_to_delta") {
  for (const double rho : {1e-4, 0.3, 20.0}) {
    const RenyiProfile profile({.at = [rho](double order) { return rho * order; }, .slope = rho});
    for (const double delta : {1e-200, 1e-9, 0.01, 0.4, 0.6, 0.999}) {
      CAPTURE(rho);
      CAPTURE(delta);
      const double epsilon = profile.epsilon(delta).upper, little = 1e-9 * (1 + std::fabs(epsilon));
      CHECK(profile.at(epsilon).log_delta.upper <= std::log(delta));
      CHECK(profile.at(epsilon - little).log_delta.upper > std::log(delta));
    }
    CHECK(profile.epsilon(0).lower == infinity);
    CHECK(profile.epsilon(1).upper == -infinity);
  }
}

TEST_CASE("account.renyi_profile.inverse_is_at_the_end_of_losses_that_are_bounded") {
  // delta falls from e^-190 to less than any double between two neighbours.
  const auto routes = renyi_routes(Composition().add(ExponentialMechanism{.epsilon = 1}, 5));
  const Bracket found = RenyiProfile(routes.total.value()).epsilon(1e-100);
  CHECK(found.upper >= 5);
  CHECK(found.upper <= 5 + 1e-12);
  CHECK(found.width() <= 1e-8);
}

}  // namespace
}  // namespace pld::test
