#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace pld {

/// Asks alone for what pieces that serve many leave wide: an epsilon near 0 is told closer, a law on nodes has as many
/// as it needs there, and what takes much work has it. The first place comes first, then the middle one and those
/// halfway between. `ask(i)` asks and has the doubt of what was found, to be clearly less than `doubt(i)` before. Ends
/// once work is gone, or three have been asked in vain.
void ask_alone(const std::vector<std::size_t>& wide, const std::function<double(std::size_t)>& doubt,
               const std::function<double(std::size_t)>& ask);

}  // namespace pld
