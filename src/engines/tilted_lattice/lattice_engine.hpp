#pragma once

#include <optional>

#include "engines/piece_ask.hpp"
#include "engines/profile_piece.hpp"
#include "engines/rare_losses/hits_apart.hpp"
#include "engines/tilted_lattice/lattice_query.hpp"
#include "pairs/term.hpp"

namespace pld {

/// Points one question's lattices may take: some seconds for a single kind of release, and a little for each more.
[[nodiscard]] double lattice_points(std::size_t kinds);

/// The general engine for one ask: each release on a lattice from both sides, composed by tilted transforms. It is
/// refined until it is as narrow as asked, or the work allowed is spent. What its pieces need in common is prepared
/// once. At least one term, kept by reference; counts >= 1. Not safe to share between threads.
class LatticeWork {
 public:
  /// `points`: those left of lattice_points(), kept by reference while pieces are made, which take theirs off.
  LatticeWork(const Terms& terms, const PieceAsk& ask, double& points);

  [[nodiscard]] const Terms& terms() const { return terms_; }
  [[nodiscard]] double epsilon() const { return near_.epsilon; }  ///< about, where that of a delta is asked for
  [[nodiscard]] const std::optional<double>& log_delta_asked() const { return ask_.log_delta; }
  [[nodiscard]] const LatticeQuery& query() const { return query_; }
  [[nodiscard]] bool without_lattice_first() const;     ///< where moments are often enough: they cost nothing
  [[nodiscard]] bool is_below(double log_delta) const;  ///< by the saddle point: an estimate
  [[nodiscard]] bool needs_parts() const { return apart() && apart()->needed; }

  /// Under one tilt; null where epsilon lies too far out for a lattice.
  [[nodiscard]] PiecePtr whole() const;
  /// The same with a small part of the work; null where that is too little.
  [[nodiscard]] PiecePtr quick() const;
  /// The sum of the body and of single hits, see OneHit; null where there are none.
  [[nodiscard]] PiecePtr parts() const;

 private:
  /// Where a piece is to be narrow.
  struct Near {
    double epsilon = 0, log_width = 0;
  };
  template <class Piece, class Make>
  [[nodiscard]] PiecePtr narrowest(const Near& near, double& points, const Make& make) const;
  [[nodiscard]] PiecePtr within(double& points) const;
  [[nodiscard]] HitsApart* apart() const;  ///< null: none
  [[nodiscard]] std::optional<HitsApart> taken_apart() const;
  [[nodiscard]] std::optional<Near> near_of_parts() const;

  const Terms& terms_;
  PieceAsk ask_;
  double& points_;
  LatticeQuery query_;
  Near near_;
  mutable bool asked_apart_ = false;
  mutable std::optional<HitsApart> apart_;
};

}  // namespace pld
