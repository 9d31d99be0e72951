#include "pairs/monotone_pair.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <span>

#include "pairs/chebyshev_panel.hpp"
#include "pairs/fused.hpp"

namespace pld {
namespace {

/// In place of what is no double: the error of what no outcome, or only the end of a line, has.
constexpr double nothing_beyond = 1e6;

double if_finite(double error) { return std::isfinite(error) ? error : nothing_beyond; }

/// Eight nodes are enough for an interval that has a margin of so many widths.
constexpr double tiny_margin = 9;

/// Sum of P and Q mass relative to the density of Q and the loss at a reference outcome.
struct NodeSum {
  double p = 0, q = 0;
};

}  // namespace

bool MonotonePair::is_narrow(double a, double b) const {
  if (!std::isfinite(a) || !std::isfinite(b)) return false;
  return std::fabs(log_q_density(b) - log_q_density(a)) <= 2 && loss_of(b) - loss_of(a) <= 2;
}

/// Whether the line is narrow, and free of turns, also for a margin of so many widths to either side.
bool MonotonePair::is_narrow_within(double margin, double a, double b) const {
  const double low = a - margin * (b - a), high = b + margin * (b - a);
  const auto near = [&](double turn) { return low <= turn && turn <= high; };
  return line().rising_from < low && high < line().rising_to && is_narrow(low, high) &&
         std::none_of(line().turns.begin(), line().turns.end(), near);
}

/// Quadrature over a narrow interval between turns, where both densities are monotone and change by a factor of e^4 at
/// most. Where a density is singular at a turn (like |x|^p), the interval is cut so that it is no longer than its
/// distance from the turn, which leaves 30 Gauss nodes an error below 5.8^-60; the piece that ends in the turn itself
/// is mapped by t^8, after which the singularity is of order t^{8p + 7}. For p > 6 that degree is too high, and so are
/// the densities off the real line: pieces are then no longer than 6/p of the distance, on whose ellipses |x|^p is e^9
/// times as large at most. The last one is so short that the density which is singular there is constant. In the middle
/// of a narrow interval 19 times as long 8 nodes do: seen from there, what is an ellipse of 5.8 for it is one of 100.
LossCell MonotonePair::analytic_cell(double a, double b, bool tiny) const {
  const auto is_turn = [&](double x) {
    return !line().analytic_at_turns && std::find(line().turns.begin(), line().turns.end(), x) != line().turns.end();
  };
  const auto in_two = [&](double cut) {
    return fused(analytic_cell(a, cut, is_narrow_within(tiny_margin, a, cut)),
                 analytic_cell(cut, b, is_narrow_within(tiny_margin, cut, b)));
  };
  const double reach = std::min(1.0, 6 / line().power_at_turns);
  if (!line().analytic_at_turns) {
    for (const double turn : line().turns) {
      const double gap = reach * (turn <= a ? a - turn : turn - b);
      if (gap > 0 && gap < b - a) {
        const double cut = turn <= a ? a + gap : b - gap;
        if (a < cut && cut < b) return in_two(cut);
      }
    }
  }
  bool from_turn = is_turn(a), to_turn = is_turn(b);
  if (from_turn && to_turn) {
    const double middle = a + (b - a) / 2;
    if (a < middle && middle < b) return in_two(middle);
  }
  if (reach < 1 && (from_turn || to_turn)) {
    const double change =
        std::min(std::fabs(log_q_density(b) - log_q_density(a)), std::fabs(log_p_density(b) - log_p_density(a)));
    const double rest = (b - a) / (1 + reach), cut = from_turn ? a + rest : b - rest;
    if (change > unit_roundoff && a < cut && cut < b) return in_two(cut);
    from_turn = to_turn = false;
  }
  const double width = b - a;
  const double reference = a + width / 2;
  const double log_q = log_q_density(reference), loss = loss_of(reference);
  double q_sum = 0;
  double p_excess = 0;   // (P - Q e^loss) / (Q at the reference), kept apart for the barycentre
  double own_p_sum = 0;  // P / (P at the reference), where the other two have no digits of it
  const auto log_own_p = cancels(log_q, loss) ? std::optional(log_p_density(reference)) : std::nullopt;
  const auto add = [&](double x, double weight) {
    const double q_part = std::exp(log_q_density(x) - log_q);
    q_sum += weight * q_part;
    p_excess += weight * (q_part * std::expm1(loss_of(x) - loss));
    if (log_own_p) own_p_sum += weight * std::exp(log_p_density(x) - *log_own_p);
  };
  using Many = boost::math::quadrature::gauss<double, 30>;
  using Few = boost::math::quadrature::gauss<double, 8>;
  const std::span<const double> nodes = tiny ? std::span<const double>(Few::abscissa()) : Many::abscissa(),
                                weights = tiny ? std::span<const double>(Few::weights()) : Many::weights();
  const auto sum_over = [&](const auto& outcome, const auto& slope) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (const double sign : {-1.0, 1.0}) {
        const double t = 0.5 * (1 + sign * nodes[i]);
        add(outcome(t), 0.5 * weights[i] * slope(t));
      }
    }
  };
  const auto eighth = [](double t) { return t * t * t * t * t * t * t * t; };
  const auto eighth_slope = [](double t) { return 8 * t * t * t * t * t * t * t; };
  if (from_turn) {
    sum_over([&](double t) { return a + width * eighth(t); }, eighth_slope);
  } else if (to_turn) {
    sum_over([&](double t) { return b - width * eighth(t); }, eighth_slope);
  } else {
    sum_over([&](double t) { return a + width * t; }, [](double) { return 1.0; });
  }
  const double log_q_mass = log_q + std::log(width) + std::log(q_sum);
  const double shift = std::log1p(p_excess / q_sum);
  const double log_mass = log_own_p ? *log_own_p + std::log(width) + std::log(own_p_sum) : log_q_mass + loss + shift;
  return {.loss = loss + shift, .log_mass = log_mass, .log_q_mass = log_q_mass};
}

