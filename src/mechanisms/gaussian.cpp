#include "pld/mechanisms/gaussian.hpp"

#include <algorithm>

#include "core/number_text.hpp"
#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "pairs/gaussian_pair.hpp"
#include "pld/core/doubles_around.hpp"
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

std::string describe(const BoundedGaussian& mechanism) {
  return mechanism_text("gaussian", {{"sigma", mechanism.sigma},
                                     {"sensitivity", mechanism.sensitivity},
                                     {"attained_sensitivity", mechanism.attained}});
}

PairPtr dominating_pair(const BoundedGaussian& mechanism, Direction direction) {
  const auto& [sigma, sensitivity, attained] = mechanism;
  const PairPtr pair = dominating_pair(Gaussian{sigma, sensitivity}, direction);
  if (!(attained > 0 && attained <= sensitivity))
    throw DomainError("gaussian", "attained_sensitivity", number_text(attained),
                      "0, or up to sensitivity, " + number_text(sensitivity));
  return pair;
}

std::optional<Gaussian> witness(const BoundedGaussian& mechanism) {
  return Gaussian{mechanism.sigma, mechanism.attained};
}

BoundedGaussian replacing(BoundedGaussian mechanism) {
  mechanism.sensitivity *= 2;
  mechanism.attained *= 2;
  return mechanism;
}

ParametersAround<BoundedGaussian> grouped(const BoundedGaussian& mechanism, int group) {
  const DoublesAround moved = doubles_around_product(mechanism.sensitivity, group);
  const double attained = doubles_around_product(mechanism.attained, group).below;
  return {{mechanism.sigma, moved.below, std::min(attained, moved.below)}, {mechanism.sigma, moved.above, attained}};
}

}  // namespace pld
