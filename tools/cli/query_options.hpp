#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "files_option.hpp"
#include "ledger_input.hpp"
#include "pld/formats/asked_neighbours.hpp"
#include "pld/formats/entry.hpp"
#include "pld/pld.hpp"

namespace pld::cli {

/// A composition and how it was written.
struct NamedComposition {
  std::string name;
  Composition composition;
};

/// The words every query takes, as typed; the accessors read them and throw ReadError or DomainError for bad ones.
class QueryOptions {
 public:
  /// Adds the options to a subcommand; `this` must outlive its parsing.
  void add_to(CLI::App& command, const std::string& default_tolerance);

  /// The mechanisms named and those of --ledger, of which there must be one or the other.
  [[nodiscard]] Composition composition() const;
  [[nodiscard]] bool names_any() const { return !mechanisms_.empty() || !ledger_.path.empty(); }
  /// One of each run of mechanisms between the words "vs", the ledger's in all of them.
  [[nodiscard]] std::vector<NamedComposition> compositions() const;
  /// The same as written: those of --ledger, then those named. For what needs parameters instead of mechanisms.
  [[nodiscard]] std::vector<Entry> entries() const;
  [[nodiscard]] double tolerance() const;
  [[nodiscard]] DirectionChoice direction() const;
  [[nodiscard]] Engine engine() const;
  [[nodiscard]] bool json() const { return json_; }

 private:
  [[nodiscard]] AskedNeighbours neighbours() const;

  std::string command_;
  std::vector<std::string> mechanisms_;
  mutable LedgerInput ledger_;  ///< reads its file once
  std::string tolerance_;
  std::string direction_ = "worst";
  std::string engine_ = "auto";
  std::string adjacency_, group_;
  bool json_ = false;
  FilesOption files_;
};

}  // namespace pld::cli
