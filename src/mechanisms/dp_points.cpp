#include "pld/mechanisms/dp_points.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "pairs/atomic_pair.hpp"
#include "pairs/profile_pair.hpp"
#include "pairs/two_atom_pair.hpp"
#include "pld/core/errors.hpp"

namespace pld {

std::string describe(const DpPoints& mechanism) {
  return "dp-points:epsilons=" + listed(mechanism.epsilons) + ",deltas=" + listed(mechanism.deltas);
}

PairPtr dominating_pair(const DpPoints& mechanism, Direction) {
  const auto& [epsilons, deltas] = mechanism;
  require_in(whole_from_to(1, ranges::most_points), "dp-points", "number of epsilons",
             static_cast<double>(epsilons.size()));
  require(deltas.size() == epsilons.size(), "dp-points", "number of deltas", static_cast<double>(deltas.size()),
          "one delta an epsilon");
  std::vector<ProfilePoint> points;
  bool nothing = false;
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    require_in(ranges::guarantee_epsilon, "dp-points", "epsilons", epsilons[i]);
    require_in(ranges::probability, "dp-points", "deltas", deltas[i]);
    nothing = nothing || (epsilons[i] == 0 && deltas[i] == 0);
    points.push_back({epsilons[i], log(static_cast<Extended>(deltas[i]))});
  }
  if (nothing) return pair_without_loss();
  const double least = *std::min_element(deltas.begin(), deltas.end());
  const auto pair = pair_of_profile(std::move(points));
  const bool is_raised = pair->log_mass_at_plus_infinity() != static_cast<double>(log(static_cast<Extended>(least)));
  if (is_raised) return pair;
  return std::make_shared<AtomicPairOfEnds>(*pair, ExactLoss{.rate = pair->range().highest},
                                            DoublesAround{least, least});
}

}  // namespace pld
