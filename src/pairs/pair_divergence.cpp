#include "pairs/pair_divergence.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "core/intersection.hpp"
#include "core/work.hpp"
#include "numeric/log_bound.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/roundings.hpp"
#include "pairs/alpha_generator.hpp"
#include "pairs/least_renyi.hpp"
#include "pairs/loss_cuts.hpp"
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

/// Parts that an interval is cut into, at most.
constexpr double finest = 256;

/// What a tail may weigh of the whole, in nats: enough to be of use, and so little that it does not count.
constexpr double useful_tail = 10, negligible_tail = 40;

}  // namespace

/// The finite losses of a pair, as far out as its orders asked for so far, and each interval of its outline cut as
/// finely as they did.
class PairCells {
 public:
  using Cells = std::vector<LossGrid::Cell>;

  explicit PairCells(const DominatingPair& pair) : pair_(pair), outline_(pair.outline()), grid_(pair, outline_) {
    list();
  }

  [[nodiscard]] const Cells& atoms() const { return atoms_; }
  [[nodiscard]] std::size_t intervals() const { return intervals_.size(); }
  /// One cell, or none of an interval without mass.
  [[nodiscard]] const Cells& whole(std::size_t interval) const { return intervals_[interval].at(1); }
  [[nodiscard]] const Cells& cut_into(int parts, std::size_t interval) const { return intervals_[interval].at(parts); }

  /// Cuts each interval into so many parts, none of which are left alone.
  void cut(const std::vector<int>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (parts[i] > 0 && !intervals_[i].contains(parts[i])) cut(i, parts[i]);
  }
  /// What cutting an interval takes, in points: its ends are looked for each time.
  [[nodiscard]] double points(double parts) const {
    constexpr double ends = 1;
    return points_of_cell(pair_) * (parts + ends);
  }

  /// What is known of the masses without cutting: the outline, and all beyond each step of extend().
  [[nodiscard]] const std::vector<LossCell>& outline() const { return outline_; }
  [[nodiscard]] const LossGrid& grid() const { return grid_; }
  [[nodiscard]] int steps_beyond() const { return steps_; }

  /// Some steps further out, more than one order needs: the next one finds its cells cut.
  void extend() {
    constexpr int at_once = 100;
    if (steps_ == 0) step_ = grid_.losses().back() - grid_.losses()[grid_.losses().size() - 2];
    for (int i = 0; i < at_once; ++i, ++steps_) {
      const double last = grid_.losses().back() + step_;
      step_ *= steps_ < 1000 ? 1.002 : 1.02;
      grid_.extend(last);
      outline_.push_back(pair_.above(last));
      outline_.back().loss = last;
    }
    list();
  }

 private:
  /// Lists the atoms again, and the intervals from the last on, which had reached to the range's end.
  void list() {
    atoms_ = grid_.atoms();
    constexpr double points_an_atom = 8;
    Work::note(points_an_atom * static_cast<double>(atoms_.size()));
    edges_ = grid_.edges();
    if (edges_.empty()) return;
    if (!intervals_.empty()) intervals_.pop_back();
    const std::size_t first = intervals_.size();
    intervals_.resize(edges_.size() - 1);
    for (std::size_t i = first; i < intervals_.size(); ++i) cut(i, 1);
  }
  void cut(std::size_t interval, int parts) {
    Work::note(points(parts));
    intervals_[interval][parts] = grid_.cut(edges_, interval, parts);
  }

