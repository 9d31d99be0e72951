#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pld/account/composition.hpp"

namespace pld {

/// One line of a ledger: a mechanism by the name of its type, as a person or a program wrote it.
struct Entry {
  std::string type;
  std::map<std::string, double> parameters{};
  std::map<std::string, std::vector<double>> lists{};  ///< the parameters that are lists of numbers
  std::map<std::string, double> sampling{};  ///< how records get into it, e.g. {"poisson", 0.005}; empty: all do
  std::int64_t count = 1;
};

/// The release an entry stands for. Throws DomainError for an unknown type or parameter, a missing parameter, a value
/// out of range, or numbers of no one sampling scheme.
[[nodiscard]] Release release_of(const Entry& entry);

}  // namespace pld
