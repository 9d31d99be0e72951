#pragma once

#include <string>
#include <vector>

#include "pld/account/composition.hpp"
#include "pld/formats/mechanism_text.hpp"

namespace pld::test {

/// Of mechanisms as the command reads them.
inline Composition composition_of(const std::vector<std::string>& mechanisms, const Neighbours& neighbours = {}) {
  Composition run(neighbours);
  for (const std::string& mechanism : mechanisms) {
    const Release release = release_of(entry_from_text(mechanism));
    run.add(release.mechanism, release.count);
  }
  return run;
}

}  // namespace pld::test
