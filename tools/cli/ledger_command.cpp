#include <iostream>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "core/number_text.hpp"
#include "decimal.hpp"
#include "pld/formats/mechanism_text.hpp"
#include "pld/formats/open_entry.hpp"
#include "pld/formats/query_text.hpp"
#include "pld/formats/read_number.hpp"
#include "pld/ledger/budget_file.hpp"

namespace pld::cli {

namespace {

std::string target_text(const Target& target) {
  return "epsilon " + number_text(target.epsilon) + ", delta " + number_text(target.delta);
}

/// Where the budget stands, read both ways.
void print_standing(const Budget& budget) {
  const Composition all = budget.composition();
  std::cout << "budget: " << target_text(budget.target)
            << (budget.relation == Relation::add_remove ? "" : std::string(", adjacency ") + name(budget.relation))
            << '\n'
            << "spent: " << budget.spent.size() << (budget.spent.size() == 1 ? " entry" : " entries")
            << "\n    delta at the budget's epsilon: <= " << at_most(delta(all, {.epsilon = budget.target.epsilon}));
  const Answer epsilon = pld::epsilon(all, {.delta = budget.target.delta});
  std::cout << "\n    epsilon at the budget's delta: <= " << at_most(epsilon) << "\n    left: epsilon "
            << number_text(budget.target.epsilon - epsilon.upper) << '\n';
}

/// How many more releases of `word`'s mechanism fit.
void print_room(const Budget& budget, const std::string& word) {
  std::vector<OpenEntry> entries;
  for (const Entry& entry : budget.spent) entries.push_back({entry, {}});
  entries.push_back({entry_from_text(word), {{"count", 1}}});
  const std::string release = release_of(entries.back().entry).mechanism.text();
  const Calibration room = [&] {
    Trial none;
    const Unknown unknown = unknown_of(entries, budget.relation).unknown;
    const CalibrateQuery query{.goals = {budget.target}, .tolerance = 1e-4};
    // One more has to fit before it is asked how many do.
    const DeltaAnswer one = delta(unknown.at(1), {.epsilon = budget.target.epsilon, .tolerance = query.tolerance});
    return one.upper <= budget.target.delta ? calibrate(unknown, query) : Calibration{.chosen = none, .next = {}};
  }();
  std::cout << "room: " << number_text(room.chosen.value) << " more of " << release << '\n';
}

struct LedgerCommand {
  std::string file, epsilon, delta, mechanism, adjacency = "add-remove";

  [[nodiscard]] ExitCode init() const {
    BudgetFile(file).init({finite_from_text(epsilon, "ledger", "epsilon"), finite_from_text(delta, "ledger", "delta")},
                          relation_from_text(adjacency, "ledger"));
    return ExitCode::answered;
  }
  [[nodiscard]] ExitCode spend() const {
    const auto spending = BudgetFile(file).spend(entry_from_text(mechanism));
    const Target& target = spending.budget.target;
    std::cout << (spending.accepted ? "spent" : "refused") << ": with " << mechanism
              << ", delta <= " << at_most(spending.delta) << " at epsilon " << number_text(target.epsilon)
              << ", budget " << number_text(target.delta) << '\n';
    return spending.accepted ? ExitCode::answered : ExitCode::over_budget;
  }
  [[nodiscard]] ExitCode status() const {
    const Budget budget = BudgetFile(file).read();
    if (!mechanism.empty())
      static_cast<void>(release_of(entry_from_text(mechanism)).mechanism.under(budget.relation));  // or throws
    print_standing(budget);
    if (!mechanism.empty()) print_room(budget, mechanism);
    return ExitCode::answered;
  }
  [[nodiscard]] ExitCode undo() const {
    print_standing(BudgetFile(file).undo());
    return ExitCode::answered;
  }
};

}  // namespace

void add_ledger_command(CLI::App& app, ExitCode& status) {
  auto state = std::make_shared<LedgerCommand>();
  CLI::App* ledger = app.add_subcommand("ledger", "a budget kept in a file: init, spend, status, undo");
  ledger->require_subcommand(1);
  const auto add = [&](const char* name, const char* meaning, ExitCode (LedgerCommand::*run)() const) {
    CLI::App* command = ledger->add_subcommand(name, meaning);
    command->add_option("file", state->file, "the ledger's file")->required();
    command->callback([state, run, &status] { status = (*state.*run)(); });
    return command;
  };
  CLI::App* init = add("init", "start a file with a budget", &LedgerCommand::init);
  init->add_option("--epsilon", state->epsilon, "of the budget")->required();
  init->add_option("--delta", state->delta, "of the budget")->required();
  init->add_option("--adjacency", state->adjacency, "add-remove, replace-one or zero-out")->capture_default_str();
  add("spend", "record a release before it is made; status 4 where it would exceed the budget", &LedgerCommand::spend)
      ->add_option("mechanism", state->mechanism, "type:key=value,... (see `pld mechanisms`)")
      ->required();
  add("status", "what is spent and left, and how many more of a release fit", &LedgerCommand::status)
      ->add_option("mechanism", state->mechanism, "the release to fit");
  add("undo", "take the last spending back, for what was not released", &LedgerCommand::undo);
}

}  // namespace pld::cli
