#include "formats/dp_event.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/number_text.hpp"
#include "formats/dp_event_form.hpp"
#include "formats/dp_event_release.hpp"
#include "formats/fields.hpp"
#include "formats/joint_noise.hpp"
#include "formats/read_number.hpp"
#include "formats/strict_json.hpp"
#include "formats/written_number.hpp"
#include "pld/account/private_selection.hpp"
#include "pld/core/doubles_around.hpp"
#include "pld/core/rounding.hpp"
#include "pld/formats/read_error.hpp"
#include "sampling/schemes.hpp"

namespace pld {
namespace {

constexpr int deepest = 200;

/// An event, where it stands, and what stands around it.
struct Place {
  std::string where;
  Relation relation = Relation::add_remove;
  bool on_sample = false;
  int depth = 0;

  [[nodiscard]] Place inside(const std::string& field) const {
    return {where + "." + field, relation, on_sample, depth + 1};
  }
};

std::vector<Entry> entries_of(const nlohmann::json& form, const Place& place);

std::vector<Entry> entries_inside(const nlohmann::json& event, const Place& place) {
  return entries_of(event.value("event", nlohmann::json()), place.inside("event"));
}

bool is_gaussian(const Entry& entry) { return entry.type == "gaussian" && entry.sampling.empty(); }

/// One release that tells as much as all of them on one sample do: the law of a sampled composition is another one than
/// that of sampled releases.
std::vector<Entry> joined(std::vector<Entry> entries, const std::string& where) {
  const auto telling = std::find_if(entries.begin(), entries.end(), tells_all);
  if (telling != entries.end()) return {*telling};
  if (entries.empty() || (entries.size() == 1 && entries[0].count == 1 && entries[0].tries.empty())) return entries;
  if (!std::all_of(entries.begin(), entries.end(), is_gaussian))
    throw ReadError(where + ".event: " + one_sample_of_several());
  return {{.type = "gaussian", .parameters = {{"sigma", joint_noise(entries)}}}};
}

std::vector<Entry> to_sample(const nlohmann::json& event, Place place) {
  place.on_sample = true;
  return joined(entries_inside(event, place), place.where);
}

ReadError sampled_twice(const std::string& where) {
  return ReadError(where + ".event: is sampled already, and no law of a sample of that sample is known");
}

std::vector<Entry> poisson_sampled(const nlohmann::json& event, const Place& place) {
  const double q = share_field(event, "sampling_probability", place.where);
  std::vector<Entry> inner = to_sample(event, place);
  if (q == 0) return {};
  for (Entry& entry : inner) {
    if (tells_all(entry)) continue;
    if (!entry.sampling.empty() && !entry.sampling.contains("poisson")) throw sampled_twice(place.where);
    // A sample of a sample is one of the product of the rates, rounded up where it is no double.
    const double rate = entry.sampling.empty() ? q : doubles_around_product(q, entry.sampling.at("poisson")).above;
    entry.sampling = {{"poisson", rate}};
  }
  return inner;
}

std::vector<Entry> sampled_without_replacement(const nlohmann::json& event, const Place& place) {
  const double batch = written_number(event, "sample_size", place.where);
  const double dataset = written_number(event, "source_dataset_size", place.where);
  const double share = share_of(batch, dataset, place.where);
  std::vector<Entry> inner = to_sample(event, place);
  if (batch == 0) return {};
  for (Entry& entry : inner) {
    if (tells_all(entry)) continue;
    if (!entry.sampling.empty()) throw sampled_twice(place.where);
    entry.sampling = {{"without_replacement", share}};
    entry.sizes = {{"batch", batch}, {"dataset", dataset}};
  }
  return inner;
}

std::int64_t product(std::int64_t a, std::int64_t b, const std::string& where) {
  return count_from_number(static_cast<double>(a) * static_cast<double>(b), where);
}

std::vector<Entry> repeated(const nlohmann::json& event, const Place& place) {
  const std::int64_t count = count_from_number(written_number(event, "count", place.where), place.where);
  std::vector<Entry> inner = entries_inside(event, place);
  if (count == 0) return {};
  for (Entry& entry : inner) entry.count = product(entry.count, count, place.where);
  return inner;
}

std::vector<Entry> composed(const nlohmann::json& event, const Place& place) {
  std::vector<Entry> all;
  std::size_t index = 0;
  for (const auto& part : array_field(event, "events", place.where)) {
    const auto inner = entries_of(part, place.inside("events[" + std::to_string(index++) + "]"));
    all.insert(all.end(), inner.begin(), inner.end());
  }
  return all;
}

/// The largest gamma found whose mean is certain to be no less: mean_of() rounds up by at most 3e-9 of it.
double gamma_of(double mean, double shape) {
  constexpr double least_gamma = 1e-9, rounded_up = 4e-9;
  const auto enough = [&](double gamma) {
    return mean_of({.shape = shape, .gamma = gamma}) >= mean * (1 + rounded_up);
  };
  double low = least_gamma, high = 1;
  for (int halving = 0; halving < 80; ++halving) {
    const double middle = low + (high - low) / 2;
    (enough(middle) ? low : high) = middle;
  }
  return low;
}

/// The tries of a RepeatAndSelectDpEvent in words: geometric for shape 1, Poisson for an infinite one, else negative
/// binomial with a gamma rounded down, which runs more often.
std::string tries_of_event(double mean, double shape, const std::string& where) {
  constexpr double largest_shape = 100, largest_mean = 1e6;  // of Tries
  if (!((shape >= 0 && shape <= largest_shape) || shape == infinity))
    throw ReadError(where, "shape", number_text(shape), "from 0 to 100, or \"inf\"");
  if (!(mean >= 1 && mean <= largest_mean)) throw ReadError(where, "mean", number_text(mean), "from 1 to 1e6");
  if (shape == infinity) return "poisson:mean=" + number_text(mean);
  if (shape == 1) return "geometric:mean=" + number_text(mean);
  return "negative-binomial:shape=" + number_text(shape) + ",gamma=" + number_text(gamma_of(mean, shape));
}

/// JSON has no number for it.
double shape_field(const nlohmann::json& event, const std::string& where) {
  return event.value("shape", nlohmann::json()) == "inf" ? infinity : written_number(event, "shape", where);
}

std::vector<Entry> selected_of(const nlohmann::json& event, const Place& place) {
  Entry selection{
      .tries = tries_of_event(written_number(event, "mean", place.where), shape_field(event, place.where), place.where),
      .tried = entries_inside(event, place)};
  if (selection.tried.empty()) return {};
  return {std::move(selection)};
}

/// What a class whose event holds others does with them; nothing of the other classes.
std::optional<std::vector<Entry>> of_others(const nlohmann::json& event, const Place& place) {
  const std::string name = text_field(event, "class_name", place.where);
  if (name == "ComposedDpEvent") return composed(event, place);
  if (name == "SelfComposedDpEvent") return repeated(event, place);
  if (name == "PoissonSampledDpEvent") return poisson_sampled(event, place);
  if (name == "SampledWithoutReplacementDpEvent") return sampled_without_replacement(event, place);
  if (name == "RepeatAndSelectDpEvent") return selected_of(event, place);
  return std::nullopt;
}

std::vector<Entry> entries_of(const nlohmann::json& form, const Place& place) {
  if (place.depth > deepest) throw ReadError("event is nested deeper than " + std::to_string(deepest) + " levels");
  const nlohmann::json event = event_object(form, place.where);
  if (const auto found = of_others(event, place)) return *found;
  return entries_of_release({event, place.where, place.relation, place.on_sample});
}

}  // namespace

std::vector<Entry> entries_of_dp_event(const nlohmann::json& event, Relation relation) {
  return entries_of(event, {"event", relation});
}

}  // namespace pld
