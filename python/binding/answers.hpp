#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "formats/query_text.hpp"
#include "pld/account/query.hpp"

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

/// What Python makes its answer of: the bracket's ends, then how it came about.
[[nodiscard]] inline nanobind::tuple parts(const Answer& answer) {
  nanobind::object routes = nanobind::none();
  if (answer.renyi_routes)
    routes = nanobind::make_tuple(ends(answer.renyi_routes->added_first), ends(answer.renyi_routes->converted_first));
  return nanobind::make_tuple(answer.lower, answer.estimate, answer.upper, name(answer.direction), name(answer.engine),
                              answer.converged, answer.exact, routes);
}

}  // namespace pld::python
