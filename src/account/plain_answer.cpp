#include "account/plain_answer.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <vector>

#include "account/all_neighbours.hpp"
#include "account/answers_met.hpp"
#include "account/directed_run.hpp"
#include "account/engine_refusals.hpp"
#include "account/far_gaussian.hpp"
#include "account/finer_laws.hpp"
#include "account/ladder.hpp"
#include "account/largest_of_neighbours.hpp"
#include "account/least_bound.hpp"
#include "account/renyi_profile.hpp"
#include "account/renyi_routes.hpp"
#include "account/steps.hpp"
#include "core/intersection.hpp"
#include "core/work.hpp"
#include "engines/answer_width.hpp"
#include "engines/question.hpp"
#include "numeric/log_doubt.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/roundings.hpp"
#include "pairs/gaussian_allocation.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// A lower bound of the log of the P mass at the largest finite loss of the composition; -inf where there is none.
double log_mass_at_largest_loss(const DirectedRun& run) {
  double log_mass = 0;
  for (const Term& t : run.terms) {
    const double highest = t.pair->range().highest;
    if (highest == infinity) return -infinity;
    const double one = t.pair->above(highest - t.pair->loss_error({highest, highest})).log_mass;
    log_mass += static_cast<double>(t.count) * (one - mass_error(one));
  }
  return log_mass;
}

/// epsilon for a delta that exceeds the mass m at infinity by far less than the mass at the largest loss S:
/// delta(epsilon) >= m + mass (1 - e^{epsilon - S}), so that S + log(1 - (delta - m) / mass) <= epsilon <= S, whatever
/// the rest of the law.
std::optional<Bracket> just_below_largest_loss(const DirectedRun& run, double delta) {
  if (delta < run.infinity_mass.upper || run.largest_loss.upper == infinity) return std::nullopt;
  const double log_mass = log_mass_at_largest_loss(run), log_excess = std::log(delta - run.infinity_mass.lower);
  // Carries 16 u (1 + |log mass|) of both masses, and rounds two logarithms and their difference.
  const double log_share = log_excess - log_mass + roundings(64, log_mass, log_excess);
  if (!(log_share < -1)) return std::nullopt;
  Bracket found = run.largest_loss;
  found.lower = round_down(found.lower + std::log1p(-std::exp(log_share)), 4);
  return found;
}

/// Where log_delta_below_losses() reaches delta < 1; below any epsilon of that delta.
Bracket epsilon_below_losses(const DirectedRun& run, double delta) {
  const double log_rest = std::log1p(-delta);
  return {round_down(round_down(log_rest, 2) - run.log_q_finite.upper, 2), log_rest - run.log_q_finite.estimate,
          round_up(round_up(log_rest, 2) - run.log_q_finite.lower, 2)};
}

/// log delta of an epsilon below the largest loss S lies between the mass at infinity and that plus 1 - e^{epsilon -
/// S}: no finite loss adds more than its mass times that.
Bracket log_delta_below_largest_loss(const DirectedRun& run, double epsilon) {
  const double finite = round_up(-std::expm1(epsilon - run.largest_loss.upper), 4);
  const double most = round_up(run.infinity_mass.upper + finite, 1);
  return {round_down(std::log(run.infinity_mass.lower), 4), std::log(run.infinity_mass.estimate + finite),
          std::min(0.0, round_up(std::log(most), 4))};
}

/// What an engine found of a run and what else is known of it.
Bracket met(const DirectedRun& run, const Bracket& found, const Bracket& known) {
  return sharpened(found, known, rounded_to(run.terms));
}

/// An answer and where it came from. What is known without any engine counts as a closed form.
struct Found {
  Bracket value;
  Engine engine = Engine::closed_form;
  Direction direction = Direction::remove;
  std::optional<Bracket> delta{};  ///< of which value is the logarithm, where it was known before that
};

/// The direction of what bounds both: the one that is asked about.
Direction bounded_in(DirectionChoice choice) {
  return choice == DirectionChoice::add ? Direction::add : Direction::remove;
}

Found exactly(double value) { return {{value, value, value}}; }

Found log_delta_by(Engine asked, const DirectedRun& run, double epsilon, double tolerance) {
  const ClimbedDelta found = climb(run.terms, asked, {.epsilon = epsilon, .width = tolerance});
  return {found.here.log_delta, found.engine};
}

