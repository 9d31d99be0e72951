#include "pld/mechanisms/approximate_dp.hpp"

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "pairs/two_atom_pair.hpp"

namespace pld {

std::string describe(const ApproximateDp& mechanism) {
  return mechanism_text("dp", {{"epsilon", mechanism.epsilon}, {"delta", mechanism.delta}});
}

PairPtr dominating_pair(const ApproximateDp& mechanism, Direction) {
  const auto& [epsilon, delta] = mechanism;
  require_in(ranges::dp_epsilon, "dp", "epsilon", epsilon);
  require_in(ranges::probability, "dp", "delta", delta);
  return std::make_shared<TwoAtomPair>(ExactLoss{.rate = epsilon}, delta);
}

}  // namespace pld
