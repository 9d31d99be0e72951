#include "account/common_lattice.hpp"

#include <algorithm>
#include <cmath>

#include "lattice/discretise.hpp"
#include "pld/account/running_total.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// For convolutions of some hundred measures: a tilt is chosen with room for their noise.
constexpr Precision enough = Precision::standard;

/// Beside what is in the total, not convolved with it yet.
void put(const LatticeTotal& other, LatticeTotal& total) {
  total.log_finite += other.log_finite;
  total.log_finite_roundings += other.log_finite_roundings + 1;
  total.cut_mass = round_up(total.cut_mass + other.cut_mass);
  total.blocks.insert(total.blocks.end(), other.blocks.begin(), other.blocks.end());
}

}  // namespace

// The rounding has the variance of two releases then, not of all.
TotalGrid grid_for_kinds(const Composition& composition, double delta, double tolerance) {
  constexpr double most = 0.5;
  TotalGrid grid = grid_for(composition, delta, std::min(most, tolerance * -std::log(delta)));
  double counts = 0;
  for (const Release& release : composition.releases()) counts += static_cast<double>(release.count);
  grid.spacing *= std::max(1.0, std::sqrt(counts / (2 * static_cast<double>(composition.releases().size()))));
  return grid;
}

TotalGrid finer_for(const TotalGrid& grid, std::int64_t count) {
  TotalGrid finer = grid;
  for (auto left = static_cast<double>(count); left > 1; left /= 4) finer.spacing /= 2;
  return finer;
}

LatticeTotal CommonLattice::one(const Term& term) const {
  const std::lock_guard lock(cutting_);
  const auto [place, is_new] = cut_.try_emplace({term.pair, term.count});
  if (is_new) place->second.add({{term.pair, term.pair, term.count}}, finer_for(grid_, term.count));
  return place->second;
}

std::shared_ptr<const TotalReading> CommonLattice::composed(const Terms& terms) const {
  LatticeTotal total;
  for (const Term& term : terms) put(one(term), total);
  return std::make_shared<const TotalReading>(total, enough);
}

CommonLattice::WithoutEach CommonLattice::without_each(const Terms& terms, double delta, double spacing) const {
  std::vector<LatticeTotal> each;
  for (const Term& term : terms) {
    LatticeTotal& cut = each.emplace_back(one(term));
    TotalBlock& block = cut.blocks.front();
    if (block.upper.spacing < spacing) block.upper = regrid(block.upper, spacing, Side::upper);
    if (block.lower.spacing < spacing) block.lower = regrid(block.lower, spacing, Side::lower);
  }
  const auto joined = [](const LatticeTotal& a, const LatticeTotal& b) {
    LatticeTotal both = a;
    put(b, both);
    if (!both.blocks.empty()) both.collapse(enough);
    return both;
  };
  std::vector<LatticeTotal> after{{}};  // the last first
  for (std::size_t i = each.size(); i-- > 1;) after.push_back(joined(after.back(), each[i]));
  LatticeTotal before;
  WithoutEach found;
  for (const LatticeTotal& cut : each) {
    LatticeTotal without = joined(before, after.back());
    after.pop_back();
    found.without.push_back(TotalReading(without, enough).epsilon(delta));
    before = joined(before, cut);
  }
  found.all = TotalReading(before, enough).epsilon(delta);
  return found;
}

}  // namespace pld
