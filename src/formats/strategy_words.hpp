#pragma once

#include <optional>
#include <string>

#include "pld/formats/entry.hpp"
#include "pld/formats/file_access.hpp"

namespace pld {

/// A matrix mechanism in words: the file of its strategy matrix, and how far apart the steps of a record are. In how
/// many it is stands among the entry's sampling numbers, with which that word is shared.
struct StrategyWords {
  std::string path{};
  std::optional<double> min_separation{};

  /// Writes its sensitivity into an entry. Throws ReadError where the sensitivity is given besides, for a file that is
  /// no matrix, and for a sampling other than cyclic Poisson samples: of a lower triangular matrix of at most
  /// min_separation bands, with a count of its rounds (Choquette-Choo, Ganesh, McKenna, McMahan, Rush, Thakurta, Xu
  /// 2023).
  void write_to(Entry& entry, FileAccess files, const std::string& where) const;
};

}  // namespace pld
