#include "pld/calibrate/calibrate.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <tuple>

#include "account/boxed_kinds.hpp"
#include "account/finer_laws.hpp"
#include "account/plain_answer.hpp"
#include "account/steps.hpp"
#include "calibrate/attained.hpp"
#include "calibrate/closed_form_miss.hpp"
#include "calibrate/first_guess.hpp"
#include "calibrate/miss.hpp"
#include "calibrate/unsafe_scale.hpp"
#include "core/number_text.hpp"
#include "core/opposite_direction.hpp"
#include "core/outward_text.hpp"
#include "core/work.hpp"
#include "engines/question.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/time_limit.hpp"

namespace pld {
namespace {

constexpr double resolution = 1e-6;  // of w, thus relative of the value returned
/// While the place is sought, estimates are ten times as good: at first, where a step of some percent follows, and
/// then.
constexpr double rough_tolerance = 0.03, coarse_tolerance = 1e-3;
constexpr int most_steps = 100;
/// Shares of the work that is left: looks for the place leave most of it to what certifies it.
constexpr double part_of_a_look = 0.25, share_of_certificates = 0.4;
constexpr double trials_to_come = 3;  ///< that have equal shares of the rest
/// Bounds by steps of which a look takes more than so much of a certificate's share are known no better, and told
/// apart no closer.
constexpr double dear_look = 0.25, tolerance_of_dear = 1e-2, spacing_of_dear = 1e-3;
/// Of w: queries far from the root may take longer.
constexpr double longest_step = 0.5;
/// Of closed forms, which tell little where delta is 1 but for rounding.
constexpr double farthest_step = 4;

/// The search: a guess, Newton steps on estimates, then one certified value on either side of the root, a resolution
/// apart.
class Search {
 public:
  Search(const Unknown& unknown, const CalibrateQuery& query)
      : unknown_(unknown), query_(query), scale_(unknown), reader_(query) {}

  [[nodiscard]] Calibration run() {
    refuse_unbounded();
    surround(root());
    if (!safe_ || (unsafe_ && !close(safe_->w, unsafe_->w))) take_what_is_known();
    if (!safe_ && has_sums_alone() && certified_miss(scale_.unsafe_end()) <= 0) unsafe_.reset();
    if (!safe_) refuse_unattainable();
    if (!safe_ && TimeLimit::is_over()) throw TimeIsUp("calibrate: no value is certified within the time limit");
    if (!safe_) refuse_range(missed_at_safest());
    if (unsafe_) shrink();
    Calibration found = result();
    if (found.next && !found.next_fails) found.failing = failure_beyond(unsafe_->w);
    found.trials = trials_;
    return found;
  }

 private:
  struct Place {
    double w = 0, miss = 0;
  };

  [[nodiscard]] const Trial& trial(double w, double tolerance) {
    const double value = scale_.value_of(w);
    const auto found = done_.find(value);
    if (found != done_.end() && (found->second.tolerance <= tolerance || width(found->second.trial) <= finest()))
      return found->second.trial;
    return (done_[value] = {evaluated(composition_at(w), value, tolerance), tolerance, w}).trial;
  }

  [[nodiscard]] Trial evaluated(const Composition& composition, double value, double tolerance) {
    ++trials_;
    const Trial found = read(composition, value, tolerance);
    if (tolerance > finest_ || !(finest_ < affordable_) || is_as_asked(found)) return found;
    finest_ = affordable_;
    return read(composition, value, finest_);
  }

  [[nodiscard]] Trial read(const Composition& composition, double value, double tolerance) {
    // Never all of it: with none the next trial would certify nothing.
    const double left = Work::left();
    const PartOfQuestion part(tolerance <= finest_ ? std::min(share_, 0.5 * left) : part_of_a_look * left);
    const double points_before = Work::left();
    Trial out{.value = value, .attained = {}};
    for (const Goal& goal : query_.goals) out.attained.push_back(reader_.read(composition, goal, tolerance));
    points_of_last_ = points_before - Work::left();
    points_at_1_ = points_of_last_ * std::sqrt(tolerance);
    return out;
  }

