#include "readout/line_reading.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "core/intersection.hpp"
#include "numeric/log_doubt.hpp"
#include "numeric/log_sum.hpp"
#include "readout/convex_minimum.hpp"

namespace pld {
namespace {

constexpr double log_half = -0.69314718055994531;

/// Rounding of a logarithm formed from two others.
double slack(double x) { return doubt(x, 8); }

/// The logarithm of 1 less what a logarithm stands for, outward.
Bracket one_less(const Bracket& log) {
  const auto rounding = [](double result, double source) {
    if (!std::isfinite(result) || !std::isfinite(source)) return 0.0;
    return 8 * unit_roundoff *
           (std::fabs(result) < 0.5 ? std::fabs(result) * (1 + std::fabs(source)) : 1 + std::fabs(result));
  };
  Bracket out{log_one_minus_exp(log.upper), log_one_minus_exp(log.estimate), log_one_minus_exp(log.lower)};
  out.lower -= rounding(out.lower, log.upper);
  out.upper = std::min(0.0, out.upper + rounding(out.upper, log.lower));
  return out;
}

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
    return std::exp(log_value - unit_) *
           (1 + side * 4 * unit_roundoff * (2 + std::fabs(unit_) + std::fabs(log_value - unit_)));
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

}  // namespace

SmallerOne::SmallerOne(const LineReading& middle) : is_power_(middle.log_power.estimate < log_half) {}

LineReading line_reading(const LineProfile& from, double epsilon, double alpha) {
  const double log_alpha = std::log(alpha), line = epsilon + log_alpha;
  const Bracket &d = from.profile.log_delta, &c = from.profile.log_complement;
  LineReading out{epsilon, {log_sum(d.lower, line), log_sum(d.estimate, line), log_sum(d.upper, line)}, {}};
  out.log_power.lower -= slack(line) + slack(out.log_power.lower);
  out.log_power.upper += slack(line) + slack(out.log_power.upper);
  // Differences of outward ends, of the smaller of two like pairs: 1 - delta - e^eps alpha = e^eps (1 - alpha -
  // opposite).
  const auto less = [](double log_value, double log_taken, double side) {
    const double log_rest = log_difference(log_value + side * slack(log_value), log_taken - side * slack(log_taken));
    return log_rest + side * slack(log_rest);
  };
  if (epsilon < 0 && alpha > 0.5) {
    const double log_rest = std::log1p(-alpha);
    const Bracket& o = from.opposite_log_delta;
    out.log_beta = {epsilon + less(log_rest, o.upper, -1), epsilon + log_difference(log_rest, o.estimate),
                    epsilon + less(log_rest, o.lower, +1)};
    out.log_beta.lower -= slack(epsilon);
    out.log_beta.upper += slack(epsilon);
  } else {
    out.log_beta = {less(c.lower, line, -1), log_difference(c.estimate, line), less(c.upper, line, +1)};
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
  std::array<ConvexReading, 9> at;
  for (std::size_t i = 0; i <= last; ++i) at[i] = scale.convex(*readings.at[i]);
  // Beyond the middle delta is at least its limit, and e^epsilon alpha at least the middle's.
  const double line = middle.epsilon + std::log(alpha), beyond = log_sum(end.log_infinity, line - slack(line));
  const double beyond_right = smaller.is_power() ? scale.linear(beyond - slack(beyond), -1)
                                                 : -scale.linear(one_less({beyond, beyond, beyond}).upper, +1);
  LeastBound bound = convex_minimum(std::span(at).first(readings.size), lowest, beyond_right);
  // Those in between may lie too close together for their widths.
  const std::array<ConvexReading, 5> outer{at[0], at[1], at[lowest], at[last - 1], at[last]};
  if (readings.size > 5) {
    const LeastBound of_outer = convex_minimum(outer, 2, beyond_right);
    if (of_outer.value > bound.value) bound = of_outer;
  }
  const double least = bound.value;
  out.lowest_at = middle.epsilon + std::log1p(bound.x);
  const double size = std::fabs(least_of_parabola(at[lowest - 1], at[lowest], at[lowest + 1]));
  Bracket value = smaller.of(middle);
  if (smaller.is_power())
    value.lower = least > 0 ? scale.unit() + std::log(least) - slack(scale.unit()) : -infinity;
  else
    value.upper = least > -infinity ? scale.unit() + std::log(std::max(0.0, -least)) + slack(scale.unit()) : 0.0;
  value = intersection(value, at_most(0));
  out.width = value.width();
  out.own_width = std::max(smaller.of(middle).width(), slack(scale.unit()));
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

SupportingLine with_plain_bounds(SupportingLine line, const ProfileEnd& end, double alpha) {
  const double least = std::max(end.log_infinity, round_down(std::log(alpha)));
  if (least <= line.log_power.lower) return line;
  line.log_power = intersection(line.log_power, {least, least, 0});
  line.log_beta = intersection(line.log_beta, at_most(one_less({least, least, least}).upper));
  return line;
}

}  // namespace pld
