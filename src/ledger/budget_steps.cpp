#include "ledger/budget_steps.hpp"

#include <algorithm>
#include <map>

#include "ledger/budget_lines.hpp"
#include "ledger/record_text.hpp"
#include "ledger/sha256.hpp"
#include "ledger/spend_rule.hpp"
#include "ledger/standing_spends.hpp"
#include "ledger/utc_time.hpp"
#include "pld/core/errors.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

using Kind = LedgerRecord::Kind;

/// So many are verified before each change, in a millisecond or two; of more, those that it goes by.
constexpr std::int64_t few_records = 1000;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// Bytes that JSON can hold.
bool is_utf8(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xc2 && lead < 0xe0 ? 2
                               : lead >= 0xe0 && lead < 0xf0 ? 3
                               : lead >= 0xf0 && lead < 0xf5 ? 4
                                                             : 0;
    if (length == 0 || i + length > text.size()) return false;
    if (!std::all_of(text.begin() + static_cast<std::ptrdiff_t>(i + 1),
                     text.begin() + static_cast<std::ptrdiff_t>(i + length), is_continuation))
      return false;
    i += length;
  }
  return true;
}

void require_text(const char* what, const std::string& text) {
  if (text.size() > longest_record_text || !is_utf8(text))
    throw ReadError("ledger", what, "no such text", "UTF-8 of up to 1000 bytes");
}

void require_valid(const SpendRequest& request) {
  if (request.releases.empty()) throw ReadError("ledger: no release to spend");
  require_text("token", request.token);
  require_text("name", request.name);
  require_text("note", request.note);
}

bool same(const std::vector<Entry>& a, const std::vector<Entry>& b) { return by_kind(a) == by_kind(b); }

/// The answer that was given when the record was made.
Spending repeated(const LedgerRecord& record, const SpendRequest& request, const Standing& standing) {
  if (record.kind != Kind::spend || !same(record.releases, request.releases))
    throw ReadError("ledger", "token", "'" + request.token + "'",
                    "another: record " + std::to_string(record.id) + " has it, and spends something else");
  if (!record.standing)
    throw ReadError("ledger", "token", "'" + request.token + "'",
                    "another: record " + std::to_string(record.id) + " has it, and is undone");
  Spending out{.accepted = true, .repeated = true, .id = record.id, .composed = record.composed};
  if (record.counts) out.counts = record.counts->loss_above(), out.counted = record.counted;
  if (!record.counts) out.composed = standing.composed;
  return out;
}

/// The rows of a plan must be what its records say.
void require_plan(BudgetStore& store, const Standing& standing, const StandingSpends& spends) {
  std::map<std::string, PlanItem> items;
  store.for_each(standing, [&](const LedgerRecord& record, const std::string&, const std::string&) {
    const bool planned = record.kind == Kind::plan;
    if (!planned && !spends.has(record)) return;
    for (const auto& [mechanism, count] : by_kind(record.releases)) {
      PlanItem& item = items.try_emplace(mechanism, PlanItem{mechanism, 0, 0}).first->second;
      (planned ? item.planned : item.made) += count;
    }
  });
  const std::vector<PlanItem> written = store.plan();
  const bool equal =
      written.size() == items.size() && std::all_of(written.begin(), written.end(), [&](const PlanItem& item) {
        const auto found = items.find(item.mechanism);
        return found != items.end() && found->second.planned == item.planned && found->second.made == item.made;
      });
  if (!equal) store.refuse_damaged("its plan is not what its records say");
}

void write_plan(BudgetStore& store, const std::vector<Entry>& plan, Standing& standing) {
  for (const Entry& entry : plan) {
    const LedgerRecord record{
        .id = standing.records + 1, .kind = LedgerRecord::Kind::plan, .releases = {entry}, .time = utc_time()};
    store.append(record, record_text(record), standing);
  }
  for (const auto& [mechanism, count] : by_kind(plan)) store.write(PlanItem{mechanism, count, 0});
}

/// What a change goes by, verified.
Standing sound_standing(BudgetStore& store) {
  Standing standing = store.standing();
  if (standing.records <= few_records) store.require_sound(standing);
  return standing;
}

/// The same of all there is.
Standing whole_standing(BudgetStore& store) {
  Standing standing = store.standing();
  store.require_sound(standing);
  return standing;
}

Appended appended(BudgetStore& store, const LedgerRecord& record, Standing& standing) {
  store.append(record, record_text(record), standing);
  store.write(standing);
  return {record.id, standing.head};
}

}  // namespace

