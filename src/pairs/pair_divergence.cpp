#include "pairs/pair_divergence.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "core/intersection.hpp"
#include "numeric/log_bound.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/alpha_generator.hpp"
#include "pairs/least_renyi.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/rounding.hpp"

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
      constexpr double negligible = -700;  // a term far below the rounding of the sum
      if (x == -infinity || peak == infinity || x < peak + negligible) return;
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

/// Further steps than this beyond an outline are not taken: the tilted law is too far out for its cells. Fewer of a
/// density where its order alone bounds the divergence well.
constexpr int most_steps_beyond = 2000, fewer_steps_beyond = 400;

/// What a tail may weigh of the whole, in nats: enough to be of use, and so little that it does not count.
constexpr double useful_tail = 10, negligible_tail = 40;

}  // namespace

/// The finite losses of a pair, cut as finely and as far out as its orders asked for so far.
class PairCells {
 public:
  explicit PairCells(const DominatingPair& pair) : outline_(pair.outline()), grid_(pair, outline_) {}

  /// Each interval of the outline cut into `parts`.
  [[nodiscard]] const std::vector<LossGrid::Cell>& cut_into(int parts) {
    const auto [place, is_new] = cut_.try_emplace(parts);
    if (is_new) place->second = grid_.cells(parts);
    return place->second;
  }
  /// What is known of the masses without cutting: the outline, and all beyond each step of extend().
  [[nodiscard]] const std::vector<LossCell>& outline() const { return outline_; }
  [[nodiscard]] const LossGrid& grid() const { return grid_; }
  [[nodiscard]] int steps_beyond() const { return steps_; }

  /// Some steps further out, more than one order needs: the next one finds its cells cut.
  void extend(const DominatingPair& pair) {
    constexpr int at_once = 100;
    if (steps_ == 0) step_ = grid_.losses().back() - grid_.losses()[grid_.losses().size() - 2];
    for (int i = 0; i < at_once; ++i, ++steps_) {
      const double last = grid_.losses().back() + step_;
      step_ *= steps_ < 1000 ? 1.002 : 1.02;
      grid_.extend(last);
      outline_.push_back(pair.above(last));
      outline_.back().loss = last;
    }
    cut_.clear();
  }

 private:
  std::vector<LossCell> outline_;
  LossGrid grid_;
  std::map<int, std::vector<LossGrid::Cell>> cut_;
  int steps_ = 0;
  double step_ = 0;
};

namespace {

/// The Q mean of the alpha divergence's generator over the finite losses of a pair.
class AlphaMean {
 public:
  AlphaMean(const DominatingPair& pair, PairCells& cells, double order)
      : pair_(pair), order_(order), cells_(cells), doubt_(cells.grid().doubt()) {
    reach_the_tilted_law();
  }

  /// Whether cells and atoms carry nearly all of the mean.
  [[nodiscard]] bool reached() const { return reached_; }

  /// Each interval of the outline cut into `parts`, all but e^-`nats` of the mean counted.
  [[nodiscard]] LogBounds at(int parts, double nats) const {
    LogBounds sum;
    double largest_exponent = 0;
    const std::vector<LossGrid::Cell>& cells = cells_.cut_into(parts);
    const double negligible = heaviest_of(cells) - nats;
    const double least_counted = negligible - std::log(1 + static_cast<double>(cells.size()));
    sum.add(-infinity, negligible);  // the cells passed over, together
    Edge last{-infinity, farther(-infinity)};
    const auto edge = [&](double loss) {
      if (loss != last.loss) last = {loss, farther(loss)};
      return last;
    };
    for (const LossGrid::Cell& one : cells) {
      if (plain_upper_of(one) < least_counted) continue;
      const auto& [cell, low, high] = one;
      const double most =
          high == infinity ? upper_of_tail(low) : cell.log_q_mass + upper_mean(edge(low), edge(high), cell.loss);
      sum.add(cell.log_q_mass + nearer(cell.loss), most);
      largest_exponent = std::max(largest_exponent, size(cell));
    }
    // Of each term: the masses' 16 u (1 + |log mass|), the generator's own error, two exponentials; of the sum 3 u a
    // term.
    sum.close(unit_roundoff * (3 * static_cast<double>(cells.size() + 16) + 40 * (1 + largest_exponent)) +
              1e-14 * (2 + largest_exponent + 1 / order_));
    return sum;
  }

