#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/answer_fields.hpp"
#include "formats/composition_fields.hpp"
#include "pld/account/composition.hpp"
#include "pld/formats/asked_neighbours.hpp"
#include "pld/formats/entry.hpp"
#include "pld/formats/file_access.hpp"
#include "pld/ledger/released.hpp"

namespace pld::cli {

/// What a file to be read is called: "-" is standard input.
[[nodiscard]] std::string name_of_input(const std::string& path);

/// What --ledger names: JSON of mechanisms or of dp-accounting's events, or a budget of `pld ledger` (its file or its
/// exported lines), of which the spends that stand are composed. "-" is standard input, and a shell's <(...) is read
/// too. Read once, when it is first asked for. All throw ReadError, with the file's name.
class LedgerInput {
 public:
  std::string path{};

  /// What the path is called.
  [[nodiscard]] std::string name() const { return name_of_input(path); }

  /// Empty, for the neighbours asked about, where there is no path. ReadError where the text names others.
  [[nodiscard]] Composition composition(const AskedNeighbours& asked, FileAccess files);
  [[nodiscard]] std::vector<Entry> entries(const AskedNeighbours& asked, FileAccess files);
  /// The same with numbers that may be open.
  [[nodiscard]] ReadOpenEntries open_entries(const AskedNeighbours& asked, FileAccess files);

  /// Those of the JSON of mechanisms that composition() read.
  [[nodiscard]] const std::vector<Entry>& entries_read() const { return entries_; }

  /// The budget itself, where the path names one; its neighbours must be those asked about. Composes nothing.
  [[nodiscard]] const Released* budget(const AskedNeighbours& asked);

  /// Whether what was spent adaptively is composed as if it had been fixed in advance, which is said on stderr.
  [[nodiscard]] bool composes_adaptive() const { return !only_proved().empty(); }
  /// Then: what is proved of them.
  [[nodiscard]] std::vector<Goal> only_proved() const { return budget_ ? budget_->only_proved : std::vector<Goal>(); }
  /// Adds that to "assumed".
  void add_assumed(OrderedJson& fields) const {
    if (composes_adaptive()) fields["assumed"]["ledger"] = "fixed in advance";
  }

 private:
  void read();
  void say_if_adaptive();
  template <class Read>
  auto of_text(const Read& read_text);

  std::optional<std::string> text_{};
  std::optional<Released> budget_{};
  std::vector<Entry> entries_{};
  bool said_ = false;  ///< that an adaptive budget is composed as if fixed in advance
};

}  // namespace pld::cli
