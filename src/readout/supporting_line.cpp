#include "supporting_line.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "convex_minimum.hpp"
#include "pld/core/rounding.hpp"
#include "pld/numeric/log_sum.hpp"

namespace pld {
namespace {

constexpr double no_error_left = 1e9;    ///< logit of a line that leaves no type II error at all
constexpr double widest_search = 1e7;    ///< in nats
constexpr double log_half = -0.69314718055994531;

/// Rounding of a logarithm formed from two others.
double slack(double x) { return std::isfinite(x) ? 8 * unit_roundoff * (1 + std::fabs(x)) : 0; }

/// A line's power and type II error at alpha, as logarithms.
struct Reading {
  double epsilon = 0;
  Bracket log_power, log_beta;

  /// Rises with the power and keeps its digits where that is near 0 or 1.
  [[nodiscard]] double logit() const {
    if (log_beta.estimate == -infinity) return no_error_left + epsilon;
    return log_power.estimate - log_beta.estimate;
  }
};

Reading reading(const LineProfile& from, double epsilon, double alpha) {
  const double log_alpha = std::log(alpha), line = epsilon + log_alpha;
  const Bracket &d = from.profile.log_delta, &c = from.profile.log_complement;
  Reading out{epsilon, {log_sum(d.lower, line), log_sum(d.estimate, line), log_sum(d.upper, line)}, {}};
  out.log_power.lower -= slack(line) + slack(out.log_power.lower);
  out.log_power.upper += slack(line) + slack(out.log_power.upper);
  // Differences of outward ends, of the smaller of two like pairs: 1 - delta - e^eps alpha = e^eps (1 - alpha - opposite).
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

/// Whichever of power and type II error is the smaller, over the middle reading's estimate of it; negative type II error,
/// which is convex.
class Scale {
 public:
  explicit Scale(const Reading& middle)
      : by_power_(middle.log_power.estimate < log_half), middle_(middle.epsilon), unit_(of(middle).estimate) {}

  [[nodiscard]] bool by_power() const { return by_power_; }
  [[nodiscard]] double unit() const { return unit_; }
  [[nodiscard]] const Bracket& of(const Reading& r) const { return by_power_ ? r.log_power : r.log_beta; }

  [[nodiscard]] ConvexReading convex(const Reading& r) const {
    const double low = linear(of(r).lower, -1), up = linear(of(r).upper, +1);
    const double x = std::expm1(r.epsilon - middle_);
    return by_power_ ? ConvexReading{x, low, up} : ConvexReading{x, -up, -low};
  }
  /// exp(log_value) over the unit, moved outward by its rounding.
  [[nodiscard]] double linear(double log_value, int side) const {
    return std::exp(log_value - unit_) * (1 + side * 4 * unit_roundoff * (2 + std::fabs(unit_) + std::fabs(log_value - unit_)));
  }

 private:
  bool by_power_;
  double middle_, unit_;
};

struct Certified {
  SupportingLine line;
  double width = infinity;   ///< of the smaller one's logarithm
  double excess = infinity;  ///< that over the reading's own

  [[nodiscard]] bool good() const { return excess <= 6; }
};

/// The logarithm of 1 less what a logarithm stands for, outward.
Bracket one_less(const Bracket& log) {
  const auto rounding = [](double result, double source) {
    if (!std::isfinite(result) || !std::isfinite(source)) return 0.0;
    return 8 * unit_roundoff * (std::fabs(result) < 0.5 ? std::fabs(result) * (1 + std::fabs(source)) : 1 + std::fabs(result));
  };
  Bracket out{log_one_minus_exp(log.upper), log_one_minus_exp(log.estimate), log_one_minus_exp(log.lower)};
  out.lower -= rounding(out.lower, log.upper);
  out.upper = std::min(0.0, out.upper + rounding(out.upper, log.lower));
  return out;
}

class LineSearch {
 public:
  LineSearch(const std::function<LineProfile(double)>& profile, const ProfileEnd& end, double alpha)
      : profile_(profile), end_(end), alpha_(alpha), log_alpha_(std::log(alpha)) {}

  [[nodiscard]] SupportingLine run(double start, double scale) {
    // A test of few outcomes turns at the largest loss.
    if (std::isfinite(end_.largest_loss)) read(end_.largest_loss);
    bracket_from(start, scale);
    smooth_search();
    constexpr int most_steps = 90;
    for (int step = 0; step < most_steps && !best_.good(); ++step) {
      certify_seen();
      if (best_.good()) break;
      const bool stepped = step % 3 < 2 && kink_step(step % 3 == 1);
      if (!stepped && !golden_step()) break;
    }
    for (double step = 1e-9 * (1 + std::fabs(middle().epsilon)); best_.excess > 1e3 && step < widest_search; step *= 4)
      certify_at(step);
    return with_plain_bounds(best_.line);
  }

 private:
  /// Power is at least alpha and at least the mass at infinity.
  [[nodiscard]] SupportingLine with_plain_bounds(SupportingLine line) const {
    const double least = std::max(end_.log_infinity, log_alpha_);
    if (least <= line.log_power.lower) return line;
    line.log_power.lower = std::min(least, line.log_power.upper);
    line.log_power.estimate = std::max(line.log_power.estimate, line.log_power.lower);
    line.log_beta.upper = std::max(line.log_beta.lower, one_less({least, least, least}).upper);
    line.log_beta.estimate = std::min(line.log_beta.estimate, line.log_beta.upper);
    return line;
  }

  [[nodiscard]] bool certain() const { return best_.excess < infinity; }
  [[nodiscard]] const Reading& middle() const { return seen_[lowest_]; }

  const Reading& read(double epsilon) {
    const Reading r = reading(profile_(epsilon), epsilon, alpha_);
    const auto at = std::lower_bound(seen_.begin(), seen_.end(), epsilon,
                                     [](const Reading& seen, double e) { return seen.epsilon < e; });
    const auto index = static_cast<std::size_t>(at - seen_.begin());
    if (at != seen_.end() && at->epsilon == epsilon) return *at;
    seen_.insert(at, r);
    if (seen_.size() > 1 && index <= lowest_) ++lowest_;
    if (seen_.size() == 1 || r.logit() < seen_[lowest_].logit()) lowest_ = index;
    return seen_[index];
  }

  /// The reading so many places from the lowest; the outermost where there are not so many.
  [[nodiscard]] const Reading* around(int places) const {
    const auto index = static_cast<std::ptrdiff_t>(lowest_) + places;
    return index < 0 || index >= static_cast<std::ptrdiff_t>(seen_.size()) ? nullptr : &seen_[static_cast<std::size_t>(index)];
  }

  /// Downhill from `start` by growing steps until two readings on either side of the lowest are there.
  void bracket_from(double start, double scale) {
    read(start);
    read(start - scale);
    read(start + scale);
    for (double step = 2 * scale; step < widest_search; step *= 2) {
      const bool left = around(-2) != nullptr, right = around(2) != nullptr;
      if (left && right) return;
      if (!left) read(seen_.front().epsilon - step);
      if (!right && seen_.back().logit() < no_error_left) read(seen_.back().epsilon + step);
      if (!right && seen_.back().logit() >= no_error_left) read(middle().epsilon + (seen_.back().epsilon - middle().epsilon) / 2);
    }
  }

  void certify(const std::vector<const Reading*>& five) {
    if (std::find(five.begin(), five.end(), nullptr) != five.end()) return;
    const Scale scale(*five[2]);
    const Bracket& middle = scale.of(*five[2]);
    if (!std::isfinite(scale.unit())) return;
    std::array<ConvexReading, 5> at;
    for (std::size_t i = 0; i < 5; ++i) at[i] = scale.convex(*five[i]);
    // Beyond the middle delta is at least its limit, and e^epsilon alpha at least the middle's.
    const double line = five[2]->epsilon + log_alpha_, beyond = log_sum(end_.log_infinity, line - slack(line));
    const double beyond_right = scale.by_power() ? scale.linear(beyond - slack(beyond), -1)
                                                 : -scale.linear(one_less({beyond, beyond, beyond}).upper, +1);
    const double least = convex_minimum(at, beyond_right);
    Bracket value = middle;
    if (scale.by_power())
      value.lower = least > 0 ? scale.unit() + std::log(least) - slack(scale.unit()) : -infinity;
    else
      value.upper = least > -infinity ? scale.unit() + std::log(std::max(0.0, -least)) + slack(scale.unit()) : 0.0;
    value.upper = std::min(0.0, value.upper);
    value.lower = std::min(value.lower, value.upper);
    value.estimate = std::clamp(value.estimate, value.lower, value.upper);
    const double excess = least > -infinity && std::isfinite(value.lower)
                              ? value.width() / std::max(middle.width(), 8 * unit_roundoff * (1 + std::fabs(scale.unit())))
                              : infinity;
    if (certain() && !(value.width() < best_.width)) return;
    best_.excess = excess;
    best_.width = value.width();
    const Bracket other = one_less(value);
    best_.line = scale.by_power() ? SupportingLine{five[2]->epsilon, value, other} : SupportingLine{five[2]->epsilon, other, value};
  }

  /// With the readings nearest the middle that certainly lie above it.
  void certify_seen() {
    const Scale scale(middle());
    const double top = scale.convex(middle()).upper;
    const auto above = [&](int side) {
      int places = side;
      while (around(places) && !(scale.convex(*around(places)).lower > top)) places += side;
      return around(places + side) ? places : side;
    };
    const int left = above(-1), right = above(+1);
    certify({around(left - 1), around(left), around(0), around(right), around(right + 1)});
  }

  void certify_at(double distance) {
    const double centre = middle().epsilon;
    std::vector<Reading> five;
    for (const double place : {-2.0, -1.0, 0.0, 1.0, 2.0}) five.push_back(read(centre + place * distance));
    certify({&five[0], &five[1], &five[2], &five[3], &five[4]});
  }

  /// From parabola to parabola through three equidistant readings, ever closer together; at the lowest point readings as close
  /// as their widths allow: what lies between is then worth no more than those. Gives up at a kink.
  void smooth_search() {
    const Reading *left = around(-1), *right = around(1);
    if (!left || !right || middle().logit() >= no_error_left) return;
    double reach = std::min(middle().epsilon - left->epsilon, right->epsilon - middle().epsilon);
    for (int step = 0; step < 14; ++step) {
      const Reading here = middle();
      const double below = read(here.epsilon - reach).logit() - here.logit(), above = read(here.epsilon + reach).logit() - here.logit();
      const double curvature = (above + below) / (reach * reach), lowest = here.epsilon - (above - below) / (2 * reach * curvature);
      if (!(curvature > 0) || !(std::fabs(lowest - here.epsilon) < 4 * reach)) {
        if (below >= 0 && above >= 0) return;
        reach *= 2;  // the middle has moved downhill
        continue;
      }
      const Scale scale(here);
      const double width = std::max(scale.of(here).width(), 64 * unit_roundoff * (1 + std::fabs(here.logit())));
      const double distance = std::sqrt(2 * width / curvature);
      const double moved = std::fabs(lowest - here.epsilon);
      const bool closer = read(lowest).logit() <= here.logit();
      if (moved < distance / 4 || (moved < distance && reach < 20 * distance)) {
        for (double d = distance; d < 20 * distance && !best_.good(); d *= 2) certify_at(d);
        return;
      }
      reach = std::max(closer ? std::min(reach / 4, 2 * moved) : reach / 4, 10 * distance);
    }
  }

  /// Where the chords from either side cross: a kink between straight pieces. Its own error is stepped over to the right, where
  /// an atom at a kink counts no longer.
  bool kink_step(bool aside) {
    for (const int side : {+1, -1}) {
      // Between the middle and its neighbour; the chords over readings at least as far apart, for their slopes' sake.
      const Reading *near = around(side), *here = &middle();
      if (!near) continue;
      const double gap = std::fabs(near->epsilon - here->epsilon);
      const Reading *behind = beyond(*here, -side, gap), *ahead = beyond(*near, side, gap);
      if (!behind || !ahead || ahead->logit() >= no_error_left) continue;
      double at = crossing(*behind, *here, *near, *ahead);
      if (aside) at += 64 * unit_roundoff * (1 + std::fabs(at));
      const double apart = std::min(std::fabs(at - here->epsilon), std::fabs(at - near->epsilon));
      if (!((at - here->epsilon) * (at - near->epsilon) <= 0) || apart < 32 * unit_roundoff * (1 + std::fabs(at))) continue;
      read(at);
      return true;
    }
    return false;
  }

  /// The nearest reading on a side of another, at least `distance` from it.
  [[nodiscard]] const Reading* beyond(const Reading& from, int side, double distance) const {
    const Reading* found = nullptr;
    for (const Reading& r : seen_) {
      const double away = side * (r.epsilon - from.epsilon);
      if (away >= distance && (!found || away < side * (found->epsilon - from.epsilon))) found = &r;
    }
    return found;
  }

  /// Where the straight lines through a, b and through c, d meet.
  [[nodiscard]] double crossing(const Reading& a, const Reading& b, const Reading& c, const Reading& d) const {
    const Scale scale(middle());
    const double unit = std::max({scale.of(a).estimate, scale.of(b).estimate, scale.of(c).estimate, scale.of(d).estimate});
    const auto v = [&](const Reading& r) { return (scale.by_power() ? 1 : -1) * std::exp(scale.of(r).estimate - unit); };
    const double origin = b.epsilon, xa = std::expm1(a.epsilon - origin), xc = std::expm1(c.epsilon - origin),
                 xd = std::expm1(d.epsilon - origin);
    const double s = (v(a) - v(b)) / xa, t = (v(d) - v(c)) / (xd - xc);
    return origin + std::log1p((v(c) - v(b) - t * xc) / (s - t));
  }

  /// Golden section of the longer side.
  bool golden_step() {
    const Reading *left = around(-1), *right = around(1);
    if (!left || !right) return false;
    const double below = middle().epsilon - left->epsilon, above = right->epsilon - middle().epsilon;
    if (std::max(below, above) <= 16 * unit_roundoff * (1 + std::fabs(middle().epsilon))) return false;
    read(middle().epsilon + (above > below ? 0.381966 * above : -0.381966 * below));
    return true;
  }

  const std::function<LineProfile(double)>& profile_;
  ProfileEnd end_;
  double alpha_, log_alpha_;
  std::vector<Reading> seen_;  ///< by increasing epsilon
  std::size_t lowest_ = 0;
  Certified best_{{0, {-infinity, -infinity, 0}, {-infinity, 0, 0}}};
};

}  // namespace

SupportingLine lowest_line(const std::function<LineProfile(double)>& profile, const ProfileEnd& end, double alpha, double start,
                           double scale) {
  return LineSearch(profile, end, alpha).run(start, scale);
}

}  // namespace pld