 private:
  /// Outlines end where the law has e^-760; r^order may move it further out.
  void reach_the_tilted_law() {
    if (pair_.range().highest < infinity || cells_.grid().losses().size() < 2) return;
    const auto heaviest = [&] {
      double most = -infinity;
      for (const LossCell& cell : cells_.outline()) most = std::max(most, cell.log_q_mass + nearer(cell.loss));
      return most;
    };
    const auto weight_of_tail = [&] { return upper_of_tail(cells_.grid().losses().back()) - heaviest(); };
    const int most = pair_.has_density() && pair_.renyi_slope() < infinity ? fewer_steps_beyond : most_steps_beyond;
    double tail = weight_of_tail();
    while (tail > -negligible_tail && cells_.steps_beyond() < most) {
      cells_.extend(pair_);
      doubt_ = cells_.grid().doubt();
      tail = weight_of_tail();
    }
    reached_ = tail <= -useful_tail;
  }

  /// A cell's end and the generator there, at most.
  struct Edge {
    double loss = 0, log_generator = 0;
  };

  /// The generator at the loss moved by its doubt toward 0, or away from it.
  [[nodiscard]] double nearer(double loss) const {
    const double distance = std::fabs(loss) - doubt_;
    return distance > 0 ? log_alpha_generator(order_, std::copysign(distance, loss)) : -infinity;
  }
  [[nodiscard]] double farther(double loss) const {
    return log_alpha_generator(order_, std::copysign(std::fabs(loss) + doubt_, loss));
  }

  /// The generator is at most (r - 1)^2 / 2 times the largest r^(alpha - 2) on the way to r = 1, and log z <= z - 1. It
  /// costs no function of the mathematics library.
  [[nodiscard]] double plain_upper(double loss) const {
    const double size = std::fabs(loss) + doubt_;
    return size * (2 + (loss > 0 ? std::max(order_, 2.0) : std::max(2 - order_, 0.0)));
  }
  [[nodiscard]] double plain_upper_of(const LossGrid::Cell& one) const {
    const auto& [cell, low, high] = one;
    return cell.log_q_mass + std::max(plain_upper(low), plain_upper(high));
  }
  /// What about the heaviest of the cells weighs, from below.
  [[nodiscard]] double heaviest_of(const std::vector<LossGrid::Cell>& cells) const {
    const LossGrid::Cell* heaviest = nullptr;
    double most = -infinity;
    for (const LossGrid::Cell& one : cells) {
      const double weight = one.of.log_q_mass + plain_upper(one.of.loss);
      if (weight > most) most = weight, heaviest = &one;
    }
    return heaviest == nullptr ? -infinity : heaviest->of.log_q_mass + nearer(heaviest->of.loss);
  }

  /// Exponents that enter a term, for its rounding; terms far below the sum do not matter.
  [[nodiscard]] double size(const LossCell& cell) const {
    const double term = cell.log_q_mass + (cell.loss > 0 ? order_ : 0) * std::fabs(cell.loss);
    return term > -40 ? std::fabs(cell.log_q_mass) + std::fabs(cell.log_mass) + (1 + order_) * std::fabs(cell.loss) : 0;
  }

