#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "accounted.hpp"
#include "arrays.hpp"
#include "bindings.hpp"
#include "formats/query_text.hpp"
#include "pld/audit/evidence.hpp"

namespace pld::python {

namespace {

namespace nb = nanobind;
using namespace nb::literals;

Evidence of_runs(std::int64_t true_positives, std::int64_t in, std::int64_t false_positives, std::int64_t out) {
  return Evidence::of(RunCounts{true_positives, in, false_positives, out});
}

Evidence of_guesses(std::int64_t correct, std::int64_t guessed, std::int64_t canaries) {
  return Evidence::of(RunGuesses{correct, guessed, canaries});
}

Evidence of_scores(const Numbers& in, const Numbers& out, bool one_run) {
  const Scores scores{vector_of(in), vector_of(out)};
  const nb::gil_scoped_release others_run;
  return one_run ? Evidence::of_one_run(scores) : Evidence::of_independent_runs(scores);
}

/// By the name of each test.
template <class Number>
nb::dict by_test(const Evidence& evidence, const Number& number) {
  nb::dict found;
  for (const AuditTest test : evidence.tests()) found[name(test)] = number(test);
  return found;
}

nb::dict p_values(const Evidence& evidence, const AttackFrontier& hypothesis) {
  return by_test(evidence, [&](AuditTest test) {
    const nb::gil_scoped_release others_run;
    return evidence.p_value(hypothesis, test);
  });
}

nb::dict p_values_of_claim(const Evidence& evidence, double epsilon, double delta) {
  return p_values(evidence, AttackFrontier::of_claim(epsilon, delta));
}

nb::dict p_values_of_run(const Evidence& evidence, const Accounted& run, double tolerance, const std::string& engine) {
  const ProfileOptions options{tolerance, engine_from_text(engine, "audit")};
  const AttackFrontier frontier = [&] {
    const nb::gil_scoped_release others_run;
    return AttackFrontier::of(PrivacyProfile(run.composition(), options));
  }();
  return p_values(evidence, frontier);
}

nb::dict refuted_epsilons(const Evidence& evidence, double delta, double confidence) {
  return by_test(evidence, [&](AuditTest test) {
    const nb::gil_scoped_release others_run;
    return evidence.refuted_epsilon(delta, confidence, test);
  });
}

}  // namespace

void bind_audit(nb::module_& module) {
  nb::class_<Evidence>(module, "Evidence")
      .def_static("of_runs", of_runs, "true_positives"_a, "in_"_a, "false_positives"_a, "out"_a)
      .def_static("of_guesses", of_guesses, "correct"_a, "guessed"_a, "canaries"_a)
      .def_static("of_scores", of_scores, "in_"_a, "out"_a, "one_run"_a)
      .def("p_values_of_claim", p_values_of_claim, "epsilon"_a, "delta"_a)
      .def("p_values_of_run", p_values_of_run, "run"_a, "tolerance"_a, "engine"_a)
      .def("refuted_epsilons", refuted_epsilons, "delta"_a, "confidence"_a);
}

}  // namespace pld::python
