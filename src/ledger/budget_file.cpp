#include "pld/ledger/budget_file.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/standard_arithmetic.hpp"
#include "ledger/budget_lines.hpp"
#include "ledger/budget_store.hpp"
#include "ledger/new_ledger.hpp"
#include "ledger/record_text.hpp"
#include "ledger/spend_rule.hpp"
#include "ledger/standing_spends.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {

namespace {

using Kind = LedgerRecord::Kind;

constexpr std::size_t longest_text = 1000;
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
  if (text.size() > longest_text || !is_utf8(text))
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

}  // namespace

BudgetFile::BudgetFile(std::string path, std::chrono::milliseconds patience)
    : path_(std::move(path)), patience_(patience) {
  if (path_.empty()) throw ReadError("ledger: the file's name is empty");
}

void BudgetFile::init(const BudgetRules& rules, const std::vector<Entry>& plan) const {
  const StandardArithmetic arithmetic;
  pld::require_valid(rules);
  const bool planned = rules.kind == BudgetKind::planned;
  if (planned == plan.empty())
    throw ReadError(planned ? "ledger: a planned budget lists its releases when it is started"
                            : "ledger: an adaptive budget has no plan: what is released is spent when it is chosen");
  Standing standing;
  if (planned) standing.composed = require_within(plan, rules);
  start_ledger(path_, patience_, [&](BudgetStore& store) {
    write_start(store, rules, plan, standing);
    store.write(standing);
  });
}

namespace {

/// What became of a record whose commit failed.
std::string outcome(const std::string& path, std::chrono::milliseconds patience, std::int64_t id,
                    const std::string& link) {
  const std::string record = "record " + std::to_string(id);
  try {
    BudgetStore store(path, Database::Mode::read, patience);
    const Transaction transaction(store.database(), false);
    bool there = false;
    store.for_each(store.standing(), [&](const LedgerRecord& found, const std::string&, const std::string& chain) {
      there = there || (found.id == id && chain == link);
    });
    return there ? "; " + record + " is in the ledger all the same" : "; nothing is recorded";
  } catch (const std::exception&) {
    return "; whether " + record +
           " is in the ledger could not be read: see `pld ledger list`, or spend again with the same token";
  }
}

/// A change under the lock: `change(store, standing, record)` says whether there is something to record.
template <class Change>
LedgerRecord changed(const std::string& path, std::chrono::milliseconds patience, const Change& change) {
  LedgerRecord record;
  std::string link;  // set when the commit begins
  try {
    BudgetStore store(path, Database::Mode::write, patience);
    Transaction transaction(store.database(), true);
    Standing standing = store.standing();
    if (standing.records <= few_records) store.require_sound(standing);
    record.id = standing.records + 1;
    if (!change(store, standing, record)) return record;
    store.append(record, record_text(record), standing);
    store.write(standing);
    if (store.database().moved()) throw DatabaseFailure("'" + path + "' was replaced or removed by another program");
    link = standing.head;
    transaction.commit();
    if (store.database().moved())
      throw LedgerFailure("'" + path + "' was replaced or removed while record " + std::to_string(record.id) +
                          " was written: it is in the file that was there, not in one that is there now");
  } catch (const DatabaseFailure& failure) {
    throw LedgerFailure(failure.what() + (link.empty() ? std::string("; nothing is recorded")
                                                       : outcome(path, patience, record.id, link)));
  }
  return record;
}

}  // namespace

Spending BudgetFile::spend(const SpendRequest& request) const {
  const StandardArithmetic arithmetic;
  require_valid(request);
  Spending out;
  const auto decide = [&](BudgetStore& store, Standing& standing, LedgerRecord& next) {
    const BudgetRules& rules = store.rules();
    const auto earlier = request.token.empty() ? std::nullopt : store.with_token(request.token);
    next.releases = request.releases;
    next.name = request.name, next.note = request.note, next.token = request.token;
    out = earlier                              ? repeated(*earlier, request, standing)
          : rules.kind == BudgetKind::adaptive ? counted(standing, rules, next)
                                               : made(store, standing, next);
    out.rules = rules;
    if (earlier || !out.accepted) return false;
    ++standing.spends;
    return true;
  };
  const LedgerRecord record = changed(path_, patience_, decide);
  if (out.accepted && !out.repeated) out.id = record.id;
  return out;
}

std::int64_t BudgetFile::undo(std::int64_t id) const {
  const StandardArithmetic arithmetic;
  const auto take_back = [id](BudgetStore& store, Standing& standing, LedgerRecord& next) {
    const auto spent = store.record(id);
    if (!spent || spent->kind != Kind::spend || !spent->standing)
      throw ReadError("ledger", "id", std::to_string(id), "that of a spend that stands (see `pld ledger list`)");
    next.kind = Kind::undo;
    next.undone = id;
    --standing.spends;
    if (store.rules().kind == BudgetKind::adaptive) {
      standing.counted = minus(standing.counted, *spent->counts);
      standing.total = StandingSpends(store, standing).small_total(id);
    } else {
      static_cast<void>(make(store, *spent, -1));
    }
    return true;
  };
  return changed(path_, patience_, take_back).id;
}

namespace {

/// `read(store, standing)` of a file that nobody changes meanwhile.
template <class Read>
auto reading(const std::string& path, std::chrono::milliseconds patience, const Read& read) {
  try {
    BudgetStore store(path, Database::Mode::read, patience);
    const Transaction transaction(store.database(), false);
    const Standing standing = store.standing();
    store.require_sound(standing);
    return read(store, standing);
  } catch (const DatabaseFailure& failure) {
    throw LedgerFailure(failure.what());
  }
}

}  // namespace

BudgetRules BudgetFile::rules() const {
  const StandardArithmetic arithmetic;
  try {
    BudgetStore store(path_, Database::Mode::read, patience_);
    return store.rules();
  } catch (const DatabaseFailure& failure) {
    throw LedgerFailure(failure.what());
  }
}

LedgerStatus BudgetFile::status() const {
  const StandardArithmetic arithmetic;
  return reading(path_, patience_, [](BudgetStore& store, const Standing& standing) {
    const StandingSpends spends(store, standing);  // reads and verifies all of it
    if (store.rules().kind == BudgetKind::planned) require_plan(store, standing, spends);
    return LedgerStatus{.rules = store.rules(),
                        .records = standing.records,
                        .spends = standing.spends,
                        .head = standing.head,
                        .counted = standing.counted,
                        .plan = store.plan(),
                        .spent = standing.total ? *standing.total : spends.total()};
  });
}

BudgetRules BudgetFile::for_each(const std::function<void(const LedgerRecord&)>& each) const {
  const StandardArithmetic arithmetic;
  return reading(path_, patience_, [&](BudgetStore& store, const Standing& standing) {
    const StandingSpends spends(store, standing);
    store.for_each(standing, [&](LedgerRecord record, const std::string&, const std::string&) {
      record.standing = record.kind != Kind::spend || spends.has(record);
      each(record);
    });
    return store.rules();
  });
}

void BudgetFile::export_lines(const std::function<void(std::string_view)>& write) const {
  const StandardArithmetic arithmetic;
  reading(path_, patience_, [&](BudgetStore& store, const Standing& standing) {
    write(with_chain(store.rules_line(), BudgetStore::link("", store.rules_line())));
    store.for_each(standing, [&](const LedgerRecord&, const std::string& body, const std::string& chain) {
      write(with_chain(body, chain));
    });
    write(end_line(standing.records, standing.head));
    return 0;
  });
}

}  // namespace pld
