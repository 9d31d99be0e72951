#include <cmath>

#include "core/number_text.hpp"
#include "formats/dp_event.hpp"
#include "formats/fields.hpp"
#include "formats/tries_text.hpp"
#include "numeric/exact_fraction.hpp"
#include "pld/account/private_selection.hpp"
#include "pld/core/rounding.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

using Event = nlohmann::ordered_json;

Event event_named(const std::string& name) { return {{"module_name", "dp_accounting.dp_event"}, {"class_name", name}}; }

template <class... Fields>
Event event(const std::string& name, const Fields&... fields) {
  Event all = event_named(name);
  ((all[fields.first] = fields.second), ...);
  return all;
}

template <class Value>
std::pair<const char*, Event> field(const char* name, const Value& value) {
  return {name, Event(value)};
}

double parameter(const Entry& entry, const char* name, double otherwise) {
  const auto found = entry.parameters.find(name);
  return found == entry.parameters.end() ? otherwise : found->second;
}

/// Noise in units of the sensitivity, rounded down: less noise gives away more.
double multiplier(const Entry& entry, const char* noise) {
  const double all = entry.parameters.at(noise), unit = parameter(entry, "sensitivity", 1), nearest = all / unit;
  return std::fma(nearest, unit, -all) > 0 ? std::nextafter(nearest, 0) : nearest;
}

/// Of k answers, how often one is drawn from all of them, which is the true one for one in k: rounded down.
double noise_parameter(const Entry& entry) {
  const double p = entry.parameters.at("p");
  const Fraction k = fraction_of(parameter(entry, "k", 2));
  const double noise = double_below((1 - fraction_of(p)) * k / (k - 1));
  if (noise > 1)
    throw ReadError("dp-event", "randomized-response's p", number_text(p), "1/k or more, as an event's is");
  return noise;
}

/// An event's special record draws its answer, and who is not in a sample gives none: other laws than those here.
Event randomized_response(const Entry& entry, Relation relation) {
  if (relation != Relation::replace_one)
    throw ReadError("dp-event: randomized-response", "adjacency", std::string(name(relation)),
                    "replace-one: dp-accounting's event means another law under others");
  if (!entry.sampling.empty())
    throw ReadError("dp-event: a sample of randomized-response has no event of dp-accounting");
  return event("RandomizedResponseDpEvent", field("noise_parameter", noise_parameter(entry)),
               field("num_buckets", static_cast<std::int64_t>(parameter(entry, "k", 2))));
}

Event gaussian_mixture(const Entry& entry, Relation relation) {
  if (relation == Relation::replace_one)
    throw ReadError("dp-event: gaussian-mixture", "adjacency", std::string(name(relation)), "add-remove or zero-out");
  return event("MixtureOfGaussiansDpEvent", field("standard_deviation", entry.parameters.at("sigma")),
               field("sensitivities", entry.lists.at("shifts")), field("sampling_probs", entry.lists.at("weights")));
}

Event of_mechanism(const Entry& entry, Relation relation) {
  if (parameter(entry, "replace_sensitivity", 0) != 0)
    throw ReadError("dp-event: no event of dp-accounting has a replace_sensitivity");
  const std::string& type = entry.type;
  const auto number = [&](const char* name) { return entry.parameters.at(name); };
  if (type == "gaussian") return event("GaussianDpEvent", field("noise_multiplier", multiplier(entry, "sigma")));
  if (type == "laplace") return event("LaplaceDpEvent", field("noise_multiplier", multiplier(entry, "scale")));
  if (type == "randomized-response") return randomized_response(entry, relation);
  if (type == "dp")
    return event("EpsilonDeltaDpEvent", field("epsilon", number("epsilon")),
                 field("delta", parameter(entry, "delta", 0)));
  if (type == "discrete-laplace")
    return event("DiscreteLaplaceDpEvent", field("noise_parameter", number("a")),
                 field("sensitivity", static_cast<std::int64_t>(parameter(entry, "sensitivity", 1))));
  if (type == "discrete-gaussian")
    return event("DiscreteGaussianDpEvent", field("sigma", number("sigma")),
                 field("sensitivity", static_cast<std::int64_t>(parameter(entry, "sensitivity", 1))),
                 field("dimension", 1));
  if (type == "zcdp") return event("ZCDpEvent", field("rho", number("rho")), field("xi", parameter(entry, "xi", 0)));
  if (type == "gaussian-mixture") return gaussian_mixture(entry, relation);
  throw ReadError("dp-event: " + type + " has no event of dp-accounting");
}

