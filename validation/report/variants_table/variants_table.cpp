#include "parts.hpp"
#include "sources.hpp"

namespace pld::validation {

Section variants_table() {
  Section section{
      "variants-table",
      "Variants of Differential Privacy (March 13, 2019)",
      "Two pages: a table of definitions with their noise, composition and conversion, tCDP, and amplification by "
      "sampling a "
      "fixed number of records. Its formulas stand without the conditions of their theorems; s is the share sampled.",
      {},
      {}};
  for (const auto part : {variants_parts::basic_definitions, variants_parts::truncated, variants_parts::subsampling})
    part(section);
  return section;
}

}  // namespace pld::validation
