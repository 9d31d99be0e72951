#pragma once

#include <optional>
#include <string>

#include "pld/formats/entry.hpp"
#include "pld/formats/file_access.hpp"

namespace pld {

/// A matrix mechanism in words: the file of its strategy matrix, and in how many steps, how far apart, a record is.
struct StrategyWords {
  std::string path{};
  std::optional<double> participations{}, min_separation{};

  /// Writes its sensitivity into an entry; in words, where they share a name, the participations are among the entry's
  /// sampling numbers. Throws ReadError where the sensitivity is given besides, for a file that is no matrix, and for
  /// a sampling other than cyclic Poisson samples: of a lower triangular matrix of at most min_separation bands, with a
  /// count of its rounds (Choquette-Choo, Ganesh, McKenna, McMahan, Rush, Thakurta, Xu 2023).
  void write_to(Entry& entry, FileAccess files, const std::string& where) const;
};

}  // namespace pld
