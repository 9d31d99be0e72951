#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "commands.hpp"
#include "files_option.hpp"
#include "formats/fresh_file.hpp"
#include "formats/open_tries.hpp"
#include "formats/query_text.hpp"
#include "formats/read_number.hpp"
#include "formats/strict_json.hpp"
#include "formats/text_file.hpp"
#include "formats/told_with_place.hpp"
#include "formats/training_run.hpp"
#include "ledger/asked_rules.hpp"
#include "ledger/budget_steps.hpp"
#include "ledger_input.hpp"
#include "ledger_text.hpp"
#include "pld/formats/composition_json.hpp"
#include "pld/formats/read_error.hpp"
#include "pld/ledger/budget_file.hpp"
#include "pld/ledger/refused_line.hpp"
#include "progress.hpp"
#include "query_options.hpp"
#include "training_options.hpp"
#include "whole_file.hpp"

namespace pld::cli {

namespace {

constexpr const char* where = "ledger";

/// To standard output at once: where that fails, or nobody reads it any more, the message says what is recorded.
void say(std::string_view text, const std::string& recorded) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0)
      throw std::runtime_error(std::string("cannot write to standard output: ") + std::strerror(errno) + "; " +
                               recorded);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

struct LedgerCommand {
  std::string file, kind, adjacency = "add-remove", group, filter, order, reserve, rho, mu, plan, lines, output, tries,
                          id;
  std::vector<std::string> epsilons, deltas, mechanisms;
  SpendRequest request;
  FilesOption files;
  TrainingOptions training;
  bool json = false;

  [[nodiscard]] BudgetFile budget() const { return BudgetFile(file); }
  static double number(const std::string& text, const char* what) { return finite_from_text(text, where, what); }

  /// What is named, as one selection where there are tries.
  [[nodiscard]] std::vector<Entry> entries() const {
    std::vector<Entry> all = training.entries_of(mechanisms, files.access());
    if (!tries.empty() && all.empty()) throw ReadError("ledger: --tries is of mechanisms, but none is named");
    return selected(std::move(all), tries, where);
  }

  /// Says it once what is named is known to be accepted.
  static void say_assumed(const std::vector<Entry>& named) {
    AssumedSampler assumed;
    for (const Entry& entry : named) assumed.see({entry});
  }

  [[nodiscard]] std::vector<Goal> targets() const {
    if (epsilons.size() != deltas.size())
      throw ReadError("ledger: --epsilon and --delta belong together: give as many of one as of the other");
    std::vector<Goal> all;
    for (std::size_t i = 0; i < epsilons.size(); ++i)
      all.push_back(Target{number(epsilons[i], "epsilon"), number(deltas[i], "delta")});
    if (!rho.empty()) all.push_back(ZeroConcentratedDp{number(rho, "rho")});
    if (!mu.empty()) all.push_back(GaussianDp{number(mu, "mu")});
    if (all.empty()) throw ReadError("ledger: no target: give --epsilon and --delta, --rho or --mu");
    return all;
  }

  [[nodiscard]] Neighbours neighbours() const {
    return {relation_from_text(adjacency, where), group.empty() ? 1 : number(group, "group")};
  }

  [[nodiscard]] AskedFilter asked() const {
    AskedFilter all;
    if (!filter.empty()) all.kind = filter_from_text(filter);
    if (!order.empty()) all.order = number(order, "order");
    if (!reserve.empty()) all.reserve = number(reserve, "reserve");
    return all;
  }

  [[nodiscard]] ExitCode init() const {
    std::vector<Entry> named = entries();
    if (!plan.empty()) {
      const auto text = text_of_input(plan);
      if (!text) throw ReadError("ledger: '" + plan + "' does not exist");
      const AskedNeighbours asked{neighbours().relation, neighbours().group};
      require_json(*text, plan);
      const auto planned = [&] { return entries_from_json(*text, asked, files.access()); };
      for (Entry& entry : told_with_place(plan, planned)) named.push_back(std::move(entry));
    }
    const BudgetRules all = asked_rules({.kind = kind.empty() ? BudgetKind::adaptive : budget_kind_from_text(kind),
                                         .neighbours = neighbours(),
                                         .targets = targets()},
                                        asked(), named);
    counting_seconds([&] { budget().init(all, all.kind == BudgetKind::planned ? named : std::vector<Entry>()); });
    say_assumed(named);
    say(json ? json_text(all, named) + '\n' : page(all) + (named.empty() ? advice_on_samples(all) : ""),
        "the ledger is started");
    return ExitCode::answered;
  }

