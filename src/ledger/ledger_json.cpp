#include "ledger/ledger_json.hpp"

#include "formats/answer_fields.hpp"
#include "formats/composition_fields.hpp"
#include "formats/goal_json.hpp"
#include "formats/training_run.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

const Target* target_of(const Goal& goal) { return std::get_if<Target>(&goal); }

OrderedJson composed_json(const std::vector<double>& deltas, const BudgetRules& rules) {
  OrderedJson out = OrderedJson::array();
  auto delta = deltas.begin();
  for (const Goal& goal : rules.targets)
    if (target_of(goal) != nullptr && delta != deltas.end())
      out.push_back({{"epsilon", target_of(goal)->epsilon}, {"delta_upper", *delta++}});
  return out;
}

OrderedJson rules_json(const BudgetRules& rules) {
  OrderedJson out{{"kind", name(rules.kind)}, {"adjacency", name(rules.neighbours.relation)}};
  if (rules.neighbours.group != 1) out["group"] = rules.neighbours.group;
  for (const Goal& goal : rules.targets) out["targets"].push_back(goal_json(goal));
  if (rules.kind == BudgetKind::planned) return out;
  out["filter"] = {{"name", name(rules.filter.kind)},
                   {"of", rules.filter.quantity()},
                   {"cap", rules.filter.cap},
                   {"delta_cap", rules.filter.delta_cap}};
  if (rules.filter.kind == FilterKind::renyi) out["filter"]["order"] = rules.filter.order;
  return out;
}

/// What was found, and whose number it is.
template <class Found>
OrderedJson json_found(const Found& found) {
  OrderedJson out = json_finding(found);
  add_whose(out, found);
  out["converged"] = found.converged;
  return out;
}

}  // namespace

std::vector<Composed> composed_of(const LedgerStatus& status) {
  std::vector<Composed> all;
  if (status.spends == 0) return all;
  RunningTotal spent = status.spent;
  for (const Goal& goal : status.rules.targets) {
    const Target* const target = target_of(goal);
    if (target == nullptr) continue;
    all.push_back({*target, spent.delta({.epsilon = target->epsilon}), {}});
    if (target->delta > 0 && target->delta < 1) all.back().epsilon = spent.epsilon({.delta = target->delta});
  }
  return all;
}

std::string json_text(const BudgetRules& rules, const std::vector<Entry>& named) {
  OrderedJson out = rules_json(rules);
  add_assumed_sampler(out, assumed_sampler_of(named));
  return out.dump();
}

std::string json_text(const LedgerStatus& status, const Room& room) {
  OrderedJson out = rules_json(status.rules);
  out["records"] = status.records;
  out["spends"] = status.spends;
  out["head"] = status.head;
  if (status.rules.kind == BudgetKind::adaptive)
    out["counted"] = {{"upper", status.counted.loss_above()},
                      {"exact", status.counted.loss},
                      {"left", left(status.counted, status.rules.filter)},
                      {"delta_upper", status.counted.delta_above()}};
  out["composed"] = OrderedJson::array();
  for (const Composed& one : composed_of(status)) {
    OrderedJson at{{"epsilon", one.target.epsilon}, {"delta", json_found(one.delta)}};
    if (one.target.delta > 0 && one.target.delta < 1)
      at["at_delta"] = one.target.delta, at["epsilon_at_delta"] = json_found(one.epsilon);
    out["composed"].push_back(std::move(at));
  }
  for (const PlanItem& item : status.plan)
    out["plan"].push_back({{"mechanism", item.mechanism}, {"planned", item.planned}, {"made", item.made}});
  if (!room.mechanism.empty()) out["room"] = {{"mechanism", room.mechanism}, {"count", room.count}};
  add_assumed_sampler(out, room.assumed_sampler);
  return out.dump();
}

std::string json_text(const Spending& spending, const std::vector<Entry>& releases) {
  const BudgetRules& rules = spending.rules;
  OrderedJson out{{"accepted", spending.accepted}};
  if (spending.accepted)
    out["id"] = spending.id, out["repeated"] = spending.repeated;
  else
    out["refusal"] = spending.refusal;
  if (rules.kind == BudgetKind::adaptive) {
    OrderedJson& counted = out["counted"] = {{"of", rules.filter.quantity()},
                                             {"upper", spending.counted},
                                             {"by_this", spending.counts},
                                             {"cap", rules.filter.cap}};
    if (!spending.repeated)
      counted.update({{"delta_by_this", spending.delta_counts}, {"delta_upper", spending.delta_counted}});
  }
  out["composed"] = composed_json(spending.composed, rules);
  for (const Entry& entry : releases) out["spend"].push_back(entry_json(entry));
  out.update(rules_json(rules));
  add_assumed_sampler(out, assumed_sampler_of(releases));
  return out.dump();
}

OrderedJson json_filtered(const FilteredValue& found, const BudgetRules& rules) {
  OrderedJson out{{"value", json_number(found.value)}, {"takes", found.refusal.empty()}};
  if (!found.refusal.empty()) out["refusal"] = found.refusal;
  if (found.sum)
    out["counted"] = {{"of", rules.filter.quantity()},
                      {"upper", found.sum->loss_above()},
                      {"by_this", found.counts->loss_above()},
                      {"cap", rules.filter.cap},
                      {"delta_by_this", found.counts->delta_above()},
                      {"delta_upper", found.sum->delta_above()}};
  return out;
}

std::string json_text(const NamedUnknown& unknown, const FilterCalibration& found, const BudgetRules& rules,
                      double seconds) {
  OrderedJson out{{"query", "calibrate"},
                  {"unknown", unknown.name},
                  {"written", unknown.written},
                  {"value", json_number(found.chosen.value)},
                  {"chosen", json_filtered(found.chosen, rules)},
                  {"next", nullptr},
                  {"trials", found.trials},
                  {"converged", found.converged},
                  {"seconds", seconds},
                  {"mechanisms", open_mechanisms_json(unknown.entries)}};
  if (found.next) out["next"] = json_filtered(*found.next, rules);
  for (const Entry& entry : found.chosen.releases) out["spend"].push_back(entry_json(entry));
  out.update(rules_json(rules));
  add_assumed_sampler(out, assumed_sampler_of(unknown.entries));
  return out.dump();
}

std::string json_text(const LedgerRecord& record) {
  OrderedJson out{{"id", record.id}};
  if (!record.time.empty()) out["time"] = record.time;
  if (record.kind == LedgerRecord::Kind::undo) {
    out["undo"] = record.undone;
    return out.dump();
  }
  OrderedJson releases = OrderedJson::array();
  for (const Entry& entry : record.releases) releases.push_back(entry_json(entry));
  const bool planned = record.kind == LedgerRecord::Kind::plan;
  out[planned ? "plan" : "spend"] = std::move(releases);
  if (!planned) out["standing"] = record.standing;
  if (!record.name.empty()) out["name"] = record.name;
  if (!record.note.empty()) out["note"] = record.note;
  if (!record.token.empty()) out["token"] = record.token;
  if (record.counts) out["counts"] = record.counts->loss_above();
  return out.dump();
}

}  // namespace pld
