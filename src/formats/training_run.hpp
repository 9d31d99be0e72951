#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pld/formats/entry.hpp"

namespace pld {

/// A training run in the words of a data loader, of which an entry's sampling and count are made. The largest batch of
/// a truncated sampler stands in the entry already.
struct TrainingRun {
  std::string sampler{};                 ///< one of sampler_names(); empty: what the numbers are of, or `otherwise`
  std::string otherwise = "fixed-size";  ///< what is taken for granted of batch and dataset
  std::optional<double> batch{}, dataset{}, epochs{};

  /// Writes into an entry what is given. Throws ReadError where something is missing, given twice or out of range.
  void write_to(Entry& entry, const std::string& where) const;

 private:
  void write_sampling(Entry& entry, const std::string& where) const;
  [[nodiscard]] double steps_of_an_epoch(const std::string& scheme, const std::string& where) const;
};

/// The entry itself, or one that is tried in it, where it takes a sampler for granted; else null.
[[nodiscard]] const Entry* assuming(const Entry& entry);

/// The sampler that the first such of them takes for granted; empty where none does.
[[nodiscard]] std::string assumed_sampler_of(const std::vector<Entry>& entries);

/// The steps of a loop over a data loader, ceil(dataset / batch) an epoch, where they are more than the entry counts
/// of its epochs: its batch does not divide the data, and samples are drawn anew for each.
[[nodiscard]] std::optional<std::int64_t> longer_loop(const Entry& entry);

/// The one of sampler_names() whose number the entry's sampling has; empty where none does.
[[nodiscard]] std::string sampler_name_of(const Entry& entry);

/// poisson, fixed-size, allocation, shuffled, truncated
[[nodiscard]] std::vector<std::string> sampler_names();

/// Whether each release of the entry is a pass of several steps, which draws or shuffles all records.
[[nodiscard]] bool is_by_passes(const Entry& entry);

/// Throws ReadError where releases are passes, of which steps would be too many.
void require_steps(const Entry& entry, const std::string& where);

/// The releases in so many epochs of the entry's sampling, rounded up; a round-off above a whole number is none.
/// Throws ReadError where an epoch cannot be counted, or only whole ones can.
[[nodiscard]] std::int64_t count_of_epochs(double epochs, const Entry& entry);

}  // namespace pld