  /// The tolerance of certified trials, each of which has an equal share of the work that the search for their place
  /// has left: the one asked for, or once that turns out to take more, what such a share affords where a trial's points
  /// grow like 1 / sqrt(tolerance).
  [[nodiscard]] double finest() {
    if (finest_ == 0) {
      share_ = Work::left() / trials_to_come;
      const double coarsest = std::max(query_.tolerance, coarse_tolerance);
      affordable_ = share_ > 0 ? std::clamp(std::pow(points_at_1_ / share_, 2), query_.tolerance, coarsest) : coarsest;
      // Of laws on nodes few certificates are affordable; those of whole numbers are few.
      finest_ = on_nodes_ && !scale_.whole() ? affordable_ : query_.tolerance;
      if (has_dear_steps()) {
        finest_ = affordable_ = std::max(query_.tolerance, tolerance_of_dear);
        spacing_ = spacing_of_dear;
      }
    }
    return finest_;
  }

  [[nodiscard]] bool has_dear_steps() const {
    return has_steps_ && points_of_last_ > dear_look * Work::left() / trials_to_come;
  }

  [[nodiscard]] static bool is_as_asked(const Trial& found) {
    return std::all_of(found.attained.begin(), found.attained.end(), [](const Attained& a) { return a.converged; });
  }

  /// Half the distance that the two values returned are to have: a little less than the resolution together.
  [[nodiscard]] double margin() const { return 0.45 * spacing_; }

  /// The largest relative width of what was found.
  [[nodiscard]] static double width(const Trial& found) {
    double widest = 0;
    for (const Attained& a : found.attained) widest = std::max(widest, a.log_value.width());
    return widest;
  }

  /// The largest miss over the goals, of the logarithms' `end`.
  [[nodiscard]] double largest_miss(const Trial& found, double Bracket::*end) const {
    double largest = -infinity;
    for (std::size_t i = 0; i < query_.goals.size(); ++i) {
      const Attained& attained = found.attained[i];
      // The upper bounds that are printed decide: the quantity's own, not its logarithm's.
      const bool missed = attained.value.*end > limit_of(query_.goals[i]);
      largest =
          std::max(largest, with_sign(miss_of(query_.goals[i], attained.value.*end, attained.log_value.*end), missed));
    }
    return largest;
  }

  [[nodiscard]] static double miss_of(const Goal& goal, double value, double log_value) {
    const double log_limit = std::log(limit_of(goal));
    if (const auto* target = std::get_if<Target>(&goal)) return miss(target->epsilon, log_value, log_limit);
    if (std::holds_alternative<Advantage>(goal)) return miss(0, log_value, log_limit);
    if (const auto* power = std::get_if<TestPower>(&goal)) return power_miss(power->fpr, value, power->tpr);
    return log_value - log_limit;
  }

  /// mu and rho, whose logarithms are about linear already.
  [[nodiscard]] static bool is_sum(const Goal& goal) {
    return std::holds_alternative<GaussianDp>(goal) || std::holds_alternative<ZeroConcentratedDp>(goal);
  }

  /// Whether these are all that is asked for. Of samples both are those of all records: a larger rate, which takes
  /// fewer steps for as many epochs, has less of them.
  [[nodiscard]] bool has_sums_alone() const { return std::all_of(query_.goals.begin(), query_.goals.end(), is_sum); }

  /// Whether an empty composition does; its delta is 0 where epsilon >= 0.
  [[nodiscard]] static bool nothing_meets(const Goal& goal) {
    const auto* target = std::get_if<Target>(&goal);
    return target == nullptr || target->epsilon >= 0;
  }

  /// The epsilon where a goal asks for a delta of 0.
  [[nodiscard]] static std::optional<double> pure_epsilon(const Goal& goal) {
    const auto* target = std::get_if<Target>(&goal);
    if (target != nullptr && target->delta == 0) return target->epsilon;
    if (std::holds_alternative<Advantage>(goal) && limit_of(goal) == 0) return 0;
    return std::nullopt;
  }

