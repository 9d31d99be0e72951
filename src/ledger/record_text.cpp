#include "ledger/record_text.hpp"

#include <cmath>

#include "core/number_text.hpp"
#include "formats/answer_fields.hpp"
#include "formats/composition_fields.hpp"
#include "formats/goal_json.hpp"
#include "formats/json_position.hpp"
#include "formats/strict_json.hpp"
#include "ledger/utc_time.hpp"
#include "pld/core/errors.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

using Json = nlohmann::json;

constexpr int version = 2;

OrderedJson filter_json(const PrivacyFilter& filter) {
  OrderedJson out{{"name", name(filter.kind)}};
  if (filter.kind == FilterKind::renyi) out["order"] = filter.order;
  out["cap"] = filter.cap;
  out["delta"] = filter.delta_cap;
  return out;
}

PrivacyFilter filter_from(const Json& object) {
  require_object(object, {"name", "order", "cap", "delta"}, "budget.filter");
  PrivacyFilter filter{.kind = filter_from_text(text_field(object, "name", "budget.filter")),
                       .cap = number_field(object, "cap", "budget.filter"),
                       .delta_cap = number_field(object, "delta", "budget.filter")};
  if (filter.kind == FilterKind::renyi) filter.order = number_field(object, "order", "budget.filter");
  return filter;
}

OrderedJson entries_json(const std::vector<Entry>& entries) {
  OrderedJson out = OrderedJson::array();
  for (const Entry& entry : entries) out.push_back(entry_json(entry));
  return out;
}

std::vector<Entry> entries_field(const Json& object, const char* field) {
  std::vector<Entry> entries;
  for (const Json& entry : array_field(object, field, "record"))
    entries.push_back(
        entry_from(entry, std::string(field) + "[" + std::to_string(entries.size()) + "]", FileAccess::forbidden));
  if (entries.empty()) throw ReadError("record", field, "empty", "one mechanism or more");
  return entries;
}

std::int64_t id_field(const Json& object, const char* field) {
  const double value = number_field(object, field, "record");
  if (!(value >= 1 && value <= 1e15 && value == std::floor(value)))
    throw ReadError("record", field, number_text(value), "a whole number from 1 on");
  return static_cast<std::int64_t>(value);
}

/// Of those that a person or a caller gives, empty where it is not there.
std::string short_text(const Json& object, const char* field) {
  if (!object.contains(field)) return "";
  std::string text = text_field(object, field, "record");
  if (text.empty() || text.size() > longest_record_text)
    throw ReadError("record", field, "of no such length", "1 to 1000 bytes");
  return text;
}

/// Empty in ledgers of older versions.
std::string time_of(const Json& object) {
  std::string time = short_text(object, "time");
  if (!time.empty() && !is_utc_time(time))
    throw ReadError("record", "time", "of another form", "written as 2026-11-23T23:45:07Z");
  return time;
}

void add(OrderedJson& out, const char* field, const std::string& text) {
  if (!text.empty()) out[field] = text;
}

void read_count(const Json& object, LedgerRecord& record) {
  if (!object.contains("counts")) return;
  const Json& counts = object["counts"];
  require_object(counts, {"loss", "delta", "sum"}, "record.counts");
  record.counts =
      FilterCount{text_field(counts, "loss", "record.counts"), text_field(counts, "delta", "record.counts")};
  static_cast<void>(record.counts->loss_above() + record.counts->delta_above());  // or refuses them
  record.counted = number_field(counts, "sum", "record.counts");
}

}  // namespace

std::string rules_text(const BudgetRules& rules, const std::string& ledger) {
  OrderedJson targets = OrderedJson::array();
  for (const Goal& goal : rules.targets) targets.push_back(goal_json(goal));
  OrderedJson out{{"pld-budget", version}, {"kind", name(rules.kind)}, {"adjacency", name(rules.neighbours.relation)}};
  if (rules.neighbours.group != 1) out["group"] = rules.neighbours.group;
  out["targets"] = std::move(targets);
  if (rules.kind == BudgetKind::adaptive) out["filter"] = filter_json(rules.filter);
  out["ledger"] = ledger;
  return out.dump();
}

BudgetRules rules_from_text(std::string_view text) {
  const Json object = strict_json(text);
  return with_positions(text, [&] {
    require_object(object, {"pld-budget", "kind", "adjacency", "group", "targets", "filter", "ledger"}, "budget");
    const double written_by = number_field(object, "pld-budget", "budget");
    if (written_by != version) throw ReadError("budget", "version", number_text(written_by), std::to_string(version));
    BudgetRules rules{.kind = budget_kind_from_text(text_field(object, "kind", "budget")),
                      .neighbours = neighbours_fields(object, "budget")};
    for (const Json& target : array_field(object, "targets", "budget")) {
      require_object(target, goal_fields(), "budget.targets");
      const std::vector<Goal> goals = goals_from(target, "budget.targets");
      rules.targets.insert(rules.targets.end(), goals.begin(), goals.end());
    }
    if (rules.kind == BudgetKind::adaptive) rules.filter = filter_from(object.value("filter", Json()));
    static_cast<void>(text_field(object, "ledger", "budget"));
    try {
      require_valid(rules);
    } catch (const DomainError& error) {
      throw ReadError(error.what());
    }
    return rules;
  });
}

std::string record_text(const LedgerRecord& record) {
  OrderedJson out{{"id", record.id}};
  if (record.kind == LedgerRecord::Kind::undo) {
    out["undo"] = record.undone;
  } else {
    out[record.kind == LedgerRecord::Kind::plan ? "plan" : "spend"] = entries_json(record.releases);
  }
  add(out, "time", record.time);
  add(out, "name", record.name);
  add(out, "note", record.note);
  add(out, "token", record.token);
  if (record.counts)
    out["counts"] = {{"loss", record.counts->loss}, {"delta", record.counts->delta}, {"sum", record.counted}};
  if (!record.composed.empty()) out["composed"] = record.composed;
  return out.dump();
}

LedgerRecord record_from_text(std::string_view text) {
  const Json object = strict_json(text);
  return with_positions(text, [&] {
    require_object(object, {"id", "plan", "spend", "undo", "time", "name", "note", "token", "counts", "composed"},
                   "record");
    if (object.contains("plan") + object.contains("spend") + object.contains("undo") != 1)
      throw ReadError("record: one of plan, spend and undo must be given");
    LedgerRecord record{.id = id_field(object, "id")};
    if (object.contains("undo")) {
      record.kind = LedgerRecord::Kind::undo;
      record.undone = id_field(object, "undo");
    } else {
      const bool planned = object.contains("plan");
      record.kind = planned ? LedgerRecord::Kind::plan : LedgerRecord::Kind::spend;
      record.releases = entries_field(object, planned ? "plan" : "spend");
    }
    record.time = time_of(object);
    record.name = short_text(object, "name");
    record.note = short_text(object, "note");
    record.token = short_text(object, "token");
    read_count(object, record);
    if (object.contains("composed")) record.composed = numbers_field(object, "composed", "record");
    return record;
  });
}

}  // namespace pld
