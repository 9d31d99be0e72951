#include "pld/mechanisms/gaussian.hpp"

#include <cmath>

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "pairs/gaussian_pair.hpp"
#include "pld/core/errors.hpp"

namespace pld {

std::string describe(const Gaussian& mechanism) {
  return mechanism_text("gaussian", {{"sigma", mechanism.sigma}, {"sensitivity", mechanism.sensitivity}});
}

PairPtr dominating_pair(const Gaussian& mechanism, Direction) {
  const auto& [sigma, sensitivity] = mechanism;
  require_in(ranges::positive, "gaussian", "sigma", sigma);
  require_in(ranges::positive, "gaussian", "sensitivity", sensitivity);
  require_in(ranges::closed_form_ratio, "gaussian", "sensitivity / sigma", sensitivity / sigma);
  return std::make_shared<GaussianPair>(sensitivity, sigma);
}

}  // namespace pld
