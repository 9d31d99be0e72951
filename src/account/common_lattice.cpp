#include "account/common_lattice.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/work.hpp"
#include "lattice/discretise.hpp"
#include "pld/account/running_total.hpp"

namespace pld {

TotalGrid grid_for_kinds(const Composition& composition, double delta, double tolerance) {
  constexpr double most = 0.5;
  return grid_for(composition, delta, std::min(most, tolerance * -std::log(delta)));
}

const LatticeTotal& CommonLattice::one(const PairPtr& pair) const {
  const std::lock_guard lock(cutting_);
  if (const auto known = cut_.find(pair); known != cut_.end()) return known->second;
  constexpr std::size_t most_weights = 8'000'000;  // of eight bytes
  if (weights_ > most_weights || !Work::affords_piece()) throw WorkSpent{};
  LatticeTotal total;
  total.add({{pair, pair, 1}}, grid_);
  for (const TotalBlock& block : total.blocks) weights_ += block.upper.weights.size() + block.lower.weights.size();
  return cut_.emplace(pair, std::move(total)).first->second;
}

std::shared_ptr<const TotalReading> CommonLattice::composed(const Terms& terms) const try {
  std::vector<CountedTotal> all;
  for (const Term& term : terms) all.push_back({&one(term.pair), term.count});
  constexpr double share = 0.3;  // a page composes four: two directions, of the pairs and of what is attained
  LatticeTotal total = pld::composed(all, share * Work::left());
  return std::make_shared<const TotalReading>(total);
} catch (const WorkSpent&) {
  return nullptr;
}

std::optional<CommonLattice::WithoutEach> CommonLattice::without_each(const Terms& terms, double delta,
                                                                      double spacing) const try {
  std::vector<LatticeTotal> each;
  for (const Term& term : terms) {
    TotalBlock& block = each.emplace_back(one(term.pair)).blocks.front();
    if (block.upper.spacing < spacing) block.upper = regrid(block.upper, spacing, Side::upper);
    if (block.lower.spacing < spacing) block.lower = regrid(block.lower, spacing, Side::lower);
  }
  const auto times = [&](std::size_t i) { return CountedTotal{&each[i], terms[i].count}; };
  const double points = Work::left() / static_cast<double>(3 * each.size());
  std::vector<LatticeTotal> after{{}};  // the last first
  for (std::size_t i = each.size(); i-- > 1;) after.push_back(pld::composed({{&after.back()}, times(i)}, points));
  LatticeTotal before;
  WithoutEach found;
  for (std::size_t i = 0; i < each.size(); ++i) {
    LatticeTotal without = pld::composed({{&before}, {&after.back()}}, points);
    after.pop_back();
    found.without.push_back(TotalReading(without).epsilon(delta));
    before = pld::composed({{&before}, times(i)}, points);
  }
  found.all = TotalReading(before).epsilon(delta);
  return found;
} catch (const WorkSpent&) {
  return std::nullopt;
}

}  // namespace pld
