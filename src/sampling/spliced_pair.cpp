#include "sampling/spliced_pair.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "numeric/compensated_sum.hpp"
#include "numeric/log_doubt.hpp"
#include "pairs/fused.hpp"
#include "sampling/sampled_density.hpp"

namespace pld {
namespace {

constexpr double just_above_zero = std::numeric_limits<double>::denorm_min();

/// P's mass at z > 0, +inf included, less Q's: the total variation.
double total_variation(const DominatingPair& pair) {
  const LossCell gains = pair.above(0);
  const double finite = gains.log_mass > -infinity ? -std::exp(gains.log_mass) * std::expm1(-gains.loss) : 0;
  return finite + std::exp(pair.log_mass_at_plus_infinity());
}

}  // namespace

SplicedPair::SplicedPair(const PairPtr& base, double rate)
    : gains_(base, rate, Direction::remove), falls_(base, rate, Direction::add) {
  double mass = (1 - rate) * total_variation(*base);
  for (const LossCell& atom : base->atoms({0, 0})) mass += std::exp(atom.log_mass);
  const double log_mass = std::log(std::min(mass, 1.0));
  at_zero_ = {.loss = 0, .log_mass = log_mass, .log_q_mass = log_mass};
}

/// Each loss of the base is sampled by the side of 0 it is on. Densities of symmetric bases have the loss 0 at the
/// outcome 0 where they have both sides.
std::optional<AnalyticLaw> SplicedPair::analytic_law(double log_negligible) const {
  const auto base = pld::analytic_law(*gains_.base(), log_negligible);
  if (!base) return std::nullopt;
  AnalyticLaw up, down;
  for (const LawPoint& atom : base->atoms)
    if (atom.loss != 0) (atom.loss > 0 ? up : down).atoms.push_back(atom);
  for (const auto& density : base->densities) {
    const bool rises = density->at(density->to()).loss > 0, falls = density->at(density->from()).loss < 0;
    if (rises && falls && density->at(0).loss != 0) return std::nullopt;
    if (rises) up.densities.push_back(falls ? part_of(density, 0, density->to()) : density);
    if (falls) down.densities.push_back(rises ? part_of(density, density->from(), 0) : density);
  }
  up.log_infinite_p = base->log_infinite_p;
  down.log_infinite_q = base->log_infinite_q;
  AnalyticLaw law = sampled_law(up, gains_.q(), Direction::remove);
  const AnalyticLaw below = sampled_law(down, gains_.q(), Direction::add);
  law.atoms.insert(law.atoms.end(), below.atoms.begin(), below.atoms.end());
  law.densities.insert(law.densities.end(), below.densities.begin(), below.densities.end());
  law.log_infinite_q = below.log_infinite_q;
  law.log_lost = base->log_lost;
  if (at_zero_.log_mass > -infinity) law.atoms.push_back({0, at_zero_.log_q_mass, 0, mass_error(at_zero_.log_q_mass)});
  return law;
}

LossRange SplicedPair::range() const {
  return {std::min(0.0, falls_.range().lowest), std::max(0.0, gains_.range().highest)};
}

std::vector<LossCell> SplicedPair::atoms(LossRange within) const {
  std::vector<LossCell> all;
  const auto take = [&](const std::vector<LossCell>& some) { all.insert(all.end(), some.begin(), some.end()); };
  if (within.lowest < 0) take(falls_.atoms({within.lowest, std::min(within.highest, -just_above_zero)}));
  if (within.lowest <= 0 && 0 <= within.highest && at_zero_.log_mass > -infinity) all.push_back(at_zero_);
  if (within.highest > 0) take(gains_.atoms({std::max(within.lowest, just_above_zero), within.highest}));
  return all;
}

void SplicedPair::cells(std::span<const double> edges, std::vector<LossCell>& out) const {
  const auto up = static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), 0.0) - edges.begin());
  if (up == 0) return gains_.cells(edges, out);
  if (up == edges.size()) return falls_.cells(edges, out);
  // The interval that holds 0 is the last one of the falls and the first one of the gains.
  std::vector<double> falling(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(up)), rising{0.0};
  falling.push_back(0.0);
  rising.insert(rising.end(), edges.begin() + static_cast<std::ptrdiff_t>(up), edges.end());
  falls_.cells(falling, out);
  std::vector<LossCell> gains;
  gains_.cells(rising, gains);
  out.back() = fused(out.back(), gains.front());
  out.insert(out.end(), gains.begin() + 1, gains.end());
}

