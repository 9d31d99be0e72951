#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <memory>
#include <sstream>

#include "audit/claim.hpp"
#include "bound_steps.hpp"
#include "commands.hpp"
#include "core/number_text.hpp"
#include "core/outward_text.hpp"
#include "decimal.hpp"
#include "formats/answer_fields.hpp"
#include "pld/bounds/bound.hpp"
#include "pld/core/rounding.hpp"
#include "pld/formats/read_number.hpp"
#include "query_options.hpp"
#include "stopwatch.hpp"

namespace pld::cli {

namespace {

/// A bound's answer.
struct Compared {
  const bounds::Bound* bound;
  bounds::BoundAnswer answer;
};

/// A number over the exact one. Meaningful where both are positive; NaN elsewhere.
double ratio(double epsilon, const Bracket& exact) {
  return exact.estimate > 0 && std::isfinite(exact.estimate) ? epsilon / exact.estimate : std::nan("");
}

std::string short_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return std::isnan(value) ? "-" : text;
}

/// An upper bound rounded up.
std::string bound_text(const Compared& compared) {
  const double epsilon = compared.answer.epsilon;
  return compared.bound->claim == bounds::Claim::upper_bound && !std::isnan(epsilon) ? text_up(epsilon, 6)
                                                                                     : short_text(epsilon);
}

/// Below what real neighbours attain no number is an upper bound, whatever its theorem says; above that, and below an
/// upper bound that need not be attained, nothing is known of it.
std::string verdict(const Compared& compared, const Answer& exact) {
  const double epsilon = compared.answer.epsilon;
  if (epsilon >= exact.lower) return exact.exact || epsilon >= exact.upper ? "sound" : "below this bound";
  return compared.bound->claim == bounds::Claim::upper_bound ? "UNSOUND"
                                                             : std::string("UNSOUND, ") + name(compared.bound->claim);
}

struct CompareCommand {
  std::string delta;
  std::string claim;
  QueryOptions options;

  [[nodiscard]] ExitCode run() const {
    const Stopwatch stopwatch;
    const EpsilonQuery query{.delta = finite_from_text(delta, "compare", "delta"),
                             .tolerance = options.tolerance(),
                             .direction = options.direction(),
                             .engine = options.engine()};
    require(query.delta > 0 && query.delta < 1, "compare", "delta", query.delta, "0 < delta < 1");
    const Composition composition = options.composition();
    const bool about_a_claim = !claim.empty();
    const double claimed = about_a_claim ? finite_from_text(claim, "compare", "claim") : 0;
    if (about_a_claim) return report_claim(claimed, query, answer_about(claimed, composition, query), stopwatch);
    return report_table(composition.relation(), query, epsilon(composition, query), stopwatch);
  }

 private:
  [[nodiscard]] OrderedJson head(const EpsilonQuery& query, const Answer& exact) const {
    return {{"query", "compare"},
            {"delta", json_number(query.delta)},
            {"epsilon", json_finding(exact)},
            {"direction", name(exact.direction)},
            {"engine", name(exact.engine)},
            {"converged", exact.converged},
            {"exact", exact.exact}};
  }

  static void print_exact(const EpsilonQuery& query, const Answer& exact) {
    std::cout << "epsilon <= " << at_most(exact) << " at delta " << number_text(query.delta) << ", direction "
              << name(exact.direction) << ", engine " << name(exact.engine) << '\n';
  }

  [[nodiscard]] ExitCode report_claim(double claimed, const EpsilonQuery& query, const Answer& exact,
                                      const Stopwatch& stopwatch) const {
    const ClaimVerdict found = judge(claimed, exact);
    if (options.json()) {
      OrderedJson out = head(query, exact);
      const double times = ratio(claimed, exact);
      out["claim"] = {{"epsilon", json_number(claimed)},
                      {"verdict", name(found)},
                      {"ratio", std::isnan(times) ? OrderedJson(nullptr) : json_number(times)}};
      out["seconds"] = stopwatch.seconds();
      std::cout << out.dump() << '\n';
    } else {
      print_exact(query, exact);
      std::cout << "claim " << number_text(claimed) << ": " << sentence(found, claimed, exact) << '\n';
    }
    if (found == ClaimVerdict::under_reports) return ExitCode::claim_under_reports;
    return found == ClaimVerdict::valid ? ExitCode::answered : ExitCode::tolerance_not_reached;
  }

  static std::string sentence(ClaimVerdict found, double claimed, const Answer& exact) {
    switch (found) {
      case ClaimVerdict::valid:
        return "valid" + times(claimed, exact);
      case ClaimVerdict::under_reports:
        return (exact.exact ? "UNDER-REPORTS, the exact epsilon is at least "
                            : "UNDER-REPORTS, some neighbours have an epsilon of at least ") +
               (exact.exact ? decimals(exact).lower : text_down(exact.lower, digits)) + times(claimed, exact);
      case ClaimVerdict::undecided:
        break;
    }
    return exact.exact ? "undecided, it lies within the certified bracket"
                       : "undecided, what is proved here is an upper bound, which the mechanism may stay below";
  }

