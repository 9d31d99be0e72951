#include "pair_divergence.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "alpha_generator.hpp"
#include "pld/core/rounding.hpp"
#include "pld/numeric/log_sum.hpp"
#include "pld/numeric/normal_tail.hpp"

namespace pld {
namespace {

/// Lower and upper bound of log sum, in logarithms.
struct LogBounds {
  double lower = -infinity, upper = -infinity;

  void add(double log_lower, double log_upper) {
    lower_.add(log_lower);
    upper_.add(log_upper);
  }
  void close(double log_error) {
    lower = lower_.value() - log_error;
    upper = upper_.value() + log_error;
  }

 private:
  /// Relative to the largest term so far, each addition off by 3 u: with terms of one sign 3 u a term in all.
  struct Running {
    double peak = -infinity, sum = 0;
    void add(double x) {
      if (x == -infinity || peak == infinity) return;
      if (x <= peak) {
        sum += std::exp(x - peak);
      } else {
        sum = (peak == -infinity ? 0 : sum * std::exp(peak - x)) + 1;
        peak = x;
      }
    }
    [[nodiscard]] double value() const { return peak == -infinity ? -infinity : peak + std::log(sum); }
  } lower_, upper_;
};

/// Beyond, cells would have to be too fine: the tilted loss varies too fast.
constexpr double farthest_tilt = 60;

/// The Q mean of the alpha divergence's generator over the finite losses of a pair.
class AlphaMean {
 public:
  AlphaMean(const DominatingPair& pair, double order) : pair_(pair), order_(order), range_(pair.range()) {
    for (const LossCell& cell : pair.outline())
      if (cell.log_mass > -infinity || cell.log_q_mass > -infinity) losses_.push_back(cell.loss);
    reach_the_tilted_law();
    std::sort(losses_.begin(), losses_.end());
    losses_.erase(std::unique(losses_.begin(), losses_.end()), losses_.end());
    doubt_ = losses_.empty() ? 0 : pair.loss_error({std::max(range_.lowest, losses_.front()), std::min(range_.highest, losses_.back())});
  }

