#pragma once

#include <vector>

#include "pld/bounds/step.hpp"
#include "pld/formats/entry.hpp"

namespace pld {

/// Entries as the bounds see them: parameters, sampling rate and count; of types that no theorem names, and samples
/// that none is about, the mechanism with its pair.
[[nodiscard]] bounds::Steps bound_steps(const std::vector<Entry>& entries, const Neighbours& neighbours);

}  // namespace pld
