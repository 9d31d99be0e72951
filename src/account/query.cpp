#include "pld/account/query.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "account/answers_met.hpp"
#include "account/boxed_kinds.hpp"
#include "account/plain_answer.hpp"
#include "core/work.hpp"
#include "engines/question.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

void require_tolerance(const char* where, double tolerance) {
  require(tolerance > 0 && tolerance < infinity, where, "tolerance", tolerance, "tolerance > 0 and finite");
}

void require_valid(const EpsilonQuery& query) {
  require(query.delta >= 0 && query.delta <= 1, "epsilon", "delta", query.delta, "0 <= delta <= 1");
  require_tolerance("epsilon", query.tolerance);
}

void require_valid(const DeltaQuery& query) {
  require(!std::isnan(query.epsilon), "delta", "epsilon", query.epsilon, "a number or an infinity");
  require_tolerance("delta", query.tolerance);
}

/// The same question at the tolerance of one that names none.
template <class Query>
Query by_default(Query query) {
  query.tolerance = Query{}.tolerance;
  return query;
}

/// What two answers say together, as close as the first one claims to be.
template <class Answer>
Answer refined(const Answer& finer, const Answer& before) {
  Answer out = also(finer, before);
  out.converged = finer.converged;
  return out;
}

/// What `solve(composition, query)` finds at the default tolerance and at finer and finer ones, together, until that is
/// as narrow as asked. Of what is not exact no bound comes closer to what is attained than it is: the last one says how
/// close it is. The steps are the same whatever is asked for, so that what is asked for more closely is no wider.
template <class Query, class Solve>
auto solved(const Composition& composition, const Query& query, const Solve& solve) {
  constexpr double finer = 0.1, rounding = 1e-9, finest = 1e-15;
  const bool is_exact = composition.is_exact();
  const double answers = answers_of<Query>(query.tolerance);
  const Question question(answers);
  const double wanted = std::max(query.tolerance, finest) * (1 + rounding);
  const auto is_enough = [&](const auto& found, double tolerance) { return is_exact && is_close(found, tolerance); };
  Query asked = by_default(query);
  auto found = with_share(1 / answers, [&] { return solve(composition, asked); });
  while (found.converged && asked.tolerance > wanted && !is_enough(found, query.tolerance) && Work::affords_piece()) {
    do asked.tolerance *= finer;
    while (is_enough(found, asked.tolerance));
    found = refined(solve(composition, asked), found);
  }
  const bool is_as_fine = !is_exact && found.converged && !(asked.tolerance > wanted);
  found.converged = is_as_fine || is_close(found, query.tolerance);
  return found;
}

/// What is found of some boxes in place of all kinds, with an estimate in the middle: the truth is not next to what
/// bounds a box.
template <class Found>
void centre(Found& found) {
  const auto to_middle = [](Bracket& b) { b.estimate = b.lower + b.width() / 2; };
  if (std::isfinite(found.lower) && std::isfinite(found.upper)) change_brackets(found, to_middle);
}

/// The same of very many kinds of releases: of some boxes of them first, which tell what a kind takes, then of as many
/// as there is work for. More kinds than that would tell less than their boxes. Boxes are asked no more closely than
/// their widths let them tell.
template <class Query, class Solve>
auto of_more_and_more_kinds(const Composition& composition, const Query& query, const Solve& solve) {
  constexpr double answers = 1.3, some = 400, of_box = 2;  // two laws bound its releases
  const double all = kinds_by_work(composition);
  Composition boxes = with_few_kinds(composition, some);
  double known = kinds_by_work(boxes);
  if (2 * known > all) return solved(composition, query, solve);
  const Question question(answers);
  Work::allow_for(all);
  // The work for n kinds grows as n^1.3, and is more to the tolerance asked than roughly.
  constexpr double fewer = 0.77, share_of_boxes = 0.85, share_of_all = 0.6, rough = 0.03, finer = 0.1, hardly_wider = 3;
  Query asked = query;
  asked.tolerance = std::max(query.tolerance, rough);
  double before = Work::left();
  auto found = with_share(0.5, [&] { return solve(boxes, asked); });
  while (true) {
    found.converged = is_close(found, query.tolerance);
    if (found.converged) return found;
    const double left = Work::left(), used = before - left;
    const double affordable = used > 0 ? of_box * known * std::pow(left / used, fewer) : infinity;
    if (share_of_all * affordable >= all) return also(solved(composition, query, solve), found);
    Composition more = with_few_kinds(composition, share_of_boxes * affordable / of_box);
    const double work = kinds_by_work(more);
    const bool are_more = work > known, have_told = is_close(found, hardly_wider * asked.tolerance);
    if (!are_more && !(have_told && asked.tolerance > query.tolerance)) break;
    if (have_told) asked.tolerance = are_more ? std::max(query.tolerance, finer * asked.tolerance) : query.tolerance;
    if (are_more) boxes = std::move(more), known = work;
    before = left;
    found = also(solve(boxes, asked), found);
  }
  centre(found);
  return found;
}

/// The same of many kinds. Where they take more work than there is, a few boxes of them tell more than all, cut
/// coarsely.
template <class Query, class Solve>
auto by_kinds(const Composition& composition, const Query& query, const Solve& solve) {
  require_valid(query);
  constexpr double very_many = 700, few = 30, answers_for_boxes = 0.5;
  const double all = kinds_by_work(composition);
  auto found = all > very_many ? of_more_and_more_kinds(composition, query, solve) : solved(composition, query, solve);
  if (found.converged || all <= few) return found;
  const Composition boxes = with_few_kinds(composition, few);
  if (2 * kinds_by_work(boxes) > all) return found;
  const Question question(answers_for_boxes);
  found = also(solved(boxes, query, solve), found);
  centre(found);
  return found;
}

}  // namespace

Answer epsilon(const Composition& composition, const EpsilonQuery& query) {
  return by_kinds(composition, query, plain_epsilon);
}

DeltaAnswer delta(const Composition& composition, const DeltaQuery& query) {
  return by_kinds(composition, query, plain_delta);
}

}  // namespace pld
