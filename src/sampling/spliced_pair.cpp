#include "sampling/spliced_pair.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "numeric/compensated_sum.hpp"
#include "numeric/log_doubt.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/fused.hpp"
#include "sampling/sampled_pair.hpp"

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

SplicedPair::SplicedPair(Sides sides) : sides_(std::move(sides)) {
  const double log_mass = std::log(std::min(sides_.mass_at_zero, 1.0));
  at_zero_ = {.loss = 0, .log_mass = log_mass, .log_q_mass = log_mass};
}

/// Densities with losses on both sides of 0 are cut at the outcome 0, where those of symmetric pairs have that loss.
std::optional<AnalyticLaw> SplicedPair::analytic_law(double log_negligible) const {
  const auto up = pld::analytic_law(gains(), log_negligible), down = pld::analytic_law(falls(), log_negligible);
  if (!up || !down) return std::nullopt;
  AnalyticLaw law;
  for (const LawPoint& atom : up->atoms)
    if (atom.loss > 0) law.atoms.push_back(atom);
  for (const LawPoint& atom : down->atoms)
    if (atom.loss < 0) law.atoms.push_back(atom);
  const auto take_part = [&](const AnalyticLaw& side, double sign) {
    for (const auto& density : side.densities) {
      const LawPoint first = density->at(density->from()), last = density->at(density->to());
      const bool falls = first.loss + first.loss_error < 0;
      const bool rises = last.loss - last.loss_error > 0;
      if (falls && rises && density->at(0).loss != 0) return false;
      if (!(sign > 0 ? rises : falls)) continue;
      const double from = sign > 0 && falls ? 0 : density->from(), to = sign < 0 && rises ? 0 : density->to();
      law.densities.push_back(falls && rises ? part_of(density, from, to) : density);
    }
    return true;
  };
  if (!take_part(*up, +1) || !take_part(*down, -1)) return std::nullopt;
  law.log_infinite_p = up->log_infinite_p;
  law.log_infinite_q = down->log_infinite_q;
  law.log_lost = log_sum(up->log_lost, down->log_lost);
  law.sums_to_one = up->sums_to_one && down->sums_to_one;
  if (at_zero_.log_mass > -infinity) law.atoms.push_back({0, at_zero_.log_q_mass, 0, mass_error(at_zero_.log_q_mass)});
  return law;
}

LossRange SplicedPair::range() const {
  return {std::min(0.0, falls().range().lowest), std::max(0.0, gains().range().highest)};
}

std::vector<LossCell> SplicedPair::atoms(LossRange within) const {
  std::vector<LossCell> all;
  const auto take = [&](const std::vector<LossCell>& some) { all.insert(all.end(), some.begin(), some.end()); };
  if (within.lowest < 0) take(falls().atoms({within.lowest, std::min(within.highest, -just_above_zero)}));
  if (within.lowest <= 0 && 0 <= within.highest && at_zero_.log_mass > -infinity) all.push_back(at_zero_);
  if (within.highest > 0) take(gains().atoms({std::max(within.lowest, just_above_zero), within.highest}));
  return all;
}

void SplicedPair::cells(std::span<const double> edges, std::vector<LossCell>& out) const {
  const auto up = static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), 0.0) - edges.begin());
  if (up == 0) return gains().cells(edges, out);
  if (up == edges.size()) return falls().cells(edges, out);
  // The interval that holds 0 is the last one of the falls and the first one of the gains.
  std::vector<double> falling(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(up)), rising{0.0};
  falling.push_back(0.0);
  rising.insert(rising.end(), edges.begin() + static_cast<std::ptrdiff_t>(up), edges.end());
  falls().cells(falling, out);
  std::vector<LossCell> above;
  gains().cells(rising, above);
  out.back() = fused(out.back(), above.front());
  out.insert(out.end(), above.begin() + 1, above.end());
}

