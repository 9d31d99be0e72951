#include "pairs/monotone_pair.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <tuple>
#include <utility>

#include "numeric/middle_double.hpp"
#include "pairs/fused.hpp"

namespace pld {
namespace {

/// No answer depends on what has a mass below e^-this.
constexpr double nothing_beyond = 1e6;

/// Sum of P and Q mass relative to the density of Q and the loss at a reference outcome.
struct NodeSum {
  double p = 0, q = 0;
};

}  // namespace

void MonotonePair::place(Line line, LossRange range) {
  line_ = std::move(line);
  range_ = range;
  saturated_left_ = saturated(-1);
  saturated_right_ = saturated(+1);
}

/// The outcome, by doubling steps, from which on the loss is its limit to a unit of round-off.
double MonotonePair::saturated(double direction) const {
  const double limit = direction > 0 ? range_.highest : range_.lowest;
  const double end = direction > 0 ? line_.rising_to : line_.rising_from;
  if (std::isinf(limit) || std::isfinite(end)) return end;
  double step = line_.step, x = line_.centre;
  while (std::fabs(limit - loss_at(x)) > unit_roundoff * std::fabs(limit) && std::fabs(x) < 1e300) {
    x += direction * step;
    step *= 1.25;
  }
  return x;
}

double MonotonePair::clamped_loss(double x) const {
  if (x <= line_.rising_from) return range_.lowest;
  if (x >= line_.rising_to) return range_.highest;
  return std::clamp(loss_at(x), range_.lowest, range_.highest);
}

/// The outcome in [rising_from, rising_to] with loss z, searched outward from a guess: of two neighbouring doubles the
/// one whose loss has reached z.
double MonotonePair::outcome_of(double z, double guess, double step) const {
  if (z <= range_.lowest) return line_.rising_from;
  if (z >= range_.highest) return line_.rising_to;
  const auto reached = [&](double x) { return clamped_loss(x) >= z; };
  guess = std::clamp(guess, line_.rising_from, line_.rising_to);
  if (!std::isfinite(guess)) guess = line_.centre;
  double low = guess, high = guess, factor = 2;
  const auto grow = [&] { step *= factor, factor *= 2; };  // beyond every double in fifty steps
  for (; reached(low); grow()) {
    high = low;
    low = std::max(low - step, line_.rising_from);
  }
  for (; !reached(high); grow()) {
    low = high;
    high = std::min(high + step, line_.rising_to);
  }
  const auto neighbours = [&] { return !(std::nextafter(low, high) < high); };
  const auto bisect = [&] {
    const double middle = middle_double(low, high);
    (reached(middle) ? high : low) = middle;
  };
  // Where a loss hardly rises over all doubles there are, the ends differ by orders of magnitude. The solver is for the
  // last stretch only: elsewhere it does not come to an end, and products of two of what it is given must be doubles.
  constexpr double square_root_of_largest = 1e150;
  const auto alike = [&] {
    const double nearest_to_zero = low > 0 ? low : high < 0 ? -high : 0;
    return high - low <= 16 * (line_.step + nearest_to_zero) && high - low + nearest_to_zero < square_root_of_largest;
  };
  while (!neighbours() && !alike()) bisect();
  const auto miss = [&](double x) {
    return std::clamp(clamped_loss(x) - z, -square_root_of_largest, square_root_of_largest);
  };
  if (const double at_low = miss(low), at_high = miss(high); alike() && at_low < 0 && at_high > 0) {
    std::uintmax_t most = 40;
    std::tie(low, high) = boost::math::tools::toms748_solve(
        miss, low, high, at_low, at_high, [](double a, double b) { return b <= std::nextafter(a, b); }, most);
  }
  while (!neighbours()) bisect();
  return std::isfinite(clamped_loss(high)) || !std::isfinite(clamped_loss(low)) ? high : low;
}

bool MonotonePair::is_narrow(double a, double b) const {
  if (!std::isfinite(a) || !std::isfinite(b)) return false;
  return std::fabs(log_q_density(b) - log_q_density(a)) <= 2 && clamped_loss(b) - clamped_loss(a) <= 2;
}

/// Quadrature over a narrow interval between turns, where both densities are monotone and change by a factor of e^4 at
/// most. Where a density is singular at a turn (like |x|^p), the interval is cut so that it is no longer than its
/// distance from the turn, which leaves 30 Gauss nodes an error below 5.8^-60; the piece that ends in the turn itself
/// is mapped by t^8, after which the singularity is of order t^{8p + 7}. For p > 6 that degree is too high, and so are
/// the densities off the real line: pieces are then no longer than 6/p of the distance, on whose ellipses |x|^p is e^9
/// times as large at most, and the last one is so short that the density which is singular there is constant.
LossCell MonotonePair::analytic_cell(double a, double b) const {
  const auto is_turn = [&](double x) {
    return !line_.analytic_at_turns && std::find(line_.turns.begin(), line_.turns.end(), x) != line_.turns.end();
  };
  const auto in_two = [&](double cut) { return fused(analytic_cell(a, cut), analytic_cell(cut, b)); };
  const double reach = std::min(1.0, 6 / line_.power_at_turns);
  if (!line_.analytic_at_turns) {
    for (const double turn : line_.turns) {
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
  const double log_q = log_q_density(reference), loss = clamped_loss(reference);
  double p_excess = 0;  // (P - Q e^loss) / (Q at the reference), kept apart for the barycentre
  const auto add = [&](double x, double& q_part) {
    q_part = std::exp(log_q_density(x) - log_q);
    return q_part * std::expm1(clamped_loss(x) - loss);
  };
  const auto sum_over = [&](const auto& outcome, const auto& slope) {
    double q_sum = 0;
    const auto& nodes = boost::math::quadrature::gauss<double, 30>::abscissa();
    const auto& weights = boost::math::quadrature::gauss<double, 30>::weights();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (const double sign : {-1.0, 1.0}) {
        const double t = 0.5 * (1 + sign * nodes[i]);
        double q_part = 0;
        const double excess = add(outcome(t), q_part);
        const double weight = 0.5 * weights[i] * slope(t);
        q_sum += weight * q_part;
        p_excess += weight * excess;
      }
    }
    return q_sum;
  };
  const auto eighth = [](double t) { return t * t * t * t * t * t * t * t; };
  const auto eighth_slope = [](double t) { return 8 * t * t * t * t * t * t * t; };
  double q_sum = 0;
  if (from_turn) {
    q_sum = sum_over([&](double t) { return a + width * eighth(t); }, eighth_slope);
  } else if (to_turn) {
    q_sum = sum_over([&](double t) { return b - width * eighth(t); }, eighth_slope);
  } else {
    q_sum = sum_over([&](double t) { return a + width * t; }, [](double) { return 1.0; });
  }
  const double log_q_mass = log_q + std::log(width) + std::log(q_sum);
  const double shift = std::log1p(p_excess / q_sum);
  return {.loss = loss + shift, .log_mass = log_q_mass + loss + shift, .log_q_mass = log_q_mass};
}

/// log mass of an interval between turns, no nearer to one than it is long, on which a density changes by a factor of
/// e^2 at most: nothing else. By the 30 nodes and for the reason that analytic_cell() gives.
template <class LogDensity>
std::optional<double> MonotonePair::log_flat_interval(double a, double b, const LogDensity& log_density) const {
  const double width = b - a;
  if (!std::isfinite(width)) return std::nullopt;
  for (const double turn : line_.turns)
    if (std::max(turn - b, a - turn) < width) return std::nullopt;
  const double reference = log_density(a + width / 2);
  if (!(std::fabs(log_density(b) - log_density(a)) <= 2)) return std::nullopt;
  const auto density = [&](double x) { return std::exp(log_density(x) - reference); };
  return reference + std::log(boost::math::quadrature::gauss<double, 30>::integrate(density, a, b));
}

/// An interval between turns, both densities positive on it. Far from its own centre one density may fall steeply where
/// the other is flat: they are then integrated each in its way.
LossCell MonotonePair::smooth_cell(double a, double b, int depth) const {
  if (is_narrow(a, b)) return analytic_cell(a, b);
  auto log_p = log_p_interval(a, b), log_q = log_q_interval(a, b);
  if (log_q && !log_p) log_p = log_flat_interval(a, b, [this](double x) { return log_p_density(x); });
  if (log_p && !log_q) log_q = log_flat_interval(a, b, [this](double x) { return log_q_density(x); });
  const double middle = a + (b - a) / 2;
  if ((!log_p || !log_q) && depth > 0 && a < middle && middle < b)
    return fused(smooth_cell(a, middle, depth - 1), smooth_cell(middle, b, depth - 1));
  if (!log_p || !log_q || *log_p == -infinity || *log_q == -infinity) return {};
  return {
      .loss = std::clamp(*log_p - *log_q, clamped_loss(a), clamped_loss(b)), .log_mass = *log_p, .log_q_mass = *log_q};
}

/// All outcomes in (a, b).
LossCell MonotonePair::cell(double a, double b) const {
  a = std::max(a, line_.from);
  b = std::min(b, line_.to);
  if (!(a < b)) return {};
  if (!is_narrow(a, b)) {
    const auto log_p = log_p_interval(a, b), log_q = log_q_interval(a, b);
    if (log_p && log_q && *log_p > -infinity && *log_q > -infinity) {
      return {.loss = std::clamp(*log_p - *log_q, clamped_loss(a), clamped_loss(b)),
              .log_mass = *log_p,
              .log_q_mass = *log_q};
    }
  }
  LossCell sum;
  double left = a;
  const auto take = [&](double right) {
    if (left < right) sum = fused(sum, smooth_cell(left, right, 60));
    left = right;
  };
  for (const double turn : line_.turns)
    if (a < turn && turn < b) take(turn);
  take(b);
  return sum;
}

std::vector<LossCell> MonotonePair::atoms(LossRange within) const {
  std::vector<LossCell> all;
  const auto take = [&](double a, double b, double loss) {
    if (!(a < b) || loss < within.lowest || loss > within.highest) return;
    LossCell flat = cell(a, b);
    flat.loss = loss;
    if (flat.log_mass > -infinity) all.push_back(flat);
  };
  take(line_.from, line_.rising_from, range_.lowest);
  take(line_.rising_to, line_.to, range_.highest);
  return all;
}

void MonotonePair::cells(std::span<const double> edges, std::vector<LossCell>& out) const {
  if (edges.empty()) return;
  double step = line_.step;
  double left = outcome_of(edges[0], line_.centre, step);
  for (const double edge : edges.subspan(1)) {
    const double right = std::max(left, outcome_of(edge, left, step));
    out.push_back(cell(left, right));
    if (right > left && std::isfinite(right - left)) step = right - left;
    left = right;
  }
}

LossCell MonotonePair::above(double z) const {
  if (z >= range_.highest) return {};
  return cell(z < range_.lowest ? line_.from : outcome_of(z, line_.centre, line_.step), line_.to);
}

LossCell MonotonePair::below(double z) const {
  if (z < range_.lowest) return {};
  return cell(line_.from, z >= range_.highest ? line_.to : outcome_of(z, line_.centre, line_.step));
}

// A loss taken at an outcome is off by loss_error_at, and a barycentre by quadrature by that and some u of a width
// below 2. One taken from two masses is off by 30 u (1 + |log mass|), where the masses are those of a tail beyond the
// ends of `within` or larger; but once the loss is its limit to u |limit|, between whose two ends it lies, by that.
double MonotonePair::loss_error(LossRange within) const {
  double low = outcome_of(within.lowest, line_.centre, line_.step);
  double high = outcome_of(within.highest, line_.centre, line_.step);
  low = std::clamp(low, saturated_left_, saturated_right_);
  high = std::clamp(high, saturated_left_, saturated_right_);
  const auto depth = [](const std::optional<double>& log_mass) {
    return log_mass ? std::min(nothing_beyond, std::fabs(*log_mass)) : 0.0;
  };
  double log_mass = 2;
  double loss = 0, own = 0;
  for (const double x : {low, high}) {
    log_mass = std::max({log_mass, depth(log_q_interval(x, line_.to)), depth(log_p_interval(x, line_.to)),
                         depth(log_p_interval(line_.from, x)), depth(log_q_interval(line_.from, x))});
    const double z = clamped_loss(x);
    if (std::isfinite(z)) loss = std::max(loss, std::fabs(z));
    if (std::isfinite(x)) own = std::max(own, loss_error_at(x));
  }
  return std::min(2 * own, nothing_beyond) + unit_roundoff * (8 * loss + 40 * (1 + log_mass));
}

std::optional<double> MonotonePair::spacing() const {
  const bool two_atoms = line_.from < line_.rising_from && line_.rising_to < line_.to;
  return two_atoms ? std::optional(range_.highest - range_.lowest) : std::nullopt;
}

std::vector<LossCell> MonotonePair::outline() const {
  std::vector<LossCell> all = atoms({range_.lowest, range_.lowest});
  double left = line_.rising_from;
  const auto take = [&](double right) {
    const LossCell next = cell(left, right);
    if (next.log_mass > -infinity) all.push_back(next);
    left = right;
  };
  if (has_density()) {
    for (const double x : line_.outline)
      if (left < x && x < line_.rising_to) take(x);
    take(line_.rising_to);
  }
  if (range_.highest > range_.lowest)
    for (const LossCell& atom : atoms({range_.highest, range_.highest})) all.push_back(atom);
  return all;
}

}  // namespace pld
