#include "ledger/sqlite_rows.hpp"

#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

/// "pldb": what the file is, for programs that tell files apart.
constexpr int application = 0x706c6462, layout = 2;

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

RecordRow record_from(const Statement& row) {
  return {row.whole(0), row.text(1), row.text(2), row.text(3), row.whole(4)};
}

PlanRow plan_from(const Statement& row) { return {row.text(0), row.whole(1), row.whole(2), row.text(3)}; }

}  // namespace

SqliteRows::SqliteRows(const std::string& path, Database::Mode mode, std::chrono::milliseconds patience)
    : path_(path), database_(path, mode, patience) {
  if (mode == Database::Mode::create) make_tables();
}

void SqliteRows::make_tables() {
  for (const char* table : tables) database_.execute(table);
  database_.execute(("PRAGMA application_id = " + std::to_string(application)).c_str());
  database_.execute(("PRAGMA user_version = " + std::to_string(layout)).c_str());
}

std::string SqliteRows::name() const { return "'" + path_ + "'"; }

void SqliteRows::require_budget() {
  const auto number = [&](const char* sql) {
    Statement row = database_.prepare(sql);
    return row.step() ? row.whole(0) : 0;
  };
  const auto refuse = [&] {
    throw ReadError(name() + " is damaged: its tables are not those of a budget; nothing of it is used");
  };
  if (number("SELECT count(*) FROM sqlite_schema") == 0)
    throw ReadError(name() + " is empty, but must hold a budget: `pld ledger init` starts one");
  if (number("PRAGMA application_id") != application) throw ReadError(name() + " is no budget of `pld ledger`");
  const std::int64_t written_by = number("PRAGMA user_version");
  if (written_by != layout) throw ReadError(name(), "version", std::to_string(written_by), std::to_string(layout));
  Statement schema = database_.prepare("SELECT sql FROM sqlite_schema ORDER BY rowid");
  for (const char* table : tables)
    if (!schema.step() || schema.text(0) != table) refuse();
  if (schema.step()) refuse();
}

void SqliteRows::require_sound() {
  Statement check = database_.prepare("PRAGMA integrity_check(1)");
  if (!check.step() || check.text(0) != "ok")
    throw ReadError(name() + " is damaged: SQLite's check says " + check.text(0) + "; nothing of it is used");
}

std::optional<RecordRow> SqliteRows::record(std::int64_t id) {
  Statement row = database_.prepare("SELECT id, body, chain, token, undone FROM record WHERE id = ?");
  if (!row.bind(1, id).step()) return std::nullopt;
  return record_from(row);
}

std::optional<RecordRow> SqliteRows::last_record() {
  Statement row = database_.prepare("SELECT id, body, chain, token, undone FROM record ORDER BY id DESC LIMIT 1");
  if (!row.step()) return std::nullopt;
  return record_from(row);
}

std::optional<std::int64_t> SqliteRows::id_with_token(const std::string& token) {
  Statement row = database_.prepare("SELECT id FROM record WHERE token = ?");
  if (!row.bind(1, token).step()) return std::nullopt;
  return row.whole(0);
}

std::optional<std::int64_t> SqliteRows::undo_of(std::int64_t id) {
  Statement row = database_.prepare("SELECT id FROM record WHERE undone = ?");
  if (!row.bind(1, id).step()) return std::nullopt;
  return row.whole(0);
}

void SqliteRows::for_each_record(const std::function<void(const RecordRow&)>& each) {
  Statement row = database_.prepare("SELECT id, body, chain, token, undone FROM record WHERE id > 0 ORDER BY id");
  while (row.step()) each(record_from(row));
}

void SqliteRows::insert(const RecordRow& row) {
  Statement insert = database_.prepare("INSERT INTO record(id, body, chain, token, undone) VALUES(?, ?, ?, ?, ?)");
  insert.bind(1, row.id).bind(2, row.body).bind(3, row.chain);
  if (!row.token.empty()) insert.bind(4, row.token);
  if (row.undone != 0) insert.bind(5, row.undone);
  insert.run();
}

std::optional<StandingRow> SqliteRows::standing() {
  Statement row = database_.prepare("SELECT body, total, seal FROM standing WHERE only = 1");
  if (!row.step()) return std::nullopt;
  return StandingRow{row.text(0), row.text(1), row.text(2)};
}

void SqliteRows::write(const StandingRow& row) {
  database_.prepare("INSERT OR REPLACE INTO standing(only, body, total, seal) VALUES(1, ?, ?, ?)")
      .bind(1, row.body)
      .bind_bytes(2, row.total)
      .bind(3, row.seal)
      .run();
}

std::optional<PlanRow> SqliteRows::plan_row(const std::string& mechanism) {
  Statement row = database_.prepare("SELECT mechanism, planned, made, seal FROM plan WHERE mechanism = ?");
  if (!row.bind(1, mechanism).step()) return std::nullopt;
  return plan_from(row);
}

std::vector<PlanRow> SqliteRows::plan() {
  std::vector<PlanRow> all;
  Statement row = database_.prepare("SELECT mechanism, planned, made, seal FROM plan ORDER BY mechanism");
  while (row.step()) all.push_back(plan_from(row));
  return all;
}

void SqliteRows::write(const PlanRow& row) {
  database_.prepare("INSERT OR REPLACE INTO plan(mechanism, planned, made, seal) VALUES(?, ?, ?, ?)")
      .bind(1, row.mechanism)
      .bind(2, row.planned)
      .bind(3, row.made)
      .bind(4, row.seal)
      .run();
}

}  // namespace pld
