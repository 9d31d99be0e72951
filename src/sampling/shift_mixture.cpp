#include "sampling/shift_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numeric/extended.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/well_above.hpp"
#include "pairs/mixed_shifts_law.hpp"

namespace pld {
namespace {

/// Losses up to which, and the sum of their differences from 1 from which on, a mixture's is log(1 + that sum).
constexpr double small = 1, least_excess = -0.5;

/// log sum_j e^{log_weights[j] + at(j)}. Terms that are no more than e^-60 of the largest, all together less than a
/// rounding of it, are left out: of a large group few weigh.
template <class At>
double log_sum_over(const std::vector<double>& log_weights, const At& at) {
  constexpr double negligible = -60;
  double top = -infinity, sum = 0;
  for (std::size_t j = 0; j < log_weights.size(); ++j) top = std::max(top, log_weights[j] + at(j));
  if (std::isinf(top)) return top;
  for (std::size_t j = 0; j < log_weights.size(); ++j) {
    const double less = log_weights[j] + at(j) - top;
    if (less > negligible) sum += std::exp(less);
  }
  return top + std::log(sum);
}

}  // namespace

// Each chance from the one before in Extended: what that is off by is far below a rounding of the logarithm.
ShiftMixture::ShiftMixture(int group, double q) : q_(q) {
  const Extended k = group, rate = q;
  Extended log_weight = k * log1p(-rate);
  for (int j = 0; j <= group; ++j) {
    log_weights_.push_back(static_cast<double>(log_weight));
    weights_.push_back(std::exp(log_weights_.back()));
    log_weight += log((k - j) / (j + 1)) + log(rate) - log1p(-rate);
  }
}

double ShiftMixture::loss(const std::vector<double>& losses) const {
  if (*std::max_element(losses.begin(), losses.end()) <= small) {  // a sum of what differs from 1 keeps its digits
    double excess = 0;
    for (std::size_t j = 0; j < losses.size(); ++j) excess += weights_[j + 1] * std::expm1(losses[j]);
    if (excess > least_excess) return std::log1p(excess);
  }
  return log_sum_over(log_weights_, [&](std::size_t j) { return j == 0 ? 0 : losses[j - 1]; });
}

LossCell ShiftMixture::cell(const std::vector<LossCell>& cells) const {
  std::vector<double> losses;
  for (const LossCell& moved : cells) {
    if (moved.log_q_mass == -infinity) return {};
    losses.push_back(moved.loss);
  }
  const double log_q = cells.front().log_q_mass;
  return {.loss = loss(losses),
          .log_mass = log_sum_over(log_weights_, [&](std::size_t j) { return j == 0 ? log_q : cells[j - 1].log_mass; }),
          .log_q_mass = log_q};
}

/// Where the loss is log(1 + excess): a pair's own error counts by its share w_j e^loss / (1 + excess). A term is
/// rounded by 6 u, and by |log w_j| u as a weight is the exponential of its logarithm; their sum by u a term; the loss,
/// and what it is taken from where the group is replaced, by 3 u of itself.
std::optional<double> ShiftMixture::error_near_zero(const std::vector<Told>& pairs) const {
  constexpr double margin = 1e-6, doubt = 1e-5;  // beyond what any loss is off by, and what that does to 1 + excess
  const auto terms = static_cast<double>(pairs.size());
  double least = 0, carried = 0, size = 0, rounded = 0;
  for (std::size_t j = 0; j < pairs.size(); ++j) {
    const auto& [losses, error] = pairs[j];
    if (!(losses.highest <= small - margin && error < margin)) return std::nullopt;
    const double weight = weights_[j + 1], low = weight * std::expm1(losses.lowest);
    const double term = std::max(std::fabs(low), weight * std::fabs(std::expm1(losses.highest)));
    least += low;
    carried += weight * std::exp(losses.highest) * error;
    size += term;
    rounded += term * (6 + terms - log_weights_[j + 1]);
  }
  if (!(least > least_excess + margin)) return std::nullopt;
  const double underflow = 2 * terms * std::numeric_limits<double>::denorm_min();
  return (carried + unit_roundoff * (rounded + 3 * size)) / (1 + least) * (1 + doubt) + underflow;
}

// Elsewhere the mixture's loss changes by no more than the largest change of the pairs'.
double ShiftMixture::loss_error(const std::vector<Told>& pairs) const {
  if (const auto near_zero = error_near_zero(pairs)) return *near_zero;
  double error = 0, reach = -log_weights_.front();
  for (const Told& told : pairs) {
    error = std::max(error, told.error);
    if (std::isfinite(told.losses.highest)) reach = std::max(reach, told.losses.highest);
  }
  // Rounds weights' logarithms and losses by some u of each, and a sum of exponentials by u a term.
  const double deepest = -*std::min_element(log_weights_.begin(), log_weights_.end());
  return error + unit_roundoff * (16 + static_cast<double>(log_weights_.size()) + 4 * deepest + 8 * reach);
}

// e^{order loss} is convex in P/Q: at most the mean of the pairs' own, and Q's mass where none is drawn.
double ShiftMixture::log_moment(double log_mass, const std::vector<double>& log_moments) const {
  return well_above(log_sum_over(log_weights_, [&](std::size_t j) { return j == 0 ? log_mass : log_moments[j - 1]; }));
}

AnalyticLaw ShiftMixture::law_of_normal(double s, double log_negligible) const {
  std::vector<NormalComponent> components;
  for (const double log_weight : log_weights_)
    components.push_back({static_cast<double>(components.size()) * s, log_weight});
  return mixed_shifts_law(components, 0, log_negligible);
}

double ShiftMixture::least_renyi(const DominatingPair& farthest, bool replaced, double order) const {
  const double whole = pld::least_renyi(farthest, order);
  return least_renyi_of_share(replaced ? least_renyi_of_gains(whole, order) : whole, log_weights_.back(), order);
}

double ShiftMixture::most_renyi(const std::vector<double>& slopes, bool replaced, double order) const {
  const double log_moment =
      log_sum_over(log_weights_, [&](std::size_t j) { return j == 0 ? 0 : (order - 1) * slopes[j - 1]; });
  const double most = most_renyi_of_mixture(log_moment, (order - 1) * slopes.back(), order);
  return replaced ? round_up(most - log_weights_.front(), 8) : most;
}

RenyiLine ShiftMixture::renyi_line(const DominatingPair& farthest, bool replaced) const {
  return {replaced ? round_up(-log_weights_.front(), 8) : 0, farthest.renyi_slope()};
}

}  // namespace pld