/// All that the density and the atoms have in (low, high), on one side of 0.
LossCell SplicedPair::sum_over(double low, double high) const {
  const DominatingPair& side = low < 0 ? falls() : gains();
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
  if (z >= 0) return gains().above(z);
  if (const auto rest = rest_of(falls().below(z))) return *rest;
  return fused(sum_over(z, 0), fused(at_zero_, gains().above(0)));
}

LossCell SplicedPair::below(double z) const {
  if (z < 0) return falls().below(z);
  if (const auto rest = rest_of(gains().above(z))) return *rest;
  return fused(fused(falls().below(-just_above_zero), at_zero_), sum_over(0, std::nextafter(z, infinity)));
}

LossCell SplicedPair::above_and_doubtful(double z) const {
  return z < 0 ? DominatingPair::above_and_doubtful(z) : gains().above_and_doubtful(z);
}

double SplicedPair::loss_error(LossRange within) const {
  double error = 0;
  if (within.lowest < 0) error = std::max(error, falls().loss_error({within.lowest, std::min(within.highest, 0.0)}));
  if (within.highest >= 0) error = std::max(error, gains().loss_error({std::max(within.lowest, 0.0), within.highest}));
  return error;
}

double SplicedPair::edge_error(double z) const { return z < 0 ? falls().edge_error(z) : gains().edge_error(z); }

/// Two or three atoms of a symmetric pair become three, at -L, 0 and L.
std::optional<double> SplicedPair::spacing() const {
  const auto base_spacing = unsampled()->spacing();
  const auto [lowest, highest] = unsampled()->range();
  if (!symmetric() || !base_spacing || !(highest - lowest < 2.5 * *base_spacing)) return std::nullopt;
  return range().highest;
}

/// At 0 lies what the others leave: a side may outline its atoms by cells, so that one at 0 is in those already, and
/// cells that reach across 0 are no mirror images.
std::vector<LossCell> SplicedPair::outline() const {
  std::vector<LossCell> all{{.loss = 0}};
  CompensatedSum p_rest, q_rest;
  p_rest.add(1), q_rest.add(1);
  p_rest.add(-std::exp(log_mass_at_plus_infinity())), q_rest.add(-std::exp(log_q_mass_at_minus_infinity()));
  const auto take = [&](const LossCell& cell) {
    all.push_back(cell);
    p_rest.add(-std::exp(cell.log_mass)), q_rest.add(-std::exp(cell.log_q_mass));
  };
  for (const LossCell& cell : falls().outline())
    if (cell.loss < 0) take(cell);
  for (const LossCell& cell : gains().outline())
    if (cell.loss > 0) take(cell);
  LossCell& rest = all.front();
  rest.log_mass = std::log(std::max(p_rest.value(), 0.0));
  rest.log_q_mass = symmetric() ? rest.log_mass : std::log(std::max(q_rest.value(), 0.0));
  if (rest.log_mass == -infinity) all.erase(all.begin());
  std::stable_sort(all.begin(), all.end(), [](const LossCell& a, const LossCell& b) { return a.loss < b.loss; });
  return all;
}

double SplicedPair::log_tail_moment(double order, double from) const {
  if (order > 1) return from >= 0 ? gains().log_tail_moment(order, from) : infinity;
  return from <= 0 ? falls().log_tail_moment(order, from) : infinity;
}

PairPtr spliced_sample(const PairPtr& base, double rate) {
  double mass = (1 - rate) * total_variation(*base);
  for (const LossCell& atom : base->atoms({0, 0})) mass += std::exp(atom.log_mass);
  return std::make_shared<SplicedPair>(
      SplicedPair::Sides{.gains = std::make_shared<SampledPair>(base, rate, Direction::remove),
                         .falls = std::make_shared<SampledPair>(base, rate, Direction::add),
                         .mass_at_zero = mass,
                         .unsampled = base,
                         .symmetric = base->symmetric()});
}

}  // namespace pld
