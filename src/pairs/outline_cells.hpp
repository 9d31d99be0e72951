#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// Edges between an outline's cells, some 1/stride of them, from -inf to `highest`; beyond the outline steps that grow.
[[nodiscard]] std::vector<double> edges_between(const std::vector<LossCell>& outline, double highest,
                                                std::size_t stride);

/// Each interval in equal parts; those that reach to infinity stay.
[[nodiscard]] std::vector<double> in_parts(const std::vector<double>& edges, std::size_t parts);

/// Edges between some few cells of a density, up to `highest`, that take no outline: about 0 and, ever wider, to where
/// next to nothing lies beyond.
[[nodiscard]] std::vector<double> few_edges(const DominatingPair& pair, double highest, std::size_t cells);

/// The pair's outline with each cell of a density in so many parts, or as many as do not take long; as it is where any
/// would. Worked out once for as long as the pair lives.
[[nodiscard]] std::shared_ptr<const std::vector<LossCell>> finer_outline(const PairPtr& pair, std::size_t parts);

}  // namespace pld
