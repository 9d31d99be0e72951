#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "account/answers_met.hpp"
#include "core/opposite_direction.hpp"
#include "core/side.hpp"
#include "core/work.hpp"
#include "engines/answer_width.hpp"
#include "engines/question.hpp"
#include "pld/account/composition.hpp"
#include "pld/account/engine.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/direction.hpp"

namespace pld {

/// Whether a law is known from two sides, to a fineness that can be chosen; of more than some there is no work for
/// finer ones than they have.
[[nodiscard]] bool has_finer_laws(const Composition& composition);

/// The composition for an engine that knows those laws themselves; none where some are known to no engine, records are
/// put into few steps in all, or bounds are by steps of other neighbours. Domain: has_finer_laws().
[[nodiscard]] std::optional<Composition> exact_laws(const Composition& composition);

/// Whether real neighbours attain every release's pairs as they are, from both sides; of nodes that stand for a law,
/// that law.
[[nodiscard]] bool are_attained(const Composition& laws);

/// The composition as if each step of an epoch whose law an engine knows drew its records by itself: about as private,
/// and quickly known. Other releases are as they were.
[[nodiscard]] Composition with_independent_steps(const Composition& composition);

/// A point of a privacy profile, about, and how well its epsilon is known.
struct ApproximatePoint {
  double epsilon = 0, log_delta = 0;
  double doubt = 0;
};

/// The composition on `count` nodes for one direction, dense where they tell the profile of `laws` at this point: the
/// pairs of the same releases on other nodes, or those that real neighbours attain.
[[nodiscard]] Composition finer_at(const Composition& composition, const Composition& laws, int count,
                                   Direction direction, const ApproximatePoint& point);

/// Works out the laws on nodes, in the directions that are asked about: what they take tells what more nodes would.
void work_out(const Composition& composition, DirectionChoice choice = DirectionChoice::worst);

/// The width of an answer over the one that is enough.
template <class Answer, class Query>
[[nodiscard]] double excess_width(const Answer& answer, const Query& query) {
  const Bracket found = asked_of(answer);
  if constexpr (requires { query.epsilon; })
    return found.width() / std::log1p(query.tolerance);
  else
    return found.width() / enough_width(found.estimate, query.tolerance);
}

/// The point that an answer is about.
template <class Answer, class Query>
[[nodiscard]] ApproximatePoint point_of(const Answer& answer, const Query& query) {
  if constexpr (requires { query.epsilon; }) {
    return {query.epsilon, answer.log_delta.estimate};
  } else {
    constexpr double most = 0.05;
    const double doubt = std::min(answer.upper - answer.estimate, most * std::fabs(answer.estimate));
    return {answer.estimate, std::log(query.delta), std::max(doubt, answer.estimate - answer.lower)};
  }
}

/// Whether nodes that were placed for one point are no good for the other.
[[nodiscard]] inline bool is_elsewhere(const ApproximatePoint& a, const ApproximatePoint& b) {
  constexpr double near = 1e-3, near_in_nats = 0.5;
  return std::fabs(a.epsilon - b.epsilon) > a.doubt + near * std::fabs(b.epsilon) ||
         std::fabs(a.log_delta - b.log_delta) > near_in_nats;
}

/// Whether epsilon is hardly known: nodes for it may be far off, so that many are of no more use than some.
[[nodiscard]] inline bool is_vague(const ApproximatePoint& point) {
  return point.doubt > 0.01 * std::fabs(point.epsilon);
}

/// Whether an answer is so wide that nodes placed for its point may serve another one.
template <class Answer, class Query>
[[nodiscard]] bool is_astray(const Answer& answer, const Query& query) {
  constexpr double wide = 0.1, wide_in_nats = 5;
  if constexpr (requires { query.epsilon; })
    return !(answer.log_delta.width() <= wide_in_nats);
  else
    return !(answer.width() <= wide * std::fabs(answer.upper));
}

/// On so many nodes the errors of laws fall with the square of their number, unless round-off is what is left.
inline constexpr int many_nodes = 1500;

/// Whether a log delta is known so badly on so many nodes that the most there may be would not tell it either.
template <class Answer, class Query>
[[nodiscard]] bool is_hopeless(const Answer& answer, const Query& query, int nodes) {
  constexpr double far_apart = 30;
  if constexpr (requires { query.epsilon; })
    return nodes >= many_nodes && answer.log_delta.width() > far_apart;
  else
    return false;
}

/// What one answer on some nodes took, and on how many a share of the work left affords another. It grows with their
/// square.
class NodesAffordable {
 public:
  [[nodiscard]] int after(int nodes, double share) const {
    constexpr double most_times = 100;
    const double left = Work::left(), taken = std::max(1.0, before_ - left);
    return static_cast<int>(nodes * std::min(most_times, std::sqrt(share * left / taken)));
  }
  /// `wanted` where they take little whatever is left, else as many as are affordable.
  [[nodiscard]] int or_cheap(int nodes, int wanted) const {
    constexpr double little = 5e7, all = 1;
    const double times = static_cast<double>(wanted) / nodes;
    return (before_ - Work::left()) * times * times < little ? wanted : std::min(wanted, after(nodes, all));
  }

