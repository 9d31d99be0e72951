#include "readout/supporting_line.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/work.hpp"
#include "numeric/roundings.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

constexpr double widest_search = 1e7;  ///< in nats

class LineSearch {
 public:
  LineSearch(const std::function<LineProfile(double)>& profile, const ProfileEnd& end, double alpha)
      : profile_(profile), end_(end), alpha_(alpha) {}

  [[nodiscard]] SupportingLine run(double start, double scale) {
    // A test of few outcomes turns at the largest loss, unless alpha e^loss is more power than there is.
    if (end_.largest_loss + std::log(alpha_) < 0) read(end_.largest_loss);
    bracket_from(start, scale);
    smooth_search();
    constexpr int most_steps = 90;
    for (int step = 0; step < most_steps && !best_.good(); ++step) {
      certify(around_lowest([&](int places) { return around(places); }, end_));
      if (best_.good() || !affords_reading()) break;
      if (outward_step()) continue;
      const bool stepped = step % 3 < 2 && weakest_step(step % 3 == 1);
      if (!stepped && !golden_step()) break;
    }
    double step = 1e-9 * (1 + std::fabs(middle().epsilon));
    for (; best_.excess > 1e3 && step < widest_search && affords_reading(); step *= 4) certify_at(step);
    look_at_ends();
    if (best_.width == infinity) best_.line.epsilon = middle().epsilon;
    return within_readings(with_plain_bounds(best_.line, end_, alpha_), seen_, end_, alpha_);
  }

 private:
  [[nodiscard]] const LineReading& middle() const { return seen_[lowest_]; }

  /// Where rare losses alone tell the two apart the line turns at the smallest loss; where no type II error is left it
  /// lies far out.
  void look_at_ends() {
    if (end_.smallest_loss > -infinity) read(end_.smallest_loss);
    constexpr double far = 40;
    if (middle().logit() >= LineReading::no_error_left && affords_reading()) read(std::min(middle().epsilon, -far));
  }

  /// Any line bounds the power: where the work is done, the lowest one seen does.
  [[nodiscard]] static bool affords_reading() { return Work::affords_piece(); }

  const LineReading& read(double epsilon) {
    const LineReading r = line_reading(profile_(epsilon), epsilon, alpha_);
    const auto at = std::lower_bound(seen_.begin(), seen_.end(), epsilon,
                                     [](const LineReading& seen, double e) { return seen.epsilon < e; });
    const auto index = static_cast<std::size_t>(at - seen_.begin());
    if (at != seen_.end() && at->epsilon == epsilon) return *at;
    seen_.insert(at, r);
    if (seen_.size() > 1 && index <= lowest_) ++lowest_;
    if (seen_.size() == 1 || r.logit() < seen_[lowest_].logit()) lowest_ = index;
    return seen_[index];
  }

