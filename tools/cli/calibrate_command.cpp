#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <tuple>

#include "commands.hpp"
#include "core/number_text.hpp"
#include "core/printable.hpp"
#include "decimal.hpp"
#include "files_option.hpp"
#include "formats/open_tries.hpp"
#include "formats/query_text.hpp"
#include "formats/read_number.hpp"
#include "ledger_input.hpp"
#include "ledger_text.hpp"
#include "pld/account/query.hpp"
#include "pld/calibrate/calibrate.hpp"
#include "pld/formats/open_entry.hpp"
#include "pld/formats/read_error.hpp"
#include "progress.hpp"
#include "query_options.hpp"
#include "report.hpp"
#include "stopwatch.hpp"
#include "timeout_option.hpp"
#include "training_options.hpp"

namespace pld::cli {

namespace {

/// What words about training often hide, said aloud on stderr.
struct TrainingNotes {
  const TrainingOptions& training;
  bool of_one_run = true;  ///< nothing is known from below of the best of several

  void say(const std::vector<OpenEntry>& entries, double value, const std::vector<Goal>& goals) const {
    const auto shuffled = of_one_run ? training.shuffled_instead(entries.front(), value) : std::nullopt;
    for (const Goal& goal : goals) {
      const auto* target = std::get_if<Target>(&goal);
      if (target == nullptr) continue;
      say_if_shuffled(shuffled, EpsilonQuery{.delta = target->delta}, target->epsilon);
      training.warn_of(target->delta);
    }
  }
};

struct CalibrateCommand {
  std::vector<std::string> mechanisms, more_targets;
  std::string epsilon, delta, advantage, fpr, tpr, mu, rho, tolerance = "1e-5", direction = "worst", engine = "auto",
                                                            adjacency, group, tries;
  TrainingOptions training;
  LedgerInput ledger;
  FilesOption files;
  TimeoutOption timeout;
  bool json = false;

  static double number(const std::string& text, const char* what) { return finite_from_text(text, "calibrate", what); }

  static Target target_from(const std::string& pair) {
    const auto comma = pair.find(',');
    if (comma == std::string::npos) throw ReadError("calibrate", "target", "'" + pair + "'", "written EPSILON,DELTA");
    return {number(pair.substr(0, comma), "target's epsilon"), number(pair.substr(comma + 1), "target's delta")};
  }

  /// --adjacency and --group.
  [[nodiscard]] AskedNeighbours neighbours() const {
    AskedNeighbours asked;
    if (!adjacency.empty()) asked.relation = relation_from_text(adjacency, "calibrate");
    if (!group.empty()) asked.group = finite_from_text(group, "calibrate", "group");
    return asked;
  }

  [[nodiscard]] std::vector<Goal> goals() const {
    std::vector<Goal> all;
    if (epsilon.empty() != delta.empty()) throw ReadError("calibrate: --epsilon and --delta belong together");
    if (fpr.empty() != tpr.empty()) throw ReadError("calibrate: --fpr and --tpr belong together");
    if (!epsilon.empty()) all.push_back(Target{number(epsilon, "epsilon"), number(delta, "delta")});
    for (const std::string& pair : more_targets) all.push_back(target_from(pair));
    if (!advantage.empty()) all.push_back(Advantage{number(advantage, "advantage")});
    if (!fpr.empty()) all.push_back(TestPower{number(fpr, "fpr"), number(tpr, "tpr")});
    if (!mu.empty()) all.push_back(GaussianDp{number(mu, "mu")});
    if (!rho.empty()) all.push_back(ZeroConcentratedDp{number(rho, "rho")});
    return all;
  }

  /// Those named, in the words of a training run where there are such.
  [[nodiscard]] std::vector<OpenEntry> named() const {
    std::vector<OpenEntry> entries;
    for (const std::string& word : mechanisms) entries.push_back(open_entry_from_text(word, files.access()));
    if (!training.given()) return entries;
    if (entries.size() != 1) throw training.describes_one();
    training.write_to(entries.front());
    return entries;
  }

  [[nodiscard]] ExitCode run() {
    const TimeLimit limit = timeout.limit("calibrate");
    const Stopwatch stopwatch;
    const std::vector<Goal> targets = goals();
    return targets.empty() ? to_budget(stopwatch) : to_targets(targets, stopwatch);
  }

