#include "pld/bounds/other_mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

#include "core/standard_arithmetic.hpp"
#include "core/work.hpp"
#include "pairs/pair_divergence.hpp"
#include "pairs/renyi_curve.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld::bounds {

struct OtherMechanism::State {
  Mechanism mechanism;
  std::mutex asking;
  std::map<const DominatingPair*, PairDivergence> laws;  // whose cells the orders share
  std::map<std::pair<const DominatingPair*, double>, double> divergences;
};

OtherMechanism::OtherMechanism(Mechanism mechanism) : state_(new State{std::move(mechanism), {}, {}, {}}) {}

const Mechanism& OtherMechanism::mechanism() const { return state_->mechanism; }

double OtherMechanism::divergence(double order, Direction direction) const {
  const StandardArithmetic arithmetic;
  const DominatingPair& pair = *state_->mechanism.pair(direction);
  if (const auto* curve = pair.renyi_curve()) return order <= curve->highest_order ? curve->at(order) : infinity;
  constexpr double tolerance = 1e-3, points_of_any_order = 1e3;
  const std::lock_guard lock(state_->asking);
  const std::pair asked(&pair, order);
  if (const auto known = state_->divergences.find(asked); known != state_->divergences.end()) return known->second;
  Work::take(points_of_any_order);
  const double found = state_->laws.try_emplace(&pair, pair).first->second.renyi(order, tolerance).upper;
  // Nodes that stand for a law may put some mass at infinity which that law has not.
  if (found == infinity && rounded_to(pair))
    throw DomainError("renyi", "mechanism", state_->mechanism.text(), "one whose divergences are known");
  return state_->divergences.emplace(asked, found).first->second;
}

double OtherMechanism::slope() const {
  const DominatingPair &remove = *state_->mechanism.pair(Direction::remove),
                       &add = *state_->mechanism.pair(Direction::add);
  const auto* curve = remove.renyi_curve();
  return std::min(curve ? curve->slope : infinity, std::max(remove.renyi_slope(), add.renyi_slope()));
}

double OtherMechanism::largest_loss() const {
  double largest = 0;
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const DominatingPair& pair = *state_->mechanism.pair(direction);
    const double highest = pair.range().highest;
    if (pair.log_mass_at_plus_infinity() > -infinity || std::isinf(highest))
      throw DomainError("dp composition", "mechanism", state_->mechanism.text(), "one whose losses have a bound");
    largest = std::max(largest, highest + pair.loss_error({highest, highest}));
  }
  return largest;
}

std::string describe(const OtherMechanism& other) { return other.mechanism().text(); }

PairPtr dominating_pair(const OtherMechanism& other, Direction direction) { return other.mechanism().pair(direction); }

}  // namespace pld::bounds
