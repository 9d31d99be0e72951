#include "ledger/new_ledger.hpp"

#include "formats/fresh_file.hpp"
#include "ledger/record_text.hpp"
#include "ledger/sha256.hpp"
#include "ledger/spend_rule.hpp"
#include "pld/formats/read_error.hpp"
#include "pld/ledger/ledger_failure.hpp"

namespace pld {

namespace {

void write_plan(BudgetStore& store, const std::vector<Entry>& plan, Standing& standing) {
  for (const Entry& entry : plan) {
    const LedgerRecord record{.id = standing.records + 1, .kind = LedgerRecord::Kind::plan, .releases = {entry}};
    store.append(record, record_text(record), standing);
  }
  for (const auto& [mechanism, count] : by_kind(plan)) store.write(PlanItem{mechanism, count, 0});
}

}  // namespace

void start_ledger(const std::string& path, std::chrono::milliseconds patience,
                  const std::function<void(BudgetStore&)>& fill) {
  FreshFile file(path);
  try {
    BudgetStore store(file.path(), Database::Mode::create, patience);
    Transaction transaction(store.database(), true);
    fill(store);
    transaction.commit();
  } catch (const DatabaseFailure& failure) {
    throw LedgerFailure(std::string(failure.what()) + "; no ledger is started");
  }
  if (!file.create()) throw ReadError("'" + path + "' exists already");
}

void write_start(BudgetStore& store, const BudgetRules& rules, const std::vector<Entry>& plan, Standing& standing) {
  store.write_rules(rules_text(rules, random_name()));
  standing.head = BudgetStore::link("", store.rules_line());
  if (rules.kind == BudgetKind::adaptive) standing.total = RunningTotal({}, rules.neighbours);
  write_plan(store, plan, standing);
}

}  // namespace pld