  /// To what the budget of --ledger itself still takes.
  [[nodiscard]] ExitCode to_budget(const Stopwatch& stopwatch) {
    const Released* const budget = ledger.budget(neighbours());
    if (budget == nullptr || !budget->rules)
      throw ReadError(
          "calibrate: no target: give --epsilon and --delta, --target EPSILON,DELTA, --advantage, --fpr and --tpr, "
          "--mu or --rho, or in --ledger an adaptive budget, whose filter decides");
    refuse_options_of_targets();
    const BudgetRules& rules = *budget->rules;
    const std::vector<OpenEntry> entries = named();
    const NamedUnknown unknown = unknown_of(selected(entries, tries, "calibrate"), rules.neighbours);
    const FilterCalibration found =
        counting_seconds([&] { return calibrate_to_filter(unknown, rules, budget->counted); });
    AssumedSampler assumed;
    for (const OpenEntry& entry : entries) assumed.see(entry);
    if (json)
      std::cout << json_text(unknown, found, rules, stopwatch.seconds()) << '\n';
    else
      print(unknown, found, rules, stopwatch.seconds());
    return found.converged ? ExitCode::answered : ExitCode::tolerance_not_reached;
  }

  void refuse_options_of_targets() const {
    for (const auto& [given, usual, option] : {std::tuple(direction, "worst", "--direction"),
                                               {engine, "auto", "--engine"},
                                               {tolerance, "1e-5", "--tolerance"}})
      if (given != usual)
        throw ReadError("calibrate: " + std::string(option) + " is " + given +
                        ", but must be left out where no target is given: the budget's filter counts by its own rule");
  }

  static void print(const NamedUnknown& unknown, const FilterCalibration& found, const BudgetRules& rules,
                    double seconds) {
    const auto sampled = [](const Entry& entry) { return !entry.sampling.empty(); };
    const std::vector<Entry>& releases = found.chosen.releases;
    std::cout << page(unknown, found, rules)
              << (std::any_of(releases.begin(), releases.end(), sampled) ? advice_on_samples(rules) : "")
              << found.trials << (found.trials == 1 ? " value" : " values") << " counted in " << milliseconds(seconds)
              << ", filter " << name(rules.filter.kind);
    print_neighbours(rules.neighbours);
    std::cout << '\n';
  }

  [[nodiscard]] ExitCode to_targets(const std::vector<Goal>& targets, const Stopwatch& stopwatch) {
    const CalibrateQuery query{.goals = targets,
                               .tolerance = finite_from_text(tolerance, "calibrate", "tolerance"),
                               .direction = direction_from_text(direction, "calibrate"),
                               .engine = engine_from_text(engine, "calibrate")};
    if (mechanisms.empty() && ledger.path.empty())
      throw ReadError(
          "calibrate: no mechanism given: name one (as in gaussian:sigma=?,count=10) or a --ledger FILE.json");
    if (training.given() && !ledger.path.empty()) throw training.describes_one();
    const std::vector<OpenEntry> own = named();
    std::vector<OpenEntry> entries = own;
    const ReadOpenEntries besides = ledger.open_entries(neighbours(), files.access());
    entries.insert(entries.end(), besides.entries.begin(), besides.entries.end());
    const NamedUnknown unknown = unknown_of(selected(entries, tries, "calibrate"), besides.neighbours);
    const Calibration found = counting_seconds([&] { return calibrate(unknown.unknown, query); });
    AssumedSampler assumed;
    for (const OpenEntry& entry : entries) assumed.see(entry);
    const auto filter = seen_by_filter(selected(own, tries, "calibrate"), found.chosen.value);
    if (training.given()) TrainingNotes{training, tries.empty()}.say(entries, found.chosen.value, query.goals);
    if (json) {
      OrderedJson fields = answer_fields(query, unknown, found, stopwatch.seconds());
      ledger.add_assumed(fields);
      if (filter) fields["budget"] = json_filtered(*filter, rules());
      std::cout << fields.dump() << '\n';
    } else {
      print(query, unknown, found, stopwatch.seconds());
      if (filter)
        std::cout << "the budget's filter, which decides what may be spent, " << verdict(*filter, rules()) << "; "
                  << command_to_budget() << " finds what it takes\n";
    }
    return found.converged ? ExitCode::answered : ExitCode::tolerance_not_reached;
  }

  [[nodiscard]] const BudgetRules& rules() { return *ledger.budget({})->rules; }