  void refuse_unbounded() {
    // A delta of 0 asks for bounded losses, which are known without any engine.
    for (const Goal& goal : query_.goals)
      if (const auto pure = pure_epsilon(goal);
          pure && epsilon(composition_at(scale_.safe_end()), {.delta = 0, .direction = query_.direction}).upper > *pure)
        refuse_range(goal);
  }

  void refuse_unattainable() {
    const bool nothing_left = unknown_.safest.releases().empty();
    if (nothing_left && std::all_of(query_.goals.begin(), query_.goals.end(), nothing_meets)) return;
    const Trial rough = evaluated(unknown_.safest, 0, rough_tolerance);
    if (largest_miss(rough, &Bracket::upper) <= 0) return;
    const Trial best = evaluated(unknown_.safest, 0, coarse_tolerance);
    for (std::size_t i = 0; i < query_.goals.size(); ++i) {
      const double limit = limit_of(query_.goals[i]);
      if (best.attained[i].value.lower <= limit) continue;
      throw DomainError(
          "calibrate", "target", quantity_of(query_.goals[i]) + " at most " + number_text(limit),
          number_text(best.attained[i].value.lower) + " or more: so much is left at the safest value of the unknown");
    }
  }

  /// The end where less of the goals is certified: of mu and rho alone either may be.
  [[nodiscard]] double safest_end() {
    const auto missed = [this](double w) { return largest_miss(trial(w, rough_tolerance), &Bracket::upper); };
    const double safe = scale_.safe_end(), other = scale_.unsafe_end();
    return has_sums_alone() && missed(other) < missed(safe) ? other : safe;
  }

  /// The first goal that is missed at the safest value.
  [[nodiscard]] const Goal& missed_at_safest() {
    const Trial& safest = trial(safest_end(), rough_tolerance);
    for (std::size_t i = 0; i < query_.goals.size(); ++i)
      if (safest.attained[i].value.upper > limit_of(query_.goals[i])) return query_.goals[i];
    return query_.goals.front();
  }

  /// What is certified at the safest value: of a target the epsilon at its delta, which tells how far away it is.
  [[nodiscard]] std::string certified_at_safest(const Goal& goal) {
    constexpr int digits = 6;
    const Composition& safest = composition_at(safest_end());
    const auto* target = std::get_if<Target>(&goal);
    if (target == nullptr)
      return quantity_of(goal) + " at most " + text_up(reader_.read(safest, goal, rough_tolerance).value.upper, digits);
    const EpsilonQuery query{.delta = target->delta, .direction = query_.direction, .engine = query_.engine};
    return "epsilon at delta " + number_text(target->delta) + " at most " +
           text_up(epsilon(safest, query).upper, digits);
  }

  [[noreturn]] void refuse_range(const Goal& goal) {
    throw DomainError("calibrate", "target", quantity_of(goal) + " at most " + number_text(limit_of(goal)),
                      "one that is certified within the range of the unknown, from " + number_text(unknown_.lowest) +
                          " to " + number_text(unknown_.highest) + ": at the safest, " +
                          number_text(scale_.value_of(safest_end())) + ", what is certified is " +
                          certified_at_safest(goal));
  }

  /// What a place has: how far above the limits, and how uncertain that is.
  struct Reading {
    double miss = 0, doubt = 0;
  };

  /// Where the certified root is expected.
  [[nodiscard]] double root() {
    const std::vector<Target> targets = targets_like(query_.goals);
    const auto deltas = [this](double w, double tolerance) {
      const Trial& found = trial(w, tolerance);
      const double here = largest_miss(found, &Bracket::estimate);
      return Reading{here, largest_miss(found, &Bracket::upper) - here};
    };
    if (const double w = root_of_closed_forms(targets); !std::isnan(w))
      return any_goal<TestPower>() ? approach(w, longest_step, deltas) : w;
    slope_ = 1;
    const double w = guess(targets);
    // Guesses by the coarsest law are far off. A delta there may take all of the work, an epsilon about as much as
    // here.
    const bool has_any = has_finer_laws(composition_at(w)), has_steps = by_steps(composition_at(w));
    const double longest = has_any || has_steps ? 6 * longest_step : longest_step;
    on_nodes_ = has_any && !has_steps, has_steps_ = has_steps;
    if (!has_one_epsilon()) return approach(w, longest, deltas);
    const bool by_epsilons = on_nodes_ ? !exact_laws(composition_at(w)) : near_largest_loss(w, targets);
    if (!by_epsilons) return approach(w, longest, deltas);
    return approach(w, longest, [&](double at, double tolerance) { return epsilon_reading(at, tolerance, deltas); });
  }