Found epsilon_by(Engine asked, const DirectedRun& run, double delta, double tolerance) {
  const ClimbedEpsilon found = climb_to_delta(run.terms, asked, std::log(delta), tolerance);
  return {found.value, found.engine};
}

/// `solve(run, tolerance)` in the direction asked for. For the worse of two, both are solved roughly first, then those
/// that may be the worse one until `narrow(bracket)`.
template <class Solve, class Narrow>
Found solve_directions(const Composition& composition, DirectionChoice choice, double tolerance, const Solve& solve,
                       const Narrow& narrow) {
  const auto solved = [&](const DirectedRun& run, Direction direction, double wanted) {
    Found found = solve(run, wanted);
    found.direction = direction;
    return found;
  };
  const auto in = [&](Direction direction) { return solved(run_in(composition, direction), direction, tolerance); };
  if (choice == DirectionChoice::add) return in(Direction::add);
  if (choice == DirectionChoice::remove || symmetric(composition)) return in(Direction::remove);

  constexpr double rough = 0.03;
  const double first = std::max(tolerance, rough);
  const DirectedRun removing = run_in(composition, Direction::remove), adding = run_in(composition, Direction::add);
  Found remove = solved(removing, Direction::remove, first), add = solved(adding, Direction::add, first);
  const bool remove_in_play = remove.value.upper >= add.value.lower,
             add_in_play = add.value.upper >= remove.value.lower;
  const auto refine = [&](Found& found, const DirectedRun& run) {
    if (!(tolerance < rough) || narrow(found.value)) return;
    const Bracket roughly = found.value;
    found = solved(run, found.direction, tolerance);
    found.value = met(run, found.value, roughly);
  };
  if (remove_in_play) refine(remove, removing);
  if (add_in_play) refine(add, adding);
  const bool removed = remove.value.estimate >= add.value.estimate;
  Found worst = removed ? remove : add;
  const Found& other = removed ? add : remove;
  if (other.value.upper > worst.value.lower) worst.delta.reset();
  worst.value.lower = std::max(remove.value.lower, add.value.lower);
  worst.value.upper = std::max(remove.value.upper, add.value.upper);
  return worst;
}

/// The smallest of the upper bounds by each route: `solve(composition, query)` answers by pairs, `convert(profile)` by
/// the conversion of all divergences.
template <class Query, class Solve, class Convert>
auto by_better_route(const Composition& composition, const Query& query, const Solve& solve, const Convert& convert) {
  const RenyiRoutes routes = renyi_routes(composition);
  const auto solved = upper_bounds(1 + routes.joined.size(), query.tolerance, [&](std::size_t i, double tolerance) {
    Query asked = query;
    asked.tolerance = tolerance;
    return solve(i == 0 ? routes.as_it_stands(composition) : routes.joined[i - 1], asked);
  });
  const auto& converted = solved.front();
  std::optional<std::decay_t<decltype(converted)>> added;
  const auto add = [&](const auto& answer) {
    if (added)
      take_smaller(*added, answer);
    else
      added = answer;
  };
  std::for_each(solved.begin() + 1, solved.end(), add);
  if (routes.total) add(convert(RenyiProfile(*routes.total)));
  if (!added) return converted;
  auto better = converted;
  take_smaller(better, *added);
  const bool single = composition.releases().size() == 1 && composition.releases().front().count == 1;
  if (!single) better.renyi_routes = Answer::Routes{*added, converted};
  return better;
}

