#pragma once

#include <algorithm>

#include "pairs/term.hpp"

namespace pld {

/// Whether all losses of their compositions lie on one lattice, on which none is rounded. Domain: at least one term.
[[nodiscard]] inline bool on_one_lattice(const Terms& terms) {
  const auto spacing = terms.front().pair->spacing();
  return spacing &&
         std::all_of(terms.begin(), terms.end(), [&](const Term& t) { return t.pair->spacing() == spacing; });
}

}  // namespace pld