void write_start(BudgetStore& store, const BudgetRules& rules, const std::vector<Entry>& plan, Standing& standing) {
  store.write_rules(rules_text(rules, random_name()));
  standing.head = BudgetStore::link("", store.rules_line());
  if (rules.kind == BudgetKind::adaptive) standing.total = RunningTotal({}, rules.neighbours);
  write_plan(store, plan, standing);
}

void start_budget(BudgetStore& store, const BudgetRules& rules, const std::vector<Entry>& plan) {
  pld::require_valid(rules);
  for (const Goal& goal : rules.targets)
    if (const auto* target = std::get_if<Target>(&goal))
      require(target->delta < 1, "budget", "delta", target->delta, "delta < 1: all there is meets a delta of 1");
  const bool planned = rules.kind == BudgetKind::planned;
  if (planned == plan.empty())
    throw ReadError(planned ? "ledger: a planned budget lists its releases when it is started"
                            : "ledger: an adaptive budget has no plan: what is released is spent when it is chosen");
  Standing standing;
  if (planned) standing.composed = require_within(plan, rules);
  write_start(store, rules, plan, standing);
  store.write(standing);
}

Appended spend(BudgetStore& store, const SpendRequest& request, Spending& spending) {
  require_valid(request);
  Standing standing = sound_standing(store);
  const BudgetRules& rules = store.rules();
  LedgerRecord next{.id = standing.records + 1,
                    .releases = request.releases,
                    .time = utc_time(),
                    .name = request.name,
                    .note = request.note,
                    .token = request.token};
  const auto earlier = request.token.empty() ? std::nullopt : store.with_token(request.token);
  spending = earlier                              ? repeated(*earlier, request, standing)
             : rules.kind == BudgetKind::adaptive ? counted(standing, rules, next)
                                                  : made(store, standing, next);
  spending.rules = rules;
  if (earlier || !spending.accepted) return {};
  spending.id = next.id;
  ++standing.spends;
  return appended(store, next, standing);
}

Appended undo(BudgetStore& store, std::int64_t id, std::int64_t& record) {
  Standing standing = sound_standing(store);
  const auto spent = store.record(id);
  if (!spent || spent->kind != Kind::spend)
    throw ReadError("ledger", "id", std::to_string(id), "that of a spend (see `pld ledger list`)");
  const auto earlier = store.undo_of(id);
  record = earlier ? earlier->id : standing.records + 1;
  if (earlier) return {};
  const LedgerRecord next{.id = record, .kind = Kind::undo, .undone = id, .time = utc_time()};
  --standing.spends;
  if (store.rules().kind == BudgetKind::adaptive) {
    standing.counted = minus(standing.counted, *spent->counts);
    standing.total = StandingSpends(store, standing).small_total(id);
  } else {
    static_cast<void>(make(store, *spent, -1));
  }
  return appended(store, next, standing);
}

FilterCount standing_count(BudgetStore& store) { return sound_standing(store).counted; }

LedgerStatus status(BudgetStore& store) {
  const Standing standing = whole_standing(store);
  const StandingSpends spends(store, standing);  // reads and verifies all of it
  if (store.rules().kind == BudgetKind::planned) require_plan(store, standing, spends);
  return {.rules = store.rules(),
          .records = standing.records,
          .spends = standing.spends,
          .head = standing.head,
          .counted = standing.counted,
          .plan = store.plan(),
          .spent = standing.total ? *standing.total : spends.total()};
}

void for_each_record(BudgetStore& store, const std::function<void(const LedgerRecord&)>& each) {
  const Standing standing = whole_standing(store);
  const StandingSpends spends(store, standing);
  store.for_each(standing, [&](LedgerRecord record, const std::string&, const std::string&) {
    record.standing = record.kind != Kind::spend || spends.has(record);
    each(record);
  });
}

void export_lines(BudgetStore& store, const std::function<void(std::string_view)>& write) {
  const Standing standing = whole_standing(store);
  write(with_chain(store.rules_line(), BudgetStore::link("", store.rules_line())));
  store.for_each(standing, [&](const LedgerRecord&, const std::string& body, const std::string& chain) {
    write(with_chain(body, chain));
  });
  write(end_line(standing.records, standing.head));
}

std::int64_t room_for(const Entry& entry, const LedgerStatus& status) {
  if (status.rules.kind == BudgetKind::adaptive)
    return room(status.counted, count_of(entry, status.rules.neighbours, status.rules.filter), status.rules.filter);
  const std::string text = release_of(entry).mechanism.text();
  for (const PlanItem& item : status.plan)
    if (item.mechanism == text) return item.planned - item.made;
  return 0;
}

}  // namespace pld
