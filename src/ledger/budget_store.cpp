#include "ledger/budget_store.hpp"

#include "formats/answer_fields.hpp"
#include "formats/strict_json.hpp"
#include "ledger/record_text.hpp"
#include "ledger/sha256.hpp"
#include "pld/formats/read_error.hpp"
#include "pld/formats/running_total_state.hpp"

namespace pld {
namespace {

/// A total of large tables is not written again with each spend: whoever asks for it reads the records.
constexpr std::size_t largest_total = 1 << 18;

std::string standing_text(const Standing& standing) {
  return OrderedJson{{"records", standing.records},     {"spends", standing.spends},
                     {"head", standing.head},           {"loss", standing.counted.loss},
                     {"delta", standing.counted.delta}, {"composed", standing.composed}}
      .dump();
}

Standing standing_from(const std::string& text) {
  const nlohmann::json object = strict_json(text);
  require_object(object, {"records", "spends", "head", "loss", "delta", "composed"}, "standing");
  return {.records = static_cast<std::int64_t>(number_field(object, "records", "standing")),
          .spends = static_cast<std::int64_t>(number_field(object, "spends", "standing")),
          .head = text_field(object, "head", "standing"),
          .counted = {text_field(object, "loss", "standing"), text_field(object, "delta", "standing")},
          .composed = numbers_field(object, "composed", "standing")};
}

}  // namespace

std::string BudgetStore::link(const std::string& before, const std::string& body) {
  return sha256(before + '\n' + body);
}

void BudgetStore::refuse_damaged(const std::string& what) const {
  throw ReadError(rows_.name() + " is damaged: " + what + "; nothing of it is used");
}

const std::string& BudgetStore::rules_line() {
  static_cast<void>(rules());
  return rules_line_;
}

const BudgetRules& BudgetStore::rules() {
  if (rules_) return *rules_;
  rows_.require_budget();
  const auto first = rows_.record(0);
  if (!first) refuse_damaged("the budget itself is missing");
  rules_line_ = first->body;
  first_link_ = link("", rules_line_);
  if (first_link_ != first->chain) refuse_damaged("the budget itself does not match its checksum");
  try {
    rules_ = rules_from_text(rules_line_);
  } catch (const ReadError& error) {
    throw ReadError(rows_.name() + ": " + error.what());
  }
  return *rules_;
}

void BudgetStore::write_rules(const std::string& line) {
  rules_ = rules_from_text(line);
  rules_line_ = line;
  first_link_ = link("", line);
  rows_.insert({.body = line, .chain = first_link_});
}

std::string BudgetStore::chain_of(std::int64_t id) {
  const auto row = rows_.record(id);
  if (!row) refuse_damaged("record " + std::to_string(id) + " is missing");
  return row->chain;
}

LedgerRecord BudgetStore::record_of(std::int64_t id, const std::string& body) const {
  LedgerRecord record = record_from_text(body);
  if (record.id != id) refuse_damaged("record " + std::to_string(id) + " says that it is another");
  return record;
}

/// A checksum that fits does not say that what it is of can be read.
Standing BudgetStore::sums_of(const StandingRow& row) const {
  try {
    Standing sums = standing_from(row.body);
    if (!row.total.empty()) sums.total = running_total_from_bytes(row.total);
    return sums;
  } catch (const ReadError& error) {
    refuse_damaged(std::string("the sums cannot be read (") + error.what() + ")");
  }
}

Standing BudgetStore::standing() {
  static_cast<void>(rules());
  const auto row = rows_.standing();
  if (!row) refuse_damaged("the sums are missing");
  if (sha256(row->body + '\n' + row->total) != row->seal) refuse_damaged("the sums do not match their checksum");
  Standing standing = sums_of(*row);

  const auto last = rows_.last_record();
  if (!last || last->id != standing.records || last->chain != standing.head)
    refuse_damaged("its last record is not the one that the sums end with");
  const std::string before = standing.records == 0 ? "" : chain_of(standing.records - 1);
  if (link(before, last->body) != standing.head) refuse_damaged("its last record does not match its checksum");
  return standing;
}

void BudgetStore::write(const Standing& standing) {
  const std::string body = standing_text(standing);
  std::string total = standing.total ? running_total_bytes(*standing.total) : "";
  if (total.size() > largest_total) total.clear();
  rows_.write(StandingRow{body, total, sha256(body + '\n' + total)});
}

void BudgetStore::append(const LedgerRecord& record, const std::string& body, Standing& standing) {
  standing.head = link(standing.records == 0 ? first_link_ : standing.head, body);
  standing.records = record.id;
  rows_.insert({record.id, body, standing.head, record.token, record.undone});
}

std::optional<LedgerRecord> BudgetStore::record(std::int64_t id) {
  static_cast<void>(rules());
  const auto row = id < 1 ? std::nullopt : rows_.record(id);
  if (!row) return std::nullopt;
  if (link(chain_of(id - 1), row->body) != row->chain)
    refuse_damaged("record " + std::to_string(id) + " does not match its checksum");
  LedgerRecord record = record_of(id, row->body);
  record.standing = !rows_.undo_of(id);
  return record;
}

std::optional<LedgerRecord> BudgetStore::with_token(const std::string& token) {
  const auto id = rows_.id_with_token(token);
  if (!id) return std::nullopt;
  auto spent = record(*id);
  if (!spent || spent->token != token) refuse_damaged("a token is found at a record that does not have it");
  return spent;
}

std::optional<LedgerRecord> BudgetStore::undo_of(std::int64_t id) {
  const auto by = rows_.undo_of(id);
  if (!by) return std::nullopt;
  auto undo = record(*by);
  if (!undo || undo->undone != id) refuse_damaged("an undo is found at a record that does not undo it");
  return undo;
}

void BudgetStore::for_each_row(const Standing& standing, const std::function<void(const RecordRow& row)>& each) {
  std::string chain = first_link_;
  std::int64_t id = 0;
  rows_.for_each_record([&](const RecordRow& row) {
    chain = link(chain, row.body);
    if (row.id != ++id || row.chain != chain)
      refuse_damaged("record " + std::to_string(id) + " is changed, missing or out of its place");
    each(row);
  });
  if (id != standing.records || chain != standing.head) refuse_damaged("records are missing at its end");
}

void BudgetStore::for_each(const Standing& standing, const Each& each) {
  for_each_row(standing, [&](const RecordRow& row) {
    const LedgerRecord record = record_of(row.id, row.body);
    if (record.token != row.token || record.undone != row.undone)
      refuse_damaged("record " + std::to_string(record.id) + " is not what it is found by");
    each(record, row.body, row.chain);
  });
}

void BudgetStore::require_sound(const Standing& standing) {
  rows_.require_sound();
  for_each_row(standing, [](const RecordRow&) {});
}

std::string BudgetStore::seal_of(const PlanItem& item) const {
  return sha256(first_link_ + '\n' + item.mechanism + '\n' + std::to_string(item.planned) + '\n' +
                std::to_string(item.made));
}

PlanItem BudgetStore::item_from(const PlanRow& row) const {
  PlanItem item{row.mechanism, row.planned, row.made};
  if (seal_of(item) != row.seal) refuse_damaged("the plan does not match its checksum");
  return item;
}

std::optional<PlanItem> BudgetStore::plan_item(const std::string& mechanism) {
  const auto row = rows_.plan_row(mechanism);
  if (!row) return std::nullopt;
  return item_from(*row);
}

void BudgetStore::write(const PlanItem& item) {
  rows_.write(PlanRow{item.mechanism, item.planned, item.made, seal_of(item)});
}

std::vector<PlanItem> BudgetStore::plan() {
  std::vector<PlanItem> items;
  for (const PlanRow& row : rows_.plan()) items.push_back(item_from(row));
  return items;
}

}  // namespace pld
