#include "engines/contour/composed_moment.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/work.hpp"
#include "engines/contour/grain.hpp"
#include "numeric/compensated_sum.hpp"
#include "numeric/log_bound.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/rounding.hpp"

namespace pld::contour {

double SampledPart::log_grain_error(double lambda, double s, double log_moment) const {
  return grain == 0 ? -infinity : contour::log_grain_error(ratio, body, grain, power(lambda), s, log_moment);
}

ComposedMoment::ComposedMoment(const std::vector<CountedLaw>& laws, std::vector<LawPart> others,
                               std::vector<DiscreteGaussianPart> discrete, std::vector<AllocatedPart> allocated)
    : others_(std::move(others)), discrete_(std::move(discrete)), allocated_(std::move(allocated)) {
  CompensatedSum square;
  for (const auto& [law, count, grain] : laws) {
    if (count == 0 || law.q == 0 || law.mu == 0) continue;
    if (law.q == 1) {
      square.add(count * law.mu * law.mu);
      continue;
    }
    const auto same = std::find_if(parts_.begin(), parts_.end(), [&law = law, grain = grain](const SampledPart& part) {
      return part.ratio.mu == law.mu && part.ratio.q == law.q && part.direction == law.direction && part.grain == grain;
    });
    if (same != parts_.end())
      same->count += count;
    else
      parts_.push_back({{law.mu, law.q}, law.direction, count, grain});
  }
  gaussian_square_ = square.value();
  for (const DiscreteGaussianPart& part : discrete_) square.add(part.count() * part.square());
  normal_square_ = square.value();
  LogBound least_finite(0, Side::lower), most_finite(0, Side::upper);
  double log_finite = 0;
  for (const LawPart& part : others_) {
    const Bracket none = log_none_of(part.pair()->log_mass_at_plus_infinity(), part.count());
    least_finite = least_finite.times(none.lower), most_finite = most_finite.times(none.upper);
    log_finite += none.estimate;
    reverse_is_infinite_ = reverse_is_infinite_ || part.pair()->log_q_mass_at_minus_infinity() > -infinity;
  }
  log_infinity_ = {most_finite.one_less().log(), log_one_minus_exp(log_finite), least_finite.one_less().log()};
}

ComposedMoment ComposedMoment::truncated(double nats, double lambda) const {
  ComposedMoment out = *this;
  for (AllocatedPart& part : out.allocated_) part.truncate(nats + std::log(counts()), lambda);
  return out;
}

bool ComposedMoment::is_truncated() const {
  return std::any_of(allocated_.begin(), allocated_.end(),
                     [](const AllocatedPart& part) { return part.is_truncated(); });
}

bool ComposedMoment::may_be_truncated() const {
  return std::any_of(allocated_.begin(), allocated_.end(), [](const AllocatedPart& part) { return part.is_removed(); });
}

bool ComposedMoment::is_light(double lambda, double log_width) const {
  return std::all_of(allocated_.begin(), allocated_.end(),
                     [&](const AllocatedPart& part) { return part.is_light(lambda, log_width); });
}

double ComposedMoment::counts() const {
  double sum = 0;
  for (const SampledPart& part : parts_) sum += part.count;
  for (const LawPart& part : others_) sum += part.count();
  for (const DiscreteGaussianPart& part : discrete_) sum += part.count();
  for (const AllocatedPart& part : allocated_) sum += part.count();
  return sum;
}

double ComposedMoment::normal_decay() const { return gaussian_square_ * (1 - 1e-12); }

bool ComposedMoment::sums_to_one() const {
  return std::all_of(others_.begin(), others_.end(),
                     [](const LawPart& part) { return pld::sums_to_one(*part.pair()); });
}

LossRange ComposedMoment::range() const {
  if (normal_square() > 0 || !allocated_.empty()) return {};
  LossRange range{0, 0};
  for (const SampledPart& part : parts_) {
    const double hard = part.count * std::log1p(-part.ratio.q);  // log r > log(1 - q), unbounded above
    if (part.direction == Direction::remove) {
      range.lowest += hard;
      range.highest = infinity;
    } else {
      range.lowest = -infinity;
      range.highest -= hard;
    }
  }
  for (const LawPart& part : others_) {
    const LossRange own = part.pair()->range();
    const auto doubt = [&](double loss) { return std::isfinite(loss) ? part.pair()->loss_error({loss, loss}) : 0; };
    range.lowest += part.count() * (own.lowest - doubt(own.lowest));
    range.highest += part.count() * (own.highest + doubt(own.highest));
  }
  return range;
}

namespace {
/// The widest cell with which the rule on a tilted law, about a normal one, is good to e^-50.
double widest_cell(const SampledPart& part, double lambda) {
  const double rho = part.power(2 * lambda);
  return rho < 0 ? 0.6 * tilted_width(part.ratio, rho) : infinity;
}
}  // namespace

bool ComposedMoment::resolves(double lambda) const {
  return std::all_of(parts_.begin(), parts_.end(),
                     [&](const SampledPart& part) { return part.body.cell_width <= widest_cell(part, lambda); }) &&
         std::all_of(others_.begin(), others_.end(), [&](const LawPart& part) { return part.resolves(lambda); }) &&
         std::all_of(allocated_.begin(), allocated_.end(),
                     [&](const AllocatedPart& part) { return part.reaches(2 * lambda); });
}

namespace {

/// Whether the outcomes of all laws can be held at once, if those yet to be cut have as many as those before: of
/// thousands of kinds no time is lost on the first ones.
class OutcomesAhead {
 public:
  explicit OutcomesAhead(std::size_t laws) : laws_(static_cast<double>(laws)) {}

