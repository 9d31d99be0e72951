#include "ledger/budget_lines.hpp"
#include "ledger/budget_steps.hpp"
#include "ledger/record_text.hpp"
#include "ledger/spend_rule.hpp"
#include "ledger/standing_spends.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

using Kind = LedgerRecord::Kind;

[[noreturn]] void refuse(const LedgerRecord& record, const std::string& what) {
  throw ReadError("record " + std::to_string(record.id) + ' ' + what);
}

void add_to_plan(BudgetStore& store, const LedgerRecord& record) {
  for (const auto& [mechanism, count] : by_kind(record.releases)) {
    PlanItem item = store.plan_item(mechanism).value_or(PlanItem{mechanism, 0, 0});
    item.planned += count;
    store.write(item);
  }
}

/// A record as it was made elsewhere: the filter is not asked again.
void take_over(BudgetStore& store, const LedgerRecord& record, const std::string& body, Standing& standing) {
  const bool adaptive = store.rules().kind == BudgetKind::adaptive;
  if (record.kind == Kind::plan) {
    if (adaptive || standing.spends > 0) refuse(record, "is a plan where none can be");
    add_to_plan(store, record);
  } else if (record.kind == Kind::spend) {
    if (adaptive != record.counts.has_value()) refuse(record, "counts for what the budget does not count");
    if (adaptive) standing.counted = plus(standing.counted, *record.counts);
    if (const auto beyond = adaptive ? std::nullopt : make(store, record, 1))
      refuse(record, "is beyond the plan: " + *beyond);
    ++standing.spends;
  } else {
    const auto spent = store.record(record.undone);
    if (!spent || spent->kind != Kind::spend || !spent->standing) refuse(record, "undoes what is not spent");
    if (adaptive) standing.counted = minus(standing.counted, *spent->counts);
    if (!adaptive) static_cast<void>(make(store, *spent, -1));
    --standing.spends;
  }
  store.append(record, body, standing);
}

}  // namespace

void import_lines(BudgetStore& store, std::istream& lines) {
  Standing standing;
  std::vector<Entry> plan;
  read_budget_lines(lines, {[&](const std::string& body, const BudgetRules&) {
                              store.write_rules(body);
                              standing.head = BudgetStore::link("", body);
                            },
                            [&](const std::string& body, const LedgerRecord& record) {
                              take_over(store, record, body, standing);
                              if (record.kind == Kind::plan)
                                plan.insert(plan.end(), record.releases.begin(), record.releases.end());
                            }});
  if (store.rules().kind == BudgetKind::planned)
    standing.composed = require_within(plan, store.rules());
  else
    standing.total = StandingSpends(store, standing).small_total();
  store.write(standing);
}

void import_old(BudgetStore& store, const OldBudget& old, const BudgetRules& rules) {
  const bool planned = rules.kind == BudgetKind::planned;
  const std::vector<Entry> plan = planned ? old.spent : std::vector<Entry>();
  Standing standing;
  if (planned) standing.composed = require_within(plan, rules);
  write_start(store, rules, plan, standing);
  for (const Entry& entry : old.spent) {
    LedgerRecord record{.id = standing.records + 1, .kind = Kind::spend, .releases = {entry}};
    if (!planned) {
      record.counts = counts_of(record.releases, rules);
      record.counted = plus(standing.counted, *record.counts).loss_above();
      keep(standing.total, record.releases);
    }
    take_over(store, record, record_text(record), standing);
  }
  store.write(standing);
}

}  // namespace pld