  template <class G>
  [[nodiscard]] bool any_goal() const {
    return std::any_of(query_.goals.begin(), query_.goals.end(),
                       [](const Goal& g) { return std::holds_alternative<G>(g); });
  }

  /// From where the unknown is 1: values at the ends of a range may take long to look at.
  [[nodiscard]] double start() const {
    return scale_.clamped(scale_.w_of(std::clamp(1.0, unknown_.lowest, unknown_.highest)));
  }

  /// The composition there, kept for the next to ask. Trials are many: of very many kinds each has boxes, unless what
  /// is asked for adds up.
  [[nodiscard]] const Composition& composition_at(double w) {
    constexpr double most_kinds = 400;
    const double value = scale_.value_of(w);
    const auto composed = [&] {
      Composition all = unknown_.at(value);
      if (std::any_of(query_.goals.begin(), query_.goals.end(), is_sum)) return all;
      return with_few_kinds(all, most_kinds);
    };
    if (!last_ || last_->first != value) last_.emplace(value, composed());
    return last_->second;
  }

  /// The largest miss over mu and rho.
  [[nodiscard]] double sums_miss(const Composition& composition) {
    double by = -infinity;
    for (const Goal& goal : query_.goals)
      if (is_sum(goal))
        by = std::max(by, reader_.read(composition, goal, 1).log_value.upper - std::log(limit_of(goal)));
    return by;
  }

  /// Whether bounds are by steps of other neighbours, each of which has a share of epsilon and of delta.
  [[nodiscard]] static bool by_steps(const Composition& composition) { return !ways_of(composition).empty(); }

  /// NaN where there are none on the way.
  [[nodiscard]] double root_of_closed_forms(const std::vector<Target>& targets) {
    ClosedFormMiss closed_form(targets, query_.direction);
    return approach(start(), farthest_step, [&](double w, double) {
      const Composition& composition = composition_at(w);
      if (has_finer_laws(composition) || by_steps(composition))
        return Reading{std::numeric_limits<double>::quiet_NaN(), 0};
      return Reading{std::max(closed_form.at(composition), sums_miss(composition)), 0};
    });
  }

  [[nodiscard]] bool has_one_epsilon() const {
    const auto* target = std::get_if<Target>(&query_.goals.front());
    return query_.goals.size() == 1 && target != nullptr && target->epsilon > 0 && target->delta > 0;
  }

  /// Whether the target's epsilon is about the largest loss there, from which on delta is 0.
  [[nodiscard]] bool near_largest_loss(double w, const std::vector<Target>& targets) {
    const auto [step, shares] = one_step_of(composition_at(w), targets);
    const double epsilon = shares.front().epsilon;
    double highest = 0;
    for (const Release& r : step.releases())
      highest += static_cast<double>(r.count) * r.mechanism.pair(Direction::remove)->range().highest;
    constexpr double near = 1.5;
    return highest < near * epsilon && highest > epsilon / near;
  }

  /// By the epsilon that has the target's delta: near the largest loss that is smooth, and delta is not. Nodes for it
  /// tell delta about as well as they tell epsilon, and take half of the points.
  template <class Deltas>
  [[nodiscard]] Reading epsilon_reading(double w, double tolerance, const Deltas& deltas) {
    const auto& target = std::get<Target>(query_.goals.front());
    const double finer = on_nodes_ ? tolerance : 1e-2 * tolerance, points_before = Work::left();
    const Answer found = plain_epsilon(
        composition_at(w),
        {.delta = target.delta, .tolerance = finer, .direction = query_.direction, .engine = query_.engine});
    if (on_nodes_) points_at_1_ = 2 * (points_before - Work::left()) * std::sqrt(tolerance);
    if (!(found.estimate > 0 && found.upper < infinity)) return deltas(w, tolerance);
    return {std::log(found.estimate / target.epsilon), std::log(found.upper / found.estimate)};
  }

