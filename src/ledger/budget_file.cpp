#include "pld/ledger/budget_file.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "core/standard_arithmetic.hpp"
#include "formats/fresh_file.hpp"
#include "ledger/budget_steps.hpp"
#include "ledger/sqlite_rows.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

/// Refuses a name that a journal's is too long beside: a spend would find no way to write.
void require_name_for_journal(const std::string& path) {
  struct stat journal {};
  if (::lstat((path + "-journal").c_str(), &journal) != 0 && errno == ENAMETOOLONG)
    throw ReadError("ledger: file is '" + path + "', but must have a shorter name: '-journal' is put behind it");
}

/// Makes a ledger's file, whole or not at all: `fill(store)` writes to it before it has its name.
template <class Fill>
void start_ledger(const std::string& path, std::chrono::milliseconds patience, const Fill& fill) {
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

}  // namespace

BudgetFile::BudgetFile(std::string path, std::chrono::milliseconds patience)
    : path_(std::move(path)), patience_(patience) {
  if (path_.empty()) throw ReadError("ledger: the file's name is empty");
}

void BudgetFile::init(const BudgetRules& rules, const std::vector<Entry>& plan) const {
  const StandardArithmetic arithmetic;
  start_ledger(path_, patience_, [&](BudgetStore& store) { start_budget(store, rules, plan); });
}

namespace {

/// What became of a record whose commit failed.
std::string outcome(const std::string& path, std::chrono::milliseconds patience, const Appended& appended) {
  const std::string record = "record " + std::to_string(appended.id);
  try {
    SqliteRows rows(path, Database::Mode::read, patience);
    const Transaction transaction(rows.database(), false);
    BudgetStore store(rows);
    bool there = false;
    store.for_each(store.standing(), [&](const LedgerRecord& found, const std::string&, const std::string& chain) {
      there = there || (found.id == appended.id && chain == appended.link);
    });
    return there ? "; " + record + " is in the ledger all the same" : "; nothing is recorded";
  } catch (const std::exception&) {
    return "; whether " + record +
           " is in the ledger could not be read: see `pld ledger list`, or spend again with the same token";
  }
}

/// `change(store)` under the lock, and its commit where it appends a record.
template <class Change>
void changed(const std::string& path, std::chrono::milliseconds patience, const Change& change) {
  Appended committing;  // set when the commit begins
  try {
    SqliteRows rows(path, Database::Mode::write, patience);
    Transaction transaction(rows.database(), true);
    BudgetStore store(rows);
    const Appended appended = change(store);
    if (appended.id == 0) return;
    if (rows.database().moved()) throw DatabaseFailure("'" + path + "' was replaced or removed by another program");
    committing = appended;
    transaction.commit();
    if (rows.database().moved())
      throw LedgerFailure("'" + path + "' was replaced or removed while record " + std::to_string(appended.id) +
                          " was written: it is in the file that was there, not in one that is there now");
  } catch (const DatabaseFailure& failure) {
    throw LedgerFailure(failure.what() + (committing.id == 0 ? std::string("; nothing is recorded")
                                                             : outcome(path, patience, committing)));
  }
}

}  // namespace

Spending BudgetFile::spend(const SpendRequest& request) const {
  const StandardArithmetic arithmetic;
  Spending out;
  changed(path_, patience_, [&](BudgetStore& store) { return pld::spend(store, request, out); });
  return out;
}

std::int64_t BudgetFile::undo(std::int64_t id) const {
  const StandardArithmetic arithmetic;
  std::int64_t record = 0;
  changed(path_, patience_, [&](BudgetStore& store) { return pld::undo(store, id, record); });
  return record;
}

namespace {

/// `read(store)` of a file that nobody changes meanwhile.
template <class Read>
auto reading(const std::string& path, std::chrono::milliseconds patience, const Read& read) {
  try {
    SqliteRows rows(path, Database::Mode::read, patience);
    const Transaction transaction(rows.database(), false);
    BudgetStore store(rows);
    return read(store);
  } catch (const DatabaseFailure& failure) {
    throw LedgerFailure(failure.what());
  }
}

}  // namespace

BudgetRules BudgetFile::rules() const {
  const StandardArithmetic arithmetic;
  return reading(path_, patience_, [](BudgetStore& store) { return store.rules(); });
}

LedgerStatus BudgetFile::status() const {
  const StandardArithmetic arithmetic;
  return reading(path_, patience_, [](BudgetStore& store) { return pld::status(store); });
}

BudgetRules BudgetFile::for_each(const std::function<void(const LedgerRecord&)>& each) const {
  const StandardArithmetic arithmetic;
  return reading(path_, patience_, [&](BudgetStore& store) {
    for_each_record(store, each);
    return store.rules();
  });
}

void BudgetFile::export_lines(const std::function<void(std::string_view)>& write) const {
  const StandardArithmetic arithmetic;
  reading(path_, patience_, [&](BudgetStore& store) { pld::export_lines(store, write); });
}

BudgetRules BudgetFile::import_lines(std::istream& lines) const {
  const StandardArithmetic arithmetic;
  BudgetRules rules;
  start_ledger(path_, patience_, [&](BudgetStore& store) {
    pld::import_lines(store, lines);
    rules = store.rules();
  });
  return rules;
}

BudgetRules BudgetFile::import_old(std::istream& lines, BudgetKind kind,
                                   const std::function<PrivacyFilter(const std::vector<Goal>&)>& filter) const {
  const StandardArithmetic arithmetic;
  const OldBudget old = read_old_budget(lines);
  BudgetRules rules{.kind = kind, .neighbours = old.relation, .targets = {old.target}};
  if (kind == BudgetKind::adaptive) rules.filter = filter(rules.targets);
  require_valid(rules);
  start_ledger(path_, patience_, [&](BudgetStore& store) { pld::import_old(store, old, rules); });
  return rules;
}

}  // namespace pld
