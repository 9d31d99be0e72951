#include "formats/training_run.hpp"

#include <algorithm>
#include <cmath>

#include "core/number_text.hpp"
#include "formats/fields.hpp"
#include "formats/read_number.hpp"
#include "formats/samplers.hpp"
#include "pld/account/composition.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

const Sampler& sampler_named(const std::string& name, const std::string& where) {
  const auto* const found =
      std::find_if(std::begin(samplers), std::end(samplers), [&](const Sampler& one) { return one.name == name; });
  if (found == std::end(samplers)) throw not_one_of(where, "sampler", name, sampler_names());
  return *found;
}

/// The one whose number the entry has.
const Sampler* sampler_of(const Entry& entry) {
  const auto* const found = std::find_if(std::begin(samplers), std::end(samplers),
                                         [&](const Sampler& one) { return entry.sampling.contains(one.field); });
  return found == std::end(samplers) ? nullptr : found;
}

/// What cuts a sample too large, beside its rate.
void write_cut(Entry& entry, double dataset, const std::string& where) {
  if (entry.sampling.contains("records"))
    throw ReadError(where + ": records is the size of the dataset: give one or the other");
  if (!entry.sampling.contains("largest_batch"))
    throw ReadError(where, "cap", "missing", "the largest batch, to which samples are cut (sampler truncated)");
  entry.sampling["records"] = dataset;
}

/// Rounded up, but for a round-off above a whole number.
double whole_from_above(double value) { return std::ceil(value * (1 - 1e-15)); }

}  // namespace

const Entry* assuming(const Entry& entry) {
  if (!entry.assumed_sampler.empty()) return &entry;
  for (const Entry& tried : entry.tried)
    if (const Entry* const found = assuming(tried)) return found;
  return nullptr;
}

std::string assumed_sampler_of(const std::vector<Entry>& entries) {
  for (const Entry& entry : entries)
    if (const Entry* const found = assuming(entry)) return found->assumed_sampler;
  return {};
}

std::optional<std::int64_t> longer_loop(const Entry& entry) {
  const Sampler* const sampler = sampler_of(entry);
  if (!entry.epochs || entry.sizes.empty() || sampler == nullptr || !sampler->share) return std::nullopt;
  const double of_a_pass = std::ceil(entry.sizes.at("dataset") / entry.sizes.at("batch"));
  const double steps = whole_from_above(*entry.epochs * of_a_pass);
  if (!(steps > static_cast<double>(entry.count)) || steps > static_cast<double>(Composition::max_count))
    return std::nullopt;
  return static_cast<std::int64_t>(steps);
}

std::string sampler_name_of(const Entry& entry) {
  const Sampler* const sampler = sampler_of(entry);
  return sampler == nullptr ? "" : sampler->name;
}

std::vector<std::string> sampler_names() {
  std::vector<std::string> names;
  for (const Sampler& one : samplers) names.emplace_back(one.name);
  return names;
}

void TrainingRun::write_sampling(Entry& entry, const std::string& where) const {
  if (batch.has_value() != dataset.has_value())
    throw ReadError(where + ": batch and dataset belong together: give both");
  const Sampler* const written = sampler_of(entry);
  if (!batch) {
    if (sampler.empty()) return;
    const Sampler& named = sampler_named(sampler, where);
    if (written != &named)
      throw ReadError(where, "sampler", "'" + sampler + "'",
                      written != nullptr ? std::string(written->name) + ", which the other numbers are of"
                                         : "given with batch and dataset, or with a number of its own");
    return;
  }
  const Sampler& named = sampler_named(sampler.empty() ? otherwise : sampler, where);
  if (sampler.empty()) entry.assumed_sampler = named.name;
  if (written == &named)
    throw ReadError(where + ": " + (named.field == std::string("without_replacement") ? "wor" : named.name) +
                    " is the quotient of batch and dataset: give one or the other");
  const double share = share_of(*batch, *dataset, where);
  if (!named.share && share == 0) throw ReadError(where, "batch", "0", "at least 1");
  entry.sampling[named.field] = named.share ? share : steps_of_an_epoch(named.name, where);
  entry.sizes = {{"batch", *batch}, {"dataset", *dataset}};
  if (named.field == std::string("truncated_poisson")) write_cut(entry, *dataset, where);
}

/// A shuffled pass ends with a smaller batch. Elsewhere batches that do not go into the data evenly lie between two
/// numbers of steps: fewer give away more.
double TrainingRun::steps_of_an_epoch(const std::string& scheme, const std::string& where) const {
  const double steps = std::floor(*dataset / *batch);
  if (steps * *batch == *dataset) return steps;
  if (scheme == "shuffled") return steps + 1;
  throw ReadError(where, "batch", number_text(*batch),
                  "a divisor of " + number_text(*dataset) + " for these samples: give " + scheme + "=" +
                      number_text(steps) + " with epochs for what is lost at most, or " + scheme + "=" +
                      number_text(steps + 1) + " for what is lost at least");
}

void TrainingRun::write_to(Entry& entry, const std::string& where) const {
  write_sampling(entry, where);
  entry.epochs = epochs;
  if (epochs) entry.count = count_of_epochs(*epochs, entry);
}

bool is_by_passes(const Entry& entry) {
  const Sampler* const sampler = sampler_of(entry);
  return sampler != nullptr && !sampler->share;
}

void require_steps(const Entry& entry, const std::string& where) {
  if (!is_by_passes(entry)) return;
  const char* const counted = entry.sampling.contains("passes") ? "count is how often the bins are drawn anew"
                                                                : "epochs is how many passes of all steps are made";
  throw ReadError(where, "steps", "given", std::string("left out where a release is a pass of several: ") + counted);
}

std::int64_t count_of_epochs(double epochs, const Entry& entry) {
  if (!(epochs > 0)) throw ReadError(entry.type, "epochs", number_text(epochs), "> 0");
  if (entry.sampling.contains("passes"))
    throw ReadError(entry.type, "epochs", "given",
                    "left out beside passes, which are epochs: count is how often the bins are drawn anew");
  const Sampler* const sampler = sampler_of(entry);
  const double releases = sampler != nullptr && sampler->share ? epochs / entry.sampling.at(sampler->field) : epochs;
  if (!std::isfinite(releases)) throw ReadError(entry.type, "epochs", number_text(epochs), "of a sampling rate > 0");
  if (is_by_passes(entry) && epochs != std::floor(epochs))
    throw ReadError(entry.type, "epochs", number_text(epochs), "a whole number: a part of a pass has no theorem");
  return count_from_number(whole_from_above(releases), entry.type);
}

}  // namespace pld