  struct Located {
    double w = 0;
    bool changes = true;  ///< or w is the end up to which it does not
  };

  /// Takes what is no number for a goal that is missed.
  [[nodiscard]] static double missed_if_unknown(double miss) { return std::isnan(miss) ? 1e-15 : miss; }

  /// Where a miss changes its sign, about: it is the distance in w; longer steps follow where it is not.
  template <class Miss>
  [[nodiscard]] Located where_it_changes(const Miss& f, double from, double close) const {
    double a = from, at_a = f(a), step = std::clamp(1.2 * std::fabs(at_a), 0.2, 4.0);
    const double sign = at_a > 0 ? -1 : 1;
    double b = scale_.clamped(a + sign * step), at_b = f(b);
    while (at_b * sign < 0) {
      if (b == (sign < 0 ? scale_.safe_end() : scale_.unsafe_end())) return {b, false};
      a = b, at_a = at_b, step *= 2;
      b = scale_.clamped(a + sign * step), at_b = f(b);
    }
    if (a > b) std::swap(a, b), std::swap(at_a, at_b);
    std::uintmax_t steps = most_steps;
    std::tie(a, b) = boost::math::tools::toms748_solve(
        f, a, b, at_a, at_b, [close](double x, double y) { return std::fabs(x - y) < close; }, steps);
    return {(a + b) / 2};
  }

  /// A first place for the root.
  [[nodiscard]] double guess(const std::vector<Target>& targets) {
    bool certain_enough = false;
    const auto f = [&](double w) {
      const Composition& composition = composition_at(w);
      const auto [step, shares] = one_step_of(with_independent_steps(composition), targets);
      const QuickMiss quick = miss_as_gaussian(step, shares);
      certain_enough = quick.without_saddle;
      return missed_if_unknown(std::max(quick.miss, sums_miss(composition)));
    };
    const Located located = where_it_changes(f, start(), 0.1);
    if (targets.empty()) return located.w;
    if (!located.changes) {
      if (located.w == scale_.safe_end()) refuse_unattainable();
      // A normal law of as much noise as others have may tell that nothing is enough where something is.
      return by_steps(composition_at(start())) ? located.w : guess_by_saddle_point(start(), targets);
    }
    const double middle = located.w;
    static_cast<void>(f(middle));
    // Bounds by steps are some percent off what the best guess for one of them says.
    if (by_steps(composition_at(middle))) return middle;
    if (!certain_enough) return guess_by_saddle_point(middle, targets);
    constexpr double beside = 0.05;
    const double left = scale_.clamped(middle - beside), right = scale_.clamped(middle + beside);
    const double slope = (f(right) - f(left)) / (right - left);
    if (slope > 0 && std::isfinite(slope)) slope_ = slope;
    return middle;
  }

  /// Secant steps on the saddle-point approximation, which leave the slope; a wider search where they do not arrive.
  [[nodiscard]] double guess_by_saddle_point(double w, const std::vector<Target>& targets) {
    constexpr double longest = 0.7, close = 0.03;
    SaddleGuess saddle(targets);
    const auto direction = one_of(query_.direction);
    const auto f = [&](double at) { return saddle.miss(with_independent_steps(composition_at(at)), direction); };
    double here = f(w);
    for (int step = 0; step < 8 && std::isfinite(here); ++step) {
      const double by = std::clamp(-here / slope_, -longest, longest), next = scale_.clamped(w + by);
      if (next == w) break;
      const double there = f(next);
      if (!std::isfinite(there)) break;
      slope_ = std::clamp((there - here) / (next - w), slope_ / 4, slope_ * 4);
      w = next;
      here = there;
      if (std::fabs(here / slope_) < close) break;
    }
    if (!(std::fabs(here / slope_) < close) && std::isfinite(here)) {
      const Located located = where_it_changes([&](double at) { return missed_if_unknown(f(at)); }, w, close);
      return located.changes ? located.w : start();
    }
    return scale_.clamped(w - std::clamp(here / slope_, -close, close));
  }

