#pragma once

#include <algorithm>
#include <cmath>

namespace pld {

/// How much work a line may take. slight: what a lattice takes that rounds so many releases; quick: no more than the
/// lattice engine may be expected to take, a tenth of a second at a tolerance of 1e-4; thorough: half a second a line,
/// if that is more.
enum class Effort { slight, quick, thorough };

/// Outcomes times nodes of a slight effort: a lattice is the finer, the more releases it rounds, and each kind of them
/// has one of its own. `kinds`: with the small Gaussian release beside them.
[[nodiscard]] inline double slight_work(double releases, double kinds, double tolerance) {
  constexpr double few = 100, many = 1e4, most = 5e5;
  return kinds * most * std::sqrt(std::clamp(releases, few, many) / many / tolerance);
}

}  // namespace pld
