#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "pld/ledger/budget.hpp"

namespace pld {

// A ledger's lines as JSON objects, one a record: what is stored, chained, exported and imported.

/// Bytes that a token, a name or a note may have.
inline constexpr std::size_t longest_record_text = 1000;

/// {"pld-budget":2,"kind":"adaptive","adjacency":"add-remove","targets":[{"epsilon":1,"delta":1e-06}],
///  "filter":{"name":"zcdp","cap":0.01,"delta":0},"ledger":"7c..."}, the last a name of its own.
[[nodiscard]] std::string rules_text(const BudgetRules& rules, const std::string& ledger);
/// Throws ReadError for anything else, for another version and for rules that no budget can have.
[[nodiscard]] BudgetRules rules_from_text(std::string_view text);

/// {"id":3,"spend":[{"type":"gaussian","sigma":50}],"time":"2026-11-23T23:45:07Z","name":"US",...},
/// {"id":4,"undo":3,...}, {"id":1,"plan":[...],...}.
[[nodiscard]] std::string record_text(const LedgerRecord& record);
/// Throws ReadError; no file that a mechanism may name is read.
[[nodiscard]] LedgerRecord record_from_text(std::string_view text);

}  // namespace pld
