#include "pairs/outcome_pair.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/work.hpp"
#include "numeric/middle_double.hpp"
#include "pairs/loss_cuts.hpp"

namespace pld {

void OutcomePair::place(Line line, LossRange range) {
  line_ = std::move(line);
  range_ = range;
  saturated_left_ = saturated(-1);
  saturated_right_ = saturated(+1);
}

/// The outcome, by doubling steps, from which on the loss is its limit to a unit of round-off.
double OutcomePair::saturated(double direction) const {
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

double OutcomePair::loss_of(double x) const {
  if (x <= line_.rising_from) return range_.lowest;
  if (x >= line_.rising_to) return range_.highest;
  return std::clamp(loss_at(x), range_.lowest, range_.highest);
}

/// The outcome in [rising_from, rising_to] with loss z, searched outward from a guess: of two neighbouring doubles the
/// one whose loss has reached z.
double OutcomePair::outcome_of(double z, double guess, double step) const {
  if (z <= range_.lowest) return line_.rising_from;
  if (z >= range_.highest) return line_.rising_to;
  if (const auto known = known_outcome(z)) return std::clamp(*known, line_.rising_from, line_.rising_to);
  const auto reached = [&](double x) { return loss_of(x) >= z; };
  guess = std::clamp(guess, line_.rising_from, line_.rising_to);
  if (!std::isfinite(guess)) guess = line_.centre;
  double low = guess, high = guess, factor = 2;
  const auto grow = [&] { step *= factor, factor *= 2; };  // beyond every double in fifty steps
  if (reached(guess)) {
    for (; high == low || reached(low); grow()) {
      high = low;
      low = std::max(low - step, line_.rising_from);
    }
  } else {
    for (; high == low || !reached(high); grow()) {
      low = high;
      high = std::min(high + step, line_.rising_to);
    }
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
    return std::clamp(loss_of(x) - z, -square_root_of_largest, square_root_of_largest);
  };
  if (const double at_low = miss(low), at_high = miss(high); alike() && at_low < 0 && at_high > 0) {
    std::uintmax_t most = 40;
    std::tie(low, high) = boost::math::tools::toms748_solve(
        miss, low, high, at_low, at_high, [](double a, double b) { return b <= std::nextafter(a, b); }, most);
  }
  while (!neighbours()) bisect();
  return std::isfinite(loss_of(high)) || !std::isfinite(loss_of(low)) ? high : low;
}

double OutcomePair::unsaturated_outcome_at(double z) const {
  return std::clamp(outcome_at(z), saturated_left_, saturated_right_);
}

std::vector<LossCell> OutcomePair::atoms(LossRange within) const {
  std::vector<LossCell> all;
  const auto take = [&](double a, double b, double loss) {
    if (!(a < b) || loss < within.lowest || loss > within.highest) return;
    LossCell flat = between(a, b);
    flat.loss = loss;
    if (flat.log_mass > -infinity) all.push_back(flat);
  };
  take(line_.from, line_.rising_from, range_.lowest);
  take(line_.rising_to, line_.to, range_.highest);
  return all;
}

// Where a loss hardly rises, its rounding makes many outcomes fit one z, and which of them is found depends on where
// the search starts. The two ends are looked for from the centre, as by above() and below(): no outcome is left out
// between.
void OutcomePair::cells(std::span<const double> edges, std::vector<LossCell>& out) const {
  if (edges.size() < 2) return;
  Walk walk{.left = outcome_at(edges.front()), .last = 0, .step = line_.step};
  walk.last = std::max(walk.left, outcome_at(edges.back()));
  const std::span<const double> inner = edges.subspan(1, edges.size() - 2);
  for (std::size_t next = 0; next < inner.size();) {
    if (const std::size_t taken = cells_at_once(inner.subspan(next), walk, out); taken > 0) {
      next += taken;
      continue;
    }
    const double right = std::clamp(outcome_of(inner[next++], walk.left, walk.step), walk.left, walk.last);
    out.push_back(between(walk.left, right));
    if (right > walk.left && std::isfinite(right - walk.left)) walk.step = right - walk.left;
    walk.left = right;
  }
  out.push_back(between(walk.left, walk.last));
}

LossCell OutcomePair::above(double z) const {
  if (z >= range_.highest) return {};
  return between(z < range_.lowest ? line_.from : outcome_of(z, line_.centre, line_.step), line_.to);
}

LossCell OutcomePair::below(double z) const {
  if (z < range_.lowest) return {};
  return between(line_.from, z >= range_.highest ? line_.to : outcome_of(z, line_.centre, line_.step));
}

std::optional<double> OutcomePair::spacing() const {
  const bool two_atoms = line_.from < line_.rising_from && line_.rising_to < line_.to;
  return two_atoms ? std::optional(range_.highest - range_.lowest) : std::nullopt;
}

std::vector<LossCell> OutcomePair::outline() const { return outline_.get(); }

std::vector<double> OutcomePair::evenly_outlined(double last_centre) {
  constexpr double extent = 39;
  constexpr int steps = 960;
  std::vector<double> edges;
  for (int i = 0; i <= steps; ++i) edges.push_back(-extent + (last_centre + 2 * extent) * i / steps);
  return edges;
}

std::vector<LossCell> OutcomePair::outlined() const {
  const std::vector<double> edges = has_density() ? line_.outline() : std::vector<double>{};
  Work::note(points_of_cell(*this) * static_cast<double>(edges.size()));
  std::vector<LossCell> all = atoms({range_.lowest, range_.lowest});
  double left = line_.rising_from;
  const auto take = [&](double right) {
    const LossCell next = between(left, right);
    if (next.log_mass > -infinity) all.push_back(next);
    left = right;
  };
  if (has_density()) {
    for (const double x : edges)
      if (left < x && x < line_.rising_to) take(x);
    take(line_.rising_to);
  }
  if (range_.highest > range_.lowest)
    for (const LossCell& atom : atoms({range_.highest, range_.highest})) all.push_back(atom);
  return all;
}

}  // namespace pld
