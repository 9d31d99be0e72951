#include "ledger/new_ledger.hpp"

#include "formats/fresh_file.hpp"
#include "ledger/sqlite_rows.hpp"
#include "pld/formats/read_error.hpp"
#include "pld/ledger/ledger_failure.hpp"

namespace pld {

void start_ledger(const std::string& path, std::chrono::milliseconds patience,
                  const std::function<void(BudgetStore&)>& fill) {
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
