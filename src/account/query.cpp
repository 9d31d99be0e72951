#include "pld/account/query.hpp"

#include <algorithm>
#include <cmath>

#include "account/answers_met.hpp"
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

template <class Query>
bool is_fine(const Query& query) {
  return query.tolerance < Query{}.tolerance;
}

template <class Query>
bool is_default(const Query& query) {
  return query.tolerance == Query{}.tolerance;
}

/// How many answers' work a tolerance below the default has: steps by tenths take some two fifths of what the last
/// does.
constexpr double answers_to_finer = 1.4;

/// What `solve(query)` finds at the default tolerance and at finer and finer ones, together, until that is as narrow as
/// asked: the same steps whatever is asked for, so that what is asked for more closely is no wider.
template <class Query, class Solve>
auto by_finer_tolerances(const Query& query, const Solve& solve) {
  constexpr double finer = 0.1, rounding = 1e-9, finest = 1e-15;
  const double answers = is_fine(query) ? answers_to_finer : 1;
  const Question question(answers);
  const double wanted = std::max(query.tolerance, finest) * (1 + rounding);
  Query asked = by_default(query);
  auto found = with_share(1 / answers, [&] { return solve(asked); });
  while (found.converged && asked.tolerance > wanted && !is_close(found, query.tolerance) && Work::affords_piece()) {
    do asked.tolerance *= finer;
    while (is_close(found, asked.tolerance));
    found = also(solve(asked), found);
  }
  found.converged = is_close(found, query.tolerance);
  return found;
}

/// Of what is not exact no bound comes closer to what is attained than it is: it is asked for at once. A tolerance that
/// is missed may still be met by what is found by default, and is no reason to know less than that.
template <class Query, class Solve>
auto at_once(const Query& query, const Solve& solve) {
  if (is_default(query)) return solve(query);
  const Question question(answers_to_finer + 1);
  auto found = with_share(answers_to_finer / (answers_to_finer + 1), [&] { return solve(query); });
  if (found.converged) return found;
  const auto plain = solve(by_default(query));
  found = also(found, plain);
  found.converged = (plain.converged && !is_fine(query)) || is_close(found, query.tolerance);
  return found;
}

template <class Query, class Solve>
auto solved(const Composition& composition, const Query& query, const Solve& solve) {
  require_valid(query);
  return composition.is_exact() ? by_finer_tolerances(query, solve) : at_once(query, solve);
}

}  // namespace

Answer epsilon(const Composition& composition, const EpsilonQuery& query) {
  return solved(composition, query, [&](const EpsilonQuery& asked) { return plain_epsilon(composition, asked); });
}

DeltaAnswer delta(const Composition& composition, const DeltaQuery& query) {
  return solved(composition, query, [&](const DeltaQuery& asked) { return plain_delta(composition, asked); });
}

}  // namespace pld