  /// log of the generator's mean over a cell from a to b, at most: of its chord at the cell's likelihood ratio.
  [[nodiscard]] double upper_mean(const Edge& a, const Edge& b, double loss) const {
    if (a.loss == b.loss) return a.log_generator;
    const bool rises = b.log_generator > a.log_generator;
    const double z = std::clamp(rises ? loss + 2 * doubt_ : loss - 2 * doubt_, a.loss, b.loss);
    constexpr double narrow = 1;
    if (b.loss - a.loss > narrow) return wide_chord(a, b, z) + 8 * unit_roundoff;
    const auto share = [&](const Edge& from, const Edge& to) {
      return std::min(1.0, std::expm1(z - from.loss) / std::expm1(to.loss - from.loss));
    };
    const auto [less, more] = rises ? std::pair{a, b} : std::pair{b, a};
    const double of_more = share(less, more);
    const double log_mean = std::log(of_more + (1 - of_more) * std::exp(less.log_generator - more.log_generator));
    return more.log_generator + log_mean + unit_roundoff * (16 + std::fabs(log_mean));
  }

  /// The same where masses at the ends are told apart by their logarithms only.
  [[nodiscard]] static double wide_chord(const Edge& a, const Edge& b, double z) {
    // The share (e^z - e^a) / (e^b - e^a) of b: tiny in a wide cell, and psi(b) huge.
    double log_share = std::min(0.0, z - b.loss);
    if (a.loss > -infinity)
      log_share = z > a.loss
                      ? std::min(0.0, log_share + log_one_minus_exp(a.loss - z) - log_one_minus_exp(a.loss - b.loss))
                      : -infinity;
    return log_sum(log_one_minus_exp(log_share) + a.log_generator, log_share + b.log_generator);
  }

  /// For the losses beyond a. psi_alpha rises with alpha for z > 0 and is at most r^alpha / (alpha (alpha - 1)), alpha
  /// > 1: of a larger alpha too, where alpha - 1 is small.
  [[nodiscard]] double upper_of_tail(double a) const {
    if (!(a - 2 * doubt_ > 0)) return infinity;
    double least = infinity;
    for (const double alpha : {order_, 1.02, 1.25, 2.0}) {
      if (!(alpha > 1 && alpha >= order_)) continue;
      const LogBound moment(pair_.log_tail_moment(alpha, a - 2 * doubt_), Side::upper);
      least = std::min(least, moment.times(-std::log(alpha)).times(-std::log(alpha - 1)).log());
    }
    return least;
  }

  const DominatingPair& pair_;
  double order_;
  PairCells& cells_;
  double doubt_;
  bool reached_ = true;
};

/// D from the log of the generator's mean m: log1p(alpha (alpha - 1) m + missing) / (alpha - 1), or m itself at alpha
/// = 1. `missing` is what infinite losses take from sum q r^alpha = 1 + alpha (alpha - 1) m: alpha p_inf - ... of the
/// linear part.
double divergence_of(double log_mean, double order, double linear) {
  if (order == 1) return std::exp(log_mean) + linear;
  const double t = order - 1, weight = order * t;
  const double log_weight = std::isfinite(weight) ? std::log(weight) : std::log(order) + std::log(t);
  if (log_mean > 600 || (std::isinf(weight) && log_mean + log_weight > 600)) return (log_mean + log_weight) / t;
  const double excess =
      (std::isfinite(weight) ? weight * std::exp(log_mean) : std::exp(log_mean + log_weight)) + linear;
  return excess <= -1 ? -infinity / t : std::log1p(excess) / t;
}

/// What a sum of logarithms rounds off where the product of the order and of the order less 1 is no double.
double weight_doubt(double log_mean, double order) {
  const bool finite = order < 1e154 || std::isinf(log_mean);
  return finite ? 0 : 8 * unit_roundoff * (std::fabs(log_mean) + 2 * std::log(order));
}

/// What is known without cells at order > 1.
Bracket plain_bounds(const DominatingPair& pair, double order) {
  if (!(order > 1)) return {0, 0, infinity};
  const double least = std::max(0.0, least_renyi(pair, order));
  return {least, least, round_up(order * pair.renyi_slope(), 4)};
}

}  // namespace

