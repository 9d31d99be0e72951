#include "report/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "core/work.hpp"
#include "engines/question.hpp"
#include "pld/core/errors.hpp"
#include "report/bound_steps.hpp"

namespace pld {
namespace {

OrderedJson head(const EpsilonQuery& query, const Answer& answer) {
  OrderedJson out{{"query", "compare"},
                  {"delta", json_number(query.delta)},
                  {"epsilon", json_finding(answer)},
                  {"direction", name(answer.direction)},
                  {"engine", name(answer.engine)},
                  {"converged", answer.converged}};
  add_whose(out, answer);
  return out;
}

OrderedJson json_ratio(double epsilon, const Answer& answer) {
  const double times = times_answer(epsilon, answer);
  return std::isnan(times) ? OrderedJson(nullptr) : json_number(times);
}

/// Every bound's answer, each with half of the work that is left: most take next to none, and several share what they
/// compute. Where a mechanism is one that no theorem here speaks of, all of them refuse.
std::vector<ComparedBound> answers(const std::vector<Entry>& entries, const Neighbours& neighbours,
                                   const EpsilonQuery& query) {
  std::vector<ComparedBound> all;
  try {
    const bounds::BoundQuery asked{bound_steps(entries, neighbours), query.delta, query.direction};
    for (const bounds::Bound& bound : bounds::all_bounds()) {
      const PartOfQuestion part(Work::left() / 2);
      all.push_back({&bound, bounds::ask(bound, asked)});
    }
  } catch (const DomainError& error) {
    for (const bounds::Bound& bound : bounds::all_bounds()) all.push_back({&bound, bounds::refused(error)});
  }
  return all;
}

/// With half of the work, as much as where it is asked for alone.
Answer answered(const Composition& composition, const EpsilonQuery& query) {
  const PartOfQuestion part(Work::left() / 2);
  return epsilon(composition, query);
}

}  // namespace

Comparison comparison_of(const Composition& composition, const std::vector<Entry>& entries, const EpsilonQuery& query) {
  require(query.delta > 0 && query.delta < 1, "compare", "delta", query.delta, "0 < delta < 1");
  const Question question(2);
  Comparison out{query, answered(composition, query), answers(entries, composition.neighbours(), query)};
  std::stable_sort(out.bounds.begin(), out.bounds.end(), [](const ComparedBound& a, const ComparedBound& b) {
    if (a.answer.answered() != b.answer.answered()) return a.answer.answered();
    return a.answer.answered() && a.answer.epsilon < b.answer.epsilon;
  });
  return out;
}

double times_answer(double epsilon, const Answer& answer) {
  return answer.estimate > 0 && std::isfinite(answer.estimate) ? epsilon / answer.estimate : std::nan("");
}

std::string verdict(const ComparedBound& compared, const Answer& answer) {
  const bool theorem = compared.bound->claim == bounds::Claim::upper_bound;
  if (!(compared.answer.epsilon >= answer.lower))  // nor is what is no number sound
    return theorem ? "UNSOUND" : std::string("UNSOUND, ") + name(compared.bound->claim);
  if (theorem) return "sound";
  return compared.answer.epsilon < answer.upper ? "undecided" : "above here";
}

OrderedJson comparison_fields(const Comparison& comparison) {
  OrderedJson out = head(comparison.query, comparison.answer);
  out["bounds"] = OrderedJson::array();
  for (const ComparedBound& compared : comparison.bounds) {
    OrderedJson row{
        {"name", compared.bound->name}, {"source", compared.bound->source}, {"claims", name(compared.bound->claim)}};
    if (compared.answer.answered()) {
      row["epsilon"] = json_number(compared.answer.epsilon);
      row["ratio"] = json_ratio(compared.answer.epsilon, comparison.answer);
      const std::string found = verdict(compared, comparison.answer);
      row["sound"] = found == "undecided" ? OrderedJson(nullptr) : OrderedJson(found == "sound");
      row["verdict"] = found;
    } else {
      row["refused"] = compared.answer.refusal;
    }
    out["bounds"].push_back(row);
  }
  return out;
}

OrderedJson claim_fields(double claimed, const EpsilonQuery& query, const Answer& answer) {
  OrderedJson out = head(query, answer);
  out["claim"] = {{"epsilon", json_number(claimed)},
                  {"verdict", name(judge(claimed, answer))},
                  {"ratio", json_ratio(claimed, answer)}};
  return out;
}

}  // namespace pld
