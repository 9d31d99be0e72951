#include "formats/dp_event_release.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>

#include "core/number_text.hpp"
#include "formats/joint_noise.hpp"
#include "formats/told_with_place.hpp"
#include "formats/written_number.hpp"
#include "numeric/exact_fraction.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

using Entries = std::vector<Entry>;

double number(const EventRelease& release, const char* field) {
  return written_number(release.event, field, release.where);
}

double number_or(const EventRelease& release, const char* field, double otherwise) {
  return release.event.contains(field) ? number(release, field) : otherwise;
}

double whole_number(const EventRelease& release, const char* field, double least) {
  const double value = number(release, field);
  if (!(value >= least && value == std::floor(value)))
    throw ReadError(release.where, field, number_text(value), "a whole number, " + number_text(least) + " or more");
  return value;
}

/// A relation in dp-accounting's words.
const char* neighboring_relation(Relation relation) {
  if (relation == Relation::add_remove) return "`ADD_OR_REMOVE_ONE`";
  return relation == Relation::replace_one ? "`REPLACE_ONE`" : "`REPLACE_SPECIAL`";
}

/// Throws ReadError, with the reason, under another relation than those.
void require_relation(const EventRelease& release, const std::vector<Relation>& those, const char* reason) {
  if (std::find(those.begin(), those.end(), release.relation) != those.end()) return;
  std::string theirs, ours;
  for (const Relation relation : those) {
    theirs.append(theirs.empty() ? "" : " or ").append(neighboring_relation(relation));
    ours.append(ours.empty() ? "" : ", ").append(name(relation));
  }
  throw ReadError(release.where + ": " + release.event["class_name"].get<std::string>() + ": adjacency is " +
                  name(release.relation) + ", but neighboring_relation must be " + theirs + " (" + ours +
                  "): " + reason);
}

void require_all_data(const EventRelease& release, const char* reason) {
  if (release.on_sample)
    throw ReadError(release.where + ": a sample of " + release.event["class_name"].get<std::string>() +
                    " has no law here: " + reason);
}

/// The entry, whose noise is `field` of the event.
Entries noisy(const EventRelease& release, const char* field, const Entry& entry) {
  if (number(release, field) == 0) return {entry_that_tells_all()};
  return {entry};
}

Entries gaussian(const EventRelease& release) {
  return noisy(release, "noise_multiplier",
               {.type = "gaussian", .parameters = {{"sigma", number(release, "noise_multiplier")}}});
}

Entries laplace(const EventRelease& release) {
  return noisy(release, "noise_multiplier",
               {.type = "laplace", .parameters = {{"scale", number(release, "noise_multiplier")}}});
}

Entries discrete_laplace(const EventRelease& release) {
  return noisy(
      release, "noise_parameter",
      {.type = "discrete-laplace",
       .parameters = {{"a", number(release, "noise_parameter")}, {"sensitivity", number(release, "sensitivity")}}});
}

Entries discrete_gaussian(const EventRelease& release) {
  // Several dimensions are not dominated by one.
  if (number_or(release, "dimension", 0) != 1)
    throw ReadError(release.where + ": dimension must be 1: only the law of one dimension is known");
  return noisy(
      release, "sigma",
      {.type = "discrete-gaussian",
       .parameters = {{"sigma", number(release, "sigma")}, {"sensitivity", number_or(release, "sensitivity", 1)}}});
}

/// The special record's answer is drawn from all k alike. Who sees the table's outcomes sees these: the true answer is
/// likelier where it is told, by a rounding, and rarer where it is drawn, by more than what dividing by a sum that is
/// not 1 takes.
Entry against_a_drawn_answer(const Fraction& told, double buckets) {
  const Fraction drawn = 1 / fraction_of(buckets);
  const double rare = double_below(drawn), rest = double_above(1 - drawn);
  const bool sums_to_one = fraction_of(rare) + fraction_of(rest) == 1;
  return {.type = "mass-table",
          .lists = {{"p", {double_above(told), double_below(1 - told)}},
                    {"q", {sums_to_one ? rare : round_down(rare, 4), rest}}}};
}

/// Either value of a replaced record may be the true one. A double near 1 for what is told says little of what is rare
/// beside it: then e^epsilon, the quotient of the two, is kept.
Entry against_another_answer(const Fraction& told, double buckets) {
  const Fraction untold = 1 - told;
  if (untold >= fraction_of(0x1p-4))
    return {.type = "randomized-response", .parameters = {{"p", double_above(told)}, {"k", buckets}}};
  const double quotient = double_above(told * (fraction_of(buckets) - 1) / untold);
  return {.type = "dp", .parameters = {{"epsilon", round_up(std::log(quotient), 4)}, {"delta", 0}}};
}

/// An answer drawn from all k buckets with probability f is the true one with probability 1 - f + f / k: rounded up.
Entries randomized_response(const EventRelease& release) {
  require_relation(release, {Relation::replace_one, Relation::zero_out}, "an added record adds an answer");
  require_all_data(release, "who answers tells who was drawn");
  const double buckets = whole_number(release, "num_buckets", 1);
  const double f = share_field(release.event, "noise_parameter", release.where);
  if (buckets == 1 || f == 1) return {};  // all answers are drawn
  const Fraction told = 1 - fraction_of(f) * (1 - 1 / fraction_of(buckets));
  if (f == 0) return {entry_that_tells_all()};
  return {release.relation == Relation::zero_out ? against_a_drawn_answer(told, buckets)
                                                 : against_another_answer(told, buckets)};
}

