#pragma once

namespace pld {

/// How much work a line may take. slight: what a lattice takes that rounds so many releases; quick: no more than the
/// lattice engine may be expected to take, a tenth of a second at a tolerance of 1e-4; thorough: half a second a line,
/// if that is more.
enum class Effort { slight, quick, thorough };

}  // namespace pld
