#pragma once

#include <vector>

#include "pld/formats/entry.hpp"

namespace pld {

/// The noise of one release of Gaussian noise on what moves by 1 that tells as much as all of these do, rounded down:
/// less noise gives away more. Each has a "sigma" and a sensitivity of 1; there is one or more, with a count above 0.
[[nodiscard]] double joint_noise(const std::vector<Entry>& gaussians);

}  // namespace pld
