#pragma once

#include "account/lattice_total.hpp"
#include "engines/profile_piece.hpp"
#include "lattice/lattice_profile.hpp"

namespace pld {

/// A composition on a lattice, read from both sides at any epsilon or delta.
class TotalReading final : public ProfilePiece {
 public:
  /// Collapses the total, of one release or more.
  explicit TotalReading(LatticeTotal& total);

  [[nodiscard]] Bracket log_delta(double epsilon) const;
  [[nodiscard]] ProfileBracket at(double epsilon) const override;

  /// The smallest epsilon for a delta in (0, 1). Its upper end leaves what is cut off or infinite to delta; the lower
  /// end does without what was cut off.
  [[nodiscard]] Bracket epsilon(double delta) const;

 private:
  TotalReading(const TotalBlock& block, const LatticeTotal& total);

  LatticeProfile upper_, lower_;
  double near_ = 0;                            ///< an epsilon to search from
  double least_beyond_ = 0, most_beyond_ = 0;  ///< P mass of infinite losses, from above with all that was cut
};

}  // namespace pld
