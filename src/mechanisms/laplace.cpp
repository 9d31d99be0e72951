#include "pld/mechanisms/laplace.hpp"

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "pairs/laplace_pair.hpp"

namespace pld {

std::string describe(const Laplace& mechanism) {
  return mechanism_text("laplace", {{"scale", mechanism.scale}, {"sensitivity", mechanism.sensitivity}});
}

PairPtr dominating_pair(const Laplace& mechanism, Direction) {
  const auto& [scale, sensitivity] = mechanism;
  require_in(ranges::positive, "laplace", "scale", scale);
  require_in(ranges::positive, "laplace", "sensitivity", sensitivity);
  require_in(ranges::closed_form_ratio, "laplace", "sensitivity / scale", sensitivity / scale);
  return std::make_shared<LaplacePair>(sensitivity, scale);
}

}  // namespace pld
