#include "sampling/zeroed_pair.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numeric/log_sum.hpp"
#include "numeric/well_above.hpp"
#include "pairs/later_pair.hpp"
#include "pairs/location_family.hpp"
#include "pairs/mirrored_pair.hpp"
#include "pairs/normal_noise.hpp"
#include "pairs/pair_sum.hpp"
#include "sampling/spliced_pair.hpp"

namespace pld {

ZeroedPair::ZeroedPair(const LocationFamily& family, double q)
    : once_(family, family.shift, q), twice_(family, 2 * family.shift, q) {
  const auto& [noise, s] = family;
  Line line;
  line.from = line.rising_from = line.centre = 1.5 * s;
  line.rising_to = 2 * s + noise->exponential_from();
  line.step = 0.25 * std::exp(-noise->log_density(0));
  line.outline = [noise = noise, s = s, step = line.step] { return outline_about(*noise, step, {0, s, 2 * s}); };
  if (is_normal(*noise)) odds_ = std::exp(std::log1p(-q) - std::log(q) - s * s);
  const double highest = twice_.drawn.range().highest;
  place(std::move(line), {0, std::isinf(highest) ? infinity : highest - once_.drawn.range().highest});
}

// With w = e^{s (x - 3 s / 2)} the loss of normal noise is z where w^2 - e^z w = odds (e^z - 1).
std::optional<double> ZeroedPair::known_outcome(double z) const {
  constexpr double far = 300, most_odds = 1e100;
  if (!odds_ || z > far || *odds_ > most_odds) return std::nullopt;
  const double gain = std::expm1(z), square_less_one = gain * (2 + gain + 4 * *odds_);
  const double w_less_one = (gain + square_less_one / (1 + std::sqrt(1 + square_less_one))) / 2;
  return line().from + std::log1p(w_less_one) / shift();
}

LossCell ZeroedPair::cell(double a, double b) const {
  const LossCell p = twice_.between(a, b), q = once_.between(a, b);
  if (p.log_mass == -infinity || q.log_mass == -infinity) return {};
  return {.loss = p.loss - q.loss, .log_mass = p.log_mass, .log_q_mass = q.log_mass};
}

AtomicPair ZeroedPair::falls_in_steps() const {
  constexpr int most = 96;
  const double end = line().from, width = line().step / 8;
  std::vector<UnroundedAtom> atoms;
  for (int i = 0; i < most; ++i) {
    const LossCell step = cell(i + 1 < most ? end - (i + 1) * width : -infinity, end - i * width);
    if (step.log_mass > -infinity) atoms.push_back({step.loss, step.log_mass, step.log_q_mass});
  }
  return {std::move(atoms), -infinity, -infinity, error_over(-infinity, end - (most - 1) * width, end, end)};
}

/// How often a sample's error counts: the closed form rounds an outcome as much again.
double ZeroedPair::times_counted() const { return odds_ ? 2 : 1; }

/// Bounds the error of all losses of outcomes in [from, to], and of the tails from `begin` to them and on to `end`.
double ZeroedPair::error_over(double begin, double from, double to, double end) const {
  double error = 0;
  for (const Sample* sample : {&once_, &twice_}) {
    LossRange losses{sample->moved->loss_of(from), sample->moved->loss_of(to)};
    for (const LossCell& tail : {sample->moved->between(begin, from), sample->moved->between(to, end)})
      if (tail.log_mass > -infinity) losses = {std::min(losses.lowest, tail.loss), std::max(losses.highest, tail.loss)};
    const double doubt = sample->moved->loss_error(losses);
    losses = {sample->drawn.removed_loss(losses.lowest - doubt), sample->drawn.removed_loss(losses.highest + doubt)};
    const double reach = std::max(std::fabs(losses.lowest), std::fabs(losses.highest));
    error += times_counted() * sample->drawn.loss_error(losses) + 4 * unit_roundoff * reach;
  }
  return error;
}

double ZeroedPair::loss_error(LossRange within) const {
  return error_over(line().from, unsaturated_outcome_at(within.lowest), unsaturated_outcome_at(within.highest),
                    line().to);
}

double ZeroedPair::edge_error(double z) const {
  const double x = unsaturated_outcome_at(z);
  double error = 0;
  for (const Sample* sample : {&once_, &twice_}) {
    const double loss = sample->loss_of(x);
    error += times_counted() * sample->drawn.edge_error(loss) + 4 * unit_roundoff * std::fabs(loss);
  }
  return error;
}

// With r = (X + 2 s) / (X + s) and w = q (X + s) / Q, (P / Q)^order = (1 - w + w r)^order <= 1 - w + w r^order: at most
// what X has of the tail and q of the moment of (X + 2 s, X + s).
double ZeroedPair::log_tail_moment(double order, double from) const {
  if (order < 0 || std::isfinite(range().highest)) return DominatingPair::log_tail_moment(order, from);
  const double at = outcome_at(from), x = at - 1e-9 * (1 + std::fabs(at));
  if (at == infinity) return -infinity;
  const AdditiveNoisePair& moved = *once_.moved;
  const double of_others = moved.between(x, infinity).log_q_mass,
               of_record = std::log(once_.drawn.q()) + moved.log_tail_moment(order, moved.loss_of(x - shift()));
  return well_above(log_sum(of_others, of_record));
}

double ZeroedPair::least_renyi(double order) const {
  return least_renyi_of_share(pld::least_renyi(*once_.moved, order), std::log(once_.drawn.q()), order);
}

PlacedDensity ZeroedPair::Sample::density(double log_negligible) const {
  return {drawn.analytic_law(log_negligible)->densities.front(), moved->location_family()->shift / 2};
}

// All that both laws have but for e^log_negligible lies where the sample of (X + 2 s, X) has all but that.
std::optional<AnalyticLaw> ZeroedPair::analytic_law(double log_negligible) const {
  const PlacedDensity p = twice_.density(log_negligible), q = once_.density(log_negligible);
  const double from = std::max(line().from, p.from()), to = std::max(from, std::min(line().to, p.to()));
  return AnalyticLaw{.densities = {quotient_density(p, q, from, to)}, .log_lost = log_negligible};
}

// Others that are like it: (X + s, (1-q) (X + s) + q X), or its mirror image ((1-q) X + q (X + s), X).
PairPtr zeroed_pair(const LocationFamily& family, double q, Direction direction) {
  const auto unsampled = std::make_shared<AdditiveNoisePair>(family.noise, family.shift);
  const auto opposite = std::make_shared<ZeroedPair>(family, q);
  const bool removing = direction == Direction::remove;
  const auto alike = std::make_shared<SampledPair>(unsampled, q, removing ? Direction::add : Direction::remove);
  const double s = family.shift;
  return std::make_shared<SplicedPair>(
      SplicedPair::Sides{.gains = removing ? PairPtr(opposite) : alike,
                         .falls = removing ? PairPtr(alike) : std::make_shared<MirroredPair>(opposite),
                         .mass_at_zero = (1 - q) * std::exp(unsampled->between(-1.5 * s, 0.5 * s).log_q_mass),
                         .unsampled = unsampled,
                         .symmetric = false});
}

PairPtr zeroed_among_opposite(const LocationFamily& family, double q, Direction direction) {
  const auto gains = std::make_shared<ZeroedPair>(family, q);
  const auto falls =
      std::make_shared<LaterPair>([gains] { return std::make_shared<AtomicPair>(gains->falls_in_steps()); });
  const PairPtr pair = std::make_shared<PairSum>(std::vector<PairSum::Part>{{0, falls}, {0, gains}});
  return direction == Direction::remove ? pair : std::make_shared<MirroredPair>(pair);
}

}  // namespace pld
