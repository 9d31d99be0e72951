#include "ledger/database.hpp"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <random>
#include <thread>
#include <utility>

#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

/// A record is never longer; a damaged file may say so.
constexpr int longest_value = 64 << 20;

/// Looked at before it is opened: a device may go on for ever, and SQLite makes a file where there is none.
void require_one_regular_file(const std::string& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) {
    if (errno == ENOENT) throw ReadError("'" + path + "' does not exist: start it with `pld ledger init`");
    throw ReadError("cannot read '" + path + "': " + std::strerror(errno));
  }
  if (!S_ISREG(file.st_mode)) throw ReadError("'" + path + "' is not a regular file");
  // A journal belongs to a name: under the other one it would not be found after a crash.
  if (file.st_nlink != 1)
    throw ReadError("'" + path + "' has " + std::to_string(file.st_nlink) + " names (hard links), but must have one");
}

/// SQLite's words for a code, and the system's where it has any.
std::string words_of(int code, int system_error) {
  std::string words = sqlite3_errstr(code);
  if (system_error != 0 && (code & 0xff) != SQLITE_CORRUPT)
    words += std::string(" (") + std::strerror(system_error) + ")";
  return words;
}

/// Which of the two may not be written to; SQLite calls either a readonly database.
std::string words_of_readonly(int code) {
  if (code == SQLITE_READONLY_DIRECTORY)
    return "its folder may not be written to, where every change keeps a journal meanwhile";
  return code == SQLITE_READONLY ? "the file may not be written to" : sqlite3_errstr(code);
}

}  // namespace

void Database::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

int Database::wait(void* state, int times) {
  auto& patience = *static_cast<Patience*>(state);
  const auto now = std::chrono::steady_clock::now();
  if (times == 0) patience.since = now;
  if (now - patience.since >= patience.limit) return 0;
  // Each waits another time, so that none keeps missing its turn.
  thread_local std::minstd_rand random(std::random_device{}());
  std::this_thread::sleep_for(std::chrono::microseconds(500 + random() % 9500));
  return 1;
}

Database::Database(std::string path, Mode mode, std::chrono::milliseconds patience)
    : path_(std::move(path)), patience_(new Patience{patience}) {
  require_one_regular_file(path_);
  sqlite3* opened = nullptr;
  // To read as well: what a killed writer left half done is rolled back. Where that may not be, it opens to be read.
  // Else "file:..." and a leading colon would mean something.
  const std::string plain = path_.front() == '/' ? path_ : "./" + path_;
  const int code = sqlite3_open_v2(plain.c_str(), &opened,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE, nullptr);
  database_.reset(opened);
  if (code != SQLITE_OK) fail(code);
  if (mode != Mode::read && sqlite3_db_readonly(opened, "main") != 0) fail(SQLITE_READONLY);
  if (mode != Mode::create) require_own_journal();
  configure(mode);
}

void Database::configure(Mode mode) const {
  sqlite3* const db = database_.get();
  sqlite3_busy_handler(db, wait, patience_.get());
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, longest_value);
  const std::pair<int, int> settings[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                          {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                          {SQLITE_DBCONFIG_DQS_DML, 0},        {SQLITE_DBCONFIG_DQS_DDL, 0}};
  for (const auto& [setting, value] : settings) sqlite3_db_config(db, setting, value, nullptr);
  execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY");
  if (mode == Mode::create) {
    execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
    return;
  }
  execute("PRAGMA synchronous = EXTRA");
  Statement journal = prepare("PRAGMA journal_mode");
  if (!journal.step() || journal.text(0) != "delete")
    throw ReadError("'" + path_ + "' was changed by another program: its journal must be of SQLite's mode delete");
}

/// What SQLite finds in a journal it puts into the database, and it deletes a file that one may name: whoever may
/// write to the folder could leave one.
void Database::require_own_journal() const {
  const std::string file = sqlite3_db_filename(database_.get(), "main"), journal = file + "-journal";
  struct stat left {
  }, of{};
  if (::lstat(journal.c_str(), &left) != 0) return;
  if (::stat(file.c_str(), &of) != 0) fail(SQLITE_CANTOPEN);
  const bool own = left.st_uid == of.st_uid || left.st_uid == 0 || left.st_uid == ::geteuid();
  if (!S_ISREG(left.st_mode) || !own)
    throw ReadError("'" + journal + "' belongs to user " + std::to_string(left.st_uid) +
                    ": only the ledger's owner, root, or that user may take it up (run `pld ledger status` as one)");
}

void Database::fail(int code) const {
  const int system_error = database_ ? sqlite3_system_errno(database_.get()) : 0;
  if (code == SQLITE_READONLY_DBMOVED)
    throw DatabaseFailure("'" + path_ + "' was replaced or removed by another program");
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      throw ReadError("'" + path_ + "' is no budget of `pld ledger` (`pld ledger import` reads lines of JSON)");
    case SQLITE_CORRUPT:
      throw ReadError("'" + path_ + "' is damaged: " + words_of(code, 0));
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      throw ReadError("cannot open '" + path_ + "': " + words_of(code, system_error));
    case SQLITE_READONLY:
      throw ReadError("cannot write '" + path_ + "': " + words_of_readonly(code));
    case SQLITE_BUSY:
      throw DatabaseFailure("'" + path_ + "' is in use: others kept it for " +
                            std::to_string(patience_->limit.count()) + " ms");
    default:
      throw DatabaseFailure("'" + path_ + "': " + words_of(code, system_error));
  }
}

void Database::execute(const char* sql) const {
  const int code = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

Statement Database::prepare(const char* sql) const {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database_.get(), sql, -1, &statement, nullptr);
  if (code != SQLITE_OK) fail(code);
  return {*this, statement};
}

bool Database::moved() const {
  int moved = 0;
  const int code = sqlite3_file_control(database_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return code != SQLITE_OK || moved != 0;
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(const Database& database, sqlite3_stmt* statement) : database_(&database), statement_(statement) {}

void Statement::require_ok(int code) const {
  if (code != SQLITE_OK) database_->fail(code);
}

Statement& Statement::bind(int at, std::int64_t value) {
  require_ok(sqlite3_bind_int64(statement_.get(), at, value));
  return *this;
}

Statement& Statement::bind(int at, std::string_view text) {
  require_ok(sqlite3_bind_text64(statement_.get(), at, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_bytes(int at, std::string_view bytes) {
  require_ok(sqlite3_bind_blob64(statement_.get(), at, bytes.data(), bytes.size(), SQLITE_TRANSIENT));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_->fail(code);
  return code == SQLITE_ROW;
}

void Statement::run() {
  static_cast<void>(step());
  require_ok(sqlite3_reset(statement_.get()));
  require_ok(sqlite3_clear_bindings(statement_.get()));
}

std::int64_t Statement::whole(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::string Statement::text(int column) const {
  const void* const bytes = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr ? std::string()
                          : std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

Transaction::Transaction(const Database& database, bool writes) : database_(database) {
  database_.execute(writes ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const std::exception&) {
    // Whoever opens the file next rolls back.
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace pld
