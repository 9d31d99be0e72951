#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pld/formats/open_entry.hpp"
#include "pld/ledger/budget.hpp"

namespace pld {

/// Releases of which a number was open, with it at a value, as a filter sees them beside what stands.
struct FilteredValue {
  double value = 0;
  std::vector<Entry> releases{};
  std::optional<FilterCount> counts{}, sum{};  ///< the releases alone, and with what stands; none of what is not taken
  std::string refusal{};                       ///< one line, where a spend of them is refused
};

/// What an adaptive budget still takes of releases with one number open.
struct FilterCalibration {
  FilteredValue chosen;                 ///< closest to the unsafe end of the number's range: a spend of it is accepted
  std::optional<FilteredValue> next{};  ///< the next double or whole number, of which a spend is refused; none where
                                        ///< the end of the range is chosen, or time was too short to settle any beyond
  bool converged = true;                ///< nothing lies between the two; else time or work ended before
  int trials = 0;                       ///< how many values were counted
};

/// Asks the filter of an adaptive budget, as a spend does (count_of, plus, within), for the largest count, the least
/// noise or the like that it takes beside `counted`, what stands. Throws DomainError where it does not even take the
/// safest value, or takes no such releases, and for a plan, which is fixed.
[[nodiscard]] FilterCalibration calibrate_to_filter(const NamedUnknown& unknown, const BudgetRules& rules,
                                                    const FilterCount& counted);

/// The same of one value, whatever it counts for.
[[nodiscard]] FilteredValue filtered(const std::vector<OpenEntry>& entries, double value, const BudgetRules& rules,
                                     const FilterCount& counted);

}  // namespace pld
