#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace pld {

/// A disk, a lock or the memory that failed: no fault of the input's. `what()` is one line.
struct DatabaseFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Statement;

/// One SQLite database in one regular file. Commits are on the disk when they return (synchronous = EXTRA: the folder
/// too). Nothing that a schema could run is run: no triggers, views or functions of its own.
///
/// All calls throw ReadError for a file that is missing, unreadable, no database or damaged, DatabaseFailure for disks
/// and locks that fail.
class Database {
 public:
  enum class Mode {
    read,
    write,
    create,  ///< an empty file nobody else knows of: without a journal, and not synced
  };
  /// Waits up to `patience` for what others lock.
  Database(std::string path, Mode mode, std::chrono::milliseconds patience);

  void execute(const char* sql) const;
  [[nodiscard]] Statement prepare(const char* sql) const;

  /// Whether the file is no longer there under its name: replaced, renamed or removed since it was opened.
  [[nodiscard]] bool moved() const;

  /// For everybody who has it open, `path` and SQLite's result code as one of the errors above.
  [[noreturn]] void fail(int code) const;

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  /// How long this connection has waited.
  struct Patience {
    std::chrono::milliseconds limit;
    std::chrono::steady_clock::time_point since{};
  };
  static int wait(void* patience, int times);

  void configure(Mode mode) const;
  void require_own_journal() const;

  std::string path_;
  std::unique_ptr<Patience> patience_;
  std::unique_ptr<sqlite3, Close> database_;
};

/// A prepared statement; parameters and columns count from 1 and 0, as SQLite's do.
class Statement {
 public:
  Statement& bind(int at, std::int64_t value);
  Statement& bind(int at, std::string_view text);
  Statement& bind_bytes(int at, std::string_view bytes);

  /// The next row: false where there is none.
  bool step();
  /// Runs a statement without rows, for which it may be bound anew after.
  void run();

  [[nodiscard]] std::int64_t whole(int column) const;
  /// Text or bytes; the empty text for NULL.
  [[nodiscard]] std::string text(int column) const;

 private:
  friend class Database;
  Statement(const Database& database, sqlite3_stmt* statement);
  void require_ok(int code) const;

  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  const Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// From BEGIN IMMEDIATE (or BEGIN, to read) to commit(), or to a rollback where that is not reached.
class Transaction {
 public:
  Transaction(const Database& database, bool writes);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  const Database& database_;
  bool open_ = true;
};

}  // namespace pld
