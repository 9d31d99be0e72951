#pragma once

#include <memory>

#include "engines/profile_piece.hpp"
#include "engines/tilted_lattice/lattice_engine.hpp"

namespace pld {

/// What needs no lattice, at any epsilon: moments of all releases, their largest losses alone, equal shares, and what
/// holds without sampling. It keeps the work. Not safe to share between threads.
[[nodiscard]] PiecePtr without_lattice_piece(std::shared_ptr<const LatticeWork> work);

}  // namespace pld
