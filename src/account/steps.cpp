#include "account/steps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

#include "account/chord_bounds.hpp"
#include "account/directed_run.hpp"
#include "account/mirrored_profile.hpp"
#include "core/opposite_direction.hpp"
#include "core/work.hpp"
#include "engines/answer_width.hpp"
#include "engines/inverse.hpp"
#include "engines/question.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "sampling/schemes.hpp"

namespace pld {
namespace {

ProfileBracket bound_of(double log_delta) {
  const double log_rest = std::min(0.0, round_down(log_one_minus_exp(log_delta), 8));
  return {{log_delta, log_delta, log_delta}, {log_rest, log_rest, log_rest}};
}

/// The same releases for other neighbours; nothing where their parameters say nothing of those.
std::optional<Composition> releases_for(const Neighbours& neighbours, const Composition& composition) {
  Composition steps(neighbours);
  try {
    for (const Release& release : composition.releases()) {
      const bool guarantee = release.mechanism.law().kind.guarantee;
      if (guarantee && neighbours.relation != composition.relation()) return std::nullopt;
      steps.add(release.mechanism, release.count);
    }
  } catch (const MissingTheorem&) {
    return std::nullopt;
  }
  return steps;
}

/// How far below its chord a convex function may be, which is so far below where the chord has so much of its low end.
double elsewhere(double gap, double of_low) {
  const bool is_between = of_low >= 0 && of_low <= 1;  // of equal places it is NaN
  return gap > 0 && is_between ? gap / std::min(of_low, 1 - of_low) : 0;
}

/// Divides one number by another, told by their logs.
double share_of(double log_part, double log_whole) {
  return log_part == -infinity ? 0 : std::exp(log_part - log_whole);
}

/// Null of what is no sample.
const SamplingScheme* scheme_of(const Mechanism& mechanism) {
  const auto& sampling = mechanism.sampling();
  return sampling ? sampling_scheme(sampling->numbers) : nullptr;
}

/// How many releases of all data a record is in, one where that is left to chance.
double releases_of_a_record(const SamplingScheme& scheme, const SamplingNumbers& numbers) {
  return scheme.releases_of_a_record ? scheme.releases_of_a_record(numbers) : 1;
}

}  // namespace

std::optional<OnAllData> on_all_data(const Mechanism& mechanism, Neighbours neighbours) {
  const SamplingScheme* scheme = scheme_of(mechanism);
  if (!scheme) return std::nullopt;
  if (scheme->of_fixed_number && neighbours.relation == Relation::add_remove) {
    if (mechanism.law().kind.guarantee) return std::nullopt;
    neighbours.relation = Relation::replace_one;
  }
  const auto& sampling = *mechanism.sampling();
  const bool draws_any = std::all_of(sampling.numbers.begin(), sampling.numbers.end(),
                                     [](const auto& number) { return number.second > 0; });
  return OnAllData{sampling.base->under(neighbours), releases_of_a_record(*scheme, sampling.numbers),
                   scheme->each_by_itself && draws_any};
}

namespace {

/// What stands for a release where it is told who was drawn: so many of another one.
struct Told {
  Mechanism mechanism;
  double each = 1;
};

/// Where a record is put into so many releases, or is blanked out in one at most.
std::optional<Told> told_of_a_record(const Mechanism& mechanism, const Neighbours& neighbours) {
  const SamplingScheme* scheme = scheme_of(mechanism);
  if (!scheme || neighbours.group > 1) return std::nullopt;
  const bool is_blanked_out = neighbours.relation == Relation::zero_out && scheme->of_fixed_number;
  if (!is_blanked_out && !scheme->releases_of_a_record) return std::nullopt;
  const auto& sampling = *mechanism.sampling();
  return Told{*sampling.base, releases_of_a_record(*scheme, sampling.numbers)};
}

/// A sample of one release, whose pair may be looser than that of all data: of a mechanism whose divergences are known
/// apart from its pair, and of a group's where its pair is not known.
std::optional<Told> told_of_a_sample(const Mechanism& mechanism, const Neighbours& neighbours) {
  const SamplingScheme* scheme = scheme_of(mechanism);
  const bool is_one_sample =
      scheme && !scheme->releases_of_a_record && (scheme->each_by_itself || scheme->of_fixed_number);
  if (!is_one_sample || attained_in_composition(mechanism.law().kind.attained)) return std::nullopt;
  const auto all = on_all_data(mechanism, neighbours);
  if (!all || (neighbours.group == 1 && !all->base.pair(Direction::remove)->renyi_curve())) return std::nullopt;
  return Told{Mechanism::of_law(all->base.text(), all->base.law())};
}

}  // namespace

std::optional<Way> way_when_told(const Composition& composition) {
  constexpr double most = 0x1p53;
  Composition told(composition.neighbours());
  bool any = false;
  for (const Release& release : composition.releases()) {
    auto one = told_of_a_record(release.mechanism, composition.neighbours());
    if (!one) one = told_of_a_sample(release.mechanism, composition.neighbours());
    const double count = (one ? one->each : 1) * static_cast<double>(release.count);
    if (!(count <= most)) return std::nullopt;
    told.add(one ? one->mechanism : release.mechanism, static_cast<std::int64_t>(count));
    any = any || one;
  }
  return any ? std::optional(Way{std::move(told), 1, false}) : std::nullopt;
}

std::vector<Way> ways_of(const Composition& composition) {
  std::vector<Way> ways;
  const Relation relation = composition.relation();
  const int group = composition.neighbours().group;
  if (composition.is_exact()) return ways;
  const auto add = [&](const Neighbours& neighbours, int steps) {
    const bool replaces = neighbours.relation != relation;
    if (auto releases = releases_for(neighbours, composition)) ways.push_back({*std::move(releases), steps, replaces});
  };
  const bool replaced = relation == Relation::replace_one;
  if (replaced) add({Relation::add_remove, static_cast<double>(group)}, 1);
  if (group > 1) add(relation, group);
  if (group > 1 && replaced) add(Relation::add_remove, group);
  return ways;
}

std::vector<Way> all_ways_of(const Composition& composition) {
  std::vector<Way> ways = ways_of(composition);
  if (auto told = way_when_told(composition)) ways.push_back(*std::move(told));
  return ways;
}

std::vector<DirectionChoice> Way::directions(DirectionChoice asked) const {
  std::vector<DirectionChoice> out(static_cast<std::size_t>(length()), asked);
  if (replaces)
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = i % 2 == 0 ? DirectionChoice::remove : DirectionChoice::add;
  return out;
}

/// Those of which the worse one was asked for.
std::vector<DirectionChoice> Steps::asked(DirectionChoice choice) const {
  if (way_.replaces || choice != DirectionChoice::worst || symmetric(way_.step)) return {choice};
  return {DirectionChoice::remove, DirectionChoice::add};
}

/// Searches for the splits of one direction's bounds.
Splits Steps::splits(DirectionChoice choice) const { return {bounds_, way_.directions(choice)}; }

/// At an epsilon of either sign; H_{e^epsilon} of a pair is read off that of its two sides swapped.
class Steps::Searches {
 public:
  Searches(const Steps& steps, DirectionChoice choice) {
    for (const DirectionChoice direction : steps.asked(choice)) {
      ahead_.push_back(steps.splits(direction));
      back_.push_back(steps.splits(opposite(direction)));
    }
  }