  /// What a place that was stepped to from so far away is worth looking at by.
  [[nodiscard]] static double tolerance_after(double step) {
    if (std::fabs(step) > 0.1) return rough_tolerance;
    return std::fabs(step) > 1e-3 ? coarse_tolerance : 0;
  }

  /// Newton and secant steps on estimates, until the next one would land within a fifth of the margin. A step that
  /// leaves the interval known to hold the root, or comes late, halves that instead: delta may jump, or vanish at a
  /// largest loss.
  template <class Read>
  [[nodiscard]] double approach(double w, double longest, const Read& read) {
    double last_w = 0, last_step = 1;
    Reading last;
    double below = scale_.safe_end(), above = scale_.unsafe_end();
    const double for_certificates = share_of_certificates * points_at_first_;
    for (int step = 0; step < 40 && !TimeLimit::is_over(); ++step) {
      if (step > 0 && Work::left() < for_certificates) return w;
      const double after = tolerance_after(last_step), least = has_dear_steps() ? tolerance_of_dear : query_.tolerance;
      const double tolerance = after > least ? after : finest();
      const Reading here = read(w, tolerance);
      if (std::isnan(here.miss)) return here.miss;
      (here.miss > 0 ? above : below) = w;
      if (step > 0) learn_slope({w, here.miss}, {last_w, last.miss}, here.doubt + last.doubt);
      // Brackets that do not get narrower tell no more of the root: that of the upper bound is what is sought.
      if (tolerance == finest_ && std::fabs(here.miss) < here.doubt) {
        if (on_nodes_) spacing_ = spacing_for(here.doubt);
        return scale_.clamped(w - std::clamp((here.miss + here.doubt) / slope_, -longest, longest));
      }
      double next = scale_.clamped(w - std::clamp(here.miss / slope_, -longest, longest));
      // One number tells nothing of how others do.
      if (step == 0 && scale_.whole() && scale_.value_of(next) == scale_.value_of(w))
        next = scale_.moved(w, here.miss > 0 ? -1 : 1);
      if (next == w) return w;
      const bool surrounded = below > scale_.safe_end() && above < scale_.unsafe_end();
      if (surrounded && (next <= below || next >= above || step > 8)) next = (below + above) / 2;
      const double by = next - w, expected_error = std::fabs(by * last_step);
      // As long as the root is on the same side it may be far away.
      if (!surrounded && by * last_step > 0 && std::fabs(by) >= longest * (1 - 1e-9)) longest *= 2;
      last_w = w, last = here, last_step = by;
      if (scale_.value_of(next) == scale_.value_of(w) || expected_error < 0.2 * margin() || above - below < margin())
        return next;
      w = next;
    }
    return w;
  }

  /// The difference of two places says more than the old slope where they are farther apart than brackets are wide.
  void learn_slope(const Place& a, const Place& b, double doubt) {
    if (std::fabs(a.miss - b.miss) > 3 * doubt)
      slope_ = std::clamp((a.miss - b.miss) / (a.w - b.w), slope_ / 10, slope_ * 10);
  }

  [[nodiscard]] double spacing_for(double doubt) const {
    constexpr double widest = 0.05;
    const double share = on_nodes_ ? 1 : 0.1;  // where few certificates are affordable each has to be of use
    return std::clamp(share * doubt / slope_, resolution, widest);
  }

  /// Where the tolerance is not met, values much closer than brackets are wide are not told apart.
  void space(const Trial& found, double doubt) {
    if (!is_as_asked(found) && std::isfinite(doubt)) spacing_ = spacing_for(doubt);
  }

  /// The certified miss at w, remembered as the nearest on its side.
  double certified_miss(double w) {
    const Trial& found = trial(w, finest());
    const double by = largest_miss(found, &Bracket::upper), doubt = by - largest_miss(found, &Bracket::lower);
    // A step may have gone by another quantity than this miss.
    if (last_certified_) learn_slope({w, by}, *last_certified_, 2 * doubt);
    last_certified_ = Place{w, by};
    space(found, doubt);
    if (by <= 0 && (!safe_ || w > safe_->w)) safe_ = Place{w, by};
    if (by > 0 && (!unsafe_ || w < unsafe_->w)) unsafe_ = Place{w, by};
    return by;
  }