  const DominatingPair& pair_;
  std::vector<LossCell> outline_;
  LossGrid grid_;
  std::vector<double> edges_;
  Cells atoms_;
  std::vector<std::map<int, Cells>> intervals_;  ///< by parts
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
    parts_.assign(cells_.intervals(), 1);
  }

  /// Whether cells and atoms carry nearly all of the mean.
  [[nodiscard]] bool reached() const { return reached_; }

  /// All but e^-`nats` of the mean counted, of intervals cut as refine() has settled.
  [[nodiscard]] LogBounds at(double nats) {
    LogBounds sum;
    double largest_exponent = 0;
    const double count = static_cast<double>(cells_.atoms().size()) + finest * static_cast<double>(cells_.intervals());
    const double most_of_one = heaviest(), far_below = std::min(0.0, most_of_one) - negligible_tail;
    const double negligible = most_of_one - nats, least_counted = negligible - std::log(1 + count);
    sum.add(-infinity, negligible);  // the cells passed over, together
    Edge last{-infinity, farther(-infinity)};
    const auto edge = [&](double loss) {
      if (loss != last.loss) last = {loss, farther(loss)};
      return last;
    };
    std::size_t counted = 0;
    const auto counts = [&](const LossGrid::Cell& one) { return plain_upper_of(one) >= least_counted; };
    const auto take = [&](const LossGrid::Cell& one, LogBounds& part) {
      if (!counts(one)) return;
      ++counted;
      const auto& [cell, low, high] = one;
      const double besides = barycentre_error(cell, high - low), least = cell.log_q_mass + nearer(cell.loss, besides);
      const double most = high == infinity ? upper_of_tail(low)
                                           : cell.log_q_mass + upper_mean(edge(low), edge(high), cell.loss, besides);
      sum.add(least, most);
      part.add(least, most);
      largest_exponent = std::max(largest_exponent, size(cell, far_below));
    };
    LogBounds of_atoms;
    for (const LossGrid::Cell& atom : cells_.atoms()) take(atom, of_atoms);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto& whole = cells_.whole(i);
      if (whole.empty() || !counts(whole.front())) parts_[i] = 0;
    }
    cells_.cut(parts_);
    widths_.assign(parts_.size(), {});
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i] == 0) continue;
      for (const LossGrid::Cell& cell : cells_.cut_into(parts_[i], i)) take(cell, widths_[i]);
      widths_[i].close(0);
    }
    constexpr double points_counted = 15, points_seen = 1;
    Work::note(points_counted * static_cast<double>(counted) +
               points_seen * static_cast<double>(cells_.atoms().size() + parts_.size()));
    // Of each term: the masses' 16 u (1 + |log mass|), the generator's own error, two exponentials; of the sum 3 u a
    // term.
    sum.close(unit_roundoff * (3 * (count + 16) + 40 * (1 + largest_exponent)) +
              1e-14 * (2 + largest_exponent + 1 / order_));
    return sum;
  }

  /// Settles how finely the intervals are to be cut so that the mean's logarithm becomes `excess` times as narrow;
  /// whether that is finer than now, and takes no more than `most` points. With widths u that fall with the square of
  /// the parts, those in proportion to u^(1/3) are the fewest.
  [[nodiscard]] bool refine(const LogBounds& mean, double excess, double most) {
    std::vector<double> log_widths;
    double of_cuts = -infinity;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      log_widths.push_back(is_cut(i) ? log_difference(widths_[i].upper, widths_[i].lower) : -infinity);
      of_cuts = log_sum(of_cuts, log_widths.back());
    }
    // Tails and rounding stay: what is far below them need not be narrower.
    constexpr double far_below = -2;
    const double of_all = log_difference(mean.upper, mean.lower), wanted = (mean.upper - mean.lower) / excess;
    const double enough = mean.lower + (wanted < 1 ? std::log(std::expm1(wanted)) : wanted);
    const double stays = of_all > of_cuts ? log_difference(of_all, of_cuts) : -infinity;
    const double log_width = std::max(log_difference(std::max(enough, stays), stays), stays + far_below);
    if (of_cuts <= log_width) return false;
    double sum = 0;
    std::vector<double> roots;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      roots.push_back(std::cbrt(std::exp(log_widths[i] - log_width) * parts_[i] * parts_[i]));
      sum += roots.back();
    }
    double cells = 0;
    bool finer = false;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (log_widths[i] == -infinity) continue;
      // A cell whose bounds are nats apart is wide for the tilted law, and gains more than by the square.
      constexpr double most_times = 16;
      const double nats = widths_[i].upper - widths_[i].lower;
      const double times = nats > 1 ? std::clamp(2 * std::sqrt(nats), 2.0, most_times) : most_times;
      const double asked = std::min({1.1 * std::sqrt(sum) * roots[i], times * parts_[i], finest});
      // A power of 2: other orders find these cells cut.
      const int parts = std::max(parts_[i], static_cast<int>(std::exp2(std::ceil(std::log2(std::max(1.0, asked))))));
      if (parts > parts_[i]) finer = true, cells += parts;
      parts_[i] = parts;
    }
    return finer && cells_.points(cells) <= most;
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
      cells_.extend();
      doubt_ = cells_.grid().doubt();
      tail = weight_of_tail();
    }
    reached_ = tail <= -useful_tail;
  }

  /// Whether an interval adds something that smaller cells tell more closely.
  [[nodiscard]] bool is_cut(std::size_t interval) const {
    if (parts_[interval] == 0 || !(widths_[interval].upper > widths_[interval].lower)) return false;
    const LossGrid::Cell& whole = cells_.whole(interval).front();
    return std::isfinite(whole.high - whole.low);
  }

  /// A cell's end and the generator there, at most.
  struct Edge {
    double loss = 0, log_generator = 0;
  };

  /// The generator at the loss moved by its doubt, and by what a cell's is off by besides, toward 0, or away from it.
  [[nodiscard]] double nearer(double loss, double besides = 0) const {
    const double distance = std::fabs(loss) - doubt_ - besides;
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
  /// What about the heaviest of the atoms and of the intervals weighs, from below.
  [[nodiscard]] double heaviest() const {
    double most = -infinity, log_q_mass = -infinity, loss = 0;
    const auto weigh = [&](const LossGrid::Cell& one) {
      const double weight = one.of.log_q_mass + plain_upper(one.of.loss);
      if (weight > most) most = weight, log_q_mass = one.of.log_q_mass, loss = one.of.loss;
    };
    for (const LossGrid::Cell& atom : cells_.atoms()) weigh(atom);
    for (std::size_t i = 0; i < cells_.intervals(); ++i)
      for (const LossGrid::Cell& cell : cells_.whole(i)) weigh(cell);
    return most == -infinity ? -infinity : log_q_mass + nearer(loss);
  }

  /// Exponents that enter a term, for its rounding; terms below the heaviest by so much do not matter.
  [[nodiscard]] double size(const LossCell& cell, double far_below) const {
    const double term = cell.log_q_mass + (cell.loss > 0 ? order_ : 0) * std::fabs(cell.loss);
    return term > far_below
               ? std::fabs(cell.log_q_mass) + std::fabs(cell.log_mass) + (1 + order_) * std::fabs(cell.loss)
               : 0;
  }

  /// log of the generator's mean over a cell from a to b, at most: of its chord at the cell's likelihood ratio.
  [[nodiscard]] double upper_mean(const Edge& a, const Edge& b, double loss, double besides) const {
    if (a.loss == b.loss) return a.log_generator;
    const bool rises = b.log_generator > a.log_generator;
    const double off = 2 * doubt_ + besides, z = std::clamp(rises ? loss + off : loss - off, a.loss, b.loss);
    constexpr double narrow = 1;
    if (b.loss - a.loss > narrow) return wide_chord(a, b, z) + 8 * unit_roundoff;
    const auto share = [&](const Edge& from, const Edge& to) {
      return std::min(1.0, std::expm1(z - from.loss) / std::expm1(to.loss - from.loss));
    };
    const auto [less, more] = rises ? std::pair{a, b} : std::pair{b, a};
    const double of_more = share(less, more);
    const double log_mean = std::log(of_more + (1 - of_more) * std::exp(less.log_generator - more.log_generator));
    // Rounds the share, an exponential and the mean by 16 u in all, and the logarithm by u of itself.
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
  std::vector<int> parts_{};         ///< that each interval is cut into; 0: it does not count
  std::vector<LogBounds> widths_{};  ///< of what each interval adds
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
  const double least = least_renyi(pair, order);
  return {least, least, std::max(least, most_renyi(pair, order))};
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
  const LossGrid& grid = cells().grid();
  Losses all{grid.cells(parts), grid.doubt()};
  constexpr double points_a_cell = 30;  // and to take moments of it
  Work::note(points_a_cell * static_cast<double>(all.cells.size()));
  return all;
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
  // sum q (r log r - r + 1) = D + (1 - q_inf) - 1. Carries 16 u (1 + |log mass|) of each mass, and the roundings of its
  // exponential, of two products and of two sums.
  const double linear = order == 1 ? q_infinite : -q_infinite - order * (p_infinite - q_infinite);
  const double linear_error = roundings(64, order) * (p_infinite + q_infinite) *
                                  (1 + std::fabs(p_infinite > 0 ? std::log(p_infinite) : 0) +
                                   std::fabs(q_infinite > 0 ? std::log(q_infinite) : 0)) +
                              order * total_doubt(pair) + (1 + order) * q_total_doubt(pair);
  Bracket best = plain_bounds(pair, order);
  if (best.width() <= tolerance * best.lower || !Work::affords_piece()) return best;
  AlphaMean mean(pair, cells(), order);
  if (!mean.reached() && best.upper < infinity) return best;
  constexpr double little = 1e-3;  // of the width asked
  const double nats =
      pair.has_density() ? std::clamp(-std::log(little * tolerance), useful_tail, negligible_tail) : negligible_tail;
  constexpr double share_of_work = 0.3;
  const double most = share_of_work * Work::left();
  for (double excess = infinity; excess > 1;) {
    const LogBounds bounds = mean.at(nats);
    // D rises with the mean for order > 1 and for order < 1 alike: log1p and 1 / (order - 1) change sign together.
    const double low = divergence_of(bounds.lower - weight_doubt(bounds.lower, order), order,
                                     linear - linear_error * (order < 1 ? -1 : 1));
    const double high = divergence_of(bounds.upper + weight_doubt(bounds.upper, order), order,
                                      linear + linear_error * (order < 1 ? -1 : 1));
    best = intersection(best, {round_down(low, 16), low, round_up(high, 16)});
    // A cell's chord is off by twice what its barycentre is.
    best.estimate = best.upper < infinity ? best.lower + (best.upper - best.lower) / 3 : best.lower;
    excess = (best.upper - best.lower) / (tolerance * best.estimate);
    if (!(excess < infinity) || (excess > 1 && !mean.refine(bounds, excess, most))) break;
  }
  return best;
}

}  // namespace pld