 private:
  double before_ = Work::left();
};

/// How wide an answer is on some nodes.
struct Fineness {
  int nodes = 0;
  double excess = infinity;

  /// About how wide it is on another number of nodes.
  [[nodiscard]] double expected(int count) const {
    const double ratio = static_cast<double>(nodes) / count;
    return excess * ratio * ratio;
  }
  /// Whether fewer nodes did about as well: what is left is round-off then.
  [[nodiscard]] bool is_finest(const Fineness& before) const {
    return nodes >= many_nodes && excess * nodes > before.excess * before.nodes && before.nodes < nodes;
  }
  /// How many nodes are enough, it seems.
  [[nodiscard]] int wanted(bool is_vague) const {
    constexpr double margin = 1.1, least = 1.3, most_when_vague = 1.5;
    const double most = is_vague ? most_when_vague : nodes >= many_nodes ? 10 : 4;
    return static_cast<int>(nodes * std::clamp(margin * std::sqrt(excess), least, most));
  }
};

/// Whether upper bounds are by steps of other neighbours.
[[nodiscard]] inline bool is_by_steps(const Composition& composition) {
  return composition.relation() == Relation::replace_one || composition.neighbours().group > 1;
}

/// Whether an end of an answer is what holds of any composition.
template <class Answer>
[[nodiscard]] bool tells_nothing(const Answer& answer, Side side) {
  const Bracket found = asked_of(answer);
  if (side == Side::lower) return found.lower == -infinity;
  if constexpr (requires { answer.log_delta; }) return found.upper >= 0;
  return found.upper == infinity;
}

/// `solve(composition, query)` of a composition whose upper bound no neighbours attain, so that no number of nodes
/// brings its ends together. Nodes are placed by looks at the end that is on nodes: what the pairs compose to, or,
/// where the upper bound is by steps of other neighbours, what real ones lose.
template <class Query, class Solve>
auto by_one_end(const Composition& composition, const Query& query, const Solve& solve) {
  constexpr int looks[] = {160, 400}, fine = 1000;
  constexpr double share = 0.5;       // more answers are to come
  constexpr double least_gain = 1.5;  // a look at fewer more nodes is not worth it
  constexpr double tolerance_of_looks = 3e-2;
  const bool by_steps = is_by_steps(composition);
  const Side side = by_steps ? Side::lower : Side::upper;
  const auto end = [&](const Composition& laws) { return by_steps ? laws.attained() : laws.of_pairs(); };
  const auto is_nearer = [side](const auto& a, const auto& b) {
    return side == Side::lower ? asked_of(a).lower > asked_of(b).lower : asked_of(a).upper < asked_of(b).upper;
  };
  const auto in = [&](const Query& asked) {
    Query look = asked;
    look.tolerance = std::max(asked.tolerance, tolerance_of_looks);
    NodesAffordable affordable;
    Composition known = composition.at_nodes([&](const Release&) { return Nodes{.count = looks[0]}; });
    int nodes = looks[0];
    // Keeps the nearest end that looks tell: where they have taken the work it is what there is.
    std::optional<decltype(solve(composition, query))> seen;
    for (const int count : {looks[1], fine}) {
      const Composition laws = end(known);
      const auto found = solve(laws, look);
      if (!seen || is_nearer(found, *seen)) seen = found;
      // On so few nodes a law may tell nothing at all: then there is nothing to save what work is left for. Of steps
      // the other end needs what fewer nodes would take.
      const bool is_all_for_nodes = tells_nothing(found, side) && Work::affords_piece();
      const int most = affordable.after(nodes, share), next = is_all_for_nodes ? count : std::min(count, most);
      if (next < (by_steps ? count : least_gain * nodes)) break;
      affordable = {};
      known = finer_at(composition, laws, next, found.direction, point_of(found, asked));
      nodes = next;
    }
    auto out = with_end_of(*seen, side, solve(known, asked));
    out.converged = out.converged || excess_width(out, asked) <= 1;
    return out;
  };
  // The end of the other direction stays on few nodes: below, that is no worse than less.
  if (by_steps || query.direction != DirectionChoice::worst) return in(query);
  Query remove = query, add = query;
  remove.direction = DirectionChoice::remove, add.direction = DirectionChoice::add;
  const auto of_removal = with_share(0.5, [&] { return in(remove); });
  return worse_of(of_removal, in(add));
}

/// `solve(composition, query)`, where some laws have nodes with as many as the tolerance needs, up to a limit of work.
/// Errors fall with the square of the number of nodes.
template <class Query, class Solve>
auto by_finer_laws(const Composition& composition, const Query& query, const Solve& solve) {
  if (!has_finer_laws(composition)) return solve(composition, query);
  using Found = decltype(solve(composition, query));
  std::optional<Found> of_line;
  const bool by_line = query.engine == Engine::automatic || query.engine == Engine::contour;
  if (const auto exact = by_line ? exact_laws(composition) : std::nullopt) {
    const auto found = [&] {
      // Leaves a line most of the little that a calibration's trial has.
      constexpr double share_of_exact = 0.35, most = 0.9, enough_for_a_line = 3e7;
      const double left = Work::left();
      const PartOfQuestion part(std::min(most * left, std::max(share_of_exact * left, enough_for_a_line)));
      Query unasked = query;
      unasked.engine = Engine::automatic;  // what the line cannot do nodes may
      return solve(*exact, unasked);
    }();
    if (excess_width(found, query) <= 1) return found;
    of_line = found;
    // An upper bound that no neighbours attain has no other end to come to, which nodes may tell better.
    if (!composition.is_exact() && found.engine == Engine::contour) {
      constexpr double near = 0.2;
      const Bracket asked = asked_of(found);
      const bool is_near = asked.width() <= near * std::fabs(asked.upper);
      return is_near ? found : also(by_one_end(composition, query, solve), found);
    }
  }
  if (!composition.is_exact()) return by_one_end(composition, query, solve);
  constexpr double share_of_engine = 0.1, share_of_last = 0.85;
  constexpr int rough = 160, first = 400, most = 16000, most_looks = 6;
  // The upper law is about twice as far off as the lower one; where they are far apart it is the upper one that is off.
  const auto set_estimate = [](Bracket& b) {
    if (!std::isfinite(b.lower)) return;
    b.estimate = b.width() > 0.05 * std::fabs(b.lower) ? b.lower : b.lower + b.width() / 3;
  };
  // Upper and lower laws are some 500 / nodes^2 apart, in nats: what the engine adds need be no less than a part of it,
  // nor than a part of `excess` times what is asked for, how far apart they are expected to be.
  const auto in = [&](const Composition& laws, int nodes, Direction direction, double excess) {
    constexpr double part_of_laws = 30, part_of_width = 0.03, loosest = 0.5;
    Query finer = query;
    finer.tolerance = std::max({share_of_engine * query.tolerance, part_of_laws / (static_cast<double>(nodes) * nodes),
                                std::min(part_of_width * excess * query.tolerance, loosest)});
    finer.direction = only(direction);
    Found found = solve(laws, finer);
    set_estimate(found);
    if constexpr (requires { found.log_delta; }) set_estimate(found.log_delta);
    return found;
  };
  const auto worse = [](const Found& found, const Found* other) { return other ? worse_of(found, *other) : found; };
  const NodesAffordable after_rough;
  const Composition roughly = composition.at_nodes([](const Release&) { return Nodes{.count = rough}; });
  work_out(roughly, query.direction);
  const int first_affordable = after_rough.or_cheap(rough, first);
  const auto climb = [&](Found found, const Found* other) {
    Composition known = roughly;
    Found all = found;
    Fineness before{rough, excess_width(found, query)};
    int nodes = first_affordable, looks = 0, affordable = nodes;
    while (excess_width(worse(found, other), query) > 1 && affordable >= nodes && nodes > rough) {
      const NodesAffordable work;
      const ApproximatePoint asked = point_of(found, query);
      known = finer_at(composition, known.attained(), nodes, found.direction, asked);
      found = in(known, nodes, found.direction, before.expected(nodes));
      all = also(found, all);
      const Fineness now{nodes, excess_width(worse(found, other), query)};
      if (nodes == most || is_hopeless(found, query, nodes)) break;
      // Nodes for a point that turns out to be another one are worth a second look, not many more nodes.
      const bool again =
          is_elsewhere(asked, point_of(found, query)) && !is_astray(found, query) && ++looks < most_looks;
      if (!again && now.is_finest(before)) break;
      before = {nodes, excess_width(found, query)};
      affordable = work.after(nodes, share_of_last);
      if (!again) {
        constexpr double least_gain = 1.2;
        if (affordable < least_gain * nodes) break;
        nodes = std::min({most, affordable, now.wanted(is_vague(point_of(found, query)))});
      }
    }
    return all;
  };
  const auto finished = [&](Found found) {
    if (of_line) found = also(found, *of_line);
    if (found.exact) found.converged = excess_width(found, query) <= 1;
    return found;
  };
  if (query.direction == DirectionChoice::remove)
    return finished(climb(in(roughly, rough, Direction::remove, infinity), nullptr));
  if (query.direction == DirectionChoice::add)
    return finished(climb(in(roughly, rough, Direction::add, infinity), nullptr));
  Found larger = in(roughly, rough, Direction::remove, infinity),
        smaller = in(roughly, rough, Direction::add, infinity);
  // What is certain: an estimate within a vague bracket tells nothing.
  if (asked_of(larger).upper < asked_of(smaller).upper) std::swap(larger, smaller);
  larger = climb(larger, nullptr);
  if (asked_of(smaller).upper <= asked_of(larger).lower) return finished(larger);
  smaller = climb(smaller, &larger);
  return finished(worse(larger, &smaller));
}

}  // namespace pld