  /// A certified value on either side of the root, or an end of the range: first a margin to either side of where the
  /// root is expected, then a margin beyond where it seems to be from there, ever farther.
  void surround(double root) {
    double w = scale_.whole() ? root : scale_.clamped(root - margin());
    double times = 1;
    for (int step = 0; step < most_steps && !TimeLimit::is_over(); ++step) {
      const double by = certified_miss(w);
      // With less than that brackets get wider from step to step: what was certified before is nearer.
      if (Work::left() <= share_ / 4) take_what_is_known();
      if (safe_ && unsafe_) return;
      if ((by <= 0 && w >= scale_.unsafe_end()) || (by > 0 && w <= scale_.safe_end())) return;
      if (step == 0 && by <= 0) {
        w = scale_.whole() ? scale_.moved(w, 1) : scale_.clamped(root + margin());
        continue;
      }
      if (step > 1) times *= 4;
      const double beyond = times * margin();
      const double seen = w - std::clamp(by / slope_, -1.0, 1.0);
      w = scale_.clamped(by > 0 ? std::min(seen - beyond, w - 2 * margin())
                                : std::max(seen + beyond, w + 2 * margin()));
      if (scale_.whole())
        w = by > 0 ? std::min(w, scale_.moved(unsafe_->w, -1)) : std::max(w, scale_.moved(safe_->w, 1));
    }
  }

  /// Looks for the place are certified too: of all, the farthest that meets the goals and the nearest beyond it that
  /// does not.
  void take_what_is_known() {
    const auto upper_miss = [this](const Done& done) { return largest_miss(done.trial, &Bracket::upper); };
    for (const auto& [value, done] : done_)
      if (const double by = upper_miss(done); by <= 0 && (!safe_ || done.w > safe_->w)) safe_ = Place{done.w, by};
    if (!safe_) return;
    unsafe_.reset();
    for (const auto& [value, done] : done_)
      if (done.w > safe_->w && (!unsafe_ || done.w < unsafe_->w)) unsafe_ = Place{done.w, upper_miss(done)};
  }

  [[nodiscard]] bool close(double a, double b) const {
    if (scale_.whole() && scale_.whole_steps(a, b) <= 1) return true;
    return (spacing_ > resolution || !scale_.whole()) && std::fabs(a - b) <= spacing_ * (1 - 1e-9);
  }

  void shrink() {
    std::uintmax_t steps = most_steps;
    const auto is_done = [this](double a, double b) { return close(a, b) || Work::left() <= share_; };
    if (is_done(safe_->w, unsafe_->w)) return;
    boost::math::tools::toms748_solve([this](double w) { return certified_miss(w); }, safe_->w, unsafe_->w, safe_->miss,
                                      unsafe_->miss, is_done, steps);
  }

  /// Whether some lower bound exceeds its limit. A mechanism that keeps a guarantee need not lose all that it allows.
  [[nodiscard]] bool fails(const Trial& found) const {
    for (std::size_t i = 0; i < query_.goals.size(); ++i) {
      const Finding& value = found.attained[i].value;
      if (!value.only_guaranteed && value.lower > limit_of(query_.goals[i])) return true;
    }
    return false;
  }

  /// Whether what is known from below is of other mechanisms with the same guarantee.
  [[nodiscard]] static bool guarantees_alone(const Trial& found) {
    return std::all_of(found.attained.begin(), found.attained.end(),
                       [](const Attained& a) { return a.value.only_guaranteed; });
  }