Answer epsilon_of(const Composition& composition, const EpsilonQuery& query) {
  const auto solve = [&](const DirectedRun& run, double tolerance) -> Found {
    require_engine(query.engine, run.terms);
    if (query.delta == 1) return exactly(-infinity);
    const bool is_unbounded = run.has_infinite_loss || has_allocation(run.terms);  // of normal noise
    if (query.delta < run.infinity_mass.lower || (query.delta == 0 && is_unbounded)) return exactly(infinity);
    // No finite loss adds anything from the largest one on, and each epsilon below has more.
    if (query.delta == run.infinity_mass.lower && query.delta == run.infinity_mass.upper) return {run.largest_loss};
    if (run.terms.empty()) {
      // Nothing released: delta(epsilon) = max(0, 1 - e^epsilon).
      const double value = std::log1p(-query.delta);
      return {{round_down(value, 2), value, round_up(value, 2)}};
    }
    const auto near_largest = just_below_largest_loss(run, query.delta);
    if (near_largest && is_narrow(*near_largest, tolerance) && !by_closed_form(query.engine, run.terms))
      return {*near_largest};
    const Bracket below_losses = epsilon_below_losses(run, query.delta);
    if (!run.has_finite_loss) return {{below_losses.lower, infinity, infinity}};
    if (below_losses.upper <= run.smallest_loss) return {below_losses};
    Found answer = epsilon_by(query.engine, run, query.delta, tolerance);
    answer.value = met(run, answer.value, at_least(below_losses.lower));
    if (near_largest) answer.value = met(run, answer.value, *near_largest);
    if (query.delta >= run.infinity_mass.upper) {
      answer.value.lower =
          std::min(answer.value.lower, run.largest_loss.lower);  // finite, also where no double is as large
      answer.value = met(run, answer.value, at_most(run.largest_loss.upper));
    }
    return answer;
  };
  const auto narrow = [&](const Bracket& bracket) { return is_narrow(bracket, query.tolerance); };
  const Found found = solve_directions(composition, query.direction, query.tolerance, solve, narrow);
  Answer out;
  static_cast<Bracket&>(out) = found.value;
  out.direction = found.direction, out.engine = found.engine, out.converged = narrow(found.value);
  return out;
}

DeltaAnswer delta_of(const Composition& composition, const DeltaQuery& query) {
  const auto solve = [&](const DirectedRun& run, double tolerance) -> Found {
    require_engine(query.engine, run.terms);
    if (query.epsilon == -infinity || run.infinity_mass.lower == 1) return exactly(0);
    if (run.terms.empty()) {
      if (query.epsilon >= 0) return exactly(-infinity);
      const double value = log_one_minus_exp(query.epsilon);
      return {{round_down(value, 8), value, std::min(0.0, round_up(value, 8))}};
    }
    if (!run.has_finite_loss || query.epsilon >= run.largest_loss.upper)
      return {.value = log_delta_beyond_losses(run), .delta = run.infinity_mass};
    const Bracket below_losses = log_delta_below_losses(run, query.epsilon);
    if (query.epsilon <= run.smallest_loss) return {below_losses};
    Found answer = log_delta_by(query.engine, run, query.epsilon, std::log1p(tolerance));
    answer.value = met(run, answer.value, at_least(below_losses.lower));
    answer.value = met(run, answer.value, log_delta_below_largest_loss(run, query.epsilon));
    answer.value = met(run, answer.value, at_most(most_log_delta(run)));
    return answer;
  };
  const auto narrow = [&](const Bracket& log_bracket) { return is_narrow_log_delta(log_bracket, query.tolerance); };
  const Found found = solve_directions(composition, query.direction, query.tolerance, solve, narrow);
  DeltaAnswer out;
  static_cast<Bracket&>(out) = found.delta ? *found.delta : probability(found.value);
  out.direction = found.direction, out.engine = found.engine, out.converged = narrow(found.value);
  out.log_delta = found.value;
  return out;
}

/// What log delta of the steps is to be known to, so that a bound by them is as narrow as asked.
double tolerance_of_steps(const DeltaQuery& query) { return query.tolerance; }
double tolerance_of_steps(const EpsilonQuery& query) { return 10 * query.tolerance; }

/// With the lower end that real neighbours attain, if any are known: it may be nearer than the pairs' own.
Answer raised(Answer answer, const Composition& attained, const Answer& below) {
  static_cast<Bracket&>(answer) = rising_if_known(answer, attained, below);
  return answer;
}
DeltaAnswer raised(DeltaAnswer answer, const Composition& /*attained*/, const DeltaAnswer& below) {
  answer.log_delta = rising(answer.log_delta, below.log_delta, 0);
  static_cast<Bracket&>(answer) = probability(answer.log_delta);
  return answer;
}

/// Part of the work that a way asked last has, also where those before it took more than theirs.
constexpr double share_in_any_case = 0.05;

