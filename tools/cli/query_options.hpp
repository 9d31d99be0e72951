#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "files_option.hpp"
#include "ledger_input.hpp"
#include "pld/formats/asked_neighbours.hpp"
#include "pld/formats/entry.hpp"
#include "pld/formats/open_entry.hpp"
#include "pld/pld.hpp"
#include "report.hpp"
#include "timeout_option.hpp"
#include "training_options.hpp"

namespace pld::cli {

/// Adds --tries, whose help names the laws or where they stand. It refuses "", as of a shell's variable that is not
/// set: no selection would be answered for.
inline CLI::Option* add_tries_to(CLI::App& command, std::string& law,
                                 const std::string& laws = " (see `pld epsilon --help`)") {
  return command.add_option("--tries", law, "the best of a random number of runs alone is put out" + laws)
      ->check([](const std::string& given) {
        return given.empty() ? "is empty, but must be a law, as geometric:mean=10" : "";
      });
}

/// A composition and how it was written.
struct NamedComposition {
  std::string name;
  Composition composition;
};

/// The same with numbers left open.
struct NamedEntries {
  std::string name;
  std::vector<OpenEntry> entries;
};

/// The words every query takes, as typed; the accessors read them and throw ReadError or DomainError for bad ones.
class QueryOptions {
 public:
  /// Adds the options to a subcommand; `this` must outlive its parsing.
  void add_to(CLI::App& command, const std::string& default_tolerance);
  /// The digits of answers for a person.
  void add_digits_to(CLI::App& command);
  /// Those of them that say what is released.
  void add_composition_to(CLI::App& command);

  /// Leaves an option out of help: the command has only one answer for it, a refusal that says why.
  static void hide(CLI::App& command, const std::string& option) { command.get_option(option)->group(""); }

  /// The mechanisms named and those of --ledger, of which there must be one or the other.
  [[nodiscard]] Composition composition() const;
  [[nodiscard]] bool names_any() const { return !mechanisms_.empty() || !ledger_.path.empty(); }
  /// Refuses what is said of mechanisms where none is named.
  void refuse_words_of_none() const;
  /// One of each run of mechanisms between the words "vs", the ledger's in all of them.
  [[nodiscard]] std::vector<NamedComposition> compositions() const;
  /// The same with "?" for numbers that are left open; the ledger's entries come last.
  [[nodiscard]] std::vector<NamedEntries> open_compositions() const;
  /// On stderr the sampler that one of these takes for granted, once all its open numbers are known.
  void say_assumed(const NamedEntries& one) const;
  /// Entries of one of these, or the selection from them that --tries makes.
  [[nodiscard]] std::vector<OpenEntry> selected(std::vector<OpenEntry> entries) const;
  /// The same as written: those of --ledger, then those named. For what needs parameters instead of mechanisms.
  [[nodiscard]] std::vector<Entry> entries() const;
  /// For what is known of no selection, in other words than those it `belongs_to`.
  void refuse_tries(const char* belongs_to) const;
  /// --adjacency, or the ledger's.
  [[nodiscard]] Neighbours asked_neighbours() const;
  /// The training run with shuffled passes instead, where Poisson samples were taken for granted (say_if_shuffled);
  /// of an entry of open_compositions() with its open number at a value.
  [[nodiscard]] std::optional<ShuffledRun> shuffled_instead() const;
  [[nodiscard]] std::optional<ShuffledRun> shuffled_instead(const OpenEntry& entry, double value = 0) const;
  /// See TrainingOptions.
  void warn_of(double delta) const { training_.warn_of(delta); }
  [[nodiscard]] double tolerance() const;
  /// --timeout, from now on.
  [[nodiscard]] TimeLimit time_limit() const { return timeout_.limit(command_); }
  [[nodiscard]] DirectionChoice direction() const;
  [[nodiscard]] Engine engine() const;
  [[nodiscard]] bool json() const { return json_; }
  /// As of the ledger.
  [[nodiscard]] std::vector<Goal> only_proved() const { return ledger_.only_proved(); }
  /// The sampler that is taken for granted in them; empty where it was named.
  [[nodiscard]] std::string assumed_sampler() const { return assumed_sampler_.name(); }
  /// The field "assumed", where the compositions made so far take something for granted, as it was said on stderr.
  [[nodiscard]] OrderedJson assumed() const;
  [[nodiscard]] Printing printing() const { return {json_, digits_, assumed()}; }

 private:
  using Words = std::vector<std::string>;

  [[nodiscard]] AskedNeighbours neighbours() const;
  /// The words between "vs".
  [[nodiscard]] std::vector<Words> groups() const;
  /// What they name, as --dataset-size and its like have it.
  [[nodiscard]] std::vector<Entry> entries_of(const Words& words) const;
  [[nodiscard]] std::string name_of(const Words& words) const;
  [[nodiscard]] NamedComposition named(const Words& words, Composition composition) const;

  std::string command_;
  Words mechanisms_;
  mutable LedgerInput ledger_;  ///< reads its file once
  mutable AssumedSampler assumed_sampler_;
  std::string tolerance_;
  std::string direction_ = "worst";
  std::string engine_ = "auto";
  std::string adjacency_, group_, tries_;
  bool json_ = false;
  std::optional<int> digits_;
  TrainingOptions training_;
  FilesOption files_;
  TimeoutOption timeout_;
};

}  // namespace pld::cli