  [[nodiscard]] ExitCode spend() {
    request.releases = entries();
    const Spending spending = counting_seconds([&] { return budget().spend(request); });
    say_assumed(request.releases);
    const bool advised = !spending.accepted && any_sampled();
    say(json ? json_text(spending, request.releases) + '\n'
             : page(spending) + (advised ? advice_on_samples(spending.rules) : ""),
        spending.accepted ? "record " + std::to_string(spending.id) + " is in the ledger" : "nothing is recorded");
    return spending.accepted ? ExitCode::answered : ExitCode::over_budget;
  }

  [[nodiscard]] bool any_sampled() const {
    return std::any_of(request.releases.begin(), request.releases.end(),
                       [](const Entry& entry) { return !entry.sampling.empty(); });
  }

  [[nodiscard]] ExitCode status() const {
    const std::string text = counting_seconds([&] {
      const LedgerStatus found = budget().status();
      const Room room = room_for(found);
      return json ? json_text(found, room) + '\n' : page(found, room);
    });
    std::cout << text;
    return ExitCode::answered;
  }

  /// How many more of the mechanism named fit.
  [[nodiscard]] Room room_for(const LedgerStatus& found) const {
    if (mechanisms.empty() && tries.empty() && !training.given()) return {};
    const std::vector<Entry> asked = entries();
    if (asked.size() > 1) throw ReadError("ledger: one mechanism can be asked for room, not several");
    const Entry& entry = asked.front();
    if (entry.count != 1 && !training.given())
      throw ReadError(where, "count", std::to_string(entry.count), "left out: it is releases that room is counted in");
    Room room{release_of(entry).mechanism.text(), pld::room_for(entry, found), assumed_sampler_of(asked)};
    say_assumed(asked);
    return room;
  }

  [[nodiscard]] ExitCode list() const {
    const BudgetFile ledger = budget();
    const BudgetRules all = ledger.rules();
    if (json) std::cout << "{\"records\":[";
    bool first = true;
    ledger.for_each([&](const LedgerRecord& record) {
      if (json)
        std::cout << (first ? "" : ",") << json_text(record);
      else
        std::cout << line(record, all) << '\n';
      first = false;
    });
    if (json) std::cout << "]}\n";
    return ExitCode::answered;
  }

  /// In digits alone: 010 is ten.
  [[nodiscard]] std::int64_t record_named() const {
    std::int64_t record = 0;
    const char* const end = id.data() + id.size();
    const auto [read, error] = std::from_chars(id.data(), end, record);
    if (read != end || error != std::errc() || record < 0)
      throw ReadError(where, "id", "'" + id + "'", "a record's number (see `pld ledger list`)");
    return record;
  }

  [[nodiscard]] ExitCode undo() const {
    const std::int64_t named = record_named(), record = budget().undo(named);
    const std::string ids = std::to_string(record), undone = std::to_string(named);
    say(json ? "{\"id\":" + ids + ",\"undo\":" + undone + "}\n"
             : "undone: record " + undone + ", by record " + ids + '\n',
        "record " + ids + " is in the ledger");
    return ExitCode::answered;
  }

  [[nodiscard]] ExitCode export_lines() const {
    if (output.empty()) {
      budget().export_lines([](std::string_view text) { std::cout << text << '\n'; });
      return ExitCode::answered;
    }
    const SignalsPutOff until_written;
    FreshFile written(output);
    budget().export_lines([&](std::string_view text) { written.write(std::string(text) + '\n'); });
    written.replace();
    return ExitCode::answered;
  }

  [[nodiscard]] ExitCode import_lines() const {
    std::ifstream opened;
    if (lines != "-") {
      if (!is_own_pipe(lines)) require_regular_file(lines);
      opened.open(lines, std::ios::binary);
      if (!opened) throw ReadError("cannot read '" + lines + "': " + std::strerror(errno));
    }
    std::istream& in = lines == "-" ? std::cin : opened;
    try {
      const BudgetRules all = read_into_ledger(in);
      say(json ? json_text(all) + '\n' : page(all), "the ledger is started");
    } catch (const RefusedLine& refused) {
      throw ReadError(name_of_input(lines) + ": " + refused.what());
    }
    return ExitCode::answered;
  }

  [[nodiscard]] BudgetRules read_into_ledger(std::istream& in) const {
    if (kind.empty()) return budget().import_lines(in);
    return budget().import_old(in, budget_kind_from_text(kind),
                               [this](const std::vector<Goal>& found) { return asked_filter(asked(), found, {}, {}); });
  }
};

/// Adds the subcommands, which share their words.
class Subcommands {
 public:
  using Run = std::function<ExitCode(LedgerCommand&)>;

  Subcommands(CLI::App& ledger, ExitCode& status) : ledger_(ledger), status_(status) {}

