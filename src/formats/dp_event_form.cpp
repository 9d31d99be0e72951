#include "formats/dp_event_form.hpp"

#include <map>
#include <vector>

#include "formats/fields.hpp"
#include "formats/strict_json.hpp"
#include "pld/formats/read_error.hpp"

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
    {"SingleEpochTreeAggregationDpEvent", {"noise_multiplier", "step_counts"}},
    {"RepeatAndSelectDpEvent", {"event", "mean", "shape"}},
    {"MixtureOfGaussiansDpEvent", {"standard_deviation", "sensitivities", "sampling_probs"}},
    {"ZCDpEvent", {"rho", "xi"}},
    {"TruncatedSubsampledGaussianDpEvent",
     {"dataset_size", "sampling_probability", "truncated_batch_size", "noise_multiplier"}},
};

/// Why there is no law of a class of dp-accounting.
const std::map<std::string, std::string> without_law{
    {"UnsupportedDpEvent", "stands for an operation that nothing is known of"},
    {"SampledWithReplacementDpEvent", "has no theorem here: a record may be in a batch several times"},
};

const std::vector<std::string>& fields_of(const std::string& name, const std::string& where) {
  const auto found = classes.find(name);
  if (found != classes.end()) return found->second;
  const auto reason = without_law.find(name);
  if (reason != without_law.end()) throw ReadError(where + ": " + name + " " + reason->second);
  if (name.find("TreeAggregation") != std::string::npos)
    throw ReadError(where, "class_name", "'" + name + "'",
                    "told by the tree's matrix: gaussian:sigma=NOISE,matrix=FILE (see `pld help gaussian`)");
  std::vector<std::string> names;
  for (const auto& [known, unused] : classes) names.push_back(known);
  throw not_one_of(where, "class_name", name, names);
}

}  // namespace

bool is_dp_event(const nlohmann::json& value) {
  if (value.is_object()) return value.contains("class_name");
  return value.is_array() && value.size() >= 2 && value[0].is_string() && value[1].is_string();
}

nlohmann::json event_object(const nlohmann::json& event, const std::string& where) {
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

}  // namespace pld
