#pragma once

#include <cstddef>
#include <memory>

#include "pld/core/profile_bracket.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

/// What is certain of nothing.
constexpr ProfileBracket unknown_profile{{-infinity, -infinity, 0}, {-infinity, 0, 0}};

/// The privacy profile of one direction of a composition, composed once and read at many epsilons: certified at each,
/// and narrow around the one it was made for (some standard deviations of the loss).
class ProfilePiece {
 public:
  virtual ~ProfilePiece() = default;

  /// Finite epsilon.
  [[nodiscard]] virtual ProfileBracket at(double epsilon) const = 0;

  /// About the epsilon it was made for; 0 where it is as narrow at any.
  [[nodiscard]] virtual double centre() const { return 0; }

  /// About how many numbers it keeps.
  [[nodiscard]] virtual std::size_t size() const { return 0; }
};

using PiecePtr = std::shared_ptr<const ProfilePiece>;

/// What a piece says at any epsilon. Far out engines add and square losses that overflow: delta, which falls, is there
/// at most what the piece says nearer by.
[[nodiscard]] ProfileBracket reading(const ProfilePiece& piece, double epsilon);

/// What two pieces say together; either may be null.
[[nodiscard]] PiecePtr both(PiecePtr a, PiecePtr b);

}  // namespace pld
