#include "ledger/budget_store.hpp"

#include <utility>

#include "formats/answer_fields.hpp"
#include "formats/strict_json.hpp"
#include "ledger/record_text.hpp"
#include "ledger/sha256.hpp"
#include "pld/formats/read_error.hpp"
#include "pld/formats/running_total_state.hpp"

namespace pld {

namespace {

/// "pldb": what the file is, for programs that tell files apart.
constexpr int application = 0x706c6462, layout = 2;

/// A total of large tables is not written again with each spend: whoever asks for it reads the records.
constexpr std::size_t largest_total = 1 << 18;

/// As SQLite keeps them, which is compared: a ledger has these tables and nothing else.
constexpr const char* tables[] = {
    "CREATE TABLE record(id INTEGER PRIMARY KEY, body TEXT NOT NULL, chain TEXT NOT NULL, token TEXT, undone INTEGER) "
    "STRICT",
    "CREATE UNIQUE INDEX record_token ON record(token)", "CREATE UNIQUE INDEX record_undone ON record(undone)",
    "CREATE TABLE standing(only INTEGER PRIMARY KEY, body TEXT NOT NULL, total BLOB NOT NULL, seal TEXT NOT NULL) "
    "STRICT",
    "CREATE TABLE plan(mechanism TEXT PRIMARY KEY, planned INTEGER NOT NULL, made INTEGER NOT NULL, seal TEXT NOT "
    "NULL) "
    "STRICT, WITHOUT ROWID"};

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

BudgetStore::BudgetStore(const std::string& path, Database::Mode mode, std::chrono::milliseconds patience)
    : path_(path), database_(path, mode, patience) {
  if (mode == Database::Mode::create) make_tables();
}

void BudgetStore::make_tables() {
  for (const char* table : tables) database_.execute(table);
  database_.execute(("PRAGMA application_id = " + std::to_string(application)).c_str());
  database_.execute(("PRAGMA user_version = " + std::to_string(layout)).c_str());
}

void BudgetStore::refuse_damaged(const std::string& what) const {
  throw ReadError("'" + path_ + "' is damaged: " + what + "; nothing of it is used");
}

void BudgetStore::require_tables() const {
  const auto number = [&](const char* sql) {
    Statement row = database_.prepare(sql);
    return row.step() ? row.whole(0) : 0;
  };
  if (number("SELECT count(*) FROM sqlite_schema") == 0)
    throw ReadError("'" + path_ + "' is empty, but must hold a budget: `pld ledger init` starts one");
  if (number("PRAGMA application_id") != application) throw ReadError("'" + path_ + "' is no budget of `pld ledger`");
  const std::int64_t written_by = number("PRAGMA user_version");
  if (written_by != layout)
    throw ReadError("'" + path_ + "'", "version", std::to_string(written_by), std::to_string(layout));
  Statement schema = database_.prepare("SELECT sql FROM sqlite_schema ORDER BY rowid");
  for (const char* table : tables)
    if (!schema.step() || schema.text(0) != table) refuse_damaged("its tables are not those of a budget");
  if (schema.step()) refuse_damaged("its tables are not those of a budget");
}

const std::string& BudgetStore::rules_line() {
  static_cast<void>(rules());
  return rules_line_;
}

const BudgetRules& BudgetStore::rules() {
  if (rules_) return *rules_;
  require_tables();
  Statement first = database_.prepare("SELECT body, chain FROM record WHERE id = 0");
  if (!first.step()) refuse_damaged("the budget itself is missing");
  rules_line_ = first.text(0);
  first_link_ = link("", rules_line_);
  if (first_link_ != first.text(1)) refuse_damaged("the budget itself does not match its checksum");
  try {
    rules_ = rules_from_text(rules_line_);
  } catch (const ReadError& error) {
    throw ReadError("'" + path_ + "': " + error.what());
  }
  return *rules_;
}

void BudgetStore::write_rules(const std::string& line) {
  rules_ = rules_from_text(line);
  rules_line_ = line;
  first_link_ = link("", line);
  database_.prepare("INSERT INTO record(id, body, chain) VALUES(0, ?, ?)").bind(1, line).bind(2, first_link_).run();
}

std::string BudgetStore::chain_of(std::int64_t id) {
  Statement row = database_.prepare("SELECT chain FROM record WHERE id = ?");
  if (!row.bind(1, id).step()) refuse_damaged("record " + std::to_string(id) + " is missing");
  return row.text(0);
}

LedgerRecord BudgetStore::record_of(std::int64_t id, const std::string& body) const {
  LedgerRecord record = record_from_text(body);
  if (record.id != id) refuse_damaged("record " + std::to_string(id) + " says that it is another");
  return record;
}

Standing BudgetStore::standing() {
  static_cast<void>(rules());
  Statement row = database_.prepare("SELECT body, total, seal FROM standing WHERE only = 1");
  if (!row.step()) refuse_damaged("the sums are missing");
  const std::string body = row.text(0), total = row.text(1);
  if (sha256(body + '\n' + total) != row.text(2)) refuse_damaged("the sums do not match their checksum");
  Standing standing = standing_from(body);
  if (!total.empty()) standing.total = running_total_from_bytes(total);

  Statement last = database_.prepare("SELECT id, body, chain FROM record ORDER BY id DESC LIMIT 1");
  if (!last.step() || last.whole(0) != standing.records || last.text(2) != standing.head)
    refuse_damaged("its last record is not the one that the sums end with");
  const std::string before = standing.records == 0 ? "" : chain_of(standing.records - 1);
  if (link(before, last.text(1)) != standing.head) refuse_damaged("its last record does not match its checksum");
  return standing;
}

void BudgetStore::write(const Standing& standing) {
  const std::string body = standing_text(standing);
  std::string total = standing.total ? running_total_bytes(*standing.total) : "";
  if (total.size() > largest_total) total.clear();
  database_.prepare("INSERT OR REPLACE INTO standing(only, body, total, seal) VALUES(1, ?, ?, ?)")
      .bind(1, body)
      .bind_bytes(2, total)
      .bind(3, sha256(body + '\n' + total))
      .run();
}

void BudgetStore::append(const LedgerRecord& record, const std::string& body, Standing& standing) {
  standing.head = link(standing.records == 0 ? first_link_ : standing.head, body);
  standing.records = record.id;
  Statement insert = database_.prepare("INSERT INTO record(id, body, chain, token, undone) VALUES(?, ?, ?, ?, ?)");
  insert.bind(1, record.id).bind(2, body).bind(3, standing.head);
  if (!record.token.empty()) insert.bind(4, record.token);
  if (record.undone != 0) insert.bind(5, record.undone);
  insert.run();
}

std::optional<LedgerRecord> BudgetStore::record(std::int64_t id) {
  static_cast<void>(rules());
  Statement row = database_.prepare("SELECT body, chain FROM record WHERE id = ?");
  if (id < 1 || !row.bind(1, id).step()) return std::nullopt;
  const std::string body = row.text(0);
  if (link(chain_of(id - 1), body) != row.text(1))
    refuse_damaged("record " + std::to_string(id) + " does not match its checksum");
  LedgerRecord record = record_of(id, body);
  Statement undo = database_.prepare("SELECT 1 FROM record WHERE undone = ?");
  record.standing = !undo.bind(1, id).step();
  return record;
}

std::optional<LedgerRecord> BudgetStore::with_token(const std::string& token) {
  Statement found = database_.prepare("SELECT id FROM record WHERE token = ?");
  if (!found.bind(1, token).step()) return std::nullopt;
  auto spent = record(found.whole(0));
  if (!spent || spent->token != token) refuse_damaged("a token is found at a record that does not have it");
  return spent;
}

void BudgetStore::for_each_row(const Standing& standing, const std::function<void(const Statement& row)>& each) {
  std::string chain = first_link_;
  std::int64_t id = 0;
  Statement rows = database_.prepare("SELECT id, body, chain, token, undone FROM record WHERE id > 0 ORDER BY id");
  while (rows.step()) {
    chain = link(chain, rows.text(1));
    if (rows.whole(0) != ++id || rows.text(2) != chain)
      refuse_damaged("record " + std::to_string(id) + " is changed, missing or out of its place");
    each(rows);
  }
  if (id != standing.records || chain != standing.head) refuse_damaged("records are missing at its end");
}

void BudgetStore::for_each(const Standing& standing, const Each& each) {
  for_each_row(standing, [&](const Statement& row) {
    const LedgerRecord record = record_of(row.whole(0), row.text(1));
    if (record.token != row.text(3) || record.undone != row.whole(4))
      refuse_damaged("record " + std::to_string(record.id) + " is not what it is found by");
    each(record, row.text(1), row.text(2));
  });
}

void BudgetStore::require_sound(const Standing& standing) {
  Statement check = database_.prepare("PRAGMA integrity_check(1)");
  if (!check.step() || check.text(0) != "ok") refuse_damaged("SQLite's check says " + check.text(0));
  for_each_row(standing, [](const Statement&) {});
}

std::string BudgetStore::seal_of(const PlanItem& item) {
  return sha256(first_link_ + '\n' + item.mechanism + '\n' + std::to_string(item.planned) + '\n' +
                std::to_string(item.made));
}

PlanItem BudgetStore::item_from(const Statement& row) {
  PlanItem item{row.text(0), row.whole(1), row.whole(2)};
  if (seal_of(item) != row.text(3)) refuse_damaged("the plan does not match its checksum");
  return item;
}

std::optional<PlanItem> BudgetStore::plan_item(const std::string& mechanism) {
  Statement row = database_.prepare("SELECT mechanism, planned, made, seal FROM plan WHERE mechanism = ?");
  if (!row.bind(1, mechanism).step()) return std::nullopt;
  return item_from(row);
}

void BudgetStore::write(const PlanItem& item) {
  database_.prepare("INSERT OR REPLACE INTO plan(mechanism, planned, made, seal) VALUES(?, ?, ?, ?)")
      .bind(1, item.mechanism)
      .bind(2, item.planned)
      .bind(3, item.made)
      .bind(4, seal_of(item))
      .run();
}

std::vector<PlanItem> BudgetStore::plan() {
  std::vector<PlanItem> items;
  Statement rows = database_.prepare("SELECT mechanism, planned, made, seal FROM plan ORDER BY mechanism");
  while (rows.step()) items.push_back(item_from(rows));
  return items;
}

}  // namespace pld
