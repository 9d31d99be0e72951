#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "colour.hpp"
#include "commands.hpp"
#include "core/number_text.hpp"
#include "core/outward_text.hpp"
#include "formats/read_number.hpp"
#include "pld/bounds/bound.hpp"
#include "pld/core/rounding.hpp"
#include "progress.hpp"
#include "query_options.hpp"
#include "report.hpp"
#include "report/comparison.hpp"
#include "stopwatch.hpp"

namespace pld::cli {

namespace {

std::string short_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return std::isnan(value) ? "-" : text;
}

/// An upper bound rounded up.
std::string bound_text(const ComparedBound& compared) {
  const double epsilon = compared.answer.epsilon;
  return compared.bound->claim == bounds::Claim::upper_bound && !std::isnan(epsilon) ? text_up(epsilon, 6)
                                                                                     : short_text(epsilon);
}

struct CompareCommand {
  std::string delta;
  std::string claim;
  bool all = false;
  QueryOptions options;

  [[nodiscard]] ExitCode run() const {
    const TimeLimit limit = options.time_limit();
    const Stopwatch stopwatch;
    const EpsilonQuery query{.delta = finite_from_text(delta, "compare", "delta"),
                             .tolerance = options.tolerance(),
                             .direction = options.direction(),
                             .engine = options.engine()};
    if (all && !claim.empty())
      throw ReadError("compare: --all is of the bounds, which are not shown beside a --claim: leave one of them out");
    // Read before the mechanisms: an option without its value takes one of them for it.
    const double claimed = claim.empty() ? 0 : extended_from_text(claim, "compare", "claim");
    const Composition composition = options.composition();
    options.warn_of(query.delta);
    if (claim.empty()) {
      options.refuse_tries("a --claim, as no bound of the table is of a selection");
      const std::vector<Entry> entries = options.entries();
      const Comparison table = counting_seconds([&] { return comparison_of(composition, entries, query); });
      say_if_shuffled(options.shuffled_instead(), query, table.answer.upper);
      return report_table(composition, table, stopwatch);
    }
    say_if_shuffled(options.shuffled_instead(), query, claimed);
    const Answer answer = counting_seconds([&] { return answer_about(claimed, composition, query); });
    return report_claim(composition, claimed, query, answer, stopwatch);
  }

 private:
  /// As `pld epsilon` does.
  void print_exact(const Composition& composition, const EpsilonQuery& query, const Answer& exact,
                   const Stopwatch& stopwatch) const {
    report(composition, query, exact, stopwatch.seconds(), options.printing());
  }

  void print_json(OrderedJson fields, const Composition& composition, const EpsilonQuery& query,
                  const Stopwatch& stopwatch) const {
    fields["seconds"] = stopwatch.seconds();
    add_composition(fields, composition);
    add_options(fields, query.direction, query.tolerance);
    fields.update(options.assumed());
    std::cout << fields.dump() << '\n';
  }

  [[nodiscard]] ExitCode report_claim(const Composition& composition, double claimed, const EpsilonQuery& query,
                                      const Answer& exact, const Stopwatch& stopwatch) const {
    const ClaimVerdict found = judge(claimed, exact);
    if (options.json()) {
      print_json(claim_fields(claimed, query, exact), composition, query, stopwatch);
    } else {
      print_exact(composition, query, exact, stopwatch);
      std::cout << "claim " << number_text(claimed) << ": "
                << sentence(found, claimed, exact, in_one_direction(composition, query.direction)) << '\n';
    }
    if (found == ClaimVerdict::under_reports) return ExitCode::claim_under_reports;
    return found == ClaimVerdict::valid ? ExitCode::answered : ExitCode::tolerance_not_reached;
  }

  static std::string sentence(ClaimVerdict found, double claimed, const Answer& exact, const std::string& where) {
    switch (found) {
      case ClaimVerdict::valid:
        return "valid" + where + times(claimed, exact);
      case ClaimVerdict::under_reports:
        return alarming("UNDER-REPORTS") +
               (exact.exact ? ", the exact epsilon is " : ", some neighbours have an epsilon that is ") +
               beyond(claimed, exact.lower) + times(claimed, exact);
      case ClaimVerdict::undecided:
        break;
    }
    if (claimed < exact.lower)
      return "undecided, it does not follow from the guarantee: some mechanism that has it has an epsilon that is " +
             beyond(claimed, exact.lower);
    return exact.exact ? "undecided, it lies within the certified bracket"
                       : "undecided, what is proved here is an upper bound, which the mechanism may stay below";
  }

  static constexpr int digits = 6, most_digits = 17;

  /// "at least" a lower end, in as many digits as tell it from the smaller claim.
  static std::string beyond(double claimed, double lower) {
    if (lower == infinity) return "infinite";
    for (int n = digits; n <= most_digits; ++n)
      if (const std::string text = text_down(lower, n); std::strtod(text.c_str(), nullptr) > claimed)
        return "at least " + text;
    return "at least " + number_text(lower);
  }

