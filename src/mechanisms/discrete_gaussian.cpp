#include "pld/mechanisms/discrete_gaussian.hpp"

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "pairs/discrete_gaussian_pair.hpp"

namespace pld {

std::string describe(const DiscreteGaussian& mechanism) {
  return mechanism_text("discrete-gaussian", {{"sigma", mechanism.sigma}, {"sensitivity", mechanism.sensitivity}});
}

PairPtr dominating_pair(const DiscreteGaussian& mechanism, Direction) {
  const auto& [sigma, sensitivity] = mechanism;
  require_in(ranges::discrete_gaussian_sigma, "discrete-gaussian", "sigma", sigma);
  require_in(ranges::whole_sensitivity, "discrete-gaussian", "sensitivity", sensitivity);
  return std::make_shared<DiscreteGaussianPair>(sigma, sensitivity);
}

}  // namespace pld
