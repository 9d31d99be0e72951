#include "pld/mechanisms/gaussian.hpp"

#include <cmath>

#include "mechanisms/parameter_text.hpp"
#include "pairs/gaussian_pair.hpp"
#include "pld/core/errors.hpp"

namespace pld {

std::string describe(const Gaussian& mechanism) {
  return mechanism_text("gaussian", {{"sigma", mechanism.sigma}, {"sensitivity", mechanism.sensitivity}});
}

PairPtr dominating_pair(const Gaussian& mechanism, Direction) {
  const auto& [sigma, sensitivity] = mechanism;
  require(sigma > 0 && std::isfinite(sigma), "gaussian", "sigma", sigma, "sigma > 0 and finite");
  require(sensitivity > 0 && std::isfinite(sensitivity), "gaussian", "sensitivity", sensitivity,
          "sensitivity > 0 and finite");
  const double mu = sensitivity / sigma;
  require(mu >= 1e-100 && mu <= 1e100, "gaussian", "sensitivity / sigma", mu, "1e-100 <= sensitivity / sigma <= 1e100");
  return std::make_shared<GaussianPair>(sensitivity, sigma);
}

}  // namespace pld
