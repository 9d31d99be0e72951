#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "audit/claim.hpp"
#include "bound_steps.hpp"
#include "commands.hpp"
#include "core/number_text.hpp"
#include "core/outward_text.hpp"
#include "decimal.hpp"
#include "formats/answer_fields.hpp"
#include "formats/read_number.hpp"
#include "pld/bounds/bound.hpp"
#include "pld/core/rounding.hpp"
#include "query_options.hpp"
#include "stopwatch.hpp"

namespace pld::cli {

namespace {

/// A bound's answer.
struct Compared {
  const bounds::Bound* bound;
  bounds::BoundAnswer answer;
};

/// A number over the exact one, or over the best bound where that is what is known. Meaningful where both are positive;
/// NaN elsewhere.
double ratio(double epsilon, const Answer& exact) {
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

/// Real neighbours have the certified lower end: below it no number is an upper bound, whatever its theorem says. What
/// is no theorem may lie above it here and below it elsewhere.
std::string verdict(const Compared& compared, const Answer& exact) {
  const bool theorem = compared.bound->claim == bounds::Claim::upper_bound;
  if (compared.answer.epsilon < exact.lower)
    return theorem ? "UNSOUND" : std::string("UNSOUND, ") + name(compared.bound->claim);
  if (theorem) return "sound";
  return compared.answer.epsilon < exact.upper ? "undecided" : "above here";
}

struct CompareCommand {
  std::string delta;
  std::string claim;
  bool all = false;
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
    if (about_a_claim)
      return report_claim(composition, claimed, query, answer_about(claimed, composition, query), stopwatch);
    return report_table(composition, query, epsilon(composition, query), stopwatch);
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

  static void finish(OrderedJson& out, const Composition& composition, const EpsilonQuery& query,
                     const Stopwatch& stopwatch) {
    out["seconds"] = stopwatch.seconds();
    add_composition(out, composition);
    add_options(out, query.direction, query.tolerance);
    std::cout << out.dump() << '\n';
  }

  [[nodiscard]] ExitCode report_claim(const Composition& composition, double claimed, const EpsilonQuery& query,
                                      const Answer& exact, const Stopwatch& stopwatch) const {
    const ClaimVerdict found = judge(claimed, exact);
    if (options.json()) {
      OrderedJson out = head(query, exact);
      const double times = ratio(claimed, exact);
      out["claim"] = {{"epsilon", json_number(claimed)},
                      {"verdict", name(found)},
                      {"ratio", std::isnan(times) ? OrderedJson(nullptr) : json_number(times)}};
      finish(out, composition, query, stopwatch);
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

  [[nodiscard]] ExitCode report_table(const Composition& composition, const EpsilonQuery& query, const Answer& exact,
                                      const Stopwatch& stopwatch) const {
    std::vector<Compared> table = answers(composition.relation(), query);
    // The sharpest first, those that refuse last.
    std::stable_sort(table.begin(), table.end(), [](const Compared& a, const Compared& b) {
      if (a.answer.answered() != b.answer.answered()) return a.answer.answered();
      return a.answer.answered() && a.answer.epsilon < b.answer.epsilon;
    });
    options.json() ? print_json(composition, query, exact, table, stopwatch) : print_table(query, exact, table);
    return exact.converged ? ExitCode::answered : ExitCode::tolerance_not_reached;
  }

  /// Every bound's answer. Where a mechanism is one that no theorem here speaks of, all of them refuse.
  [[nodiscard]] std::vector<Compared> answers(Relation relation, const EpsilonQuery& query) const {
    std::vector<Compared> table;
    try {
      const bounds::BoundQuery asked{bound_steps(options.entries(), relation), query.delta, query.direction};
      for (const bounds::Bound& bound : bounds::all_bounds()) table.push_back({&bound, bounds::ask(bound, asked)});
    } catch (const DomainError& error) {
      for (const bounds::Bound& bound : bounds::all_bounds())
        table.push_back({&bound, {0, error.what(), error.accepted()}});
    }
    return table;
  }

  void print_json(const Composition& composition, const EpsilonQuery& query, const Answer& exact,
                  const std::vector<Compared>& table, const Stopwatch& stopwatch) const {
    OrderedJson out = head(query, exact);
    out["bounds"] = OrderedJson::array();
    for (const Compared& compared : table) {
      OrderedJson row{
          {"name", compared.bound->name}, {"source", compared.bound->source}, {"claims", name(compared.bound->claim)}};
      if (compared.answer.answered()) {
        const double times = ratio(compared.answer.epsilon, exact);
        row["epsilon"] = json_number(compared.answer.epsilon);
        row["ratio"] = std::isnan(times) ? OrderedJson(nullptr) : json_number(times);
        const std::string found = verdict(compared, exact);
        row["sound"] =
            found == "undecided" ? OrderedJson(nullptr) : OrderedJson(found == "sound" || found == "above here");
      } else {
        row["refused"] = compared.answer.refusal;
      }
      out["bounds"].push_back(row);
    }
    finish(out, composition, query, stopwatch);
  }

  /// Rows farther from the answer than this tell a person little.
  static constexpr double loosest_shown = 100;

  void print_table(const EpsilonQuery& query, const Answer& exact, const std::vector<Compared>& table) const {
    print_exact(query, exact);
    std::cout << '\n' << line("bound", "epsilon", exact.exact ? "x exact" : "x at most", "verdict", "source");
    int looser = 0;
    for (const Compared& row : table) {
      if (!row.answer.answered()) continue;
      if (!all && ratio(row.answer.epsilon, exact) > loosest_shown) {
        ++looser;
        continue;
      }
      std::cout << line(row.bound->name, bound_text(row), short_text(ratio(row.answer.epsilon, exact)),
                        verdict(row, exact), row.bound->source);
    }
    if (looser > 0)
      std::cout << "\n"
                << looser << (looser == 1 ? " bound is" : " bounds are") << " looser than " << loosest_shown
                << " times (--all shows them)\n";
    all ? print_refusals(table) : print_refusals_in_short(table);
  }

  static void print_refusals(const std::vector<Compared>& table) {
    if (!table.back().answer.answered()) std::cout << "\npreconditions unmet:\n";
    for (const Compared& row : table) {
      if (!row.answer.answered())
        std::cout << std::left << std::setw(34) << row.bound->name << ' ' << row.answer.refusal << '\n';
    }
  }

  /// Names with the same reason together.
  static void print_refusals_in_short(const std::vector<Compared>& table) {
    std::vector<std::pair<std::string, std::string>> names_by_need;
    int refused = 0;
    for (const Compared& row : table) {
      if (row.answer.answered()) continue;
      ++refused;
      const auto same = std::find_if(names_by_need.begin(), names_by_need.end(),
                                     [&](const auto& known) { return known.first == row.answer.needs; });
      if (same == names_by_need.end())
        names_by_need.emplace_back(row.answer.needs, row.bound->name);
      else
        same->second += " | " + row.bound->name;
    }
    if (refused == 0) return;
    std::cout << '\n' << refused << (refused == 1 ? " bound does" : " bounds do") << " not apply (--all says why): ";
    const char* separator = "";
    for (const auto& [need, names] : names_by_need) {
      std::cout << separator << names << " (" << need << ')';
      separator = "; ";
    }
    std::cout << '\n';
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
  command->add_flag("--all", state->all,
                    "also rows looser than 100 times, and of those that do not apply what is unmet");
  state->options.add_to(*command, "1e-4");
  command->callback([state, &status] { status = state->run(); });
}

}  // namespace pld::cli
