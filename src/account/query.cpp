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

/// What `solve(query)` finds at the tolerance of a question that names none and at finer ones, together, until that is
/// as narrow as asked: the same steps whatever is asked for, so that what is asked for more closely is no wider.
template <class Query, class Solve>
auto by_finer_tolerances(const Query& query, const Solve& solve) {
  constexpr double finer = 0.1, rounding = 1e-9, finest = 1e-15;
  const double wanted = std::max(query.tolerance, finest) * (1 + rounding);
  Query asked = query;
  asked.tolerance = std::max(query.tolerance, Query{}.tolerance);
  auto found = solve(asked);
  while (found.converged && asked.tolerance > wanted && !is_close(found, query.tolerance) && Work::affords_piece()) {
    do asked.tolerance *= finer;
    while (is_close(found, asked.tolerance));
    found = also(solve(asked), found);
  }
  found.converged = is_close(found, query.tolerance) || (asked.tolerance <= wanted && found.converged);
  return found;
}

}  // namespace

Answer epsilon(const Composition& composition, const EpsilonQuery& query) {
  const Question question;
  require_valid(query);
  return by_finer_tolerances(query, [&](const EpsilonQuery& asked) { return plain_epsilon(composition, asked); });
}

DeltaAnswer delta(const Composition& composition, const DeltaQuery& query) {
  const Question question;
  require_valid(query);
  return by_finer_tolerances(query, [&](const DeltaQuery& asked) { return plain_delta(composition, asked); });
}

}  // namespace pld
