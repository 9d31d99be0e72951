#include "sampling/shuffled_maximum_pair.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numeric/log_sum.hpp"
#include "numeric/middle_double.hpp"
#include "numeric/normal_tail.hpp"
#include "numeric/well_above.hpp"

namespace pld {
namespace {

/// log Phi(x), relatively right where it is small.
double log_normal_cdf(double x) { return log_normal_tail(-x); }

/// phi(x) / Phi(x), the slope of log Phi.
double cdf_slope(double x) { return std::exp(log_normal_density(x) - log_normal_cdf(x)); }

/// Where a predicate changes between a and b, the right one of two neighbouring doubles.
template <class Predicate>
double change_of(const Predicate& holds, double a, double b) {
  const bool at_a = holds(a);
  while (std::nextafter(a, b) < b) {
    const double middle = middle_double(a, b);
    (holds(middle) == at_a ? a : b) = middle;
  }
  return b;
}

}  // namespace

ShuffledMaximumPair::ShuffledMaximumPair(double p_shift, double q_shift, double batches)
    : p_shift_(p_shift), q_shift_(q_shift), others_(batches - 1) {
  // The largest of the unmoved ones is about sqrt(2 log others), give or take a few of its reciprocals.
  const double top = std::sqrt(2 * std::log(others_)), scale = 1 / (1 + top);
  Line line;
  line.centre = std::max(top, q_shift_);
  line.step = scale;
  // Extremes of Q's density, which lie where either kind of output does: a pair of them that no step of the search
  // falls between is too shallow to matter.
  const auto rises = [this](double x) { return log_q_density_slope(x) > 0; };
  constexpr double reach = 9;
  double x = std::min(top, q_shift_) - reach;
  while (x < std::max(top, q_shift_) + reach) {
    const bool between = top + reach < x && x < q_shift_ - reach;
    const double next = between ? q_shift_ - reach : x + scale / 16;
    if (rises(x) != rises(next)) line.turns.push_back(change_of(rises, x, next));
    x = next;
  }
  line.outline = [last = p_shift_ + top] { return evenly_outlined(last); };
  place(std::move(line), {-infinity, infinity});
}

/// log of the density over that of the largest of the unmoved ones' last but one power: log(A_s + B_s).
double ShuffledMaximumPair::log_moved_factor(double x, double shift) const {
  return log_sum(shift * (x - shift / 2) + log_normal_cdf(x), std::log(others_) + log_normal_cdf(x - shift));
}

double ShuffledMaximumPair::loss_at(double x) const {
  return log_moved_factor(x, p_shift_) - log_moved_factor(x, q_shift_);
}

// Either factor's terms are off by 8 u of their size and a rounding of x by u |x| times the slope of the log. That
// slope is at most the shift and the two slopes of log Phi.
double ShuffledMaximumPair::loss_error_at(double x) const {
  const double size = std::fabs(x) + p_shift_;
  return unit_roundoff *
         (32 + 24 * (std::log1p(others_) + p_shift_ * size) + (x < p_shift_ ? 24 * size * (1 + size) : 0));
}

double ShuffledMaximumPair::log_q_density(double x) const {
  return log_normal_density(x) + (others_ - 1) * log_normal_cdf(x) + log_moved_factor(x, q_shift_);
}

double ShuffledMaximumPair::log_q_density_slope(double x) const {
  const double factor = log_moved_factor(x, q_shift_), moved = q_shift_ * (x - q_shift_ / 2);
  return std::exp(moved + log_normal_cdf(x) - factor) * (q_shift_ + cdf_slope(x)) +
         others_ * std::exp(log_normal_density(x - q_shift_) - factor) - x + (others_ - 1) * cdf_slope(x);
}

/// log of a distribution function.
double ShuffledMaximumPair::log_at_most(double x, double shift) const {
  return x == infinity ? 0 : log_normal_cdf(x - shift) + others_ * log_normal_cdf(x);
}

/// log of 1 less a distribution function. Where the sum of all outputs' tails is below u, it is that.
double ShuffledMaximumPair::log_more_than(double x, double shift) const {
  const double any = log_sum(log_normal_tail(x - shift), std::log(others_) + log_normal_tail(x));
  constexpr double next_to_nothing = -40;
  return any < next_to_nothing ? any : log_one_minus_exp(log_at_most(x, shift));
}

/// By the difference of two distribution functions or of two tails, where it is at least half of the larger one.
std::optional<double> ShuffledMaximumPair::log_interval(double a, double b, double shift) const {
  if (!(a < b)) return -infinity;
  if (a == -infinity) return log_at_most(b, shift);
  const double below_a = log_at_most(a, shift), below_b = log_at_most(b, shift);
  const double above_a = log_more_than(a, shift), above_b = log_more_than(b, shift);
  constexpr double half = -0.7;
  if (above_b - above_a < half) return log_difference(above_a, above_b);
  if (below_a - below_b < half) return log_difference(below_b, below_a);
  return std::nullopt;
}

std::optional<double> ShuffledMaximumPair::log_p_interval(double a, double b) const {
  return log_interval(a, b, p_shift_);
}
std::optional<double> ShuffledMaximumPair::log_q_interval(double a, double b) const {
  return log_interval(a, b, q_shift_);
}

// Without looking at less than all outputs, and told which one is moved, E_Q (P/Q)^order is that of the two normal
// laws. In a tail on the right P/Q is at most A_p / A_q = e^{(p-q) x - (p^2-q^2)/2}, and Q's density at most that of
// the moved one and of each of the others together.
double ShuffledMaximumPair::log_tail_moment(double order, double from) const {
  const double apart = p_shift_ - q_shift_, all = order * (order - 1) * apart * apart / 2;
  const double at = outcome_at(from), slack = 1e-9 * (1 + std::fabs(at));
  if (std::isinf(at) && (order > 1) == (at > 0)) return -infinity;
  double least = all;
  if (order > 1 && std::isfinite(at)) {
    const double start = at - slack, move = order * apart;
    const auto tail = [&](double mean) {
      return move * (mean - (p_shift_ + q_shift_) / 2 + move / 2) + log_normal_tail(start - mean - move);
    };
    least = std::min(least, log_sum(tail(q_shift_), std::log(others_) + tail(0)));
  }
  return well_above(least, std::fabs(least) + order * order * (1 + p_shift_ * p_shift_));
}

double ShuffledMaximumPair::renyi_slope() const {
  const double apart = p_shift_ - q_shift_;
  return round_up(apart * apart / 2, 8);
}

}  // namespace pld
