#pragma once

#include <memory>

#include "engines/profile_piece.hpp"
#include "engines/tilted_lattice/lattice_engine.hpp"

namespace pld {

/// What needs no lattice, at any epsilon: moments of all releases, their largest losses alone, equal shares, and what
/// holds without sampling. It keeps the work. Not safe to share between threads.
[[nodiscard]] PiecePtr without_lattice_piece(std::shared_ptr<const LatticeWork> work);

/// What moments of some few cells of each release tell, where there are so many that placing a lattice would take too
/// long; null where even these would. `centre`: about where it is read. The terms are not kept.
[[nodiscard]] PiecePtr moments_alone_piece(const Terms& terms, double centre);

}  // namespace pld
