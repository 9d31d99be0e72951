#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pld/calibrate/goal.hpp"
#include "pld/core/neighbours.hpp"
#include "pld/formats/entry.hpp"
#include "pld/ledger/budget.hpp"

namespace pld {

/// What stands of the spends of a budget: what queries compose.
struct Released {
  Neighbours neighbours{};
  std::vector<Entry> releases{};
  /// What is proved of all spends together where they may depend on what was released before, as their composition is
  /// not. Empty where all was fixed in advance.
  std::vector<Goal> only_proved{};
  std::optional<BudgetRules> rules{};  ///< none of a budget of before there were kinds of them
  FilterCount counted{};               ///< what the filter of an adaptive budget has summed up of them
};

/// Reads a budget's file (see BudgetFile). Throws as BudgetFile::for_each().
[[nodiscard]] Released released_in_file(const std::string& path);

/// Reads the lines of a budget's export, or of a budget as it was kept before there were kinds of them. Nothing where
/// the text is no such thing; throws ReadError where it is but cannot be read.
[[nodiscard]] std::optional<Released> released_in_text(std::string_view text);

/// Whether a file begins as SQLite's do.
[[nodiscard]] bool is_database(const std::string& path);

}  // namespace pld