  /// The reading so many places from the lowest; the outermost where there are not so many.
  [[nodiscard]] const LineReading* around(int places) const {
    const auto index = static_cast<std::ptrdiff_t>(lowest_) + places;
    return index < 0 || index >= static_cast<std::ptrdiff_t>(seen_.size()) ? nullptr
                                                                           : &seen_[static_cast<std::size_t>(index)];
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
      if (!right && seen_.back().logit() < LineReading::no_error_left) read(seen_.back().epsilon + step);
      if (!right && seen_.back().logit() >= LineReading::no_error_left)
        read(middle().epsilon + (seen_.back().epsilon - middle().epsilon) / 2);
    }
  }

  /// Keeps the narrower of two brackets.
  void certify(const AroundLowest& readings) {
    const CertifiedLine found = certified_line(readings, end_, alpha_);
    if (best_.excess == infinity || found.width < best_.width) best_ = found;
    weakest_ = found.lowest_at;
  }

  void certify_at(double distance) {
    const double centre = middle().epsilon;
    std::vector<LineReading> five;
    for (const double place : {-2.0, -1.0, 0.0, 1.0, 2.0}) five.push_back(read(centre + place * distance));
    certify({{&five[0], &five[1], &five[2], &five[3], &five[4]}, 5, 2});
  }

  /// From parabola to parabola through three equidistant readings, ever closer together; at the lowest point readings
  /// as close as their widths allow: what lies between is then worth no more than those. Gives up at a kink.
  void smooth_search() {
    const LineReading *left = around(-1), *right = around(1);
    if (!left || !right || middle().logit() >= LineReading::no_error_left) return;
    double reach = std::min(middle().epsilon - left->epsilon, right->epsilon - middle().epsilon);
    for (int step = 0; step < 14 && affords_reading(); ++step) {
      const LineReading here = middle();
      const double below = read(here.epsilon - reach).logit() - here.logit(),
                   above = read(here.epsilon + reach).logit() - here.logit();
      const double curvature = (above + below) / (reach * reach),
                   lowest = here.epsilon - (above - below) / (2 * reach * curvature);
      if (!(curvature > 0) || !(std::fabs(lowest - here.epsilon) < 4 * reach)) {
        if (below >= 0 && above >= 0) return;
        reach *= 2;  // the middle has moved downhill
        continue;
      }
      const double width = std::max(SmallerOne(here).of(here).width(), roundings(64, here.logit()));
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

  /// Away from a flat piece, on which no reading lies certainly above another: at an alpha that a test of few outcomes
  /// attains, all lines between two losses have the least power.
  bool outward_step() {
    if (seen_.size() < 2) return false;
    for (const int side : {-1, +1}) {
      const LineReading& outermost = side < 0 ? seen_.front() : seen_.back();
      const LineReading& last_but_one = side < 0 ? seen_[1] : seen_[seen_.size() - 2];
      const double reach = std::max(std::fabs(outermost.epsilon - middle().epsilon),
                                    std::fabs(outermost.epsilon - last_but_one.epsilon));
      const auto above = places_to_above([&](int places) { return around(places); }, side, end_);
      if (above || reach > widest_search) continue;
      read(outermost.epsilon + side * reach);
      return true;
    }
    return false;
  }

  /// Where the last bound is the lowest: at a kink between straight pieces the chords from either side cross there. Its
  /// own error is stepped over to the right, where an atom at a kink counts no longer.
  bool weakest_step(bool aside) {
    double at = weakest_;
    if (aside) at += roundings(64, at);
    const double apart = roundings(32, at);
    if (!(seen_.front().epsilon < at && at < seen_.back().epsilon)) return false;
    const auto above = std::lower_bound(seen_.begin(), seen_.end(), at,
                                        [](const LineReading& seen, double e) { return seen.epsilon < e; });
    if (above->epsilon - at < apart || at - std::prev(above)->epsilon < apart) return false;
    read(at);
    return true;
  }

  /// Golden section of the longer side.
  bool golden_step() {
    const LineReading *left = around(-1), *right = around(1);
    if (!left || !right) return false;
    const double below = middle().epsilon - left->epsilon, above = right->epsilon - middle().epsilon;
    if (std::max(below, above) <= roundings(16, middle().epsilon)) return false;
    read(middle().epsilon + (above > below ? 0.381966 * above : -0.381966 * below));
    return true;
  }

  const std::function<LineProfile(double)>& profile_;
  ProfileEnd end_;
  double alpha_;
  std::vector<LineReading> seen_;  ///< by increasing epsilon
  std::size_t lowest_ = 0;
  CertifiedLine best_;
  double weakest_ = 0;  ///< where the last bound was the lowest; NaN: nowhere
};

}  // namespace

SupportingLine lowest_line(const std::function<LineProfile(double)>& profile, const ProfileEnd& end, double alpha,
                           double start, double scale) {
  return LineSearch(profile, end, alpha).run(start, scale);
}

}  // namespace pld
