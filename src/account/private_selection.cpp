#include "pld/account/private_selection.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "account/directed_run.hpp"
#include "core/number_text.hpp"
#include "core/work.hpp"
#include "engines/question.hpp"
#include "pairs/profile_pair.hpp"
#include "pld/account/privacy_profile.hpp"
#include "pld/account/query.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "pld/core/time_limit.hpp"

namespace pld {
namespace {

void require_numbers(const Tries& tries) {
  constexpr const char* where = "tries";
  if (tries.law == Tries::Law::poisson) {
    require(tries.mean >= 1e-3 && tries.mean <= 1e6, where, "mean", tries.mean, "from 1e-3 to 1e6");
    return;
  }
  require(tries.shape >= -0.99 && tries.shape <= 100, where, "shape", tries.shape, "from -0.99 to 100");
  require(tries.gamma >= 1e-9 && tries.gamma <= 1, where, "gamma", tries.gamma, "from 1e-9 to 1");
}

/// The run's profile, the larger of both directions, from above.
class RunProfile {
 public:
  struct Point {
    double epsilon = 0, delta = 0;
  };

  explicit RunProfile(const Composition& run) : profile_(run, {.tolerance = as_chords}) {
    constexpr double least_delta = 1e-40, shortest = 0.01, beyond_doubles = 600, far = 60, about = 0.1;
    for (const Direction direction : directions(run, DirectionChoice::worst)) {
      const DirectedRun directed = run_in(run, direction);
      largest_.epsilon = std::max(largest_.epsilon, directed.largest_loss.upper);
      largest_.delta = std::max(largest_.delta, directed.infinity_mass.upper);
    }
    // Where losses are infinite, nothing is gained beyond the epsilon at which what else there is adds a thousandth.
    // At a finite epsilon delta is no less; the bound of a group by single steps may be there alone.
    const double infinite = largest_.delta > 0 ? std::min(largest_.delta, delta_at(far)) : 0;
    const EpsilonQuery to_end{.delta = std::max(least_delta, 1.001 * infinite), .tolerance = about};
    constexpr double share = 0.5;  // the profile up to there takes as much
    const double end = infinite < 0.99 ? with_share(share, [&] { return pld::epsilon(run, to_end).upper; }) : 0;
    constexpr int all_steps = 400, steps_when_late = 40;
    const int steps = TimeLimit::is_over() ? steps_when_late : all_steps;
    // A float's digits, so that multiples of it are doubles.
    step_ = static_cast<float>(std::clamp(end, shortest, beyond_doubles) / steps);
    std::vector<double> places;
    for (int i = 0; i <= steps; ++i) places.push_back(epsilon(static_cast<std::size_t>(i)));
    for (const ProfileBracket& at : profile_.log_profile(places)) delta_.push_back(upper(at));
  }

  /// At even steps from epsilon 0.
  [[nodiscard]] std::size_t size() const { return delta_.size(); }
  [[nodiscard]] double step() const { return step_; }
  [[nodiscard]] double epsilon(std::size_t i) const { return static_cast<double>(i) * step_; }
  [[nodiscard]] double delta(std::size_t i) const { return delta_[i]; }
  /// From the largest finite loss of its pairs on delta is their mass at infinity.
  [[nodiscard]] const Point& largest() const { return largest_; }
  /// Anywhere.
  [[nodiscard]] double delta_at(double epsilon) const { return upper(profile_.log_profile(epsilon)); }

 private:
  static double upper(const ProfileBracket& at) { return std::min(1.0, round_up(std::exp(at.log_delta.upper), 4)); }