  CLI::App* add(const char* name, const char* meaning, const Run& run) {
    CLI::App* command = ledger_.add_subcommand(name, meaning);
    command->add_option("file", state_->file, "the ledger's file")->required();
    command->callback([state = state_, run, &status = status_] {
      // Who reads the answer may be gone: that is no reason to end without a word of what is recorded.
      std::signal(SIGPIPE, SIG_IGN);
      status = run(*state);
    });
    return command;
  }
  CLI::App* with_json(CLI::App* command) {
    command->add_flag("--json", state_->json, "print one JSON object on one line");
    return command;
  }
  /// What says more of the mechanisms named.
  void with_mechanisms(CLI::App* command) {
    state_->files.add_to(*command);
    state_->training.add_to(*command, where);
    add_tries_to(*command, state_->tries);
  }
  CLI::App* with_filter(CLI::App* command, const char* kind) {
    command->add_option("--kind", state_->kind, kind);
    command->add_option("--filter", state_->filter, "basic, zcdp, renyi or gdp: what an adaptive budget adds up");
    command->add_option("--order", state_->order, "of renyi's divergence");
    command->add_option("--reserve", state_->reserve, "delta set aside for releases that have a delta of their own");
    return command;
  }
  [[nodiscard]] LedgerCommand& state() const { return *state_; }

 private:
  CLI::App& ledger_;
  ExitCode& status_;
  std::shared_ptr<LedgerCommand> state_ = std::make_shared<LedgerCommand>();
};

void add_init(Subcommands& all) {
  CLI::App* init = all.add("init", "start a ledger with a budget", [](LedgerCommand& c) { return c.init(); });
  LedgerCommand& state = all.state();
  init->add_option("mechanism", state.mechanisms,
                   "all that will ever be released, of a planned budget; what is expected, of an adaptive one");
  init->add_option("--epsilon", state.epsilons, "of a target; each with its --delta")->allow_extra_args(false);
  init->add_option("--delta", state.deltas, "of a target")->allow_extra_args(false);
  init->add_option("--rho", state.rho, "target: rho of zero-concentrated DP");
  init->add_option("--mu", state.mu, "target: mu of Gaussian DP");
  all.with_filter(init, "adaptive (default) or planned: whether parameters may depend on what was released before");
  init->add_option("--adjacency", state.adjacency, "add-remove, replace-one or zero-out")->capture_default_str();
  init->add_option("--group", state.group, "how many records change at once: a user's, a household's (default 1)");
  init->add_option("--plan", state.plan, "JSON file of more such mechanisms");
  all.with_mechanisms(init);
  all.with_json(init);
}

void add_spend(Subcommands& all) {
  CLI::App* spend = all.add("spend", "record releases before they are made; status 4 where the budget refuses them",
                            [](LedgerCommand& c) { return c.spend(); });
  LedgerCommand& state = all.state();
  spend->add_option("mechanism", state.mechanisms, "type:key=value,... (see `pld mechanisms`); several at once")
      ->required();
  spend->add_option("--token", state.request.token, "your name of this spend: asked again, it is not spent again")
      ->check([](const std::string& word) { return word.empty() ? "is empty, but must be a name" : ""; });
  spend->add_option("--name", state.request.name, "a name, for `list`");
  spend->add_option("--note", state.request.note, "a note, for `list`");
  all.with_mechanisms(spend);
  all.with_json(spend);
}

void add_readings(Subcommands& all) {
  LedgerCommand& state = all.state();
  CLI::App* status = all.add("status", "what is spent and left, and how many more of a release fit",
                             [](LedgerCommand& c) { return c.status(); });
  status->add_option("mechanism", state.mechanisms, "the release to fit");
  all.with_mechanisms(status);
  all.with_json(status);
  all.with_json(all.add("list", "every record", [](LedgerCommand& c) { return c.list(); }));
}

void add_others(Subcommands& all) {
  LedgerCommand& state = all.state();
  CLI::App* undo =
      all.add("undo", "take a spend back that was in the end not released", [](LedgerCommand& c) { return c.undo(); });
  undo->add_option("id", state.id, "the record's id, which spend prints")->required();
  all.with_json(undo);
  all.add("export", "the ledger as lines of JSON", [](LedgerCommand& c) { return c.export_lines(); })
      ->add_option("--output", state.output, "FILE instead of standard output");
  CLI::App* import = all.add("import", "start a ledger from exported lines, or from a budget of older versions",
                             [](LedgerCommand& c) { return c.import_lines(); });
  import->add_option("lines", state.lines, "the file of lines; '-' is standard input")->required();
  all.with_filter(import, "of an older budget, which does not say: planned or adaptive");
  all.with_json(import);
}

}  // namespace

void add_ledger_command(CLI::App& app, ExitCode& status) {
  CLI::App* ledger =
      app.add_subcommand("ledger", "a budget kept in a file: init, spend, status, list, undo, export, import");
  ledger->require_subcommand(1);
  Subcommands all(*ledger, status);
  add_init(all);
  add_spend(all);
  add_readings(all);
  add_others(all);
}

}  // namespace pld::cli