  /// Each interval of the outline cut into `parts`.
  [[nodiscard]] LogBounds at(int parts) const {
    LogBounds sum;
    double largest_exponent = 0;
    std::size_t terms = 16;
    const LossRange window = atom_window();
    for (const LossCell& atom : pair_.atoms(window)) {
      sum.add(atom.log_q_mass + nearer(atom.loss), atom.log_q_mass + farther(atom.loss));
      largest_exponent = std::max(largest_exponent, size(atom));
      ++terms;
    }
    if (!pair_.has_density()) add_tails(window, sum);
    if (pair_.has_density() && !losses_.empty()) {
      const std::vector<double> edges = edges_with(parts);
      std::vector<LossCell> cells;
      pair_.cells(edges, cells);
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i].log_mass == -infinity && cells[i].log_q_mass == -infinity) continue;
        sum.add(cells[i].log_q_mass + nearer(cells[i].loss), upper_of(cells[i], edges[i], edges[i + 1]));
        largest_exponent = std::max(largest_exponent, size(cells[i]));
      }
      terms += cells.size();
    }
    // Of each term: the masses' 16 u (1 + |log mass|), the generator's own error, two exponentials; of the sum 3 u a term.
    sum.close(unit_roundoff * (3 * static_cast<double>(terms) + 40 * (1 + largest_exponent)) +
              1e-14 * (2 + largest_exponent + 1 / order_));
    return sum;
  }

 private:
  /// Outlines end 39 deviations out; r^order moves a sampled Gaussian's law to x about order mu.
  void reach_the_tilted_law() {
    const auto law = pair_.sampled_gaussian();
    if (!law || law->direction != Direction::remove) return;
    for (double x = 38; x < order_ * law->mu + 15; x += 0.1)
      losses_.push_back(std::log(law->q) + log_sum(law->mu * (x - law->mu / 2), std::log1p(-law->q) - std::log(law->q)));
  }

  /// The generator at the loss moved by its doubt toward 0, or away from it.
  [[nodiscard]] double nearer(double loss) const {
    const double distance = std::fabs(loss) - doubt_;
    return distance > 0 ? log_alpha_generator(order_, std::copysign(distance, loss)) : -infinity;
  }
  [[nodiscard]] double farther(double loss) const {
    return log_alpha_generator(order_, std::copysign(std::fabs(loss) + doubt_, loss));
  }

  /// Exponents that enter a term, for its rounding; terms far below the sum do not matter.
  [[nodiscard]] double size(const LossCell& cell) const {
    const double term = cell.log_q_mass + (cell.loss > 0 ? order_ : 0) * std::fabs(cell.loss);
    return term > -40 ? std::fabs(cell.log_q_mass) + std::fabs(cell.log_mass) + (1 + order_) * std::fabs(cell.loss) : 0;
  }

  /// The outline's, of atoms without end.
  [[nodiscard]] LossRange atom_window() const {
    if (losses_.empty()) return range_;
    return {range_.lowest > -infinity ? range_.lowest : losses_.front(), range_.highest < infinity ? range_.highest : losses_.back()};
  }

  void add_tails(LossRange window, LogBounds& sum) const {
    if (window.lowest > range_.lowest) {
      const LossCell tail = pair_.below(std::nextafter(window.lowest, -infinity));
      if (tail.log_mass > -infinity) sum.add(tail.log_q_mass + nearer(tail.loss), upper_of(tail, -infinity, window.lowest));
    }
    if (window.highest < range_.highest) {
      const LossCell tail = pair_.above(window.highest);
      sum.add(tail.log_mass > -infinity ? tail.log_q_mass + nearer(tail.loss) : -infinity, infinity);
    }
  }

  [[nodiscard]] std::vector<double> edges_with(int parts) const {
    std::vector<double> edges{range_.lowest};
    const auto add = [&](double from, double to) {
      for (int j = 1; j <= parts; ++j) {
        const double edge = from + (to - from) * j / parts;
        if (edge > edges.back() && edge < range_.highest) edges.push_back(edge);
      }
    };
    if (range_.lowest > -infinity) add(range_.lowest, losses_.front());
    if (losses_.front() > edges.back()) edges.push_back(losses_.front());
    for (std::size_t i = 1; i < losses_.size(); ++i) add(losses_[i - 1], losses_[i]);
    if (range_.highest < infinity) add(losses_.back(), range_.highest);
    edges.push_back(range_.highest);
    return edges;
  }

  /// log of q times the chord of the generator over [a, b] at the cell's likelihood ratio.
  [[nodiscard]] double upper_of(const LossCell& cell, double a, double b) const {
    if (b == infinity) return upper_of_tail(a);
    const double loss = cell.loss;
    const auto chord = [&](double z) {
      // Shares in r = e^z: w = (r - e^a) / (e^b - e^a), all over e^b.
      const double low = a == -infinity ? 0 : std::exp(a - b);
      const double share = std::clamp((std::exp(z - b) - low) / (1 - low), 0.0, 1.0);
      const double exact = a == -infinity ? share : std::clamp(std::expm1(z - a) / std::expm1(b - a), 0.0, 1.0);
      const double w = b - a < 1 ? exact : share;
      const double at_a = a == -infinity ? -std::log(order_) : farther(a), at_b = farther(b);
      return log_sum(w < 1 ? std::log1p(-w) + at_a : -infinity, w > 0 ? std::log(w) + at_b : -infinity);
    };
    return cell.log_q_mass + std::max(chord(loss - 2 * doubt_), chord(loss + 2 * doubt_)) + 8 * unit_roundoff;
  }

  /// For the losses beyond a. psi_alpha rises with alpha for z > 0 and is at most r^alpha / (alpha (alpha - 1)), alpha > 1. Of a sampled
  /// Gaussian, remove: r = 1 - q + q e^y, y = mu x - mu^2 / 2, hence r <= q e^y / (1 - e^-a) where r >= e^a, and
  /// E[e^{alpha y}; x > c] = e^{alpha (alpha - 1) mu^2 / 2} P(N > c - alpha mu).
  [[nodiscard]] double upper_of_tail(double a) const {
    const auto law = pair_.sampled_gaussian();
    if (!law || law->direction != Direction::remove || !(a > 0)) return infinity;
    const double alpha = std::max(order_, 2.0), mu = law->mu;
    // r = 1 - q + q e^y >= e^a
    const double y = std::log(std::expm1(a - doubt_) / law->q + 1), c = (y + mu * mu / 2) / mu;
    const double exponent = alpha * (alpha - 1) * mu * mu / 2, tail = log_normal_tail(c - alpha * mu);
    const double factor = alpha * (std::log(law->q) - log_one_minus_exp(-(a - doubt_)));
    return exponent + tail + factor - std::log(alpha * (alpha - 1)) + 1e-12 * (1 + exponent + std::fabs(tail) + std::fabs(factor));
  }

  const DominatingPair& pair_;
  double order_;
  LossRange range_;
  std::vector<double> losses_;
  double doubt_ = 0;
};

