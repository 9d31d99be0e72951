#include "pld/calibrate/calibrate.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <map>

#include "calibrate/rough_delta.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/number_text.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

namespace {

constexpr double resolution = 1e-6;       // relative, of the value returned
constexpr double coarse_tolerance = 0.02;  // of delta, while the place is sought
constexpr int most_steps = 100;

/// How far log delta is above its target, on a scale on which delta is nearly linear in the logarithm of noise or
/// count (Gaussian tails: -log delta ~ noise^2). Positive where the target is missed.
double miss(double log_delta, double log_target) {
  if (log_target == -infinity) return log_delta == -infinity ? -1 : 1;
  const auto scaled = [](double log_value) { return std::log(std::clamp(-log_value, 1e-12, 1e9)); };
  const double difference = scaled(log_target) - scaled(log_delta);
  if (log_delta <= log_target) return std::min(difference, -1e-15);
  return std::max(difference, 1e-15);
}

/// The search runs over w, which rises toward the unsafe end.
class Search {
 public:
  Search(const Unknown& unknown, const CalibrateQuery& query) : unknown_(unknown), query_(query) {
    const double ends[] = {w_of(unknown.lowest), w_of(unknown.highest)};
    safe_end_ = std::min(ends[0], ends[1]);
    unsafe_end_ = std::max(ends[0], ends[1]);
  }

  [[nodiscard]] Calibration run() {
    refuse_unattainable();
    const double start = refined(rough_root());
    bracket_from(start);
    if (!safe_) refuse_range();
    if (unsafe_) shrink();
    return result();
  }

 private:
  struct Side {
    double w = 0, miss = 0;
  };

  [[nodiscard]] double w_of(double value) const {
    const double coordinate = unknown_.scale == Unknown::Scale::odds ? std::log(value / (1 - value)) : value;
    return unknown_.safer == Unknown::Safer::larger ? -std::log(coordinate) : std::log(coordinate);
  }
  [[nodiscard]] double value_of(double w) const {
    if (w >= unsafe_end_) return unknown_.safer == Unknown::Safer::larger ? unknown_.lowest : unknown_.highest;
    if (w <= safe_end_) return unknown_.safer == Unknown::Safer::larger ? unknown_.highest : unknown_.lowest;
    const double coordinate = std::exp(unknown_.safer == Unknown::Safer::larger ? -w : w);
    if (unknown_.scale == Unknown::Scale::odds) return 1 / (1 + std::exp(-coordinate));
    // Whole numbers: the largest at or below, the one a rounding error above it included.
    if (unknown_.scale == Unknown::Scale::whole) return std::floor(coordinate * (1 + 4 * unit_roundoff));
    return coordinate;
  }

  [[nodiscard]] Trial trial(const Composition& composition, double value, double tolerance) {
    ++trials_;
    Trial out{.value = value, .deltas = {}};
    for (const Target& target : query_.targets) {
      out.deltas.push_back(delta(composition, {.epsilon = target.epsilon,
                                               .tolerance = tolerance,
                                               .direction = query_.direction,
                                               .engine = query_.engine}));
    }
    return out;
  }

  /// The largest miss over the targets, of the log deltas' `end`.
  [[nodiscard]] double largest_miss(const Trial& found, double Bracket::*end) const {
    double largest = -infinity;
    for (std::size_t i = 0; i < query_.targets.size(); ++i) {
      // The upper bounds that are printed decide: delta's own, not its logarithm's.
      const double log_target = std::log(query_.targets[i].delta);
      const double got = found.deltas[i].*end, log_got = found.deltas[i].log_delta.*end;
      double by = miss(log_got, log_target);
      if (got > query_.targets[i].delta) by = std::max(by, 1e-15);
      else if (by > 0 && got <= query_.targets[i].delta) by = -1e-15;
      largest = std::max(largest, by);
    }
    return largest;
  }

  void refuse_unattainable() {
    if (unknown_.safest.releases().empty() &&
        std::all_of(query_.targets.begin(), query_.targets.end(), [](const Target& t) { return t.epsilon >= 0; }))
      return;
    const Trial best = trial(unknown_.safest, 0, coarse_tolerance);
    for (std::size_t i = 0; i < query_.targets.size(); ++i) {
      if (best.deltas[i].lower <= query_.targets[i].delta) continue;
      throw DomainError("calibrate", "target", text_of(query_.targets[i]),
                        "of a delta of " + number_text(best.deltas[i].upper) +
                            " or more: so much is left at the safest value of the unknown");
    }
  }

  [[noreturn]] void refuse_range() const {
    throw DomainError("calibrate", "target", text_of(query_.targets.front()),
                      "one that is certified within the range of the unknown, from " + number_text(unknown_.lowest) +
                          " to " + number_text(unknown_.highest));
  }

  static std::string text_of(const Target& target) {
    return "epsilon " + number_text(target.epsilon) + ", delta " + number_text(target.delta);
  }

  [[nodiscard]] double rough_miss(double w) const {
    const Composition composition = unknown_.at(value_of(w));
    double largest = -infinity;
    for (const Target& target : query_.targets) {
      const double log_delta = rough_log_delta(composition, target.epsilon, query_.direction);
      largest = std::max(largest, miss(std::isnan(log_delta) ? 0 : log_delta, std::log(target.delta)));
    }
    return largest;
  }