/// All that the density and the atoms have in (low, high), on one side of 0.
LossCell SplicedPair::sum_over(double low, double high) const {
  const SampledPair& side = low < 0 ? falls_ : gains_;
  std::vector<LossCell> parts = side.atoms({std::nextafter(low, infinity), std::nextafter(high, -infinity)});
  if (side.has_density()) side.cells(std::array{low, high}, parts);
  LossCell sum;
  for (const LossCell& part : parts) sum = fused(sum, part);
  return sum;
}

/// Everything finite but `part`, where that leaves more than half of both masses.
std::optional<LossCell> SplicedPair::rest_of(const LossCell& part) const {
  const double p = std::exp(part.log_mass), q = std::exp(part.log_q_mass);
  const double p_infinite = std::exp(log_mass_at_plus_infinity()),
               q_infinite = std::exp(log_q_mass_at_minus_infinity());
  if (p + p_infinite > 0.5 || q + q_infinite > 0.5) return std::nullopt;
  // Where the two masses are near each other their difference is taken from the loss; else P's may be too small for a
  // double.
  const double q_less_p = part.loss > -1 ? p * std::expm1(-part.loss) : q - p;
  const double excess = (q_infinite - p_infinite) + q_less_p;
  const double q_rest = 1 - q_infinite - q;
  return LossCell{.loss = std::log1p(excess / q_rest),
                  .log_mass = std::log1p(-(p_infinite + p)),
                  .log_q_mass = std::log1p(-(q_infinite + q))};
}

LossCell SplicedPair::above(double z) const {
  if (z >= 0) return gains_.above(z);
  if (const auto rest = rest_of(falls_.below(z))) return *rest;
  return fused(sum_over(z, 0), fused(at_zero_, gains_.above(0)));
}

LossCell SplicedPair::below(double z) const {
  if (z < 0) return falls_.below(z);
  if (const auto rest = rest_of(gains_.above(z))) return *rest;
  return fused(fused(falls_.below(-just_above_zero), at_zero_), sum_over(0, std::nextafter(z, infinity)));
}

double SplicedPair::loss_error(LossRange within) const {
  double error = 0;
  if (within.lowest < 0) error = std::max(error, falls_.loss_error({within.lowest, std::min(within.highest, 0.0)}));
  if (within.highest >= 0) error = std::max(error, gains_.loss_error({std::max(within.lowest, 0.0), within.highest}));
  return error;
}

double SplicedPair::edge_error(double z) const { return z < 0 ? falls_.edge_error(z) : gains_.edge_error(z); }

/// Two or three atoms of a symmetric base become three, at -L, 0 and L.
std::optional<double> SplicedPair::spacing() const {
  const DominatingPair& base = *gains_.base();
  const auto base_spacing = base.spacing();
  const auto [lowest, highest] = base.range();
  if (!base.symmetric() || !base_spacing || !(highest - lowest < 2.5 * *base_spacing)) return std::nullopt;
  return range().highest;
}

/// At 0 lies what the others leave: a base may outline its atoms by cells, so that its own there is in those already.
std::vector<LossCell> SplicedPair::outline() const {
  std::vector<LossCell> all{{.loss = 0}};
  CompensatedSum rest;
  rest.add(1);
  rest.add(-std::exp(log_mass_at_plus_infinity()));
  const auto take = [&](const LossCell& cell) {
    all.push_back(cell);
    rest.add(-std::exp(cell.log_mass));
  };
  for (const LossCell& cell : falls_.outline())
    if (cell.loss < 0) take(cell);
  for (const LossCell& cell : gains_.outline())
    if (cell.loss > 0) take(cell);
  all.front().log_mass = all.front().log_q_mass = std::log(std::max(rest.value(), 0.0));
  if (all.front().log_mass == -infinity) all.erase(all.begin());
  std::stable_sort(all.begin(), all.end(), [](const LossCell& a, const LossCell& b) { return a.loss < b.loss; });
  return all;
}

double SplicedPair::log_tail_moment(double order, double from) const {
  if (order > 1) return from >= 0 ? gains_.log_tail_moment(order, from) : infinity;
  return from <= 0 ? falls_.log_tail_moment(order, from) : infinity;
}

}  // namespace pld