/// D from the log of the generator's mean m: log1p(alpha (alpha - 1) m + missing) / (alpha - 1), or m itself at alpha = 1.
/// `missing` is what infinite losses take from sum q r^alpha = 1 + alpha (alpha - 1) m: alpha p_inf - ... of the linear part.
double divergence_of(double log_mean, double order, double linear) {
  if (order == 1) return std::exp(log_mean) + linear;
  const double t = order - 1;
  if (log_mean > 600) return (log_mean + std::log(order * t)) / t;
  const double excess = order * t * std::exp(log_mean) + linear;
  return excess <= -1 ? infinity : std::log1p(excess) / t;
}

/// Of a sampled Gaussian at order > 1: no more than without sampling (E_Q r^alpha is convex in the mixture), and at least what
/// q e^y alone gives.
Bracket plain_bounds(const DominatingPair& pair, double order) {
  const auto law = pair.sampled_gaussian();
  if (!law || !(order > 1)) return {0, 0, infinity};
  const double whole = order * law->mu * law->mu / 2;
  const double least = law->direction == Direction::remove ? whole + order / (order - 1) * std::log(law->q) : 0;
  return {std::max(0.0, round_down(least, 16 + 4 * whole / std::max(least, 1e-300))), least, round_up(whole, 16)};
}

}  // namespace

Bracket renyi_of_pair(const DominatingPair& pair, double order, double tolerance) {
  if (const auto law = pair.sampled_gaussian(); law && law->q == 1) {
    const double value = order * law->mu * law->mu / 2;
    return {round_down(value, 8), value, round_up(value, 8)};
  }
  const double p_infinite = std::exp(pair.log_mass_at_plus_infinity()), q_infinite = std::exp(pair.log_q_mass_at_minus_infinity());
  if (order >= 1 && p_infinite > 0) return {infinity, infinity, infinity};
  // sum over finite losses of q (psi's linear part): 1 - q_inf + alpha ((1 - p_inf) - (1 - q_inf)), less 1; at order 1
  // sum q (r log r - r + 1) = D + (1 - q_inf) - 1.
  const double linear = order == 1 ? q_infinite : -q_infinite - order * (p_infinite - q_infinite);
  const double linear_error = 64 * unit_roundoff * (1 + order) * (p_infinite + q_infinite) *
                              (1 + std::fabs(p_infinite > 0 ? std::log(p_infinite) : 0) + std::fabs(q_infinite > 0 ? std::log(q_infinite) : 0));
  Bracket best = plain_bounds(pair, order);
  if (const auto law = pair.sampled_gaussian(); law && law->direction == Direction::remove && order * law->mu > farthest_tilt)
    return best;
  const AlphaMean mean(pair, order);
  constexpr double finest = 256;
  for (double parts = 4; parts <= finest;) {
    const LogBounds bounds = mean.at(static_cast<int>(parts));
    // D rises with the mean for order > 1 and for order < 1 alike: log1p and 1 / (order - 1) change sign together.
    const double low = divergence_of(bounds.lower, order, linear - linear_error * (order < 1 ? -1 : 1));
    const double high = divergence_of(bounds.upper, order, linear + linear_error * (order < 1 ? -1 : 1));
    best.lower = std::max(best.lower, round_down(low, 16));
    best.upper = std::min(best.upper, round_up(high, 16));
    // A cell's chord is off by twice what its barycentre is.
    best.estimate = best.upper < infinity ? best.lower + (best.upper - best.lower) / 3 : best.lower;
    const double excess = (best.upper - best.lower) / (tolerance * best.estimate);
    if (!(excess > 1) || !pair.has_density() || parts == finest) break;
    // The width falls with the square of the cells'.
    parts = std::min(finest, std::ceil(parts * std::clamp(1.1 * std::sqrt(excess), 1.5, 16.0)));
  }
  return best;
}

}  // namespace pld