  [[nodiscard]] double rough_root() {
    const auto f = [this](double w) { return rough_miss(w); };
    const double at_safe = f(safe_end_), at_unsafe = f(unsafe_end_);
    if (at_safe >= 0) return safe_end_;
    if (at_unsafe <= 0) return unsafe_end_;
    std::uintmax_t steps = most_steps;
    const auto [a, b] = boost::math::tools::toms748_solve(
        f, safe_end_, unsafe_end_, at_safe, at_unsafe, [](double x, double y) { return std::fabs(x - y) < 0.03; },
        steps);
    slope_ = std::max((f(b + 0.01) - f(a - 0.01)) / (b - a + 0.02), 0.1);
    return (a + b) / 2;
  }

  /// Two Newton steps on coarse estimates.
  [[nodiscard]] double refined(double w) {
    if (query_.tolerance >= coarse_tolerance || unknown_.scale == Unknown::Scale::whole) return w;
    for (int step = 0; step < 2; ++step) {
      const double by = largest_miss(trial(unknown_.at(value_of(w)), value_of(w), coarse_tolerance), &Bracket::estimate);
      w = std::clamp(w - std::clamp(by / slope_, -1.0, 1.0), safe_end_, unsafe_end_);
    }
    return w;
  }

  /// The certified miss at w, remembered as the nearest on its side.
  double certified_miss(double w) {
    const double value = value_of(w);
    auto found = done_.find(value);
    if (found == done_.end()) found = done_.emplace(value, trial(unknown_.at(value), value, query_.tolerance)).first;
    const double by = largest_miss(found->second, &Bracket::upper);
    if (by <= 0 && (!safe_ || w > safe_->w)) safe_ = Side{w, by};
    if (by > 0 && (!unsafe_ || w < unsafe_->w)) unsafe_ = Side{w, by};
    return by;
  }

  /// A value on either side, or an end of the range: Newton steps that aim just beyond the root, then longer ones.
  void bracket_from(double w) {
    double least = 0.4 * resolution;
    for (int step = 0; step < most_steps && !(safe_ && unsafe_); ++step) {
      const double by = certified_miss(w);
      if (by <= 0 && w >= unsafe_end_) return;
      if (by > 0 && w <= safe_end_) return;
      const double newton = std::fabs(by / slope_);
      const double beyond = std::max(newton < 0.3 ? newton : 1.5 * newton, 0.0) + least;
      w = by > 0 ? std::max(w - beyond, safe_end_) : std::min(w + beyond, unsafe_end_);
      if (unknown_.scale == Unknown::Scale::whole) w = whole_step(w, by);
      if (step >= 1) least *= 8;
    }
  }

  /// A step of at least one for whole numbers.
  [[nodiscard]] double whole_step(double w, double by) const {
    const double reached = by > 0 ? value_of(unsafe_->w) : value_of(safe_->w);
    const double value = by > 0 ? std::min(value_of(w), reached - 1) : std::max(value_of(w), reached + 1);
    return std::clamp(w_of(std::max(value, unknown_.lowest)), safe_end_, unsafe_end_);
  }

  [[nodiscard]] bool close(double a, double b) const {
    if (unknown_.scale == Unknown::Scale::whole) return std::fabs(value_of(a) - value_of(b)) <= 1;
    return std::fabs(a - b) <= resolution * (1 - 1e-9);
  }

  void shrink() {
    std::uintmax_t steps = most_steps;
    if (close(safe_->w, unsafe_->w)) return;
    boost::math::tools::toms748_solve([this](double w) { return certified_miss(w); }, safe_->w, unsafe_->w, safe_->miss,
                                      unsafe_->miss, [this](double a, double b) { return close(a, b); }, steps);
  }

  [[nodiscard]] Calibration result() const {
    Calibration out{.chosen = done_.at(value_of(safe_->w)), .next = {}, .next_fails = false, .trials = trials_};
    if (unsafe_) {
      out.next = done_.at(value_of(unsafe_->w));
      for (std::size_t i = 0; i < query_.targets.size(); ++i)
        out.next_fails = out.next_fails || out.next->deltas[i].lower > query_.targets[i].delta;
    }
    return out;
  }

  const Unknown& unknown_;
  const CalibrateQuery& query_;
  double safe_end_ = 0, unsafe_end_ = 0;
  double slope_ = 1;  ///< of the miss in w, roughly
  std::map<double, Trial> done_;
  std::optional<Side> safe_, unsafe_;  ///< the closest certified to meet the targets, and the closest that is not
  int trials_ = 0;
};

void check(const CalibrateQuery& query) {
  require(!query.targets.empty(), "calibrate", "targets", 0, "one or more");
  require(query.tolerance > 0 && query.tolerance < 1, "calibrate", "tolerance", query.tolerance, "0 < tolerance < 1");
  for (const Target& target : query.targets) {
    require(std::isfinite(target.epsilon), "calibrate", "epsilon", target.epsilon, "a finite number");
    require(target.delta >= 0 && target.delta <= 1, "calibrate", "delta", target.delta, "0 <= delta <= 1");
  }
}

}  // namespace

Calibration calibrate(const Unknown& unknown, const CalibrateQuery& query) {
  check(query);
  return Search(unknown, query).run();
}

}  // namespace pld
