#include "ledger_text.hpp"

#include <algorithm>

#include "colour.hpp"
#include "core/number_text.hpp"
#include "core/printable.hpp"
#include "decimal.hpp"
#include "pld/core/rounding.hpp"
#include "pld/formats/entry.hpp"

namespace pld::cli {

namespace {

constexpr const char* why_they_differ =
    "    composed is what all is together if it was fixed in advance. Releases chosen after earlier ones were seen "
    "may\n"
    "    give away more than their composition; what is proved of them is the filter's sum, by which spending goes.\n";
constexpr const char* left_to_status = "    composed: left to `pld ledger status`, as it may take long\n";

const Target* target_of(const Goal& goal) { return std::get_if<Target>(&goal); }

bool has_targets_with_delta(const BudgetRules& rules) {
  return std::any_of(rules.targets.begin(), rules.targets.end(),
                     [](const Goal& goal) { return target_of(goal) != nullptr; });
}

/// "delta <= 3.3e-09 at epsilon 1" for each composed delta.
std::string composed_text(const std::vector<double>& deltas, const BudgetRules& rules) {
  std::string text;
  auto delta = deltas.begin();
  for (const Goal& goal : rules.targets) {
    if (target_of(goal) == nullptr || delta == deltas.end()) continue;
    text += (text.empty() ? "delta <= " : "; delta <= ") + number_text(*delta++) + " at epsilon " +
            number_text(target_of(goal)->epsilon);
  }
  return text;
}

std::string plan_text(const std::vector<PlanItem>& plan) {
  std::int64_t planned = 0, made = 0;
  std::string left;
  constexpr std::size_t most_shown = 20;
  std::size_t shown = 0, kinds = 0;
  for (const PlanItem& item : plan) {
    planned += item.planned, made += item.made;
    if (item.made == item.planned) continue;
    if (++kinds <= most_shown)
      left += "        " + std::to_string(item.planned - item.made) + " of " + item.mechanism + '\n', ++shown;
  }
  std::string text = "    made: " + std::to_string(made) + " of " + std::to_string(planned) + " releases\n";
  if (shown > 0) text += "    left:\n" + left;
  if (kinds > shown) text += "        and " + std::to_string(kinds - shown) + " kinds more\n";
  return text;
}

/// "rho <= 0.01 of 0.02, by this 0.005".
std::string counted_text(double counted, double counts, const PrivacyFilter& filter) {
  return std::string(filter.quantity()) + " <= " + number_text(counted) + " of " + number_text(filter.cap) +
         ", by this " + number_text(counts);
}

std::string counted_text(const FilteredValue& found, const PrivacyFilter& filter) {
  return counted_text(found.sum->loss_above(), found.counts->loss_above(), filter);
}

std::string words_of(const Entry& entry) {
  const Release release = release_of(entry);
  return release.mechanism.text() + (release.count == 1 ? "" : ",count=" + std::to_string(release.count));
}

}  // namespace

std::string page(const BudgetRules& rules) {
  std::string text = std::string(name(rules.kind)) + " budget, adjacency " + name(rules.neighbours.relation);
  if (rules.neighbours.group != 1) text += ", groups of " + std::to_string(rules.neighbours.group);
  text += '\n';
  for (const Goal& goal : rules.targets)
    text += "    target: " + quantity_of(goal) + " <= " + number_text(limit_of(goal)) + '\n';
  if (rules.kind == BudgetKind::planned) return text;
  const PrivacyFilter& filter = rules.filter;
  text += std::string("    filter: ") + name(filter.kind) + ", " + filter.quantity() +
          (filter.kind == FilterKind::renyi ? " at order " + number_text(filter.order) : "") +
          " <= " + number_text(filter.cap);
  if (filter.delta_cap > 0) text += ", releases' own deltas <= " + number_text(filter.delta_cap);
  return text + '\n';
}

std::string advice_on_samples(const BudgetRules& rules) {
  if (rules.kind != BudgetKind::adaptive || rules.filter.kind != FilterKind::zcdp || !has_targets_with_delta(rules))
    return "";
  const auto order = order_for_samples(rules.targets, rules.filter.delta_cap);
  return "    Gaussian samples, as in DP-SGD, count in full here: for them name what is expected at `pld ledger init`, "
         "or give "
         "it\n    " +
         (order ? "--filter renyi --order " + number_text(*order) + ", or " : "") +
         "--kind planned where all is fixed in advance\n";
}

std::string page(const LedgerStatus& status, const Room& room) {
  std::string text = page(status.rules) + "spent: " + std::to_string(status.spends) +
                     (status.spends == 1 ? " spend" : " spends") + " that stand" + (status.spends == 1 ? "s" : "") +
                     '\n';
  const PrivacyFilter& filter = status.rules.filter;
  const bool adaptive = status.rules.kind == BudgetKind::adaptive;
  if (adaptive) {
    text += std::string("    counted: ") + filter.quantity() + " <= " + number_text(status.counted.loss_above()) +
            ", left " + number_text(left(status.counted, filter)) + '\n';
    if (filter.delta_cap > 0)
      text += "    counted: releases' own deltas <= " + number_text(status.counted.delta_above()) + '\n';
    if (!within(status.counted, filter)) text += "    beyond the filter's cap: nothing more can be spent\n";
  } else {
    text += plan_text(status.plan);
  }
  const std::vector<Composed> composed = composed_of(status);
  for (const Composed& one : composed) {
    text += "    composed: delta <= " + at_most(one.delta) + " at epsilon " + number_text(one.target.epsilon) + '\n';
    if (one.target.delta > 0 && one.target.delta < 1)
      text += "    composed: epsilon <= " + at_most(one.epsilon) + " at delta " + number_text(one.target.delta) + '\n';
  }
  if (adaptive && status.spends > 0 && !composed.empty()) text += why_they_differ;
  if (!room.mechanism.empty())
    text += "room: " + std::to_string(room.count) +
            (room.count == Composition::max_count ? " or more of " : " more of ") + room.mechanism + '\n';
  return text;
}

std::string page(const Spending& spending) {
  const BudgetRules& rules = spending.rules;
  std::string text = spending.accepted ? "spent: record " + std::to_string(spending.id) +
                                             (spending.repeated ? ", by an earlier request with this token\n" : "\n")
                                       : alarming("refused") + ": " + spending.refusal + '\n';
  const PrivacyFilter& filter = rules.filter;
  const bool adaptive = rules.kind == BudgetKind::adaptive;
  if (adaptive)
    text += std::string("    counted") + (spending.accepted ? ": " : " with it: ") +
            counted_text(spending.counted, spending.counts, filter) + '\n';
  const std::string composed = composed_text(spending.composed, rules);
  if (composed.empty()) {
    const bool in_status = spending.accepted && adaptive && has_targets_with_delta(rules);
    return in_status ? text + left_to_status : text;
  }
  text += std::string("    composed") +
          (!adaptive           ? ", the whole plan: "
           : spending.accepted ? ": "
                               : " with it: ") +
          composed + '\n';
  return adaptive ? text + why_they_differ : text;
}

std::string page(const NamedUnknown& unknown, const FilterCalibration& found, const BudgetRules& rules) {
  const auto named = [&](const FilteredValue& one) { return unknown.written + " = " + number_text(one.value); };
  std::string text = named(found.chosen) + " is accepted by the budget's filter\n    counted with it: " +
                     counted_text(found.chosen, rules.filter) + '\n';
  const char* const ended = "and what is beyond was not settled before time or work ended\n";
  if (!found.next) return text + (found.converged ? "which is the end of the range searched\n" : ended);
  if (found.converged) return text + named(*found.next) + ", the next, is refused: " + found.next->refusal + '\n';
  return text + named(*found.next) + " is refused: " + found.next->refusal +
         "\nand what is between was not settled before time or work ended\n";
}

std::string verdict(const FilteredValue& found, const BudgetRules& rules) {
  return found.refusal.empty() ? "takes it (" + counted_text(found, rules.filter) + ')'
                               : "refuses it: " + found.refusal;
}

std::string line(const LedgerRecord& record, const BudgetRules& rules) {
  std::string text = std::to_string(record.id);
  if (!record.time.empty()) text += "  " + record.time;
  if (record.kind == LedgerRecord::Kind::undo) {
    text += "  undo of " + std::to_string(record.undone);
  } else {
    text += record.kind == LedgerRecord::Kind::plan ? "  plan" : record.standing ? "  spend" : "  spend, undone:";
    for (const Entry& entry : record.releases) text += ' ' + words_of(entry);
  }
  if (record.counts)
    text += std::string("  ") + rules.filter.quantity() + " <= " + number_text(record.counts->loss_above());
  const auto add = [&](const char* what, const std::string& value) {
    if (!value.empty()) text += std::string("  ") + what + ' ' + printable(value);
  };
  add("name", record.name);
  add("note", record.note);
  add("token", record.token);
  return text;
}

}  // namespace pld::cli
