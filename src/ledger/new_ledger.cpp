#include "ledger/new_ledger.hpp"

#include <sys/stat.h>

#include <cerrno>

#include "formats/fresh_file.hpp"
#include "ledger/sqlite_rows.hpp"
#include "pld/formats/read_error.hpp"
#include "pld/ledger/ledger_failure.hpp"

namespace pld {
namespace {

/// Refuses a name that a journal's is too long beside: a spend would find no way to write.
void require_name_for_journal(const std::string& path) {
  struct stat journal {};
  if (::lstat((path + "-journal").c_str(), &journal) != 0 && errno == ENAMETOOLONG)
    throw ReadError("ledger: file is '" + path + "', but must have a shorter name: '-journal' is put behind it");
}

}  // namespace

void start_ledger(const std::string& path, std::chrono::milliseconds patience,
                  const std::function<void(BudgetStore&)>& fill) {
  require_name_for_journal(path);
  FreshFile file(path);
  try {
    SqliteRows rows(file.path(), Database::Mode::create, patience);
    Transaction transaction(rows.database(), true);
    BudgetStore store(rows);
    fill(store);
    transaction.commit();
  } catch (const DatabaseFailure& failure) {
    throw LedgerFailure(std::string(failure.what()) + "; no ledger is started");
  }
  if (!file.create()) throw ReadError("'" + path + "' exists already");
}

}  // namespace pld
