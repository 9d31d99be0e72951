#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pld/calibrate/goal.hpp"
#include "pld/core/neighbours.hpp"
#include "pld/formats/entry.hpp"

namespace pld {

/// What a privacy filter adds up.
enum class FilterKind {
  basic,  ///< epsilons of pure DP, and deltas (Rogers, Roth, Ullman, Vadhan 2016)
  zcdp,   ///< rho of zero-concentrated DP (Feldman, Zrnic 2021; Whitehouse, Ramdas, Rogers, Wu 2023)
  renyi,  ///< the Renyi divergence of one order (Feldman, Zrnic 2021; Lecuyer 2021)
  gdp,    ///< squares of the mu of Gaussian DP (Smith, Thakurta 2022; Koskela, Tobaben, Honkela 2022)
};

/// "basic", "zcdp", "renyi", "gdp"; and back: throws ReadError for anything else.
[[nodiscard]] const char* name(FilterKind kind);
[[nodiscard]] std::vector<std::string> filter_names();
[[nodiscard]] FilterKind filter_from_text(const std::string& text);

/// A rule by which releases may be chosen one after the other, each with parameters that depend on what the earlier
/// ones gave out: one that would take a sum beyond its cap is not made. Whatever is chosen under it, all together meets
/// the targets it was made for; docs/budgets.md has the proofs. It is one rule, fixed before the first release: several
/// of which any one may be met prove less.
struct PrivacyFilter {
  FilterKind kind = FilterKind::zcdp;
  double order = 0;      ///< of renyi, > 1; else 0
  double cap = 0;        ///< of the sum of epsilon, rho, D_order or mu^2
  double delta_cap = 0;  ///< of the sum of the deltas that releases have of their own

  /// "epsilon", "rho", "D" or "mu^2": what the cap limits.
  [[nodiscard]] const char* quantity() const;
};

/// The filter of the kind with the largest cap that implies all `targets`. `order` is for renyi: 0 takes the one that
/// is best for Gaussian noise alone. `reserve` is set aside of each target's delta for releases that have one of their
/// own (basic takes no reserve: its deltas add up to the target's). Throws DomainError for a target that the kind does
/// not imply (zcdp and gdp take a rho; gdp a mu; renyi neither; a delta of 0 only basic) and for numbers out of range.
[[nodiscard]] PrivacyFilter filter_for(const std::vector<Goal>& targets, FilterKind kind, double order = 0,
                                       double reserve = 0);

/// A whole order of a Renyi filter of the targets that leaves something to spend: about half of what is best for
/// Gaussian noise alone, as samples of it need. None where no order near leaves any.
[[nodiscard]] std::optional<double> order_for_samples(const std::vector<Goal>& targets, double reserve = 0);

/// The filter, of the kind or (none given) of all of them, under which the `expected` releases can be made most often;
/// of renyi at its best order. To be asked before the first release. Throws DomainError where no filter takes them, or
/// no release is expected.
[[nodiscard]] PrivacyFilter best_filter(const std::vector<Goal>& targets, const std::vector<Entry>& expected,
                                        const Neighbours& neighbours, std::optional<FilterKind> kind = {},
                                        double reserve = 0);

/// What releases count for: two sums as fractions ("3/5000"), exact as long as those are short, rounded up after. What
/// they add up, and their caps, are numbers as people write them: a double that a decimal of at most 15 digits reads
/// back as is that decimal.
struct FilterCount {
  std::string loss = "0", delta = "0";

  /// The sums, rounded up, as doubles that stand for decimals likewise.
  [[nodiscard]] double loss_above() const;
  [[nodiscard]] double delta_above() const;
};

/// What one release of the entry's mechanism counts for (its count is not looked at). Throws DomainError, naming the
/// reason, where the filter cannot take it: no such divergence is known or it is infinite, or a delta where none fits.
[[nodiscard]] FilterCount count_of(const Entry& entry, const Neighbours& neighbours, const PrivacyFilter& filter);

/// `sum` and `times` releases more; or without what was added before. Throw ReadError for sums that are no fractions.
[[nodiscard]] FilterCount plus(const FilterCount& sum, const FilterCount& one, std::int64_t times = 1);
[[nodiscard]] FilterCount minus(const FilterCount& sum, const FilterCount& part);

/// Whether the filter lets the sum be.
[[nodiscard]] bool within(const FilterCount& sum, const PrivacyFilter& filter);

/// What is left of the cap of losses, rounded down, as a double that stands for a decimal; 0 beyond it.
[[nodiscard]] double left(const FilterCount& sum, const PrivacyFilter& filter);

/// How many releases of `one` fit on top of the sum, up to Composition::max_count.
[[nodiscard]] std::int64_t room(const FilterCount& sum, const FilterCount& one, const PrivacyFilter& filter);

}  // namespace pld
