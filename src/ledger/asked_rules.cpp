#include "ledger/asked_rules.hpp"

#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

/// What fits the targets: basic keeps a delta at 0, gdp is exact for a mu, zcdp takes most kinds of noise.
FilterKind usual_filter(const std::vector<Goal>& targets) {
  for (const Goal& goal : targets) {
    if (std::holds_alternative<GaussianDp>(goal)) return FilterKind::gdp;
    if (const auto* target = std::get_if<Target>(&goal); target != nullptr && target->delta == 0)
      return FilterKind::basic;
  }
  return FilterKind::zcdp;
}

/// Before a filter is made of them, whose words would be others.
void require_valid_targets(BudgetRules rules) {
  rules.kind = BudgetKind::planned;
  require_valid(rules);
}

}  // namespace

PrivacyFilter asked_filter(const AskedFilter& asked, const std::vector<Goal>& targets, const Neighbours& neighbours,
                           const std::vector<Entry>& expected) {
  const double reserve = asked.reserve.value_or(0);
  if (!expected.empty() && !asked.order) return best_filter(targets, expected, neighbours, asked.kind, reserve);
  return filter_for(targets, asked.kind.value_or(usual_filter(targets)), asked.order.value_or(0), reserve);
}

BudgetRules asked_rules(BudgetRules rules, const AskedFilter& asked, const std::vector<Entry>& expected) {
  require_valid_targets(rules);
  if (rules.kind == BudgetKind::adaptive)
    rules.filter = asked_filter(asked, rules.targets, rules.neighbours, expected);
  else if (asked.kind || asked.order || asked.reserve)
    throw ReadError("ledger: filter, order and reserve are of adaptive budgets; a plan is composed");
  return rules;
}

}  // namespace pld