  /// The least double known to be no less than the quotient of two numbers > 0.
  static double quotient_up(double x, double y) {
    constexpr double least_with_rest = 1e-290;  // below, what rounding leaves of the product may be no double
    const double nearest = x / y;
    return x >= least_with_rest && std::fma(nearest, y, -x) >= 0 ? nearest : round_up(nearest);
  }

  /// Rounded up, in as many digits as keep it below 1 where it is; of a claim and an exact answer above 0.
  static std::string times(double claimed, const Answer& exact) {
    if (!exact.exact || !(exact.lower > 0 && std::isfinite(exact.lower) && claimed > 0 && claimed < infinity))
      return "";
    const double ratio = quotient_up(claimed, exact.lower);
    std::string text = text_up(ratio, digits);
    for (int n = digits; ratio < 1 && text.starts_with('1') && n <= most_digits; ++n) text = text_up(ratio, n);
    return claimed < exact.lower && text.starts_with('1')
               ? ""
               : "; the claim is at most " + text + " times the " +
                     (exact.only_guaranteed ? "most that the guarantee allows" : "exact epsilon");
  }

  [[nodiscard]] ExitCode report_table(const Composition& composition, const Comparison& comparison,
                                      const Stopwatch& stopwatch) const {
    if (options.json())
      print_json(comparison_fields(comparison), composition, comparison.query, stopwatch);
    else
      print_table(composition, comparison, stopwatch);
    return comparison.answer.converged ? ExitCode::answered : ExitCode::tolerance_not_reached;
  }

  /// Rows farther from the answer than this tell a person little.
  static constexpr double loosest_shown = 100;

  void print_table(const Composition& composition, const Comparison& comparison, const Stopwatch& stopwatch) const {
    const auto& [query, exact, table] = comparison;
    print_exact(composition, query, exact, stopwatch);
    std::cout << '\n'
              << line("bound", "epsilon",
                      !exact.exact            ? "x at most"
                      : exact.only_guaranteed ? "x allowed"
                                              : "x exact",
                      "verdict", "source");
    int looser = 0, infinite = 0;
    bool above_here = false;
    for (const ComparedBound& row : table) {
      if (!row.answer.answered()) continue;
      if (!all && times_answer(row.answer.epsilon, exact) > loosest_shown) {
        ++(row.answer.epsilon < infinity ? looser : infinite);
        continue;
      }
      std::cout << line(row.bound->name, bound_text(row), short_text(times_answer(row.answer.epsilon, exact)),
                        verdict(row, exact), row.bound->source);
      above_here = above_here || verdict(row, exact) == "above here";
    }
    if (above_here)
      std::cout << "\nabove here: no theorem, an approximation or a misprint that may lie below the answer elsewhere\n";
    if (looser > 0)
      std::cout << "\n"
                << looser << (looser == 1 ? " bound is" : " bounds are") << " looser than " << loosest_shown
                << " times (--all shows them)\n";
    if (infinite > 0)
      std::cout << '\n'
                << infinite << (infinite == 1 ? " bound is" : " bounds are") << " infinite (--all shows them)\n";
    all ? print_refusals(table) : print_refusals_in_short(table);
  }

  static void print_refusals(const std::vector<ComparedBound>& table) {
    if (!table.back().answer.answered()) std::cout << "\npreconditions unmet:\n";
    for (const ComparedBound& row : table) {
      if (!row.answer.answered())
        std::cout << std::left << std::setw(34) << row.bound->name << ' ' << row.answer.refusal << '\n';
    }
  }

  /// Names with the same reason together.
  static void print_refusals_in_short(const std::vector<ComparedBound>& table) {
    std::vector<std::pair<std::string, std::string>> names_by_need;
    int refused = 0;
    for (const ComparedBound& row : table) {
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
        << times << "  ";
    std::ostringstream rest;  // widths count what colours add
    rest << std::left << std::setw(22) << verdict;
    return out.str() + (verdict.starts_with("UNSOUND") ? alarming(rest.str()) : rest.str()) + ' ' + source + '\n';
  }
};

}  // namespace

void add_compare_command(CLI::App& app, ExitCode& status) {
  auto state = std::make_shared<CompareCommand>();
  CLI::App* command =
      app.add_subcommand("compare", "the literature's bounds beside the certified answer, or a claimed epsilon judged");
  command->add_option("--delta", state->delta, "in (0, 1), with --claim in [0, 1]")->required();
  command->add_option("--claim", state->claim,
                      "somebody's epsilon: is it an upper bound? (exit status 4 if it under-reports)");
  command->add_flag("--all", state->all,
                    "also rows looser than 100 times, and of those that do not apply what is unmet");
  state->options.add_to(*command, "1e-4");
  state->options.add_digits_to(*command);
  command->callback([state, &status] { status = state->run(); });
}

}  // namespace pld::cli
