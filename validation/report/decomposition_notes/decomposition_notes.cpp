#include "parts.hpp"
#include "sources.hpp"

namespace pld::validation {

Section decomposition_notes() {
  Section section{"decomposition-notes",
                  "Notes: Privacy (privacy loss, Rényi DP, decomposition)",
                  "Definitions, identities and inequalities, mostly after lectures of Steinke. Here they are tried on "
                  "random pairs of "
                  "distributions with fixed seeds.",
                  {},
                  {}};
  namespace parts = notes_parts;
  for (const auto part :
       {parts::privacy_loss, parts::renyi, parts::approximate_renyi, parts::composition, parts::decomposition}) {
    part(section);
  }
  return section;
}

}  // namespace pld::validation
