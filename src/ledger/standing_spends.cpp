#include "ledger/standing_spends.hpp"

#include "ledger/spend_rule.hpp"

namespace pld {

StandingSpends::StandingSpends(BudgetStore& store, const Standing& standing) : store_(store), standing_(standing) {
  store_.for_each(standing_, [&](const LedgerRecord& record, const std::string&, const std::string&) {
    if (record.kind == LedgerRecord::Kind::undo) undone_.insert(record.undone);
  });
}

template <class Add>
void StandingSpends::for_each(std::int64_t without, const Add& add) const {
  store_.for_each(standing_, [&](const LedgerRecord& record, const std::string&, const std::string&) {
    if (has(record) && record.id != without) add(record.releases);
  });
}

RunningTotal StandingSpends::total(std::int64_t without) const {
  RunningTotal total({}, store_.rules().neighbours);
  for_each(without, [&](const std::vector<Entry>& releases) { add_to(total, releases); });
  return total;
}

std::optional<RunningTotal> StandingSpends::small_total(std::int64_t without) const {
  std::optional<RunningTotal> total(RunningTotal({}, store_.rules().neighbours));
  for_each(without, [&](const std::vector<Entry>& releases) { keep(total, releases); });
  return total;
}

}  // namespace pld