  [[nodiscard]] bool fit_after(std::size_t outcomes) {
    constexpr double most_outcomes = 1e6, some = 8;  // of 72 bytes each
    cut_ += 1, outcomes_ += static_cast<double>(outcomes);
    return cut_ < some || outcomes_ / cut_ * laws_ <= most_outcomes;
  }

 private:
  double laws_, cut_ = 0, outcomes_ = 0;
};

}  // namespace

bool ComposedMoment::cut(double nats, double lambda) {
  constexpr double most_cells = 20000;
  const double budget = nats + std::log(counts());
  double log_lost = -infinity;  // far less than the nats at a tail's end, where a law is cut further out
  OutcomesAhead ahead(parts_.size() + others_.size());
  for (SampledPart& part : parts_) {
    Work::stop_if_late();
    const double reach = std::sqrt(2 * budget);
    const double hit_reach = std::sqrt(2 * std::max(0.0, budget + std::log(part.ratio.q)));
    const double lowest = -reach, highest = std::max(reach, part.ratio.mu + hit_reach);
    const double widest = widest_cell(part, lambda);
    if (!((highest - lowest) * std::max({4 * part.ratio.mu, 8.0, 2 / widest}) < most_cells)) return false;
    part.body = make_body(part.ratio, lowest, highest, widest);
    part.cells = make_grid(part.ratio, part.body, 1);
    if (has_subnormal_losses(part.cells) || !ahead.fit_after(part.cells.size())) return false;
    // Normal tails: P(N(0,1) > c) <= e^{-c^2/2} / 2; under the mixture q of them are centred at mu.
    const double low = part.body.lowest(), high = part.body.highest(), hit = high - part.ratio.mu;
    const double log_beside =
        log_sum(log_sum(-low * low / 2, -high * high / 2), std::log(part.ratio.q) - hit * hit / 2);
    log_lost = log_sum(log_lost, std::log(part.count / 2) + log_beside);
  }
  for (LawPart& part : others_) {
    Work::stop_if_late();
    if (!part.cut(budget, lambda) || has_subnormal_losses(part.cells())) return false;
    if (!ahead.fit_after(part.cells().size())) return false;
    log_lost = log_sum(log_lost, std::log(part.count()) + part.law().log_lost);
  }
  for (const AllocatedPart& part : allocated_) log_lost = log_sum(log_lost, std::log(part.count()) + part.log_lost());
  log_lost_ = round_up(log_lost, 16) + 1e-9;
  return true;
}

double ComposedMoment::highest_tilt() const {
  double highest = infinity;
  for (const AllocatedPart& part : allocated_) highest = std::min(highest, part.highest_tilt());
  return highest;
}

double ComposedMoment::log_edge(double lambda) const {
  double top = -infinity;
  for (const SampledPart& part : parts_) {
    const double rho = part.power(lambda), log_moment = tilted_cumulant(part.cells, rho).value;
    for (const std::size_t i : {std::size_t{0}, part.cells.size() - 1})
      top = std::max(top, part.cells.log_weight[i] + rho * part.cells.log_ratio[i] - log_moment + std::log(part.count));
  }
  return top;
}

double ComposedMoment::nats_beyond_hits(double lambda, double deviations) const {
  const double log_counts = std::log(counts());
  double nats = 0;
  for (const SampledPart& part : parts_) {
    const double reach = std::fabs(part.power(lambda)) * part.ratio.mu + deviations;
    nats = std::max(nats, reach * reach / 2 - log_counts);
  }
  return nats;
}

Cumulant ComposedMoment::cumulant(double lambda) const {
  Work::stop_if_late();
  const double square = normal_square();
  Cumulant sum{square * lambda * (lambda + 1) / 2, square * (lambda + 0.5), square};
  const auto add = [&](double count, double loss_sign, const Cumulant& moment) {
    sum.value += count * moment.value;
    sum.mean += count * loss_sign * moment.mean;
    sum.variance += count * moment.variance;
  };
  for (const SampledPart& part : parts_)
    add(part.count, part.loss_sign(), tilted_cumulant(part.cells, part.power(lambda)));
  for (const LawPart& part : others_) add(part.count(), 1, tilted_cumulant(part.cells(), 1 + lambda));
  for (const AllocatedPart& part : allocated_) add(part.count(), 1, part.cumulant(lambda));
  return sum;
}

}  // namespace pld::contour