  /// About the nearest value beyond w that certainly misses a goal, by looks while there is work for them: bounds known
  /// from two sides may leave it far away. None where no look finds one.
  [[nodiscard]] std::optional<Trial> failure_beyond(double w) {
    constexpr double close_by = 0.01, longest = 2;
    double shortest = 0.02;  // a lower bound may stay next to its limit over long stretches
    static constexpr double largest = 4;
    const auto miss = [this](double at) {
      const Trial& found = trial(at, coarse_tolerance);
      const double by = std::clamp(missed_if_unknown(largest_miss(found, &Bracket::lower)), -largest, largest);
      return fails(found) ? std::fabs(by) : -std::fabs(by);
    };
    const auto is_late = [this] { return TimeLimit::is_over() || Work::left() <= share_ / 4; };
    if (is_late() || guarantees_alone(done_.at(scale_.value_of(w)).trial)) return std::nullopt;
    double a = w, at_a = miss(a), b = a, at_b = at_a;
    while (at_b <= 0) {
      if (b >= scale_.unsafe_end() || is_late()) return std::nullopt;
      a = b, at_a = at_b;
      b = scale_.clamped(a + std::clamp(-1.2 * at_a, shortest, longest)), at_b = miss(b);
      shortest = std::min(2 * shortest, longest);
    }
    std::uintmax_t steps = most_steps;
    const auto is_done = [&](double x, double y) {
      return std::fabs(x - y) <= close_by || (scale_.whole() && scale_.whole_steps(x, y) <= 1) || is_late();
    };
    if (a < b && !is_done(a, b)) boost::math::tools::toms748_solve(miss, a, b, at_a, at_b, is_done, steps);
    return nearest_failure(w);
  }

  [[nodiscard]] std::optional<Trial> nearest_failure(double beyond) const {
    const Done* nearest = nullptr;
    for (const auto& [value, done] : done_)
      if (done.w > beyond && fails(done.trial) && (nearest == nullptr || done.w < nearest->w)) nearest = &done;
    return nearest == nullptr ? std::nullopt : std::optional(nearest->trial);
  }

  [[nodiscard]] Calibration result() const {
    Calibration out{.chosen = done_.at(scale_.value_of(safe_->w)).trial, .next = {}};
    out.converged = is_as_asked(out.chosen) && finest_ <= std::max(query_.tolerance, coarse_tolerance);
    if (unsafe_) {
      out.converged = out.converged && close(safe_->w, unsafe_->w);
      out.next = done_.at(scale_.value_of(unsafe_->w)).trial;
      out.next_fails = fails(*out.next);
    } else {
      out.converged = out.converged && out.chosen.value == unknown_.unsafe_end();
    }
    return out;
  }

  struct Done {
    Trial trial;
    double tolerance = 1, w = 0;
  };

  const Unknown& unknown_;
  const CalibrateQuery& query_;
  UnsafeScale scale_;
  GoalReader reader_;
  bool on_nodes_ = false;   ///< some law is worked out to some fineness
  bool has_steps_ = false;  ///< bounds are by steps of other neighbours
  double slope_ = 1;        ///< of the miss in w: that of Gaussian noise to begin with
  std::map<double, Done> done_;
  std::optional<std::pair<double, Composition>> last_;
  std::optional<Place> last_certified_;
  std::optional<Place> safe_, unsafe_;  ///< the closest certified to meet the goals, and the closest that is not
  int trials_ = 0;
  double points_at_first_ = Work::left();
  double points_of_last_ = 0;                       ///< trial
  double points_at_1_ = 0;                          ///< the same times the root of its tolerance
  double finest_ = 0, affordable_ = 0, share_ = 0;  ///< see finest(); 0 before they are settled
  double spacing_ = resolution;                     ///< in w, of values told apart
};

}  // namespace

Calibration calibrate(const Unknown& unknown, const CalibrateQuery& query) {
  const Question question(2);
  require(!query.goals.empty(), "calibrate", "goals", 0, "one or more");
  require(query.tolerance > 0 && query.tolerance < 1, "calibrate", "tolerance", query.tolerance, "0 < tolerance < 1");
  for (const Goal& goal : query.goals) require_valid(goal);
  if (!unknown.at) throw DomainError("calibrate", "at", "empty", "a function of the number that is looked for");
  const double above = unknown.scale == Unknown::Scale::odds ? 1 / unknown.answers : 0;
  require(unknown.lowest > above, "calibrate", "lowest", unknown.lowest,
          above > 0 ? "above 1 / answers" : "lowest > 0");
  require(unknown.highest >= unknown.lowest && unknown.highest < infinity, "calibrate", "highest", unknown.highest,
          "lowest <= highest, finite");
  return Search(unknown, query).run();
}

}  // namespace pld
