#include "readout/line_reading.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "core/intersection.hpp"
#include "numeric/log_bound.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/roundings.hpp"
#include "readout/convex_minimum.hpp"

namespace pld {
namespace {

constexpr double log_half = -0.69314718055994531;

/// The logarithm of 1 less what a logarithm stands for, outward.
Bracket one_less(const Bracket& log) {
  return {LogBound(log.upper, Side::upper).one_less().log(), log_one_minus_exp(log.estimate),
          LogBound(log.lower, Side::lower).one_less().log_probability()};
}

/// The logarithm of e^epsilon alpha, from one side.
LogBound line_at(double epsilon, double alpha, Side side) { return LogBound(epsilon, side).times(std::log(alpha)); }

/// The smaller one over the middle reading's estimate of it; negative type II error, which is convex.
class Scale {
 public:
  explicit Scale(const LineReading& middle)
      : smaller_(middle), middle_(middle.epsilon), unit_(smaller_.of(middle).estimate) {}

  [[nodiscard]] double unit() const { return unit_; }
  [[nodiscard]] double x(const LineReading& r) const { return std::expm1(r.epsilon - middle_); }

  [[nodiscard]] ConvexReading convex(const LineReading& r) const {
    const double low = linear(smaller_.of(r).lower, -1), up = linear(smaller_.of(r).upper, +1);
    if (smaller_.is_power()) return {x(r), low, up};
    return {x(r), up > 0 ? -up : beyond_one(r.log_power.lower, -1), low > 0 ? -low : beyond_one(r.log_power.upper, +1)};
  }
  /// exp(log_value) over the unit, moved outward by its rounding.
  [[nodiscard]] double linear(double log_value, int side) const {
    if (log_value == -infinity) return 0;
    return std::exp(log_value - unit_) * (1 + side * roundings(4, 1, unit_, log_value - unit_));
  }

 private:
  /// A line's power above 1, over the unit: its type II error's logarithm tells nothing there, and a chord needs it.
  [[nodiscard]] double beyond_one(double log_power, int side) const {
    return linear(std::log(std::max(0.0, std::expm1(log_power))), side);
  }

