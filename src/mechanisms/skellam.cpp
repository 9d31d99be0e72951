#include "pld/mechanisms/skellam.hpp"

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "pld/mechanisms/poisson_difference.hpp"

namespace pld {

std::string describe(const Skellam& mechanism) {
  return mechanism_text("skellam", {{"variance", mechanism.variance}, {"sensitivity", mechanism.sensitivity}});
}

PairPtr dominating_pair(const Skellam& mechanism, Direction direction) {
  const auto& [variance, sensitivity] = mechanism;
  require_in(ranges::poisson_variance, "skellam", "variance", variance);
  return dominating_pair(PoissonDifference{variance / 2, variance / 2, sensitivity}, direction);
}

}  // namespace pld
