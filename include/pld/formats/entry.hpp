#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pld/account/composition.hpp"

namespace pld {

/// One line of a ledger: a mechanism by the name of its type, as a person or a program wrote it; or a private
/// selection, of no type, by what is tried and how often.
struct Entry {
  std::string type{};
  std::map<std::string, double> parameters{};
  std::map<std::string, std::vector<double>> lists{};  ///< the parameters that are lists of numbers
  std::map<std::string, double> sampling{};  ///< how records get into it, e.g. {"poisson", 0.005}; empty: all do
  std::int64_t count = 1;
  std::optional<double> epochs{};         ///< of which count was worked out, by the sampling's rate
  std::string tries{};                    ///< the law of their number, e.g. "geometric:mean=10"; empty: no selection
  std::vector<Entry> tried{};             ///< the releases of each try
  std::map<std::string, double> sizes{};  ///< "batch" and "dataset", where a share of the sampling was written so
  std::string assumed_sampler{};  ///< what those were taken to be of, e.g. "poisson", where nobody named a sampler
};

/// The release an entry stands for. Throws DomainError for an unknown type or parameter, a missing parameter, a value
/// out of range, or numbers of no one sampling scheme; ReadError for tries that cannot be read.
[[nodiscard]] Release release_of(const Entry& entry);

}  // namespace pld
