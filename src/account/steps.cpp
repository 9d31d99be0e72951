#include "account/steps.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>

#include "account/directed_run.hpp"
#include "account/mirrored_profile.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

constexpr int bits = 12;  // of the place of a minimum: its value is then good to 24

/// How often a way is looked at: about as much work for long ways as for short ones, and less where its steps are
/// alike, of which an even split is nearly the best.
std::uintmax_t most_looks(const Way& way) {
  return static_cast<std::uintmax_t>(way.replaces ? 24 : std::max(6, 24 / way.steps));
}

/// The least of `bound` that is met on the way to its minimum between `low` and `high`, from `found` on.
template <class Bound>
double least_between(double low, double high, double found, std::uintmax_t looks, const Bound& bound) {
  const auto look = [&](double place) {
    const double value = bound(place);
    found = std::min(found, value);
    return std::min(value, 1e300);  // the search takes finite values
  };
  boost::math::tools::brent_find_minima(look, low, high, bits, looks);
  return found;
}

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

DirectionChoice opposite(DirectionChoice choice) {
  if (choice == DirectionChoice::worst) return choice;
  return choice == DirectionChoice::remove ? DirectionChoice::add : DirectionChoice::remove;
}

}  // namespace

std::vector<Way> ways_of(const Composition& composition) {
  std::vector<Way> ways;
  if (composition.is_exact()) return ways;
  const auto& [relation, group] = composition.neighbours();
  if (relation == Relation::replace_one) {
    Neighbours removed = composition.neighbours();
    removed.relation = Relation::add_remove;
    if (auto steps = releases_for(removed, composition)) ways.push_back({*std::move(steps), 1, true});
  }
  if (group > 1)
    if (auto steps = releases_for(relation, composition)) ways.push_back({*std::move(steps), group, false});
  return ways;
}

std::vector<DirectionChoice> Steps::directions(DirectionChoice choice) const {
  if (way_.replaces || choice != DirectionChoice::worst || symmetric(way_.step)) return {choice};
  return {DirectionChoice::remove, DirectionChoice::add};
}

/// Takes an epsilon >= 0, finite.
double Steps::log_delta_of_all(double epsilon, DirectionChoice choice, double known) const {
  const int k = length();
  const auto at_places = [&](const std::vector<double>& places) {
    if (!way_.replaces) return log_delta_(places, choice);
    return std::vector<double>{log_delta_({places[0]}, DirectionChoice::remove).front(),
                               log_delta_({places[1]}, DirectionChoice::add).front()};
  };
  const auto bound = [&](double growth) {
    std::vector<double> places, before;  // the a_i, and the sums of those before
    double sum = 0, reach = 0;
    for (int i = 0; i + 1 < k; ++i) {
      const double a = epsilon / k + growth * (i - (k - 1) / 2.0);
      places.push_back(a), before.push_back(sum);
      sum += a, reach += std::fabs(a);
    }
    // Delta falls with epsilon: the last place is rounded down so that all come to no more than it.
    places.push_back(epsilon - sum - 2 * k * unit_roundoff * (epsilon + reach)), before.push_back(sum);
    const std::vector<double> log_deltas = at_places(places);
    double total = -infinity;
    for (int i = 0; i < k; ++i) {
      const auto at = static_cast<std::size_t>(i);
      total = log_sum(total, before[at] + log_deltas[at]);
    }
    return std::isfinite(total) ? total + 16 * k * unit_roundoff * (1 + reach + std::fabs(total)) : total;
  };
  constexpr double far = 3;
  const double found = bound(0);
  if (!(found < known + far)) return std::min(0.0, found);
  // A removal's term falls with its share and an addition's rises. Of alike steps the earlier ones weigh less, so that
  // they take less of epsilon; where epsilon is small, less than nothing. Those of Gaussian noise of squared
  // sensitivity mu^2, about a^2 / (-2 log delta(a)), near 0 about 2 pi delta^2, grow by that.
  const double each = epsilon / k, one = std::exp(found) / k;
  const double squared_mu = each * each / std::max(1e-3, -2 * found) + 2 * std::numbers::pi * one * one;
  const double widest = way_.replaces ? epsilon : std::min(2 * std::max(epsilon, 1.0) / (k - 1), 4 * squared_mu + 1e-9);
  return std::min(0.0, least_between(way_.replaces ? -widest : 0, widest, found, most_looks(way_), bound));
}

ProfileBracket Steps::at(double epsilon, DirectionChoice choice, double known_log_delta) const {
  if (std::isinf(epsilon)) return {{-infinity, 0, 0}, {-infinity, 0, 0}};
  const auto in_all = [&](double place, DirectionChoice asked, double known) {
    double found = -infinity;
    for (const DirectionChoice direction : directions(asked))
      found = std::max(found, log_delta_of_all(place, direction, known));
    return bound_of(found);
  };
  if (epsilon < 0) {  // H_{e^epsilon} of a pair is read off that of its two sides swapped
    const double opposite_known = log_one_minus_exp(std::min(0.0, log_one_minus_exp(known_log_delta) - epsilon));
    return mirrored_profile(in_all(-epsilon, opposite(choice), opposite_known), -epsilon);
  }
  return in_all(epsilon, choice, known_log_delta);
}

double Steps::epsilon_of_all(double delta, DirectionChoice choice, double known) const {
  const int k = length();
  std::vector<double> near(static_cast<std::size_t>(k), std::isfinite(known) ? known / k : 1);
  // The terms of delta fall, or grow, evenly from step to step.
  const auto bound = [&](double first_of_two) {
    const double ratio = (1 - first_of_two) / first_of_two;
    double weight = 1, all = 0;
    for (int i = 0; i < k; ++i, weight *= ratio) all += weight;
    double left = delta, sum = 0, share = delta / all;
    for (int i = 0; i < k; ++i, share *= ratio) {
      const double exact = std::min(left, i + 1 < k ? share : left) * std::exp(-sum);
      const double term = std::max(0.0, round_down(exact, 8 + std::fabs(sum)));
      if (!(term < 1)) return infinity;
      const DirectionChoice direction =
          !way_.replaces ? choice : (i == 0 ? DirectionChoice::remove : DirectionChoice::add);
      double& here = near[static_cast<std::size_t>(i)];
      const double epsilon = epsilon_(term, direction, here);
      if (std::isfinite(epsilon)) here = epsilon;
      sum = round_up(sum + epsilon, 1);
      left = std::max(0.0, round_down(left - share, 1));
    }
    return sum;
  };
  constexpr double far = 1.25;
  const double found = bound(0.5);
  return found < far * known ? least_between(0.01, 0.99, found, most_looks(way_), bound) : found;
}

Bracket Steps::epsilon(double delta, DirectionChoice choice, double known) const {
  if (delta == 1) return {-infinity, -infinity, -infinity};
  double found = -infinity;
  for (const DirectionChoice direction : directions(choice))
    found = std::max(found, epsilon_of_all(delta, direction, known));
  return {found, found, found};
}

}  // namespace pld