PairDivergence::PairDivergence(const DominatingPair& pair) : pair_(pair) {}
PairDivergence::~PairDivergence() = default;
PairDivergence::PairDivergence(PairDivergence&&) noexcept = default;

PairCells& PairDivergence::cells() {
  if (!cells_) cells_ = std::make_unique<PairCells>(pair_);
  return *cells_;
}

PairDivergence::Losses PairDivergence::losses(int parts) {
  PairCells& all = cells();
  return {all.cut_into(parts), all.grid().doubt()};
}

Bracket PairDivergence::renyi(double order, double tolerance) {
  const DominatingPair& pair = pair_;
  if (const auto law = pair.sampled_gaussian(); law && law->q == 1) {
    const double value = order * law->mu * law->mu / 2;
    return {round_down(value, 8), value, round_up(value, 8)};
  }
  const double p_infinite = std::exp(pair.log_mass_at_plus_infinity()),
               q_infinite = std::exp(pair.log_q_mass_at_minus_infinity());
  if (order >= 1 && p_infinite > 0) return {infinity, infinity, infinity};
  if (order >= pair.infinite_order() * (1 + 1e-12)) return {infinity, infinity, infinity};
  // sum over finite losses of q (psi's linear part): 1 - q_inf + alpha ((1 - p_inf) - (1 - q_inf)), less 1; at order 1
  // sum q (r log r - r + 1) = D + (1 - q_inf) - 1.
  const double linear = order == 1 ? q_infinite : -q_infinite - order * (p_infinite - q_infinite);
  const double linear_error = 64 * unit_roundoff * (1 + order) * (p_infinite + q_infinite) *
                                  (1 + std::fabs(p_infinite > 0 ? std::log(p_infinite) : 0) +
                                   std::fabs(q_infinite > 0 ? std::log(q_infinite) : 0)) +
                              order * total_doubt(pair) + (1 + order) * q_total_doubt(pair);
  Bracket best = plain_bounds(pair, order);
  if (best.width() <= tolerance * best.lower) return best;
  const AlphaMean mean(pair, cells(), order);
  if (!mean.reached() && best.upper < infinity) return best;
  constexpr double little = 1e-3;  // of the width asked
  const double nats =
      pair.has_density() ? std::clamp(-std::log(little * tolerance), useful_tail, negligible_tail) : negligible_tail;
  constexpr double finest = 256;
  for (double parts = 1; parts <= finest;) {
    const LogBounds bounds = mean.at(static_cast<int>(parts), nats);
    // D rises with the mean for order > 1 and for order < 1 alike: log1p and 1 / (order - 1) change sign together.
    const double low = divergence_of(bounds.lower - weight_doubt(bounds.lower, order), order,
                                     linear - linear_error * (order < 1 ? -1 : 1));
    const double high = divergence_of(bounds.upper + weight_doubt(bounds.upper, order), order,
                                      linear + linear_error * (order < 1 ? -1 : 1));
    best = intersection(best, {round_down(low, 16), low, round_up(high, 16)});
    // A cell's chord is off by twice what its barycentre is.
    best.estimate = best.upper < infinity ? best.lower + (best.upper - best.lower) / 3 : best.lower;
    const double excess = (best.upper - best.lower) / (tolerance * best.estimate);
    if (!(excess > 1) || !(excess < infinity) || !pair.has_density() || parts == finest) break;
    // The width falls with the square of the cells', unless they are far too wide for the tilted law.
    const double needed = 1.1 * std::sqrt(excess);
    if (parts >= finest / 4 && parts * needed > 8 * finest) break;
    // A power of 2: other orders find these cells cut.
    parts = std::min(finest, std::exp2(std::ceil(std::log2(parts * std::clamp(needed, 1.5, 16.0)))));
  }
  return best;
}

Bracket renyi_of_pair(const DominatingPair& pair, double order, double tolerance) {
  return PairDivergence(pair).renyi(order, tolerance);
}

}  // namespace pld