  /// The smallest epsilon that is found for log_delta in (-inf, 0), if it is positive.
  std::optional<double> positive_epsilon(double log_delta) {
    double found = -infinity;
    use_each(ahead_, [&](Splits& splits) { found = std::max(found, splits.epsilon(log_delta)); });
    return found > 0 ? std::optional(found) : std::nullopt;
  }

  ProfileBracket at(double epsilon) {
    if (std::isinf(epsilon)) return {{-infinity, 0, 0}, {-infinity, 0, 0}};
    return epsilon < 0 ? mirrored_profile(most(back_, -epsilon), -epsilon) : most(ahead_, epsilon);
  }

 private:
  static ProfileBracket most(std::vector<Splits>& all, double epsilon) {
    double found = -infinity;
    use_each(all, [&](Splits& splits) { found = std::max(found, splits.log_delta(epsilon)); });
    return bound_of(found);
  }

  std::vector<Splits> ahead_, back_;
};

std::vector<ProfileBracket> Steps::at(const std::vector<double>& epsilons, DirectionChoice choice) const {
  Searches searches(*this, choice);
  std::vector<std::size_t> order(epsilons.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return epsilons[i] < epsilons[j]; });
  std::vector<ProfileBracket> out(epsilons.size(), bound_of(0));
  const auto at = [&](std::size_t place) { return BoundAt{epsilons[order[place]], out[order[place]]}; };
  const auto solve = [&](std::size_t place) { out[order[place]] = searches.at(epsilons[order[place]]); };
  const auto draw = [&](std::size_t low, std::size_t place, std::size_t high) {
    const BoundAt left = at(low), right = at(high);
    const double epsilon = epsilons[order[place]];
    const ProfileBracket chord = chord_at(left, epsilon, right);
    ProfileBracket& here = out[order[place]];
    const double of_delta = log_difference(chord.log_delta.upper, here.log_delta.upper),
                 of_complement = log_difference(here.log_complement.lower, chord.log_complement.lower);
    if (chord.log_delta.upper < here.log_delta.upper) here.log_delta = chord.log_delta;
    if (chord.log_complement.lower > here.log_complement.lower) here.log_complement = chord.log_complement;
    const double share = std::max(share_of(of_delta, right.bound.log_delta.upper),
                                  share_of(of_complement, left.bound.log_complement.lower));
    const double of_low = std::expm1(epsilon - right.epsilon) / std::expm1(left.epsilon - right.epsilon);
    return elsewhere(share, of_low) / tolerance_;
  };
  solve_halfway(epsilons.size(), solve, draw);
  return out;
}

