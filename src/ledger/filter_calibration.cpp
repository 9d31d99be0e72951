#include "pld/ledger/filter_calibration.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "calibrate/last_accepted.hpp"
#include "core/number_text.hpp"
#include "core/standard_arithmetic.hpp"
#include "core/work.hpp"
#include "ledger/spend_rule.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// Whether the entry is the same release whatever its open number is, so many times.
bool is_repeated(const OpenEntry& open) {
  return open.tried.empty() && std::all_of(open.open.begin(), open.open.end(), [](const auto& one) {
           return one.first == "count" || one.first == "epochs";
         });
}

/// The filter of a budget and what stands, asked about values of one open number.
class FilterRule {
 public:
  FilterRule(const std::vector<OpenEntry>& entries, const BudgetRules& rules, const FilterCount& counted)
      : entries_(entries),
        rules_(rules),
        counted_(counted),
        left_(left(counted, rules.filter)),
        once_(entries.size()) {}

  /// Throws DomainError where the filter cannot take such releases.
  [[nodiscard]] FilteredValue counted_at(double value) {
    FilteredValue out{.value = value, .releases = entries_at(entries_, value)};
    FilterCount own;
    for (std::size_t i = 0; i < entries_.size(); ++i) own = plus(own, count(i, out.releases[i]), out.releases[i].count);
    out.counts = own;
    out.sum = plus(counted_, own);
    out.refusal = refusal_by_filter(*out.sum, rules_.filter).value_or("");
    return out;
  }

  /// The same, but for what the filter cannot take, which is refused with the reason. A value is counted once.
  [[nodiscard]] const FilteredValue& at(double value) {
    const auto known = seen_.find(value);
    if (known != seen_.end()) return known->second;
    try {
      return seen_[value] = counted_at(value);
    } catch (const DomainError& error) {
      return seen_[value] = {.value = value, .releases = entries_at(entries_, value), .refusal = error.what()};
    }
  }

  [[nodiscard]] Verdict verdict(double value) {
    const long before = Work::times_asked();
    const FilteredValue& found = at(value);
    // What is refused while time is short may be accepted by a spend, which has it.
    if (!found.refusal.empty() && Work::times_asked() > before && Work::is_short()) late_.insert(value);
    return {found.refusal.empty(), found.counts ? excess_of(found) : infinity};
  }

  [[nodiscard]] bool was_late(double value) const { return late_.contains(value); }
  [[nodiscard]] int trials() const { return static_cast<int>(seen_.size()); }

 private:
  [[nodiscard]] FilterCount count(std::size_t i, const Entry& entry) {
    if (!is_repeated(entries_[i])) return count_of(entry, rules_.neighbours, rules_.filter);
    if (!once_[i]) once_[i] = count_of(entry, rules_.neighbours, rules_.filter);
    return *once_[i];
  }

  /// How far the larger share of what is left is above all of it.
  [[nodiscard]] double excess_of(const FilteredValue& found) const {
    const auto share = [](double part, double of) { return part > 0 ? part / of : 0; };
    return std::max(share(found.counts->loss_above(), left_),
                    share(found.sum->delta_above(), rules_.filter.delta_cap)) -
           1;
  }

  const std::vector<OpenEntry>& entries_;
  const BudgetRules& rules_;
  const FilterCount& counted_;
  double left_;
  std::vector<std::optional<FilterCount>> once_;  ///< of releases that are repeated
  std::map<double, FilteredValue> seen_{};
  std::set<double> late_{};
};

/// Throws DomainError where the filter does not take even that.
void require_accepted(FilterRule& rule, const NamedUnknown& unknown, double safest) {
  const FilteredValue found = rule.counted_at(safest);
  if (found.refusal.empty()) return;
  throw DomainError(
      "calibrate", "budget",
      "one that refuses even the safest, " + unknown.written + " = " + number_text(safest) + ": " + found.refusal,
      "one with more left");
}

void require_adaptive(const BudgetRules& rules) {
  if (rules.kind == BudgetKind::planned)
    throw DomainError(
        "calibrate", "budget", "a planned one, whose releases were fixed when it was started",
        "adaptive where no target is given: a number is found for what is planned by --epsilon and --delta");
}

}  // namespace

FilterCalibration calibrate_to_filter(const NamedUnknown& unknown, const BudgetRules& rules,
                                      const FilterCount& counted) {
  const StandardArithmetic arithmetic;
  require_adaptive(rules);
  const Unknown& range = unknown.unknown;
  FilterRule rule(unknown.entries, rules, counted);
  const double safest = range.safer == Unknown::Safer::larger ? range.highest : range.lowest;
  require_accepted(rule, unknown, safest);
  const LastAccepted found = last_accepted(range, [&](double value) { return rule.verdict(value); });
  FilterCalibration out{.chosen = rule.at(found.accepted), .converged = found.adjacent};
  if (found.refused && !rule.was_late(*found.refused)) out.next = rule.at(*found.refused);
  out.converged = out.converged && out.next.has_value() == found.refused.has_value();
  out.trials = rule.trials();
  return out;
}

FilteredValue filtered(const std::vector<OpenEntry>& entries, double value, const BudgetRules& rules,
                       const FilterCount& counted) {
  const StandardArithmetic arithmetic;
  require_adaptive(rules);
  return FilterRule(entries, rules, counted).at(value);
}

}  // namespace pld
