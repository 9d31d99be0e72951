#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "core/side.hpp"
#include "pld/core/bracket.hpp"

namespace pld {

/// Asks alone for what pieces that serve many leave wide: an epsilon near 0 is told closer, a law on nodes has as many
/// as it needs there, and what takes much work has it. The last place comes first, then the middle one and those
/// halfway between. What `ask(i)` answers is met with what was found, and its `doubt` is to be clearly less. Ends once
/// work is gone, or three have been asked in vain. Takes the `certain` end alone where a law is rounded to a side.
void ask_alone(std::vector<Bracket>& found, const std::vector<std::size_t>& wide, std::optional<Side> certain,
               const std::function<double(const Bracket&)>& doubt, const std::function<Bracket(std::size_t)>& ask);

}  // namespace pld