std::vector<double> Steps::epsilon(const std::vector<double>& deltas, DirectionChoice choice,
                                   const std::vector<double>& near) const {
  constexpr double as_narrow = 1e-6;  // the inverse looks for no more digits
  double largest = -infinity;
  for (const DirectionChoice direction : asked(choice)) largest = std::max(largest, splits(direction).largest_loss());
  Searches searches(*this, choice);
  const auto read = [&](double epsilon) {
    ProfileBracket bound = searches.at(epsilon);
    bound.log_delta.lower -= as_narrow, bound.log_complement.upper += as_narrow;
    return bound;
  };
  std::vector<double> out(deltas.size(), largest);
  const auto solve = [&](std::size_t i) {
    const double from = std::isfinite(near[i]) ? near[i] : 1, log_delta = std::log(deltas[i]);
    if (deltas[i] == 0) return;
    if (deltas[i] == 1)
      out[i] = -infinity;
    else if (const auto found = searches.positive_epsilon(round_down(log_delta, 2)))
      out[i] = std::min(largest, *found);
    else
      out[i] = std::min(largest, epsilon_where(read, log_delta, from).upper);
  };
  const auto draw = [&](std::size_t low, std::size_t i, std::size_t high) {
    const double found = out[i], chord = chord_epsilon({deltas[low], out[low]}, deltas[i], {deltas[high], out[high]});
    out[i] = std::min(found, chord);
    if (out[low] == infinity) return 0.0;
    if (out[low] == -infinity || found == infinity) return infinity;
    const double gap = std::exp(found - out[low]) * std::expm1(chord - found);
    const double of_low = (deltas[i] - deltas[high]) / (deltas[low] - deltas[high]);
    return elsewhere(gap, of_low) / enough_width(out[low], tolerance_);
  };
  solve_halfway(deltas.size(), solve, draw);
  return out;
}

}  // namespace pld