/// The least upper bound by `solve(composition, query)` and `convert(profile)`; where the releases' pairs only
/// dominate, also by `replace(steps, known)`, with the lower end that real neighbours attain, by any engine.
template <class Query, class Solve, class Convert, class Replace>
auto solve_for_all_neighbours(const Composition& composition, const Query& query, const Solve& solve,
                              const Convert& convert, const Replace& replace) {
  const auto by_routes = [&](const Query& asked) { return by_better_route(composition, asked, solve, convert); };
  if (composition.is_one_profile()) return by_routes(query);
  const double whole = Work::left();
  const auto with = [&](double share, const auto& ask) {
    const PartOfQuestion part(share * whole);
    return ask();
  };
  const std::vector<Composition> attained = composition.attained_by_each();
  const std::vector<Way> ways = ways_of(composition);
  // Of releases in boxes both laws take alike; of nodes that stand for a law, what was worked out for one serves both.
  constexpr double half = 0.5;
  const bool alike = composition.has_worst_neighbours() && !has_finer_laws(composition);
  const double share_of_pairs = alike ? half : share_of_upper_end;
  Query below_query = query;
  below_query.engine = Engine::automatic;
  using A = decltype(by_routes(query));
  std::optional<A> of_pairs, of_neighbours;
  // After the pairs: what was worked out for their law serves that of real neighbours, where it is the same.
  const auto below = [&] {
    const bool by_line = of_pairs->engine == Engine::contour && of_pairs->converged;
    if (!of_neighbours && by_line && are_attained(composition)) of_neighbours = of_pairs;
    const double share = ways.empty() ? 1 : 1 - share_of_upper_end;
    if (of_neighbours) return *of_neighbours;
    Work::leave_at_least(share_in_any_case * whole);
    with(share, [&] {
      use_first_most(attained, [&](const Composition& one) {
        if (of_neighbours && is_close(between(*of_neighbours, *of_pairs), query.tolerance)) return;
        const A found = solve(one, below_query);
        if (!of_neighbours || asked_of(found).lower > asked_of(*of_neighbours).lower) of_neighbours = found;
      });
    });
    return *of_neighbours;
  };
  const auto bounds = with(ways.empty() ? share_of_pairs : 1, [&] {
    return upper_bounds(1 + ways.size(), query.tolerance, [&](std::size_t i, double tolerance) {
      Query asked = query;
      asked.tolerance = tolerance;
      if (i == 0) return *(of_pairs = by_routes(asked));
      if (is_close(between(below(), *of_pairs), query.tolerance)) return *of_pairs;
      return replace(steps_by_profile(ways[i - 1], tolerance_of_steps(asked)), *of_pairs);
    });
  });
  A found = bounds.front();
  std::for_each(bounds.begin() + 1, bounds.end(), [&](const A& bound) { take_smaller(found, bound); });
  auto out = raised(found, attained.front(), below());
  out.converged = found.converged || is_close(out, query.tolerance);
  out.exact = composition.is_exact();
  return out;
}

/// Whether a sample's pair may be looser than the releases that a record is in: that of several participations, or of
/// what is known by more than its pair.
bool is_loosely_sampled(const Composition& composition) {
  const auto& releases = composition.releases();
  return std::any_of(releases.begin(), releases.end(), [](const Release& release) {
    return release.mechanism.sampling() && !attained_in_composition(release.mechanism.law().kind.attained);
  });
}

/// What `solve(composition, query)` finds, on finer and finer laws; where that is far from what real neighbours attain,
/// or the pairs have, also by the releases that a record is in, as though that was told.
template <class Query, class Solve>
auto solve_finely(const Composition& composition, const Query& query, const Solve& solve) {
  constexpr double far = 0.02;
  const double whole = Work::left();
  auto found = by_finer_laws(composition, query, solve);
  found.only_guaranteed = composition.is_only_guaranteed();
  const bool as_pairs = found.converged && found.upper < infinity && !is_loosely_sampled(composition);
  const bool enough = as_pairs || (found.exact && is_close(found, std::max(far, query.tolerance)));
  const auto told = enough ? std::nullopt : way_when_told(composition);
  if (!told) return found;
  Query of_told = query;
  of_told.engine = Engine::automatic;                          // what was asked for may take the allocation alone
  const Bracket alone{found.upper, found.upper, found.upper};  // whatever is attained
  const Bracket converted = found.renyi_routes ? found.renyi_routes->converted_first : alone;
  Work::leave_at_least(share_in_any_case * whole);
  lower_to(solve(told->step, of_told), found);
  // Of guarantees, the sample's own pair may say less than that of all data.
  if (found.renyi_routes && converted.upper < found.renyi_routes->converted_first.upper)
    found.renyi_routes->converted_first = converted;
  found.converged = is_close(found, query.tolerance) || (found.converged && !found.exact);
  return found;
}

