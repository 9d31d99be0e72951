#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "accounted.hpp"
#include "answers.hpp"
#include "bindings.hpp"
#include "listening.hpp"
#include "report/comparison.hpp"
#include "report/explanation.hpp"

namespace pld::python {

namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// The fields that `pld compare --json` prints, but for its seconds.
std::string finished(OrderedJson fields, const Accounted& run, const EpsilonQuery& query) {
  add_composition(fields, run.composition());
  add_options(fields, query.direction, query.tolerance);
  add_assumed_sampler(fields, run.assumed_sampler());
  return fields.dump();
}

/// The answer, the verdict on each bound as `pld compare` prints it (empty where it refuses), and the fields.
nb::tuple compare(const Accounted& run, double delta, double tolerance, const std::string& direction,
                  const std::string& engine) {
  const auto query = query_of(&EpsilonQuery::delta, delta, tolerance, direction, engine, "compare");
  const Seconds seconds;
  const Comparison found =
      heard([run = run.composition(), entries = run.entries(), query] { return comparison_of(run, entries, query); });
  nb::list verdicts;
  for (const ComparedBound& bound : found.bounds)
    verdicts.append(bound.answer.answered() ? verdict(bound, found.answer) : "");
  return nb::make_tuple(parts(run, query, delta, found.answer, seconds), verdicts,
                        finished(comparison_fields(found), run, query));
}

/// The verdict, the answer it was found by, and the fields that `pld compare --claim --json` prints.
nb::tuple judge_claim(const Accounted& run, double claim, double delta, double tolerance, const std::string& direction,
                      const std::string& engine) {
  const auto query = query_of(&EpsilonQuery::delta, delta, tolerance, direction, engine, "audit");
  require(!std::isnan(claim), "audit", "claim", claim, "a number");
  const Seconds seconds;
  const Answer answer = heard([run = run.composition(), claim, query] { return answer_about(claim, run, query); });
  return nb::make_tuple(name(judge(claim, answer)), parts(run, query, delta, answer, seconds),
                        finished(claim_fields(claim, query, answer), run, query));
}

/// The page that `pld explain` prints, and the same as JSON.
nb::tuple explain(const Accounted& run, double tolerance, const std::string& engine) {
  Explanation found = heard([run = run.composition(), tolerance, asked = engine_from_text(engine, "explain")] {
    return explanation_of(run, tolerance, asked);
  });
  found.assume_sampler(run.assumed_sampler());
  OrderedJson fields = explanation_fields(found, run.composition(), tolerance);
  add_assumed_sampler(fields, run.assumed_sampler());
  return nb::make_tuple(page(found, run.composition()), fields.dump());
}

}  // namespace

void bind_report(nb::module_& module) {
  module.def("compare", compare, "run"_a, "delta"_a, "tolerance"_a, "direction"_a, "engine"_a);
  module.def("judge", judge_claim, "run"_a, "claim"_a, "delta"_a, "tolerance"_a, "direction"_a, "engine"_a);
  module.def("explain", explain, "run"_a, "tolerance"_a, "engine"_a);
}

}  // namespace pld::python