  static constexpr double as_chords = 1e-2;  ///< of delta, which those between two places are off by
  PrivacyProfile profile_;
  double step_ = 0;
  std::vector<double> delta_;
  Point largest_;
};

/// Points of the selection's profile; each is a bound by itself.
class Points {
 public:
  /// A delta of 0 may have been too small for a double.
  void add(double epsilon, double delta) {
    if (epsilon >= 0 && epsilon < infinity) add_raised(epsilon, std::min(1.0, round_up(delta, 64)));
  }
  /// Where the mass at infinity is 0, so is delta from the largest loss on.
  void add_largest(const RunProfile::Point& of_run, double more, double mean) {
    if (of_run.delta > 0)
      add(of_run.epsilon + more, mean * of_run.delta);
    else if (of_run.epsilon < infinity)
      add_raised(of_run.epsilon + more, 0);
  }
  [[nodiscard]] PairPtr pair() && {
    points_.push_back({0, 0});
    return pair_of_profile(std::move(points_));
  }

 private:
  void add_raised(double epsilon, double delta) {
    points_.push_back({round_up(epsilon, 8), log(static_cast<Extended>(delta))});
  }

  std::vector<ProfilePoint> points_;
};

/// The least e with e^e >= (gamma + (1 - gamma) T_Q) / (gamma + (1 - gamma) T_P) for every event, T_Q and T_P its
/// chances: at any epsilon that ratio is at most the larger of e^epsilon and 1 + (1 - gamma) / gamma delta(epsilon).
double log_ratio(const RunProfile& run, double gamma) {
  const double odds = round_up((1 - gamma) / gamma, 4);
  const auto proved = [&](double epsilon, double delta) {
    return std::max(epsilon, round_up(std::log1p(odds * delta), 8));
  };
  std::size_t crossing = 0;
  while (crossing + 1 < run.size() && proved(run.epsilon(crossing), run.delta(crossing)) > run.epsilon(crossing))
    ++crossing;
  double high = run.epsilon(crossing), least = proved(high, run.delta(crossing));
  double low = crossing > 0 ? run.epsilon(crossing - 1) : high;
  for (int halving = 0; halving < 10 && low < high; ++halving) {
    const double middle = low + (high - low) / 2, there = proved(middle, run.delta_at(middle));
    least = std::min(least, there);
    (there > middle ? low : high) = middle;
  }
  return least;
}

/// delta(a + (1 + shape) log_ratio) <= E K delta_run(a).
void add_negative_binomial(const RunProfile& run, const Tries& tries, Points& points) {
  const double more = round_up((1 + tries.shape) * log_ratio(run, tries.gamma), 4), mean = mean_of(tries);
  for (std::size_t a = 0; a < run.size(); ++a) points.add(run.epsilon(a) + more, mean * run.delta(a));
  points.add_largest(run.largest(), more, mean);
}

/// h(L) is the largest of u (L - u^c / (1 + c)) over u in [e^-mean, 1]: docs/private_selection.md.
struct Integrand {
  double c = 0, mean = 0;

  /// The slope of its chord from 0 to L = e^log_share.
  [[nodiscard]] double from_zero(double log_share) const {
    const double log_u = std::max(log_share / c, -mean);
    return std::max(0.0, std::exp(log_u) * (1 - std::exp(c * log_u - log_share) / (1 + c)));
  }
};

/// Of slopes of chords: differences, some |log h| u / step apart, lose no more than 1e-8.
constexpr double slope_rounded_up = 1 + 1e-7;

/// The slope of the chord between two points, from those of their chords from 0; the upper one is `apart` above the
/// other on the log scale.
double slope_between(double upper, double lower, double apart) {
  return (upper - lower * std::exp(-apart)) / -std::expm1(-apart);
}

/// The slopes of the chords of h between the nodes e^-(i step), i = 0, 1, ..., n, over an unbounded slope of 1 beyond
/// the first; at last that from 0 to node n. Each is rounded up.
struct Chords {
  std::vector<double> between, from_zero;