/// Whether no epsilon holds: at a delta of 0, where neighbours lose normal noise far out.
bool has_no_epsilon(const Composition& composition, const EpsilonQuery& query) {
  return query.delta == 0 && query.engine == Engine::automatic && loses_without_end(composition, query.direction);
}

/// With the lower end that all laws have, delta(epsilon) >= 1 - e^epsilon, in place of one below it: that of a law
/// which is rounded down may be. Where nothing is known from below, none is told.
Answer above_least_epsilon(Answer answer, const EpsilonQuery& query) {
  const double least = query.delta > 0 ? round_down(std::log1p(-query.delta), 2) : 0;
  if (!(-infinity < answer.lower && answer.lower < least)) return answer;
  answer.lower = least;
  answer.estimate = std::max(answer.estimate, least);
  answer.converged = answer.converged || is_close(answer, query.tolerance);
  return answer;
}

}  // namespace

Answer plain_epsilon(const Composition& composition, const EpsilonQuery& query) {
  const Question question;
  const auto bounded_by = [&](const Bracket& bound) {
    Answer out;
    static_cast<Bracket&>(out) = bound;
    out.engine = Engine::closed_form, out.converged = is_narrow(out, query.tolerance);
    out.direction = bounded_in(query.direction);
    return out;
  };
  if (has_no_epsilon(composition, query)) {
    Answer none = bounded_by({infinity, infinity, infinity});
    none.exact = true, none.only_guaranteed = composition.is_only_guaranteed();
    return none;
  }
  const auto convert = [&](const RenyiProfile& profile) { return bounded_by(profile.epsilon(query.delta)); };
  const auto replace = [&](const Steps& steps, const Answer& known) {
    const double found = steps.epsilon({query.delta}, query.direction, {known.upper}).front();
    return bounded_by({found, found, found});
  };
  const auto solve = [&](const Composition& c, const EpsilonQuery& q) {
    return solve_for_all_neighbours(c, q, epsilon_of, convert, replace);
  };
  const Answer unknown = bounded_by({-infinity, infinity, infinity});
  Answer found = if_affordable([&] { return solve_finely(composition, query, solve); }, unknown);
  const double largest = largest_beside_nodes(composition, query.direction);
  lower_to(bounded_by({largest, largest, largest}), found);
  return above_least_epsilon(found, query);
}

DeltaAnswer plain_delta(const Composition& composition, const DeltaQuery& query) {
  const Question question;
  const auto bounded_by = [&](const Bracket& log_delta) {
    DeltaAnswer out;
    out.log_delta = log_delta;
    static_cast<Bracket&>(out) = probability(out.log_delta);
    out.engine = Engine::closed_form, out.direction = bounded_in(query.direction);
    return out;
  };
  const auto convert = [&](const RenyiProfile& profile) { return bounded_by(profile.at(query.epsilon).log_delta); };
  const auto replace = [&](const Steps& steps, const DeltaAnswer&) {
    return bounded_by(steps.at({query.epsilon}, query.direction).front().log_delta);
  };
  const auto solve = [&](const Composition& c, const DeltaQuery& q) {
    return solve_for_all_neighbours(c, q, delta_of, convert, replace);
  };
  DeltaAnswer found =
      if_affordable([&] { return solve_finely(composition, query, solve); }, bounded_by({-infinity, 0, 0}));
  const double largest = largest_beside_nodes(composition, query.direction);
  if (is_beyond(query.epsilon, largest)) lower_to(bounded_by({-infinity, -infinity, -infinity}), found);
  return found;
}

}  // namespace pld
