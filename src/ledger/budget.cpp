#include "pld/ledger/budget.hpp"

#include <array>

#include "formats/named.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

constexpr std::array all_kinds{BudgetKind::adaptive, BudgetKind::planned};

}  // namespace

const char* name(BudgetKind kind) { return kind == BudgetKind::planned ? "planned" : "adaptive"; }

std::vector<std::string> budget_kind_names() { return names_of(all_kinds); }

BudgetKind budget_kind_from_text(const std::string& text) { return one_of(all_kinds, text, "budget", "kind"); }

void require_valid(const BudgetRules& rules) {
  if (rules.targets.empty()) throw DomainError("budget", "number of targets", "0", "one or more");
  for (const Goal& goal : rules.targets) {
    require_valid(goal, "ledger");
    const auto* target = std::get_if<Target>(&goal);
    // Below 0 nothing at all would exceed it.
    if (target != nullptr)
      require(target->epsilon >= 0, "budget", "epsilon", target->epsilon, "epsilon >= 0 and finite");
    else if (!std::holds_alternative<ZeroConcentratedDp>(goal) && !std::holds_alternative<GaussianDp>(goal))
      throw DomainError("budget", "target", quantity_of(goal), "an epsilon and a delta, a rho, or a mu");
  }
  if (rules.kind == BudgetKind::planned) return;
  const PrivacyFilter& filter = rules.filter;
  require(filter.cap >= 0 && filter.cap < infinity, "budget", "cap", filter.cap, "cap >= 0 and finite");
  require(filter.delta_cap >= 0 && filter.delta_cap <= 1, "budget", "delta cap", filter.delta_cap, "from 0 to 1");
  if (filter.kind == FilterKind::renyi)
    require(filter.order > 1 && filter.order <= 1e6, "budget", "order", filter.order, "1 < order <= 1e6");
}

}  // namespace pld
