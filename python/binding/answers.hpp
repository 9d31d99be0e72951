#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <functional>
#include <string>

#include "accounted.hpp"
#include "formats/query_text.hpp"
#include "pld/account/query.hpp"
#include "pld/formats/answer_json.hpp"

namespace pld::python {

template <class Query>
Query query_of(double Query::*asked, double value, double tolerance, const std::string& direction,
               const std::string& engine, const char* where) {
  Query query{};
  query.*asked = value;
  query.tolerance = tolerance;
  query.direction = direction_from_text(direction, where);
  query.engine = engine_from_text(engine, where);
  return query;
}

[[nodiscard]] inline nanobind::tuple ends(const Bracket& bracket) {
  return nanobind::make_tuple(bracket.lower, bracket.estimate, bracket.upper);
}

/// An answer as `pld --json` prints it. It is written when somebody asks: that takes longer than many an answer.
struct AnswerText {
  std::function<std::string()> written;
};

/// Tells since when it is there.
class Seconds {
 public:
  [[nodiscard]] double passed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// What Python makes its answer of: the bracket's ends, how it came about, what was asked, and its text.
template <class Query, class Found>
nanobind::tuple parts(const Accounted& run, const Query& query, double asked, const Found& answer,
                      const Seconds& seconds) {
  nanobind::object routes = nanobind::none();
  if (answer.renyi_routes)
    routes = nanobind::make_tuple(ends(answer.renyi_routes->added_first), ends(answer.renyi_routes->converted_first));
  const AnswerText text{[run = run.composition(), query, answer, passed = seconds.passed(),
                         assumed = run.assumed_sampler()] { return answer_json(run, query, answer, passed, assumed); }};
  return nanobind::make_tuple(answer.lower, answer.estimate, answer.upper, name(answer.direction), name(answer.engine),
                              answer.converged, answer.exact, answer.only_guaranteed, routes, asked, text);
}

}  // namespace pld::python
