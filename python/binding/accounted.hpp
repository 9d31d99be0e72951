#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/training_run.hpp"
#include "pld/account/composition.hpp"
#include "pld/formats/entry.hpp"
#include "pld/formats/file_access.hpp"

namespace pld::python {

/// A composition and the entries it was made from, one a release: what is written as JSON.
class Accounted {
 public:
  explicit Accounted(const Neighbours& neighbours) : composition_(neighbours) {}

  /// A ledger, see composition_from_json(); an adjacency given must not contradict it.
  static Accounted from_json(std::string_view text, const std::string& adjacency,
                             FileAccess files = FileAccess::allowed);
  /// Words of the command, see entry_from_text().
  static Accounted from_words(const std::vector<std::string>& words, const std::string& adjacency);

  /// DomainError unless both have the same neighbours.
  void require_composable(const Accounted& other) const;
  /// The composition of one or more that are composable.
  static Accounted sum(const std::vector<const Accounted*>& parts);
  [[nodiscard]] Accounted times(double count) const;
  /// The same releases where so many records change at once.
  [[nodiscard]] Accounted in_groups(double records) const;

  /// The best of so many runs of it, put out alone: see private_selection().
  [[nodiscard]] Accounted best_of(const std::string& tries) const;

  [[nodiscard]] const Composition& composition() const { return composition_; }
  /// What it was made from, as often as it is released; a selection is one entry.
  [[nodiscard]] std::vector<Entry> entries() const;
  /// The same, of which that sampler was taken for granted.
  [[nodiscard]] Accounted assuming(const std::string& sampler) const;
  /// What its entries take for granted, see assumed_sampler_of().
  [[nodiscard]] std::string assumed_sampler() const { return assumed_sampler_of(entries_); }
  /// A ledger that from_json() reads back.
  [[nodiscard]] std::string json() const;

 private:
  [[nodiscard]] Accounted repeated(const Neighbours& neighbours, double count) const;
  void add(const Entry& entry, const Mechanism& mechanism, std::int64_t count);

  Composition composition_;
  std::vector<Entry> entries_{};  ///< their counts are the releases'
};

}  // namespace pld::python
