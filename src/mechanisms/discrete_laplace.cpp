#include "pld/mechanisms/discrete_laplace.hpp"

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "pairs/discrete_laplace_pair.hpp"

namespace pld {

std::string describe(const DiscreteLaplace& mechanism) {
  return mechanism_text("discrete-laplace", {{"a", mechanism.a}, {"sensitivity", mechanism.sensitivity}});
}

PairPtr dominating_pair(const DiscreteLaplace& mechanism, Direction) {
  const auto& [a, sensitivity] = mechanism;
  require_in(ranges::discrete_laplace_a, "discrete-laplace", "a", a);
  require_in(ranges::whole_sensitivity, "discrete-laplace", "sensitivity", sensitivity);
  return std::make_shared<DiscreteLaplacePair>(a, sensitivity);
}

}  // namespace pld
