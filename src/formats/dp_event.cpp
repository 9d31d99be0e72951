#include "formats/dp_event.hpp"

#include <map>
#include <utility>
#include <vector>

#include "core/number_text.hpp"
#include "formats/fields.hpp"
#include "formats/read_number.hpp"
#include "formats/strict_json.hpp"
#include "numeric/exact_fraction.hpp"
#include "pld/core/doubles_around.hpp"
#include "pld/core/errors.hpp"
#include "pld/formats/entry.hpp"
#include "pld/formats/read_error.hpp"
#include "sampling/schemes.hpp"

namespace pld {

namespace {

/// The fields of each class in the order of dp_event.py, in which an array gives them.
const std::map<std::string, std::vector<std::string>> classes{
    {"NoOpDpEvent", {}},
    {"NonPrivateDpEvent", {}},
    {"GaussianDpEvent", {"noise_multiplier"}},
    {"LaplaceDpEvent", {"noise_multiplier"}},
    {"RandomizedResponseDpEvent", {"noise_parameter", "num_buckets"}},
    {"EpsilonDeltaDpEvent", {"epsilon", "delta"}},
    {"DiscreteLaplaceDpEvent", {"noise_parameter", "sensitivity"}},
    {"DiscreteGaussianDpEvent", {"sigma", "sensitivity", "dimension"}},
    {"SelfComposedDpEvent", {"event", "count"}},
    {"ComposedDpEvent", {"events"}},
    {"PoissonSampledDpEvent", {"sampling_probability", "event"}},
    {"SampledWithoutReplacementDpEvent", {"source_dataset_size", "sample_size", "event"}},
    {"MixtureOfGaussiansDpEvent", {"standard_deviation", "sensitivities", "sampling_probs"}},
    {"ZCDpEvent", {"rho", "xi"}},
    {"TruncatedSubsampledGaussianDpEvent",
     {"dataset_size", "sampling_probability", "truncated_batch_size", "noise_multiplier"}},
};
constexpr int deepest = 200;

const std::vector<std::string>& fields_of(const std::string& name, const std::string& where) {
  const auto found = classes.find(name);
  if (found != classes.end()) return found->second;
  if (name.find("TreeAggregation") != std::string::npos)
    throw ReadError(where, "class_name", "'" + name + "'",
                    "told by the tree's matrix: gaussian:sigma=NOISE,matrix=FILE (see `pld help gaussian`)");
  std::vector<std::string> names;
  for (const auto& [known, unused] : classes) names.push_back(known);
  throw not_one_of(where, "class_name", name, names);
}

/// An event as an object, whichever form it has.
nlohmann::json as_object(const nlohmann::json& event, const std::string& where) {
  if (!event.is_array()) {
    if (!event.is_object()) require_object(event, {}, where);
    std::vector<std::string> accepted{"module_name", "class_name"};
    const auto& fields = fields_of(text_field(event, "class_name", where), where);
    accepted.insert(accepted.end(), fields.begin(), fields.end());
    require_object(event, accepted, where);
    return event;
  }
  if (!is_dp_event(event)) throw ReadError(where + " is an array, but must be an event");
  nlohmann::json object{{"module_name", event[0]}, {"class_name", event[1]}};
  const auto& fields = fields_of(event[1].get<std::string>(), where);
  if (event.size() != fields.size() + 2)
    throw ReadError(where + " has " + std::to_string(event.size()) + " elements, but must have " +
                    std::to_string(fields.size() + 2));
  for (std::size_t i = 0; i < fields.size(); ++i) object[fields[i]] = event[i + 2];
  return object;
}

double number_or(const nlohmann::json& event, const char* field, double otherwise, const std::string& where) {
  return event.contains(field) ? number_field(event, field, where) : otherwise;
}

double share_field(const nlohmann::json& event, const char* field, const std::string& where) {
  const double share = number_field(event, field, where);
  if (!(share >= 0 && share <= 1)) throw ReadError(where, field, number_text(share), "from 0 to 1");
  return share;
}

/// An answer drawn from all k buckets with probability f is the true one with probability 1 - f + f / k: rounded up.
Entry randomized_response(const nlohmann::json& event, const std::string& where) {
  const double buckets = number_field(event, "num_buckets", where), f = share_field(event, "noise_parameter", where);
  if (!(buckets >= 1)) throw ReadError(where, "num_buckets", number_text(buckets), "at least 1");
  const double p = double_above(1 - fraction_of(f) * (1 - 1 / fraction_of(buckets)));
  return {.type = "randomized-response", .parameters = {{"p", p}, {"k", buckets}}};
}

Entry discrete_gaussian(const nlohmann::json& event, const std::string& where) {
  // Several dimensions are not dominated by one.
  if (!event.contains("dimension") || event["dimension"] != 1)
    throw ReadError(where + ": dimension must be 1: only the law of one dimension is known");
  return {.type = "discrete-gaussian",
          .parameters = {{"sigma", number_field(event, "sigma", where)},
                         {"sensitivity", number_or(event, "sensitivity", 1, where)}}};
}

Entry gaussian_mixture(const nlohmann::json& event, const std::string& where) {
  const std::vector<double> shifts = numbers_field(event, "sensitivities", where);
  const std::vector<double> weights = numbers_field(event, "sampling_probs", where);
  Entry entry{.type = "gaussian-mixture",
              .parameters = {{"sigma", number_field(event, "standard_deviation", where)}},
              .lists = {{"shifts", {}}, {"weights", {}}}};
  if (shifts.size() != weights.size())
    throw ReadError(where + ": sensitivities and sampling_probs must have the same length");
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    if (weights[i] == 0) continue;  // what never happens
    entry.lists["shifts"].push_back(shifts[i]);
    entry.lists["weights"].push_back(weights[i]);
  }
  return entry;
}

Entry entry_of(const std::string& name, const nlohmann::json& event, const std::string& where) {
  const auto number = [&](const char* field) { return number_field(event, field, where); };
  if (name == "GaussianDpEvent") return {.type = "gaussian", .parameters = {{"sigma", number("noise_multiplier")}}};
  if (name == "LaplaceDpEvent") return {.type = "laplace", .parameters = {{"scale", number("noise_multiplier")}}};
  if (name == "RandomizedResponseDpEvent") return randomized_response(event, where);
  if (name == "EpsilonDeltaDpEvent")
    return {.type = "dp", .parameters = {{"epsilon", number("epsilon")}, {"delta", number("delta")}}};
  if (name == "DiscreteLaplaceDpEvent")
    return {.type = "discrete-laplace",
            .parameters = {{"a", number("noise_parameter")}, {"sensitivity", number("sensitivity")}}};
  if (name == "DiscreteGaussianDpEvent") return discrete_gaussian(event, where);
  if (name == "ZCDpEvent")
    return {.type = "zcdp", .parameters = {{"rho", number("rho")}, {"xi", number_or(event, "xi", 0, where)}}};
  if (name == "MixtureOfGaussiansDpEvent") return gaussian_mixture(event, where);
  if (name == "TruncatedSubsampledGaussianDpEvent")
    return {.type = "gaussian",
            .parameters = {{"sigma", number("noise_multiplier")}},
            .sampling = {{"truncated_poisson", number("sampling_probability")},
                         {"largest_batch", number("truncated_batch_size")},
                         {"records", number("dataset_size")}}};
  return {.type = "dp", .parameters = {{"epsilon", 0}, {"delta", 1}}};  // NonPrivateDpEvent: delta = 1 at every epsilon
}

std::vector<Entry> entries_of(const nlohmann::json& form, const std::string& where, int depth);

/// Only a single release is sampled: the law of a sampled composition is another one than that of sampled releases.
std::vector<Entry> to_sample(const nlohmann::json& event, const std::string& where, int depth) {
  std::vector<Entry> inner = entries_of(event.value("event", nlohmann::json()), where + ".event", depth + 1);
  if (!inner.empty() && (inner.size() != 1 || inner[0].count != 1))
    throw ReadError(where + ".event: " + one_sample_of_several());
  return inner;
}

ReadError sampled_twice(const std::string& where) {
  return ReadError(where + ".event: is sampled already, and no law of a sample of that sample is known");
}

std::vector<Entry> poisson_sampled(const nlohmann::json& event, const std::string& where, int depth) {
  const double q = share_field(event, "sampling_probability", where);
  std::vector<Entry> inner = to_sample(event, where, depth);
  for (Entry& entry : inner) {
    if (!entry.sampling.empty() && !entry.sampling.contains("poisson")) throw sampled_twice(where);
    // A sample of a sample is one of the product of the rates, rounded up where it is no double.
    const double rate = entry.sampling.empty() ? q : doubles_around_product(q, entry.sampling.at("poisson")).above;
    entry.sampling = {{"poisson", rate}};
  }
  return inner;
}

std::vector<Entry> sampled_without_replacement(const nlohmann::json& event, const std::string& where, int depth) {
  const double batch = number_field(event, "sample_size", where);
  const double dataset = number_field(event, "source_dataset_size", where);
  const double share = share_of(batch, dataset, where);
  std::vector<Entry> inner = to_sample(event, where, depth);
  for (Entry& entry : inner) {
    if (!entry.sampling.empty()) throw sampled_twice(where);
    entry.sampling = {{"without_replacement", share}};
    entry.sizes = {{"batch", batch}, {"dataset", dataset}};
  }
  return inner;
}

std::int64_t product(std::int64_t a, std::int64_t b, const std::string& where) {
  return count_from_number(static_cast<double>(a) * static_cast<double>(b), where);
}

std::vector<Entry> repeated(const nlohmann::json& event, const std::string& where, int depth) {
  const std::int64_t count = count_from_number(number_field(event, "count", where), where);
  std::vector<Entry> inner = entries_of(event.value("event", nlohmann::json()), where + ".event", depth + 1);
  for (Entry& entry : inner) entry.count = product(entry.count, count, where);
  return inner;
}

std::vector<Entry> composed(const nlohmann::json& event, const std::string& where, int depth) {
  std::vector<Entry> all;
  std::size_t index = 0;
  for (const auto& part : array_field(event, "events", where)) {
    const auto inner = entries_of(part, where + ".events[" + std::to_string(index++) + "]", depth + 1);
    all.insert(all.end(), inner.begin(), inner.end());
  }
  return all;
}

std::vector<Entry> entries_of(const nlohmann::json& form, const std::string& where, int depth) {
  if (depth > deepest) throw ReadError("event is nested deeper than " + std::to_string(deepest) + " levels");
  const nlohmann::json event = as_object(form, where);
  const std::string name = text_field(event, "class_name", where);
  if (name == "NoOpDpEvent") return {};
  if (name == "ComposedDpEvent") return composed(event, where, depth);
  if (name == "SelfComposedDpEvent") return repeated(event, where, depth);
  if (name == "PoissonSampledDpEvent") return poisson_sampled(event, where, depth);
  if (name == "SampledWithoutReplacementDpEvent") return sampled_without_replacement(event, where, depth);
  try {
    Entry entry = entry_of(name, event, where);
    static_cast<void>(release_of(entry));
    return {std::move(entry)};
  } catch (const DomainError& error) {
    throw ReadError(where + ": " + error.what());
  }
}

}  // namespace

bool is_dp_event(const nlohmann::json& value) {
  if (value.is_object()) return value.contains("class_name");
  return value.is_array() && value.size() >= 2 && value[0].is_string() && value[1].is_string();
}

std::vector<Entry> entries_of_dp_event(const nlohmann::json& event) { return entries_of(event, "event", 0); }

}  // namespace pld
