#include "sampling/group_pair.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numeric/well_above.hpp"
#include "pairs/location_family.hpp"
#include "pairs/normal_noise.hpp"
#include "pairs/ordered_shifts.hpp"
#include "sampling/quotient_density.hpp"

namespace pld {
namespace {

/// Noise moved by s, 2 s, ..., k s.
std::vector<std::shared_ptr<const AdditiveNoisePair>> pairs_moved(const LocationFamily& family, int group) {
  std::vector<std::shared_ptr<const AdditiveNoisePair>> moved;
  for (int j = 1; j <= group; ++j) moved.push_back(std::make_shared<AdditiveNoisePair>(family.noise, j * family.shift));
  return moved;
}

}  // namespace

GroupPair::GroupPair(const LocationFamily& family, int group, double q, bool replaced)
    : GroupLaw(pairs_moved(family, group), q, replaced,
               AdditiveNoisePair(family.noise, (replaced ? 2 : 1) * group * family.shift).renyi_slope()) {
  const auto& [noise, s] = family;
  std::vector<double> lowest, highest, centres{0};
  constexpr int most_centres = 8;  // an outline is for a first guess
  for (int j = 1; j <= group; ++j) {
    const LossRange range = moved_[static_cast<std::size_t>(j - 1)]->range();
    lowest.push_back(range.lowest), highest.push_back(range.highest);
    if (j > most_centres && j < group) continue;
    centres.push_back(j * s);
    if (replaced_) centres.push_back(-j * s);
  }
  Line line;
  line.rising_to = group * s + noise->exponential_from();
  line.rising_from = replaced_ ? -line.rising_to : -noise->exponential_from();
  line.step = 0.25 * std::exp(-noise->log_density(0));
  line.outline = [noise = noise, step = line.step, centres] { return outline_about(*noise, step, centres); };
  const double low = mixture_.loss(lowest), high = mixture_.loss(highest);
  place(std::move(line), replaced_ ? LossRange{low - high, high - low} : LossRange{low, high});
}

bool GroupPair::analytic() const { return is_normal(*moved_.front()->location_family()->noise); }

std::optional<AnalyticLaw> GroupPair::analytic_law(double log_negligible) const {
  const AnalyticLaw law = mixture_.law_of_normal(moved_.front()->location_family()->shift, log_negligible);
  return replaced_ ? opposite_law(law, 0) : law;
}

std::optional<OrderedLaw> GroupPair::ordered() const {
  const LocationFamily family = *moved_.front()->location_family();
  const int group = static_cast<int>(moved_.size());
  const std::string what = (replaced_ ? " replaced in groups of " : " in groups of ") + std::to_string(group);
  return ordered_by_shift(
      *family.noise, what, {family.shift, mixture_.q()},
      [noise = family.noise, group, replaced = replaced_](const std::vector<double>& sizes) {
        return std::make_shared<GroupPair>(LocationFamily{noise, sizes[0]}, group, sizes[1], replaced);
      });
}

/// A cell of each that weighs, and of all others a loss at both ends.
double GroupPair::cell_cost() const {
  constexpr double most_weigh = 16, a_cell = 8;
  const double all = static_cast<double>(moved_.size()), two_losses = analytic() ? 2 : 4;
  return (std::min(all, most_weigh) * a_cell + all * two_losses) * moved_.front()->loss_cost() * (replaced_ ? 2 : 1);
}

double GroupPair::mixed_loss(double x) const {
  std::vector<double> losses;
  for (const auto& moved : moved_) losses.push_back(moved->loss_of(x));
  return mixture_.loss(losses);
}

/// Takes terms that have less than e^-60 of another's mass in every outcome between a and b to have that of an end,
/// which costs a loss and no cell: of a large group few weigh.
LossCell GroupPair::mixed(double a, double b) const {
  constexpr std::size_t few = 8;
  constexpr double negligible = -60;
  std::vector<LossCell> cells;
  if (moved_.size() <= few) {
    for (const auto& moved : moved_) cells.push_back(moved->between(a, b));
    return mixture_.cell(cells);
  }
  double heaviest = mixture_.log_weight(0);
  std::vector<double> most;
  for (std::size_t j = 0; j < moved_.size(); ++j) {
    heaviest = std::max(heaviest, mixture_.log_weight(j + 1) + moved_[j]->loss_of(a));
    most.push_back(moved_[j]->loss_of(b));
  }
  const double log_q = moved_.front()->between(a, b).log_q_mass;
  for (std::size_t j = 0; j < moved_.size(); ++j)
    cells.push_back(mixture_.log_weight(j + 1) + most[j] < heaviest + negligible && log_q > -infinity
                        ? LossCell{.loss = most[j], .log_mass = log_q + most[j], .log_q_mass = log_q}
                        : moved_[j]->between(a, b));
  return mixture_.cell(cells);
}

double GroupPair::loss_at(double x) const { return replaced_ ? mixed_loss(x) - mixed_loss(-x) : mixed_loss(x); }

LossCell GroupPair::between(double a, double b) const {
  const LossCell p = mixed(a, b);
  if (!replaced_) return p;
  const LossCell q = mixed(-b, -a);
  if (p.log_mass == -infinity || q.log_mass == -infinity) return {};
  return {.loss = p.loss - q.loss, .log_mass = p.log_mass, .log_q_mass = q.log_mass};
}

/// `of(moved)` tells what one of the pairs has at the outcomes.
template <class Of>
double GroupPair::mixed_error(const Of& of) const {
  std::vector<ShiftMixture::Told> pairs;
  for (const auto& moved : moved_) pairs.push_back(of(*moved));
  return mixture_.loss_error(pairs);
}

// Losses of tails lie between those of the outcomes and 0.
double GroupPair::loss_error(LossRange within) const {
  const double low = unsaturated_outcome_at(within.lowest), high = unsaturated_outcome_at(within.highest);
  const auto between = [this](double from, double to) {
    return mixed_error([from, to](const AdditiveNoisePair& moved) {
      const LossRange losses{std::min(0.0, moved.loss_of(from)), std::max(0.0, moved.loss_of(to))};
      return ShiftMixture::Told{losses, moved.loss_error(losses)};
    });
  };
  return between(low, high) + (replaced_ ? between(-high, -low) : 0);
}

double GroupPair::edge_error(double z) const {
  const double edge = unsaturated_outcome_at(z);
  const auto at = [this](double x) {
    return mixed_error([x](const AdditiveNoisePair& moved) {
      const double loss = moved.loss_of(x);
      return ShiftMixture::Told{{loss, loss}, moved.edge_error(loss)};
    });
  };
  return at(edge) + (replaced_ ? at(-edge) : 0);
}

// Where the group is replaced Q is at least w_0 X.
double GroupPair::log_tail_moment(double order, double from) const {
  if (std::isfinite(range().highest) || (order < 0 && !replaced_)) return DominatingPair::log_tail_moment(order, from);
  if (order < 0) return log_tail_moment(1 - order, -from);
  const double at = outcome_at(from), x = at - 1e-9 * (1 + std::fabs(at));
  if (x == infinity) return -infinity;
  std::vector<double> log_moments;
  for (const auto& moved : moved_) log_moments.push_back(moved->log_tail_moment(order, moved->loss_of(x)));
  const double moment = mixture_.log_moment(moved_.front()->between(x, infinity).log_q_mass, log_moments);
  if (!replaced_ || std::isinf(moment)) return moment;
  const double more = (order - 1) * -mixture_.log_weight_of_none();
  return well_above(moment + more, std::fabs(moment) + more);
}

}  // namespace pld
