#include "account/common_lattice.hpp"

#include <algorithm>
#include <cmath>

#include "pld/account/running_total.hpp"

namespace pld {

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
  for (const Term& term : terms) {
    const LatticeTotal cut = one(term);
    total.log_finite += cut.log_finite;
    total.log_finite_roundings += cut.log_finite_roundings + 1;
    total.cut_mass = round_up(total.cut_mass + cut.cut_mass);
    total.blocks.push_back(cut.blocks.front());  // collapse() joins them in one convolution
  }
  return std::make_shared<const TotalReading>(total);
}

}  // namespace pld