  static constexpr int digits = 6;

  /// Rounded up; of a claim and an exact answer above 0.
  static std::string times(double claimed, const Answer& exact) {
    if (!exact.exact || !(exact.lower > 0 && std::isfinite(exact.lower) && claimed > 0)) return "";
    return ", at most " + text_up(round_up(claimed / exact.lower), digits) + " times the exact answer";
  }

  [[nodiscard]] ExitCode report_table(Relation relation, const EpsilonQuery& query, const Answer& exact,
                                      const Stopwatch& stopwatch) const {
    std::vector<Compared> table = answers(relation, query);
    // The sharpest first, those that refuse last.
    std::stable_sort(table.begin(), table.end(), [](const Compared& a, const Compared& b) {
      if (a.answer.answered() != b.answer.answered()) return a.answer.answered();
      return a.answer.answered() && a.answer.epsilon < b.answer.epsilon;
    });
    options.json() ? print_json(query, exact, table, stopwatch) : print_table(query, exact, table);
    return exact.converged ? ExitCode::answered : ExitCode::tolerance_not_reached;
  }

  /// Every bound's answer. Where a mechanism is one that no theorem here speaks of, all of them refuse.
  [[nodiscard]] std::vector<Compared> answers(Relation relation, const EpsilonQuery& query) const {
    std::vector<Compared> table;
    try {
      const bounds::BoundQuery asked{bound_steps(options.entries(), relation), query.delta, query.direction};
      for (const bounds::Bound& bound : bounds::all_bounds()) table.push_back({&bound, bounds::ask(bound, asked)});
    } catch (const DomainError& error) {
      for (const bounds::Bound& bound : bounds::all_bounds()) table.push_back({&bound, {0, error.what()}});
    }
    return table;
  }

  void print_json(const EpsilonQuery& query, const Answer& exact, const std::vector<Compared>& table,
                  const Stopwatch& stopwatch) const {
    OrderedJson out = head(query, exact);
    out["bounds"] = OrderedJson::array();
    for (const Compared& compared : table) {
      OrderedJson row{
          {"name", compared.bound->name}, {"source", compared.bound->source}, {"claims", name(compared.bound->claim)}};
      if (compared.answer.answered()) {
        const double times = ratio(compared.answer.epsilon, exact);
        row["epsilon"] = json_number(compared.answer.epsilon);
        row["ratio"] = std::isnan(times) ? OrderedJson(nullptr) : json_number(times);
        const double given = compared.answer.epsilon;
        const bool unknown = !exact.exact && exact.lower <= given && given < exact.upper;
        row["sound"] = unknown ? OrderedJson(nullptr) : OrderedJson(given >= exact.lower);
      } else {
        row["refused"] = compared.answer.refusal;
      }
      out["bounds"].push_back(row);
    }
    out["seconds"] = stopwatch.seconds();
    std::cout << out.dump() << '\n';
  }

  static void print_table(const EpsilonQuery& query, const Answer& exact, const std::vector<Compared>& table) {
    print_exact(query, exact);
    std::cout << '\n' << line("bound", "epsilon", exact.exact ? "x exact" : "x at most", "verdict", "source");
    for (const Compared& row : table) {
      if (!row.answer.answered()) continue;
      std::cout << line(row.bound->name, bound_text(row), short_text(ratio(row.answer.epsilon, exact)),
                        verdict(row, exact), row.bound->source);
    }
    if (!table.back().answer.answered()) std::cout << "\npreconditions unmet:\n";
    for (const Compared& row : table) {
      if (!row.answer.answered())
        std::cout << std::left << std::setw(34) << row.bound->name << ' ' << row.answer.refusal << '\n';
    }
  }

  static std::string line(const std::string& bound, const std::string& epsilon, const std::string& times,
                          const std::string& verdict, const std::string& source) {
    std::ostringstream out;
    out << std::left << std::setw(34) << bound << ' ' << std::right << std::setw(12) << epsilon << ' ' << std::setw(12)
        << times << "  " << std::left << std::setw(22) << verdict << ' ' << source << '\n';
    return out.str();
  }
};

}  // namespace

void add_compare_command(CLI::App& app, ExitCode& status) {
  auto state = std::make_shared<CompareCommand>();
  CLI::App* command =
      app.add_subcommand("compare", "every bound beside the exact answer, or the truth of a claimed epsilon");
  command->add_option("--delta", state->delta, "in (0, 1)")->required();
  command->add_option("--claim", state->claim,
                      "somebody's epsilon: is it an upper bound? (exit status 4 if it under-reports)");
  state->options.add_to(*command, "1e-4");
  command->callback([state, &status] { status = state->run(); });
}

}  // namespace pld::cli
