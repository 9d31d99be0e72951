#include "sampling/sampled_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "numeric/log_doubt.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/well_above.hpp"
#include "pairs/fused.hpp"
#include "pairs/mirrored.hpp"
#include "sampling/sampled_density.hpp"

namespace pld {

SampledPair::SampledPair(PairPtr base, double q, Direction direction)
    : base_(std::move(base)), q_(q), direction_(direction), sampled_loss_(q) {}

/// The base loss that becomes `loss`.
double SampledPair::base_loss(double loss) const {
  return removing() ? sampled_loss_.inverse(loss) : -sampled_loss_.inverse(-loss);
}

double SampledPair::removed_loss(double z) const {
  return z > std::max(1.0, sampled_loss_.pivot()) ? z + sampled_loss_.minus_base(z) : sampled_loss_(z);
}

// The mixture's mass is taken relative to its heavier part, B left of the pivot and A right of it, so that the log
// loses nothing: the factor is at most 2, or a factor below 1 adds to |log mass|.
LossCell SampledPair::sampled_by_removal(const LossCell& base) const {
  const double z = base.loss;
  const double loss = removed_loss(z);
  const double log_mass =
      z <= sampled_loss_.pivot() ? base.log_q_mass + loss : base.log_mass + sampled_loss_.minus_base(z);
  return {.loss = loss, .log_mass = log_mass, .log_q_mass = base.log_q_mass};
}

LossCell SampledPair::sampled(const LossCell& base) const {
  if (base.log_mass == -infinity && base.log_q_mass == -infinity) return {};
  return removing() ? sampled_by_removal(base) : mirrored(sampled_by_removal(mirrored(base)));
}

double SampledPair::log_mass_at_plus_infinity() const {
  const double base = base_->log_mass_at_plus_infinity();
  return removing() ? base + sampled_loss_.log_q() : -infinity;
}

std::optional<DoublesAround> SampledPair::infinite_mass() const {
  if (!removing()) return DoublesAround{};
  const auto base = base_->infinite_mass();
  if (!base) return std::nullopt;
  return DoublesAround{doubles_around_product(base->below, q_).below, doubles_around_product(base->above, q_).above};
}

double SampledPair::log_q_mass_at_minus_infinity() const {
  const double base = base_->log_q_mass_at_minus_infinity();
  return removing() ? -infinity : base + sampled_loss_.log_q();
}

/// Mass that has no counterpart in the base but has one in the mixture: B alone (remove), A alone (add).
std::optional<LossCell> SampledPair::atom_from_infinity() const {
  const double log_alone = removing() ? base_->log_q_mass_at_minus_infinity() : base_->log_mass_at_plus_infinity();
  if (log_alone == -infinity) return std::nullopt;
  const LossCell atom{
      .loss = sampled_loss_.lowest(), .log_mass = sampled_loss_.lowest() + log_alone, .log_q_mass = log_alone};
  return removing() ? atom : mirrored(atom);
}

LossRange SampledPair::range() const {
  const LossRange base = base_->range();
  LossRange range = removing() ? LossRange{removed_loss(base.lowest), removed_loss(base.highest)}
                               : LossRange{-removed_loss(-base.lowest), -removed_loss(-base.highest)};
  if (const auto atom = atom_from_infinity()) {
    range.lowest = std::min(range.lowest, atom->loss);
    range.highest = std::max(range.highest, atom->loss);
  }
  return range;
}

std::vector<LossCell> SampledPair::atoms(LossRange within) const {
  // The base is asked for a little more than it takes, and the sampled losses decide. Where it has atoms only, those so
  // far out that their sampled loss rounds to the limit become one atom there: there may be infinitely many.
  const double slack = 1e-9;
  const auto [lowest, highest] = base_->range();
  LossRange asked{base_loss(within.lowest - slack), base_loss(within.highest + slack)};
  asked = {std::max(asked.lowest, lowest), std::min(asked.highest, highest)};
  const double limit = sampled_loss_.lowest() - 37;  // e^limit < u (1 - q): the loss is within u |log(1 - q)|
  std::vector<LossCell> all;
  const auto take = [&](const LossCell& cell) {
    if (cell.log_mass > -infinity && within.lowest <= cell.loss && cell.loss <= within.highest) all.push_back(cell);
  };
  if (const auto atom = atom_from_infinity(); atom && removing()) take(*atom);
  const bool fuse = !base_->has_density();
  const bool fuse_left = fuse && removing() && asked.lowest < limit;
  const bool fuse_right = fuse && !removing() && asked.highest > -limit;
  if (fuse_left) {
    take(sampled(base_->below(limit)));
    asked.lowest = std::nextafter(limit, infinity);
  }
  if (fuse_right) asked.highest = -limit;
  for (const LossCell& atom : base_->atoms(asked)) take(sampled(atom));
  if (fuse_right) take(sampled(base_->above(-limit)));
  if (const auto atom = atom_from_infinity(); atom && !removing()) take(*atom);
  return all;
}

void SampledPair::cells(std::span<const double> edges, std::vector<LossCell>& out) const {
  std::vector<double> base_edges(edges.size());
  std::transform(edges.begin(), edges.end(), base_edges.begin(), [this](double edge) { return base_loss(edge); });
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  base_->cells(base_edges, out);
  std::transform(out.begin() + first, out.end(), out.begin() + first,
                 [this](const LossCell& cell) { return sampled(cell); });
}

LossCell SampledPair::above(double z) const {
  const LossCell cell = sampled(base_->above(base_loss(z)));
  const auto atom = atom_from_infinity();
  return atom && atom->loss > z ? fused(cell, *atom) : cell;
}

LossCell SampledPair::below(double z) const {
  const LossCell cell = sampled(base_->below(base_loss(z)));
  const auto atom = atom_from_infinity();
  return atom && atom->loss <= z ? fused(cell, *atom) : cell;
}

/// What losses up to `reach` are rounded by themselves: among the smallest doubles by two half steps, as a sample of
/// what loses something loses some.
double SampledPair::own_rounding(double reach) const {
  const auto [lowest, highest] = base_->range();
  const bool loses = lowest < 0 || highest > 0;
  return 8 * unit_roundoff * reach + (loses ? 2 * std::numeric_limits<double>::denorm_min() : 0);
}

LossCell SampledPair::above_and_doubtful(double z) const {
  const double edge = z - own_rounding(std::fabs(z)), base_edge = base_loss(edge);
  const LossCell base = std::isfinite(base_edge)
                            ? base_->above_and_doubtful(base_edge - 4 * unit_roundoff * std::fabs(base_edge))
                            : base_->above(base_edge);
  const LossCell cell = sampled(base);
  const auto atom = atom_from_infinity();
  return atom && atom->loss > edge ? fused(cell, *atom) : cell;
}

// Own rounding plus sup of (the base's error + 4 u |z|) L'(z). L' grows with z and falls off as e^z on
// the left, so the supremum is taken over pieces that double in length; below -4096 L is constant to e^-2048 as long as
// the base's losses are right to a factor of 2.
template <class BaseError>
double SampledPair::error_from(LossRange within, const BaseError& error_of_base) const {
  const auto [low_end, high_end] = range();
  within = {std::clamp(within.lowest, low_end, high_end), std::clamp(within.highest, low_end, high_end)};
  const LossRange base_range = base_->range();
  double low = std::max(base_loss(within.lowest), base_range.lowest);
  double high = std::min(base_loss(within.highest), base_range.highest);
  const auto base_error = [&](double from, double to) {
    const double reach = std::max(std::fabs(from), std::fabs(to));
    return error_of_base(from, to) + 4 * unit_roundoff * reach;
  };
  if (!removing()) std::swap(low, high);
  const double sign = removing() ? 1 : -1;
  low *= sign;
  high *= sign;
  const auto piece_error = [&](double from, double to) {
    const double error = sign > 0 ? base_error(from, to) : base_error(-to, -from);
    return error * std::min(1.0, 1.01 * sampled_loss_.slope(to + error));
  };
  constexpr double far_left = -4096;
  double propagated = 0;
  if (low < far_left && !(base_error(sign * far_left, sign * far_left) < -far_left / 2)) return infinity;
  low = std::max(low, far_left);
  for (double from = far_left; from < -0.25; from /= 2) {
    const double to = from < -0.5 ? from / 2 : 0;
    if (low < to && high > from)
      propagated = std::max(propagated, piece_error(std::max(low, from), std::min(high, to)));
  }
  if (high >= 0) propagated = std::max(propagated, piece_error(std::max(low, 0.0), high));
  const double reach = std::max(std::fabs(within.lowest), std::fabs(within.highest));
  return own_rounding(reach) + propagated;
}

double SampledPair::loss_error(LossRange within) const {
  return error_from(within, [this](double from, double to) { return base_->loss_error({from, to}); });
}

double SampledPair::edge_error(double z) const {
  return error_from({z, z}, [this](double at, double) { return base_->edge_error(at); });
}

std::optional<double> SampledPair::spacing() const {
  // The map is curved: two atoms keep a spacing, three or more do not.
  const auto [lowest, highest] = base_->range();
  const auto base_spacing = base_->spacing();
  const bool many = !(highest - lowest < infinity) || (base_spacing && highest - lowest > 1.5 * *base_spacing);
  if (many) return std::nullopt;
  const std::vector<LossCell> all = atoms({});
  return all.size() == 2 ? std::optional(all[1].loss - all[0].loss) : std::nullopt;
}

std::vector<LossCell> SampledPair::outline() const {
  std::vector<LossCell> all = base_->outline();
  for (LossCell& cell : all) cell = sampled(cell);
  if (const auto atom = atom_from_infinity()) all.insert(removing() ? all.begin() : all.end(), *atom);
  return all;
}

std::optional<OrderedLaw> SampledPair::ordered() const {
  const auto base = ordered_law(*base_);
  if (!base || base_->log_mass_at_plus_infinity() > -infinity) return std::nullopt;
  OrderedLaw out{base->family + (removing() ? ", sampled, remove" : ", sampled, add"), base->sizes, {}};
  out.sizes.push_back(q_);
  out.of_sizes = [of_base = base->of_sizes, direction = direction_](const std::vector<double>& sizes) {
    return std::make_shared<SampledPair>(of_base({sizes.begin(), sizes.end() - 1}), sizes.back(), direction);
  };
  return out;
}

std::optional<ExactLoss> SampledPair::exact_highest() const {
  const auto of_base = base_->exact_highest();
  const bool infinite = std::max(base_->log_mass_at_plus_infinity(), base_->log_q_mass_at_minus_infinity()) > -infinity;
  return of_base && of_base->rate == 0 && !infinite ? of_base : std::nullopt;
}

std::optional<SampledGaussianLaw> SampledPair::sampled_gaussian() const {
  const auto base = base_->sampled_gaussian();
  if (!base || base->q != 1) return std::nullopt;
  return SampledGaussianLaw{.mu = base->mu, .q = q_, .direction = direction_};
}

std::optional<AnalyticLaw> SampledPair::analytic_law(double log_negligible) const {
  const auto base = pld::analytic_law(*base_, log_negligible);
  return base ? std::optional(sampled_law(*base, q_, direction_)) : std::nullopt;
}

double SampledPair::most_renyi(double order) const {
  if (!removing()) return infinity;
  const double exponent = (order - 1) * base_->renyi_slope();
  return most_renyi_of_mixture(log_sum(std::log1p(-q_), std::log(q_) + exponent), exponent, order);
}

/// The sampled ratio is at least q times the base's.
double SampledPair::least_renyi(double order) const {
  if (!removing()) return 0;
  return least_renyi_of_share(pld::least_renyi(*base_, order), std::log(q_), order);
}

/// Where the sampled loss goes on without end: remove to the right, add to the left, which is the mirror image.
double SampledPair::log_tail_moment(double order, double from) const {
  if (removing() && order > 1) return log_removed_tail_moment(order, from);
  if (!removing() && order < 0) return log_removed_tail_moment(1 - order, -from);
  return DominatingPair::log_tail_moment(order, from);
}

/// With the base's ratio r >= e^a of Q to B: 1 - q + q r <= r (q + (1 - q) e^-a), and (1 - q + q r)^order is at most
/// the mixture of 1 and r^order.
double SampledPair::log_removed_tail_moment(double order, double from) const {
  // A little further left than the tail asked for.
  const double at = sampled_loss_.inverse(from - 1e-9 * (1 + std::fabs(from))), a = at - 1e-9 * (1 + std::fabs(at));
  const double base = removing() ? base_->log_tail_moment(order, a) : base_->log_tail_moment(1 - order, -a);
  double log_beyond = 0;
  if (std::isfinite(a)) log_beyond = removing() ? base_->above(a).log_q_mass : base_->below(-a).log_mass;
  const double mixed = log_sum(sampled_loss_.lowest() + log_beyond, sampled_loss_.log_q() + base);
  const double scaled = std::isfinite(a) ? order * sampled_loss_.minus_base(a) + base : infinity;
  const double least = std::min(mixed, scaled);
  return well_above(least, std::fabs(least) + order * (1 + std::fabs(sampled_loss_.log_q())));
}

}  // namespace pld
