#pragma once

#include <string>
#include <vector>

#include "formats/answer_fields.hpp"
#include "pld/ledger/filter_calibration.hpp"
#include "pld/ledger/ledger_status.hpp"
#include "pld/ledger/spending.hpp"

namespace pld {

// What `pld ledger --json` prints and the Python package reads: each one JSON object.

/// A budget's kind, targets and filter, and what those named at its start take for granted.
[[nodiscard]] std::string json_text(const BudgetRules& rules, const std::vector<Entry>& named = {});

/// Where a budget stands. `mechanism` (may be empty) is asked how many more of it fit, which is `count`; what it takes
/// for granted is the sampler.
struct Room {
  std::string mechanism;
  std::int64_t count = 0;
  std::string assumed_sampler{};
};
[[nodiscard]] std::string json_text(const LedgerStatus& status, const Room& room);

/// The answer to a request to spend.
[[nodiscard]] std::string json_text(const Spending& spending, const std::vector<Entry>& releases);

/// One record.
[[nodiscard]] std::string json_text(const LedgerRecord& record);

/// The number that an adaptive budget takes of releases in which it was open.
[[nodiscard]] std::string json_text(const NamedUnknown& unknown, const FilterCalibration& found,
                                    const BudgetRules& rules, double seconds);

/// What a filter says of one value: "takes", and "counted" or the "refusal".
[[nodiscard]] OrderedJson json_filtered(const FilteredValue& found, const BudgetRules& rules);

/// Both readings of everything that stands, at each target with an epsilon and a delta.
struct Composed {
  Target target;
  DeltaAnswer delta;
  Answer epsilon;
};
[[nodiscard]] std::vector<Composed> composed_of(const LedgerStatus& status);

}  // namespace pld
