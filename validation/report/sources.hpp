#pragma once

#include "report.hpp"

namespace pld::validation {

/// One section a source.
[[nodiscard]] Section renyi_notes();
[[nodiscard]] Section alpha_divergence_paper();
[[nodiscard]] Section hockey_stick_lecture();
[[nodiscard]] Section variants_table();
[[nodiscard]] Section decomposition_notes();

}  // namespace pld::validation