/// log mass of an interval between turns, no nearer to one than it is long, on which a density changes by a factor of
/// e^2 at most: nothing else. By the 30 nodes and for the reason that analytic_cell() gives.
template <class LogDensity>
std::optional<double> MonotonePair::log_flat_interval(double a, double b, const LogDensity& log_density) const {
  const double width = b - a;
  if (!std::isfinite(width)) return std::nullopt;
  for (const double turn : line().turns)
    if (std::max(turn - b, a - turn) < width) return std::nullopt;
  const double reference = log_density(a + width / 2);
  if (!(std::fabs(log_density(b) - log_density(a)) <= 2)) return std::nullopt;
  const auto density = [&](double x) { return std::exp(log_density(x) - reference); };
  return reference + std::log(boost::math::quadrature::gauss<double, 30>::integrate(density, a, b));
}

/// An interval between turns, both densities positive on it. Far from its own centre one density may fall steeply where
/// the other is flat: they are then integrated each in its way.
LossCell MonotonePair::smooth_cell(double a, double b, int depth) const {
  if (is_narrow(a, b)) return analytic_cell(a, b, is_narrow_within(tiny_margin, a, b));
  auto log_p = log_p_interval(a, b), log_q = log_q_interval(a, b);
  if (log_q && !log_p) log_p = log_flat_interval(a, b, [this](double x) { return log_p_density(x); });
  if (log_p && !log_q) log_q = log_flat_interval(a, b, [this](double x) { return log_q_density(x); });
  const double middle = a + (b - a) / 2;
  if ((!log_p || !log_q) && depth > 0 && a < middle && middle < b)
    return fused(smooth_cell(a, middle, depth - 1), smooth_cell(middle, b, depth - 1));
  if (!log_p || !log_q || *log_p == -infinity || *log_q == -infinity) return {};
  return {.loss = std::clamp(*log_p - *log_q, loss_of(a), loss_of(b)), .log_mass = *log_p, .log_q_mass = *log_q};
}