  SmallerOne smaller_;
  double middle_, unit_;
};

/// The least value of the parabola through three readings, the middle one the lowest. An estimate.
double least_of_parabola(const ConvexReading& a, const ConvexReading& b, const ConvexReading& c) {
  const auto value = [](const ConvexReading& r) { return r.lower + (r.upper - r.lower) / 2; };
  const double left = a.x - b.x, right = c.x - b.x;
  const double to_left = (value(a) - value(b)) / left, to_right = (value(c) - value(b)) / right;
  const double curvature = (to_right - to_left) / (right - left), slope = to_left - curvature * left;
  return curvature > 0 ? value(b) - slope * slope / (4 * curvature) : value(b);
}

/// The logarithm of a lower bound of the power of the lines to the right of a reading. From (0, 1) on, delta lies above
/// its chord with that one drawn out, down to where this is 0: at e^epsilon / (1 - delta).
double least_beyond(const LineReading& last, double alpha) {
  const double log_complement =
      LogBound(last.log_beta.upper, Side::upper).plus(line_at(last.epsilon, alpha, Side::upper).log()).log();
  const double where_zero = line_at(last.epsilon, alpha, Side::lower).times(-std::min(0.0, log_complement)).log();
  return std::min(last.log_power.lower, where_zero);
}

/// What is known besides. The type II error is bounded from above where delta is from below.
SupportingLine with_known(SupportingLine line, const Bracket& log_power, const Bracket& log_beta,
                          const ProfileEnd& end) {
  line.log_power = sharpened(line.log_power, log_power, end.rounded);
  line.log_beta = sharpened(line.log_beta, log_beta, opposite(end.rounded));
  return line;
}

}  // namespace

SmallerOne::SmallerOne(const LineReading& middle) : is_power_(middle.log_power.estimate < log_half) {}

LineReading line_reading(const LineProfile& from, double epsilon, double alpha) {
  const double line = epsilon + std::log(alpha);
  const LogBound least_line = line_at(epsilon, alpha, Side::lower), most_line = line_at(epsilon, alpha, Side::upper);
  const Bracket &d = from.profile.log_delta, &c = from.profile.log_complement;
  LineReading out{
      epsilon, {least_line.plus(d.lower).log(), log_sum(d.estimate, line), most_line.plus(d.upper).log()}, {}};
  // Differences of outward ends, of the smaller of two like pairs: 1 - delta - e^eps alpha = e^eps (1 - alpha -
  // opposite).
  if (epsilon < 0 && alpha > 0.5) {
    const double log_rest = std::log1p(-alpha);
    const Bracket& o = from.opposite_log_delta;
    const auto rest_less = [&](double log_taken, Side side) {
      return LogBound(0, side).times(log_rest).less(log_taken).times(epsilon).log();
    };
    out.log_beta = {rest_less(o.upper, Side::lower), epsilon + log_difference(log_rest, o.estimate),
                    rest_less(o.lower, Side::upper)};
  } else {
    out.log_beta = {LogBound(c.lower, Side::lower).less(most_line.log()).log(), log_difference(c.estimate, line),
                    LogBound(c.upper, Side::upper).less(least_line.log()).log()};
  }
  return out;
}

CertifiedLine certified_line(const AroundLowest& readings, const ProfileEnd& end, double alpha) {
  CertifiedLine out;
  if (readings.size == 0) return out;
  const std::size_t lowest = readings.lowest, last = readings.size - 1;
  const LineReading& middle = *readings.at[lowest];
  const SmallerOne smaller(middle);
  const Scale scale(middle);
  if (!std::isfinite(scale.unit())) return out;
  // Beyond the middle delta is at least its limit, and e^epsilon alpha at least the middle's.
  const LogBound beyond = line_at(middle.epsilon, alpha, Side::lower).plus(end.log_infinity);
  const double beyond_right =
      smaller.is_power() ? scale.linear(beyond.log(), -1) : -scale.linear(beyond.one_less().log_probability(), +1);
  std::array<ConvexReading, AroundLowest::most> at;
  std::size_t seam = 0;
  for (std::size_t i = 0; i <= last; ++i) {
    at[i] = scale.convex(*readings.at[i]);
    if (!are_of_one_law(*readings.at[i], *readings.at[last], end)) seam = i + 1;
  }
  LeastBound bound = convex_minimum(std::span(at).first(readings.size), lowest, beyond_right, seam);
  // Those in between may lie too close together for their widths.
  if (readings.size > 5) {
    const std::array<std::size_t, 5> places{0, 1, lowest, last - 1, last};
    std::array<ConvexReading, 5> outer;
    std::transform(places.begin(), places.end(), outer.begin(), [&](std::size_t i) { return at[i]; });
    const auto before = std::count_if(places.begin(), places.end(), [seam](std::size_t i) { return i < seam; });
    const LeastBound of_outer = convex_minimum(outer, 2, beyond_right, static_cast<std::size_t>(before));
    if (of_outer.value > bound.value) bound = of_outer;
  }
  const double least = bound.value;
  out.lowest_at = middle.epsilon + std::log1p(bound.x);
  const double size = std::fabs(least_of_parabola(at[lowest - 1], at[lowest], at[lowest + 1]));
  Bracket value = smaller.of(middle);
  if (smaller.is_power())
    value.lower = least > 0 ? LogBound(scale.unit(), Side::lower).times(std::log(least)).log() : -infinity;
  else
    value.upper =
        least > -infinity ? LogBound(scale.unit(), Side::upper).times(std::log(std::max(0.0, -least))).log() : 0.0;
  // Keeps the end that is certain: what one law proves may exclude a line of the other.
  if (end.rounded) value = sharpened(value, value, smaller.is_power() ? end.rounded : opposite(end.rounded));
  if (!end.is_convex && smaller.is_power()) value.lower = std::min(value.lower, value.upper);
  if (!end.is_convex && !smaller.is_power()) value.upper = std::max(value.lower, value.upper);
  value = intersection(value, at_most(0));
  out.width = value.width();
  out.own_width = std::max(smaller.of(middle).width(), doubt(scale.unit(), 8));
  if (least > -infinity && std::isfinite(value.lower)) out.excess = out.width / out.own_width;
  // Readings far apart have the minimum between them; the noise of near ones says nothing about it.
  if (out.excess > 30 && out.excess < infinity && size > 0) value.estimate = scale.unit() + std::log(size);
  value.estimate = std::clamp(value.estimate, value.lower, value.upper);
  const Bracket other = one_less(value);
  out.line =
      smaller.is_power() ? SupportingLine{middle.epsilon, value, other} : SupportingLine{middle.epsilon, other, value};
  return out;
}

double crossing(const LineReading& a, const LineReading& b, const LineReading& c, const LineReading& d) {
  const SmallerOne smaller(b);
  const auto log_value = [&](const LineReading& r) { return smaller.of(r).estimate; };
  const double unit = std::max({log_value(a), log_value(b), log_value(c), log_value(d)});
  const auto v = [&](const LineReading& r) { return (smaller.is_power() ? 1 : -1) * std::exp(log_value(r) - unit); };
  const double origin = b.epsilon, xa = std::expm1(a.epsilon - origin), xc = std::expm1(c.epsilon - origin),
               xd = std::expm1(d.epsilon - origin);
  const double s = (v(a) - v(b)) / xa, t = (v(d) - v(c)) / (xd - xc);
  return origin + std::log1p((v(c) - v(b) - t * xc) / (s - t));
}

double least_log_power(std::span<const LineReading> readings, const ProfileEnd& end, double alpha) {
  double log_delta = end.log_infinity;  // of what is to the left of the last reading looked at, from below
  double left_of_it = -infinity;        // of the power there, by that reading alone
  double least = infinity;
  for (auto here = readings.rbegin(); here != readings.rend(); ++here) {
    const double by_both = line_at(here->epsilon, alpha, Side::lower).plus(log_delta).log();
    least = std::min(least, std::max({left_of_it, by_both, least_beyond(*here, alpha)}));
    const double line = line_at(here->epsilon, alpha, Side::upper).log();
    log_delta = std::max(log_delta, LogBound(here->log_power.lower, Side::lower).less(line).log());
    left_of_it = LogBound(here->epsilon, Side::upper).times(std::log1p(-alpha)).one_less().log_probability();
  }
  return std::min(least, std::max(left_of_it, log_delta));
}

SupportingLine with_plain_bounds(SupportingLine line, const ProfileEnd& end, double alpha) {
  // A test that always says Q has power 1; between that, or where P has no mass, and the test that never does f is
  // convex.
  const double log_share = LogBound(std::log(alpha), Side::lower).times(-end.log_q_reached).log();
  const double least = std::min(0.0, std::max(end.log_infinity, round_down(log_share)));
  if (least <= line.log_power.lower) return line;
  return with_known(line, {least, least, 0}, at_most(one_less({least, least, least}).upper), end);
}

SupportingLine within_readings(SupportingLine line, std::span<const LineReading> readings, const ProfileEnd& end,
                               double alpha) {
  double most = 0, least_beta = -infinity;
  for (const LineReading& reading : readings) {
    most = std::min(most, reading.log_power.upper);
    least_beta = std::max(least_beta, reading.log_beta.lower);
  }
  double least = std::min(least_log_power(readings, end, alpha), most);
  if (!end.is_convex) {
    // Ends that are estimates pass none that is proved, of power or of type II error, whichever has more digits.
    line.log_power.lower = std::min(line.log_power.lower, most);
    line.log_beta.upper = std::max(line.log_beta.upper, least_beta);
    const double beta = std::max(line.log_beta.lower, least_beta);
    least = std::min({least, line.log_power.upper, one_less({beta, beta, beta}).lower});
  }
  return with_known(line, {least, most, most}, {least_beta, least_beta, one_less({least, least, least}).upper}, end);
}

}  // namespace pld
