#include "ledger/spend_rule.hpp"

#include <algorithm>

#include "account/running_total_state.hpp"
#include "core/number_text.hpp"
#include "core/outward_text.hpp"
#include "pld/core/errors.hpp"

namespace pld {
namespace {

/// Of delta: what a plan may lose to the width of its bracket; what a composed number beside a filter's may be wide.
constexpr double plan_tolerance = 1e-4, composed_tolerance = 0.05;
/// Releases of other noise than Gaussian, and kinds of it, that are composed with each spend: within 0.1 s.
constexpr std::int64_t few_releases = 1000;
constexpr std::size_t few_kinds = 4;
constexpr int shown_digits = 4;  // to a person

bool takes_a_box(const Mechanism& mechanism) {
  return JoinedGaussians::takes(mechanism) || ReleaseCells::takes(mechanism);
}

/// Whether the total stays a list and boxes: on a lattice each release would cost two convolutions.
bool stays_small(const RunningTotal& total, const std::vector<Entry>& entries) {
  const Composition& listed = total.state().listed;
  if (std::any_of(entries.begin(), entries.end(), [](const Entry& entry) { return !entry.tries.empty(); }))
    return false;
  std::size_t others = entries.size();
  for (const Release& release : listed.releases()) others += takes_a_box(release.mechanism) ? 0 : 1;
  return others <= RunningTotalState::most_listed ||
         std::all_of(entries.begin(), entries.end(), [&](const Entry& entry) {
           return takes_a_box(release_of(entry).mechanism.under(listed.neighbours()));
         });
}

/// Noise of which any number is composed in closed form.
bool is_plain_gaussian(const Release& release) { return JoinedGaussians::takes(release.mechanism); }

/// Whether composing it takes little beside a spend.
bool composes_quickly(const RunningTotal& total) {
  const auto& listed = total.state().listed.releases();
  if (!total.state().cells.families().empty()) return false;
  if (std::all_of(listed.begin(), listed.end(), is_plain_gaussian)) return true;
  std::int64_t releases = 0;
  for (const Release& release : listed) releases = std::min(releases + release.count, few_releases + 1);
  return listed.size() <= few_kinds && releases <= few_releases;
}

/// Upper ends of delta at the epsilon of each target that has one.
std::vector<double> composed_deltas(RunningTotal& total, const std::vector<Goal>& targets, double tolerance) {
  std::vector<double> deltas;
  for (const Goal& goal : targets)
    if (const auto* target = std::get_if<Target>(&goal))
      deltas.push_back(total.delta({.epsilon = target->epsilon, .tolerance = tolerance}).upper);
  return deltas;
}

}  // namespace

std::map<std::string, std::int64_t> by_kind(const std::vector<Entry>& entries) {
  std::map<std::string, std::int64_t> kinds;
  for (const Entry& entry : entries) kinds[release_of(entry).mechanism.text()] += entry.count;
  return kinds;
}

FilterCount counts_of(const std::vector<Entry>& entries, const BudgetRules& rules) {
  FilterCount all;
  for (const Entry& entry : entries) all = plus(all, count_of(entry, rules.neighbours, rules.filter), entry.count);
  return all;
}

namespace {

BudgetRules summing(const Goal& goal, FilterKind kind, const Neighbours& neighbours) {
  return {.neighbours = neighbours, .filter = filter_for({goal}, kind)};
}

/// Whether the plan's epsilons and deltas, as they are written, have no larger sums: ten times 0.1 is 1, but the
/// composition of ten doubles next to 0.1 exceeds it.
bool adds_up_to(const Target& target, const std::vector<Entry>& plan, const Neighbours& neighbours) {
  try {
    const BudgetRules sums = summing(target, FilterKind::basic, neighbours);
    return within(counts_of(plan, sums), sums.filter);
  } catch (const DomainError&) {  // of losses that have no bound
    return false;
  }
}

}  // namespace

std::vector<double> require_within(const std::vector<Entry>& plan, const BudgetRules& rules) {
  Composition composed(rules.neighbours);
  add_to(composed, plan);
  std::vector<double> deltas;
  for (const Goal& goal : rules.targets) {
    if (const auto* target = std::get_if<Target>(&goal)) {
      const DeltaAnswer found = delta(composed, {.epsilon = target->epsilon, .tolerance = plan_tolerance});
      const bool is_within = found.upper <= target->delta || adds_up_to(*target, plan, rules.neighbours);
      const bool exceeded = found.lower > target->delta && !found.only_guaranteed;
      if (!is_within)
        throw DomainError("plan", quantity_of(goal),
                          exceeded ? "at least " + text_down(found.lower, shown_digits)
                                   : "known to be at most " + text_up(found.upper, shown_digits) + " only",
                          "at most " + number_text(target->delta));
      deltas.push_back(std::min(found.upper, target->delta));
      continue;
    }
    // rho and mu^2 of a plan are sums too.
    const bool is_rho = std::holds_alternative<ZeroConcentratedDp>(goal);
    const BudgetRules sums = summing(goal, is_rho ? FilterKind::zcdp : FilterKind::gdp, rules.neighbours);
    const FilterCount sum = counts_of(plan, sums);
    if (!within(sum, sums.filter))
      throw DomainError("plan", sums.filter.quantity(), number_text(sum.loss_above()),
                        "at most " + number_text(sums.filter.cap));
  }
  return deltas;
}

std::optional<std::string> refusal_by_filter(const FilterCount& sum, const PrivacyFilter& filter) {
  if (within(sum, filter)) return std::nullopt;
  const double loss = sum.loss_above();
  if (loss <= filter.cap)
    return "the releases' own deltas would add up to " + number_text(sum.delta_above()) + ", of " +
           number_text(filter.delta_cap);
  return std::string(filter.quantity()) + " would be " + number_text(loss) + ", of " + number_text(filter.cap);
}

Spending counted(Standing& standing, const BudgetRules& rules, LedgerRecord& record) {
  const FilterCount own = counts_of(record.releases, rules), sum = plus(standing.counted, own);
  const auto refusal = refusal_by_filter(sum, rules.filter);
  Spending out{.accepted = !refusal,
               .refusal = refusal.value_or(""),
               .counts = own.loss_above(),
               .counted = sum.loss_above(),
               .delta_counts = own.delta_above(),
               .delta_counted = sum.delta_above()};
  keep(standing.total, record.releases);
  if (standing.total && composes_quickly(*standing.total))
    out.composed = composed_deltas(*standing.total, rules.targets, composed_tolerance);
  if (!out.accepted) return out;
  record.counts = own;
  record.counted = out.counted;
  record.composed = out.composed;
  standing.counted = sum;
  return out;
}

std::optional<std::string> make(BudgetStore& store, const LedgerRecord& record, int times) {
  for (const auto& [mechanism, count] : by_kind(record.releases)) {
    auto item = store.plan_item(mechanism);
    if (!item) return mechanism + " is not in the plan";
    item->made += times * count;
    if (item->made > item->planned)
      return "of " + mechanism + " the plan has " + std::to_string(item->planned) + ", of which " +
             std::to_string(item->made - count) + " are made";
    store.write(*item);
  }
  return std::nullopt;
}

Spending made(BudgetStore& store, const Standing& standing, const LedgerRecord& record) {
  const auto beyond = make(store, record, 1);
  return {.accepted = !beyond, .refusal = beyond.value_or(""), .composed = standing.composed};
}

void keep(std::optional<RunningTotal>& total, const std::vector<Entry>& entries) {
  if (total && !stays_small(*total, entries)) total.reset();
  if (total) add_to(*total, entries);
}

}  // namespace pld