Entries gaussian_mixture(const EventRelease& release) {
  require_relation(release, {Relation::add_remove, Relation::zero_out},
                   "the record that comes in its place may have other sensitivities at other times, and no theorem "
                   "says which are worst");
  const std::vector<double> shifts = written_numbers(release.event, "sensitivities", release.where);
  const std::vector<double> weights = written_numbers(release.event, "sampling_probs", release.where);
  Entry entry{.type = "gaussian-mixture",
              .parameters = {{"sigma", number(release, "standard_deviation")}},
              .lists = {{"shifts", {}}, {"weights", {}}}};
  if (shifts.size() != weights.size())
    throw ReadError(release.where + ": sensitivities and sampling_probs must have the same length");
  bool shifted = shifts.empty();
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    if (weights[i] == 0) continue;  // what never happens
    entry.lists["shifts"].push_back(shifts[i]);
    entry.lists["weights"].push_back(weights[i]);
    shifted = shifted || shifts[i] != 0;
  }
  return shifted ? noisy(release, "standard_deviation", entry) : Entries{};
}

double largest_step_count(const EventRelease& release) {
  const auto& counts = release.event.value("step_counts", nlohmann::json());
  const std::vector<double> all = counts.is_array() ? written_numbers(release.event, "step_counts", release.where)
                                                    : std::vector{number(release, "step_counts")};
  double largest = 0;
  for (const double steps : all) {
    if (!(steps >= 0 && steps <= 0x1p53 && steps == std::floor(steps)))
      throw ReadError(release.where, "step_counts", number_text(steps), "at least 0, a whole number up to 2^53");
    largest = std::max(largest, steps);
  }
  return largest;
}

/// A record is in one tree, in a node of each level: bit_width(steps) of them (Kairouz et al. 2021, appendix D).
Entries tree(const EventRelease& release) {
  require_relation(release, {Relation::zero_out}, "an added record shifts the tree's leaves");
  require_all_data(release, "who is drawn shifts its leaves");
  const double steps = largest_step_count(release), noise = number(release, "noise_multiplier");
  if (steps == 0) return {};
  if (noise == 0) return {entry_that_tells_all()};
  Entry node{.type = "gaussian", .parameters = {{"sigma", noise}}};
  static_cast<void>(release_of(node));  // throws for noise out of range
  node.count = static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(steps)));
  return {{.type = "gaussian", .parameters = {{"sigma", joint_noise({node})}}}};
}

/// Divergences of all orders up to xi are those of (xi, 0)-DP.
Entries zcdp(const EventRelease& release) {
  const double rho = number(release, "rho"), xi = number_or(release, "xi", 0);
  if (rho == 0 && xi == 0) return {};
  if (rho == 0) return {{.type = "dp", .parameters = {{"epsilon", xi}, {"delta", 0}}}};
  return {{.type = "zcdp", .parameters = {{"rho", rho}, {"xi", xi}}}};
}

Entries truncated(const EventRelease& release) {
  const double rate = share_field(release.event, "sampling_probability", release.where);
  const double largest = number(release, "truncated_batch_size");
  if (rate == 0 || largest == 0) return {};
  return noisy(
      release, "noise_multiplier",
      {.type = "gaussian",
       .parameters = {{"sigma", number(release, "noise_multiplier")}},
       .sampling = {
           {"truncated_poisson", rate}, {"largest_batch", largest}, {"records", number(release, "dataset_size")}}});
}

Entries guarantee(const EventRelease& release) {
  return {{.type = "dp", .parameters = {{"epsilon", number(release, "epsilon")}, {"delta", number(release, "delta")}}}};
}

Entries nothing(const EventRelease&) { return {}; }
Entries everything(const EventRelease&) { return {entry_that_tells_all()}; }

const std::map<std::string, Entries (*)(const EventRelease&)> releases{
    {"NoOpDpEvent", nothing},
    {"NonPrivateDpEvent", everything},
    {"GaussianDpEvent", gaussian},
    {"LaplaceDpEvent", laplace},
    {"RandomizedResponseDpEvent", randomized_response},
    {"EpsilonDeltaDpEvent", guarantee},
    {"DiscreteLaplaceDpEvent", discrete_laplace},
    {"DiscreteGaussianDpEvent", discrete_gaussian},
    {"SingleEpochTreeAggregationDpEvent", tree},
    {"MixtureOfGaussiansDpEvent", gaussian_mixture},
    {"ZCDpEvent", zcdp},
    {"TruncatedSubsampledGaussianDpEvent", truncated},
};

}  // namespace

std::vector<Entry> entries_of_release(const EventRelease& release) {
  return made_at(release.where, [&] {
    std::vector<Entry> found = releases.at(release.event["class_name"].get<std::string>())(release);
    for (const Entry& entry : found) static_cast<void>(release_of(entry));
    return found;
  });
}

Entry entry_that_tells_all() { return {.type = "dp", .parameters = {{"epsilon", 0}, {"delta", 1}}}; }

bool tells_all(const Entry& entry) {
  return entry.type == "dp" && entry.parameters == entry_that_tells_all().parameters;
}

double share_field(const nlohmann::json& event, const char* field, const std::string& where) {
  const double share = written_share(event, field, where);
  if (!(share >= 0 && share <= 1)) throw ReadError(where, field, number_text(share), "from 0 to 1");
  return share;
}

}  // namespace pld