/// Sizes of a batch and of the data whose quotient is the share: those that were written, or the least.
std::pair<std::int64_t, std::int64_t> sizes_of(const Entry& entry, double share) {
  if (!entry.sizes.empty()) {
    const double batch = entry.sizes.at("batch"), dataset = entry.sizes.at("dataset");
    if (share_of(batch, dataset, "dp-event") == share)
      return {static_cast<std::int64_t>(batch), static_cast<std::int64_t>(dataset)};
  }
  constexpr std::int64_t largest = 10'000'000;
  for (std::int64_t dataset = 1; dataset <= largest; ++dataset) {
    const double batch = std::floor(share * static_cast<double>(dataset) + 0.5);
    if (share_of(batch, static_cast<double>(dataset), "dp-event") == share)
      return {static_cast<std::int64_t>(batch), dataset};
  }
  throw ReadError("dp-event: wor is no quotient of sizes up to 1e7, which SampledWithoutReplacementDpEvent takes");
}

Event of_sampled(const Entry& entry, Relation relation) {
  if (entry.sampling.empty()) return of_mechanism(entry, relation);
  if (const auto q = entry.sampling.find("poisson"); q != entry.sampling.end())
    return event("PoissonSampledDpEvent", field("sampling_probability", q->second),
                 field("event", of_mechanism(entry, relation)));
  if (const auto share = entry.sampling.find("without_replacement"); share != entry.sampling.end()) {
    const auto [batch, dataset] = sizes_of(entry, share->second);
    return event("SampledWithoutReplacementDpEvent", field("source_dataset_size", dataset), field("sample_size", batch),
                 field("event", of_mechanism(entry, relation)));
  }
  if (entry.sampling.contains("truncated_poisson") && entry.type == "gaussian")
    return event("TruncatedSubsampledGaussianDpEvent",
                 field("dataset_size", static_cast<std::int64_t>(entry.sampling.at("records"))),
                 field("sampling_probability", entry.sampling.at("truncated_poisson")),
                 field("truncated_batch_size", static_cast<std::int64_t>(entry.sampling.at("largest_batch"))),
                 field("noise_multiplier", multiplier(entry, "sigma")));
  throw ReadError("dp-event: " + entry.type + "'s sampling has no event of dp-accounting");
}

/// The mean of the tries, rounded up: more of them give away more.
double mean_above(const Tries& tries) {
  if (tries.shape != 1) return mean_of(tries);
  const double mean = 1 / tries.gamma;  // as people write it, where that is read as the same law
  return 1 / mean > tries.gamma ? std::nextafter(mean, infinity) : mean;
}

Event of_selection(const Entry& entry, Relation relation) {
  const Tries tries = tries_from_text(entry.tries, "dp-event");
  if (tries.law == Tries::Law::poisson || tries.shape < 0)
    throw ReadError("dp-event: tries are '" + entry.tries +
                    "', but must be geometric or negative-binomial with a shape "
                    "of 0 or more: JSON has no number for the shape of Poisson tries");
  return event("RepeatAndSelectDpEvent", field("event", dp_event_of(entry.tried, relation)),
               field("mean", mean_above(tries)), field("shape", tries.shape));
}

Event of_one(const Entry& entry, Relation relation) {
  return entry.tries.empty() ? of_sampled(entry, relation) : of_selection(entry, relation);
}

}  // namespace

std::vector<std::string> unreleased_classes(const Event& event) {
  std::vector<std::string> found;
  const std::string text = event.dump();
  for (const std::string name : {"DiscreteGaussianDpEvent", "EpsilonDeltaDpEvent"})
    if (text.find('"' + name + '"') != std::string::npos) found.push_back(name);
  return found;
}

Event dp_event_of(const std::vector<Entry>& entries, Relation relation) {
  Event events = Event::array();
  for (const Entry& entry : entries) {
    const Event one = of_one(entry, relation);
    events.push_back(entry.count == 1 ? one
                                      : event("SelfComposedDpEvent", field("event", one), field("count", entry.count)));
  }
  if (events.empty()) return event_named("NoOpDpEvent");
  return events.size() == 1 ? events.front() : event("ComposedDpEvent", field("events", events));
}

}  // namespace pld