/// All outcomes in (a, b).
LossCell MonotonePair::between(double a, double b) const {
  a = std::max(a, line().from);
  b = std::min(b, line().to);
  if (!(a < b)) return {};
  if (is_narrow_within(tiny_margin, a, b)) return analytic_cell(a, b, true);
  if (!is_narrow(a, b)) {
    const auto log_p = log_p_interval(a, b), log_q = log_q_interval(a, b);
    if (log_p && log_q && *log_p > -infinity && *log_q > -infinity) {
      return {.loss = std::clamp(*log_p - *log_q, loss_of(a), loss_of(b)), .log_mass = *log_p, .log_q_mass = *log_q};
    }
  }
  LossCell sum;
  double left = a;
  const auto take = [&](double right) {
    if (left < right) sum = fused(sum, smooth_cell(left, right, 60));
    left = right;
  };
  for (const double turn : line().turns)
    if (a < turn && turn < b) take(turn);
  take(b);
  return sum;
}

// A panel is the widest piece with its margin right of where the walk is, which holds the fewest cells or more. No turn
// is nearer to it than that margin: on an ellipse whose half axes add up to 38 for many cells, to 9.9 for a few, both
// densities are those of a narrow interval.
template <class Cells>
std::size_t MonotonePair::cells_of_panel(std::span<const double> edges, Walk& walk, std::vector<LossCell>& out) const {
  const auto fits = [&](double width) { return is_narrow_within(Cells::margin, walk.left, walk.left + width); };
  const double least = Cells::fewest * walk.step;
  double width = std::max(walk.panel, least);
  while (width > least && !fits(width)) width /= 2;
  if (width <= least && !fits(width = least)) return 0;
  while (fits(2 * width)) width *= 2;
  walk.panel = width;
  const ChebyshevPanel<Cells> panel(
      walk.left, walk.left + width, [this](double x) { return log_q_density(x); },
      [this](double x) { return log_p_density(x); }, [this](double x) { return loss_of(x); });
  std::size_t taken = 0;
  for (; taken < edges.size(); ++taken) {
    const auto found = panel.outcome_at(edges[taken], walk.left + walk.step);
    if (!found) break;
    const double right = std::clamp(*found, walk.left, walk.last);
    if (right - walk.left > Cells::largest_part * width) break;
    out.push_back(right > walk.left ? panel.between(walk.left, right) : LossCell{});
    if (right > walk.left) walk.step = right - walk.left;
    walk.left = right;
  }
  return taken;
}

std::size_t MonotonePair::cells_at_once(std::span<const double> edges, Walk& walk, std::vector<LossCell>& out) const {
  const std::size_t many = cells_of_panel<ManyCells>(edges, walk, out);
  return many > 0 ? many : cells_of_panel<FewCells>(edges, walk, out);
}

// A loss taken at an outcome is off by loss_error_at, and a barycentre by quadrature by that and some u of a width
// below 2. One read off a panel is off by 2.9 times that at most, and the round-off of its two sums: densities change
// by e^4 over the margin and so by e^(4/3) over the panel, which makes about 40 u. One taken from two masses is off
// by 30 u (1 + |log mass|), where the masses are those of a tail beyond the ends of `within` or larger; but once the
// loss is its limit to u |limit|, between whose two ends it lies, by that.
double MonotonePair::loss_error(LossRange within) const {
  const auto depth = [](const std::optional<double>& log_mass) {
    return log_mass ? if_finite(std::fabs(*log_mass)) : 0.0;
  };
  double log_mass = 2;
  double loss = 0, own = 0;
  const auto cover = [&](double end) {
    const double x = unsaturated_outcome_at(end), z = loss_of(x);
    log_mass = std::max({log_mass, depth(log_q_interval(x, line().to)), depth(log_p_interval(x, line().to)),
                         depth(log_p_interval(line().from, x)), depth(log_q_interval(line().from, x))});
    if (std::isfinite(z)) loss = std::max(loss, std::fabs(z));
    if (std::isfinite(x)) own = std::max(own, loss_error_at(x));
  };
  cover(within.lowest);
  if (within.highest != within.lowest) cover(within.highest);
  return if_finite(3 * own) + unit_roundoff * (8 * loss + 40 * (1 + log_mass));
}

double MonotonePair::edge_error(double z) const {
  const double x = unsaturated_outcome_at(z), loss = loss_of(x), own = std::isfinite(x) ? loss_error_at(x) : 0;
  return if_finite(3 * own) + (std::isfinite(loss) ? 8 * unit_roundoff * std::fabs(loss) : 0);
}

}  // namespace pld
