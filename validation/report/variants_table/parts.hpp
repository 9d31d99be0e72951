#pragma once

#include "report.hpp"

/// The parts of the two pages, in their order: each adds its rows and figures.
namespace pld::validation::variants_parts {

void basic_definitions(Section& section);  ///< the first table
void truncated(Section& section);          ///< tCDP
void subsampling(Section& section);        ///< amplification by sampling

}  // namespace pld::validation::variants_parts
