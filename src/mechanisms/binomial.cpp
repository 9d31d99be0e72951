#include "pld/mechanisms/binomial.hpp"

#include <algorithm>
#include <vector>

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "pairs/shifted_masses_pair.hpp"
#include "pld/core/errors.hpp"

namespace pld {
namespace {

/// C(n, x) p^x (1-p)^{n-x}, each from its neighbour: 1000 2^-62 off, within the range of Extended (100^-1000).
std::vector<Extended> masses_of(std::size_t coins, double p) {
  const auto heads = static_cast<Extended>(p), tails = 1 - heads;
  std::vector<Extended> masses(coins + 1);
  Extended mass = pow(tails, static_cast<Extended>(coins));
  for (std::size_t x = 0; x <= coins; ++x) {
    masses[x] = mass;
    mass *= static_cast<Extended>(coins - x) / static_cast<Extended>(x + 1) * (heads / tails);
  }
  if (p == 0.5)  // exactly symmetric
    for (std::size_t x = 0; 2 * x < coins; ++x) masses[coins - x] = masses[x];
  return masses;
}

}  // namespace

std::string describe(const Binomial& mechanism) {
  const auto& [n, sensitivity, p] = mechanism;
  if (p == 0.5) return mechanism_text("binomial", {{"n", n}, {"sensitivity", sensitivity}});
  return mechanism_text("binomial", {{"n", n}, {"p", p}, {"sensitivity", sensitivity}});
}

PairPtr dominating_pair(const Binomial& mechanism, Direction direction) {
  const auto& [n, sensitivity, p] = mechanism;
  require_in(ranges::coins, "binomial", "n", n);
  require_in(ranges::heads, "binomial", "p", p);
  require_in(ranges::whole_sensitivity, "binomial", "sensitivity", sensitivity);
  // Log-concave masses: the largest shift dominates (Dong, Roth, Su 2022, appendix A). Beyond n + 1 all are disjoint.
  const auto shift = static_cast<std::size_t>(std::min(sensitivity, n + 1));
  return std::make_shared<ShiftedMassesPair>(masses_of(static_cast<std::size_t>(n), p), shift, direction);
}

Binomial replacing(const Binomial& mechanism) {
  if (mechanism.p != 0.5)
    throw MissingTheorem(
        describe(mechanism), "adjacency", "replace-one",
        "add-remove or zero-out, or fair coins: a replaced record moves a count either way, and of the two signs "
        "of asymmetric noise neither dominates");
  return {.n = mechanism.n, .sensitivity = 2 * mechanism.sensitivity};
}

}  // namespace pld