  /// What the filter of an adaptive budget in --ledger says of the value, which it was not asked for.
  [[nodiscard]] std::optional<FilteredValue> seen_by_filter(const std::vector<OpenEntry>& own, double value) {
    if (!ledger.composes_adaptive()) return std::nullopt;
    return filtered(own, value, rules(), ledger.budget({})->counted);
  }

  [[nodiscard]] std::string command_to_budget() const {
    std::string words = "`pld calibrate --ledger " + printable(ledger.path);
    if (!tries.empty()) words += " --tries " + tries;
    for (const std::string& word : mechanisms) words += " '" + word + "'";
    return words + "`, without a target,";
  }

  static void print_trial(const std::string& name, const Trial& trial, const std::string& verdict,
                          const CalibrateQuery& query) {
    std::cout << name << " = " << number_text(trial.value) << ' ' << verdict << '\n';
    for (std::size_t i = 0; i < query.goals.size(); ++i) {
      const Attained& attained = trial.attained[i];
      std::cout << "    " << quantity_of(query.goals[i]) << " <= " << at_most(attained.value, attained.converged)
                << ", target " << number_text(limit_of(query.goals[i])) << '\n';
    }
  }

  static void print(const CalibrateQuery& query, const NamedUnknown& unknown, const Calibration& found,
                    double seconds) {
    const Composition composition = unknown.unknown.at(found.chosen.value);
    print_trial(unknown.written, found.chosen, "meets the target" + in_one_direction(composition, query.direction),
                query);
    if (found.next) {
      print_trial(unknown.written, *found.next, found.next_fails ? "fails" : "is not proved to meet it", query);
      if (found.failing) print_trial(unknown.written, *found.failing, "fails", query);
    } else {
      std::cout << (found.chosen.value == unknown.unknown.unsafe_end()
                        ? "which is the end of the range searched\n"
                        : "and nothing beyond was looked at before the time ended\n");
    }
    std::cout << found.trials << (found.trials == 1 ? " composition" : " compositions") << " evaluated in "
              << milliseconds(seconds);
    print_subject(composition, found.converged ? std::nullopt : std::optional(query.tolerance));
  }
};

}  // namespace

void add_calibrate_command(CLI::App& app, ExitCode& status) {
  auto state = std::make_shared<CalibrateCommand>();
  CLI::App* command = app.add_subcommand(
      "calibrate", "smallest noise, largest count or rate that meets a target, or that a budget takes");
  command->add_option("mechanism", state->mechanisms,
                      "type:key=value,... with one number written as ?, or several as ?*FACTOR: shares of one unknown; "
                      "in quotes, as a shell takes ? for a letter of some file's name");
  command->add_option("--epsilon", state->epsilon, "epsilon of the target");
  command->add_option("--delta", state->delta, "delta of the target");
  command->add_option("--target", state->more_targets, "EPSILON,DELTA: one more target to meet at once")
      ->allow_extra_args(false);
  command->add_option("--advantage", state->advantage, "target: total variation, the largest TPR - FPR of any attack");
  command->add_option("--fpr", state->fpr, "target: false positive rate of an attack ...");
  command->add_option("--tpr", state->tpr, "... whose true positive rate is at most this");
  command->add_option("--mu", state->mu,
                      "target: mu of Gaussian DP over all alphas (that of explain goes down to delta 1e-10)");
  command->add_option("--rho", state->rho, "target: rho of zero-concentrated DP");
  state->training.add_to(*command);
  command->add_option(
      "--ledger", state->ledger.path,
      "what is released besides: a JSON file of mechanisms, whose numbers may be \"?\" too, or of an event of "
      "dp-accounting, or a budget of "
      "`pld ledger` ('-': standard input), which if adaptive needs no target: its filter decides what it takes");
  command->add_option("--tolerance", state->tolerance, "relative width asked of delta's brackets")
      ->capture_default_str();
  command->add_option("--direction", state->direction, "worst, remove or add")->capture_default_str();
  command->add_option("--adjacency", state->adjacency,
                      "add-remove (unless the ledger says another), replace-one or zero-out");
  command->add_option("--group", state->group, "how many records change at once (default 1)");
  add_tries_to(*command, state->tries);
  command->add_option("--engine", state->engine, "auto, lattice, contour or closed-form")->capture_default_str();
  state->timeout.add_to(*command,
                        "seconds after which the answer is what is known by then: ends that may be farther apart");
  state->files.add_to(*command);
  command->add_flag("--json", state->json, "print one JSON object on one line");
  command->callback([state, &status] { status = state->run(); });
}

}  // namespace pld::cli
