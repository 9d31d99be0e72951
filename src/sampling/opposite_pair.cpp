#include "sampling/opposite_pair.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pairs/location_family.hpp"
#include "pairs/mirrored_pair.hpp"
#include "pairs/normal_noise.hpp"
#include "pairs/ordered_shifts.hpp"
#include "pairs/pair_sum.hpp"
#include "sampling/quotient_density.hpp"
#include "sampling/shift_mixture.hpp"

namespace pld {
namespace {

/// That of bounded noise, whose loss jumps where X - s ends, where X + s begins, and is infinite where one is alone.
class BoundedOppositePair final : public PairSum {
 public:
  BoundedOppositePair(const LocationFamily& family, double q)
      : PairSum(parts_of(family, q)),
        log_alone_(std::log(q) + AdditiveNoisePair(family.noise, family.shift).log_mass_at_plus_infinity()) {}

  [[nodiscard]] double log_mass_at_plus_infinity() const override { return log_alone_; }
  [[nodiscard]] double log_q_mass_at_minus_infinity() const override { return log_alone_; }
  [[nodiscard]] bool symmetric() const override { return true; }

 private:
  static std::vector<Part> parts_of(const LocationFamily& family, double q) {
    const auto right = std::make_shared<OppositePair>(family, q, OppositePair::Outcomes::to_right);
    return {{0, std::make_shared<MirroredPair>(right)},
            {0, std::make_shared<OppositePair>(family, q, OppositePair::Outcomes::common)},
            {0, right}};
  }

  double log_alone_;
};

/// A bound of D_order / order of (X + 2 s, X).
double slope_of_twice(const LocationFamily& family) {
  const auto& [noise, s] = family;
  return noise->largest() < infinity ? infinity : AdditiveNoisePair(noise, 2 * s).renyi_slope();
}

}  // namespace

OppositePair::OppositePair(const LocationFamily& family, double q, Outcomes outcomes)
    : moved_(std::make_shared<AdditiveNoisePair>(family.noise, family.shift)),
      sample_(moved_, q, slope_of_twice(family)),
      outcomes_(outcomes),
      bounded_(family.noise->largest() < infinity) {
  const auto& [noise, s] = family;
  const double largest = noise->largest(), common = largest - s, flat = s + noise->exponential_from();
  Line line;
  line.step = 0.25 * std::exp(-noise->log_density(0));
  line.outline = [noise = noise, s = s, step = line.step] { return outline_about(*noise, step, {-s, 0, s}); };
  if (outcomes == Outcomes::common) {
    line.from = -common, line.to = common;
    line.rising_to = std::min(common, flat);
    line.rising_from = -line.rising_to;
  } else {
    line.from = common, line.to = largest;
    line.rising_to = std::clamp(flat, common, largest);
    line.rising_from = common;
    line.centre = common;
  }
  LossRange range{sampled_loss(line.rising_from) - mirrored_loss(line.rising_from),
                  sampled_loss(line.rising_to) - mirrored_loss(line.rising_to)};
  place(std::move(line), range);
}

/// Where the noise is known by a density over its outcomes, so that their mirror images are.
bool OppositePair::analytic() const { return !bounded_ && moved_->has_outcomes(); }

std::optional<AnalyticLaw> OppositePair::analytic_law(double log_negligible) const {
  const auto [noise, s] = *moved_->location_family();
  const SampledPair& sample = sample_.against_still();
  if (is_normal(*noise)) return opposite_law(ShiftMixture(1, sample.q()).law_of_normal(s, log_negligible), 0);
  return opposite_law(*sample.analytic_law(log_negligible), s / 2);
}

double OppositePair::mirrored_loss(double x) const {
  return outcomes_ == Outcomes::common ? sampled_loss(-x) : sample_.sampled_loss(-infinity);
}

LossCell OppositePair::between(double a, double b) const {
  a = std::max(a, line().from), b = std::min(b, line().to);
  const LossCell moved = moved_->between(a, b);
  if (outcomes_ == Outcomes::common) return sample_.cell(moved, moved_->between(-b, -a));
  return sample_.cell(moved, {.loss = -infinity, .log_mass = -infinity, .log_q_mass = moved.log_q_mass});
}

double OppositePair::loss_error(LossRange within) const {
  if (bounded_) {
    const LossRange all = moved_->range();
    return sample_.loss_error(within, {all, all}, {all, all});
  }
  const double low = unsaturated_outcome_at(within.lowest), high = unsaturated_outcome_at(within.highest);
  const auto moved = [this](double a, double b) {
    return sample_.moved({moved_->loss_of(a), moved_->loss_of(b)}, moved_->between(-infinity, a),
                         moved_->between(b, infinity));
  };
  return sample_.loss_error(within, moved(low, high), moved(-high, -low));
}

double OppositePair::edge_error(double z) const {
  if (bounded_) return loss_error({z, z});
  const double x = unsaturated_outcome_at(z);
  return sample_.edge_error(moved_->loss_of(x), moved_->loss_of(-x));
}

double OppositePair::log_tail_moment(double order, double from) const {
  if (bounded_) return DominatingPair::log_tail_moment(order, from);
  if (order < 0) return log_tail_moment(1 - order, -from);
  const double x = outcome_at(from);
  if (x == infinity) return -infinity;
  return sample_.log_tail_moment(order, sampled_loss(x - 1e-9 * (1 + std::fabs(x))));
}

std::optional<OrderedLaw> OppositePair::ordered() const {
  const LocationFamily family = *moved_->location_family();
  return ordered_by_shift(*family.noise, " moved either way on a sample", {family.shift, sample_.against_still().q()},
                          [noise = family.noise](const std::vector<double>& sizes) {
                            return opposite_pair({noise, sizes[0]}, sizes[1]);
                          });
}

PairPtr opposite_pair(const LocationFamily& family, double q) {
  const double largest = family.noise->largest(), common = largest - family.shift;
  if (largest == infinity) return std::make_shared<OppositePair>(family, q, OppositePair::Outcomes::common);
  const double back = common - largest, rounding = (largest - (common - back)) - (family.shift + back);  // Knuth
  if (!(common > 0 && rounding == 0)) return nullptr;
  return std::make_shared<BoundedOppositePair>(family, q);
}

}  // namespace pld
