#include "pld/mechanisms/randomized_response.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "numeric/extended.hpp"
#include "pairs/atomic_pair.hpp"
#include "pairs/two_atom_pair.hpp"

namespace pld {
namespace {

PairPtr binary(double p) {
  const double rare = p <= 0.5 ? p : 1 - p;  // exact: 1 - p is, from 1/2 on
  if (rare == 0) return std::make_shared<TwoAtomPair>(0, 0, -infinity, 0);
  // log((1 - rare) / rare); near 1/2 through 1 - 2 rare, which is exact there.
  const double loss = rare > 0.25 ? std::log1p((1 - 2 * rare) / rare) : std::log1p(-rare) - std::log(rare);
  return std::make_shared<TwoAtomPair>(loss, 4 * unit_roundoff * loss, 0, -infinity);
}

/// P answers 1 truly, Q answers 2: those two have losses of either sign, the k - 2 others none.
PairPtr among(double k, double p) {
  const Extended log_true = log(Extended(p)), log_false = log1p(-Extended(p)) - log(Extended(k) - 1),
                 log_others = log(Extended(k) - 2);
  const UnroundedAtom others{.loss = 0, .log_mass = log_false + log_others, .log_q_mass = log_false + log_others};
  const auto lost = static_cast<double>(log_false);
  if (p == 1) return std::make_shared<AtomicPair>(std::vector<UnroundedAtom>{}, 0, 0, 0);
  if (p == 0) return std::make_shared<AtomicPair>(std::vector{others}, lost, lost, 0);
  // Near 1/k through p k - 1, the one difference that is taken; elsewhere that is not near 0, or the logarithms are
  // apart.
  const Extended excess = (Extended(p) * Extended(k) - 1) / (1 - Extended(p));
  const Extended loss = fabs(excess) < 0.5L ? log1p(excess) : log_true - log_false;
  const double loss_error = 4 * unit_roundoff * std::fabs(static_cast<double>(loss)) +
                            32 * static_cast<double>(std::numeric_limits<Extended>::epsilon());
  return std::make_shared<AtomicPair>(
      std::vector{UnroundedAtom{.loss = loss, .log_mass = log_true, .log_q_mass = log_false}, others,
                  UnroundedAtom{.loss = -loss, .log_mass = log_false, .log_q_mass = log_true}},
      -infinity, -infinity, loss_error);
}

}  // namespace

std::string describe(const RandomizedResponse& mechanism) {
  if (mechanism.k == 2) return mechanism_text("randomized-response", {{"p", mechanism.p}});
  return mechanism_text("randomized-response", {{"p", mechanism.p}, {"k", mechanism.k}});
}

PairPtr dominating_pair(const RandomizedResponse& mechanism, Direction) {
  const auto& [p, k] = mechanism;
  require_in(ranges::probability, "randomized-response", "p", p);
  require_in(ranges::answers, "randomized-response", "k", k);
  // Rounded once, p k - 1 is 0 only where it is.
  if (std::fma(p, k, -1.0) == 0) return pair_without_loss();
  return k == 2 ? binary(p) : among(k, p);
}

}  // namespace pld