  Chords(const Integrand& h, double step, std::size_t n) {
    for (std::size_t i = 0; i <= n; ++i) from_zero.push_back(h.from_zero(-static_cast<double>(i) * step));
    for (std::size_t i = 0; i < n; ++i)
      between.push_back(slope_between(from_zero[i], from_zero[i + 1], step) * slope_rounded_up);
    for (double& slope : from_zero) slope *= slope_rounded_up;
  }
};

/// E_Q h(L), at most: the integral of L is at most 1, that of (L - l)_+ the run's delta. Chords are added from the
/// largest node down. A larger slope below than above would be rounding: the weight it takes away is left at the lower
/// node.
class ChordSum {
 public:
  void add(double slope, double delta_above) {
    slope = std::min(above_, slope);
    sum_ += (above_ - slope) * delta_above;
    above_ = slope;
  }
  [[nodiscard]] double total() const {
    constexpr double too_small_for_doubles = 1e-320;  // of all products together
    return (sum_ + above_) * (1 + 1e-9) + too_small_for_doubles;
  }

 private:
  double above_ = slope_rounded_up, sum_ = 0;
};

/// E_Q h(L), at most, with the largest node at run.epsilon(top).
double chord_sum(const RunProfile& run, const Chords& chords, std::size_t top) {
  ChordSum sum;
  for (std::size_t i = 0; i < top; ++i) sum.add(chords.between[i], run.delta(top - i));
  sum.add(chords.from_zero[top], run.delta(0));
  return sum.total();
}

/// Fewer of the run's places, from the last down to 0, after the largest finite loss where that is beyond.
std::vector<RunProfile::Point> places_down(const RunProfile& run) {
  constexpr std::size_t one_in = 8;
  std::vector<RunProfile::Point> places;
  std::size_t last = run.size() - 1;
  if (run.largest().epsilon > run.epsilon(last) && run.largest().epsilon < infinity) {
    places.push_back(run.largest());
    --last;  // which may be too near for the slope between
  }
  for (std::size_t i = last; i > 0; i -= std::min(i, one_in)) places.push_back({run.epsilon(i), run.delta(i)});
  places.push_back({0, run.delta(0)});
  return places;
}

/// E_Q h(L), at most, with nodes at the places below `top` and there, where the run's delta is no more than at the
/// first of them.
double chord_sum_beyond(const std::vector<RunProfile::Point>& places, const Integrand& h, double top) {
  ChordSum sum;
  double epsilon = top, delta = places.front().delta, from_zero = h.from_zero(0);
  for (const RunProfile::Point& place : places) {
    const double below = h.from_zero(place.epsilon - top);
    sum.add(slope_between(from_zero, below, epsilon - place.epsilon) * slope_rounded_up, delta);
    epsilon = place.epsilon, delta = place.delta, from_zero = below;
  }
  sum.add(from_zero * slope_rounded_up, delta);
  return sum.total();
}

/// Where the run's profile ends the selection's need not be small yet: h falls by the power 1 + 1 / c only.
void add_beyond(const std::vector<RunProfile::Point>& places, const Integrand& h, double less, double useful,
                Points& points) {
  constexpr double apart = 1.02, log_of_least_delta = 93;
  const double reach = std::min(useful, h.c * (std::log(h.mean + 1) + log_of_least_delta));
  for (double top = apart * places.front().epsilon; top < reach && Work::left() > 0; top *= apart) {
    Work::note(static_cast<double>(places.size()));
    points.add(round_up(top - less, 2), h.mean * chord_sum_beyond(places, h, top));
  }
}

/// From the first on ever farther apart, and the last, where the delta of a pure run is 0.
std::vector<std::size_t> places_of_factors(std::size_t size) {
  std::vector<std::size_t> places;
  for (std::size_t e = 1; e + 1 < size; e += 1 + e / 8) places.push_back(e);
  places.push_back(size - 1);
  return places;
}

void add_poisson(const RunProfile& run, const Tries& tries, Points& points) {
  // Without a multiplicative part: chances differ by the total variation at most.
  const double variation = round_up(tries.mean * run.delta(0), 2);
  for (std::size_t a = 0; a < run.size(); ++a) points.add(run.epsilon(a) + variation, tries.mean * run.delta(a));
  points.add_largest(run.largest(), variation, tries.mean);
  constexpr double points_a_chord = 0.15;
  const double points_of_sums = points_a_chord * static_cast<double>(run.size() * run.size());
  const std::vector<RunProfile::Point> places = places_down(run);
  for (const std::size_t e : places_of_factors(run.size())) {
    if (Work::left() <= points_of_sums) return;
    Work::note(points_of_sums);
    const Integrand h{std::expm1(run.epsilon(e)), tries.mean};
    const Chords chords(h, run.step(), run.size());
    const double more = round_up(tries.mean * run.delta(e), 2), less = run.epsilon(e) - more;
    for (std::size_t top = 1; top < run.size(); ++top)
      points.add(round_up(run.epsilon(top) + more, 2) - run.epsilon(e), tries.mean * chord_sum(run, chords, top));
    add_beyond(places, h, less, places.front().epsilon + variation + less, points);
  }
}

Law law_of(const std::string& text, const Composition& composition, const Tries& tries) {
  // A calibration makes some tens, of which none is to be closer than the next.
  constexpr double points_of_one_of_many = 1.2e7;
  const bool is_alone = !Work::is_counted();
  const Question question;
  const PartOfQuestion part(is_alone ? Work::left() : points_of_one_of_many);
  const RunProfile run(composition);
  Points points;
  tries.law == Tries::Law::poisson ? add_poisson(run, tries, points) : add_negative_binomial(run, tries, points);
  const PairPtr pair = std::move(points).pair();
  return {text, pair, pair, {.attained = Attainment::nowhere, .guarantee = true}};
}

/// A text of several words stands in brackets, so that no two selections have one text.
std::string as_one_word(const std::string& text) {
  return text.find(' ') == std::string::npos ? text : "(" + text + ")";
}

}  // namespace

std::string describe(const Tries& tries) {
  if (tries.law == Tries::Law::poisson) return "poisson:mean=" + number_text(tries.mean);
  // As people write it, where that is read as the same law.
  if (const double mean = 1 / tries.gamma; tries.shape == 1 && 1 / mean == tries.gamma)
    return "geometric:mean=" + number_text(mean);
  return "negative-binomial:shape=" + number_text(tries.shape) + ",gamma=" + number_text(tries.gamma);
}

std::string describe(const Tries& tries, const std::vector<Release>& run) {
  std::string text = "best of " + describe(tries) + " tries of";
  for (const Release& release : run)
    text.append(" ").append(std::to_string(release.count)).append(" x ").append(as_one_word(release.mechanism.text()));
  return text;
}

double mean_of(const Tries& tries) {
  const Question question;
  require_numbers(tries);
  if (tries.law == Tries::Law::poisson) return tries.mean;
  const double rest = 1 - tries.gamma, log_gamma = std::log(tries.gamma);
  if (rest == 0) return 1;
  // shape (1 - gamma) / (gamma (1 - gamma^shape)); about shape 0 its limit, which differs by less than shape |log
  // gamma|.
  const double exponent = tries.shape * log_gamma;
  const double quotient = std::fabs(exponent) < 1e-9 ? -1 / log_gamma : -tries.shape / std::expm1(exponent);
  return round_up(rest / tries.gamma * quotient * (1 + 2e-9), 8);
}

Mechanism private_selection(const Composition& run, const Tries& tries) {
  const Question question;
  require_numbers(tries);
  const std::string text = describe(tries, run.releases());
  // Shares the run: copies of selections within selections would double with each.
  const auto under = [text, tries, shared = std::make_shared<const Composition>(run)](const Neighbours& neighbours) {
    if (neighbours != shared->neighbours())
      throw MissingTheorem(text, "adjacency", std::string(name(neighbours.relation)),
                           std::string(name(shared->relation())) + ", in groups as large, as the run's is");
    return law_of(text, *shared, tries);
  };
  return {text, [under](Relation relation) { return under(relation); },
          [under](const Neighbours& neighbours) { return under(neighbours); }};
}

}  // namespace pld
