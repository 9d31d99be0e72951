#pragma once

#include <memory>
#include <optional>

#include "engines/engine_answer.hpp"
#include "engines/profile_piece.hpp"
#include "engines/rare_losses/hits_apart.hpp"
#include "engines/tilted_lattice/lattice_query.hpp"
#include "pairs/term.hpp"

namespace pld {

/// Points one question's lattices may take: some seconds for a single kind of release, and a little for each more.
[[nodiscard]] double lattice_points(std::size_t kinds);

/// The general engine for one epsilon: each release on a lattice from both sides, composed by tilted transforms. It is
/// refined until log delta at `epsilon` is as narrow as `width`, and log(1 - delta) where 1 - delta is above 1e-8, or
/// the work allowed is spent. What its pieces need in common is prepared once, for use where delta is up to e^`nats`
/// times smaller or larger too. At least one term, kept by reference; counts >= 1. Not safe to share between threads.
class LatticeWork {
 public:
  /// `points`: those left of lattice_points(), kept by reference while pieces are made, which take theirs off.
  LatticeWork(const Terms& terms, double epsilon, double width, double nats, double& points);

  [[nodiscard]] const Terms& terms() const { return terms_; }
  [[nodiscard]] double epsilon() const { return epsilon_; }
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
  [[nodiscard]] PiecePtr within(double& points) const;
  [[nodiscard]] HitsApart* apart() const;  ///< null: none

  const Terms& terms_;
  double epsilon_, width_, nats_;
  double& points_;
  LatticeQuery query_;
  mutable bool asked_apart_ = false;
  mutable std::optional<HitsApart> apart_;
};

/// By moments and largest losses alone. It keeps the work.
[[nodiscard]] PiecePtr without_lattice_piece(std::shared_ptr<const LatticeWork> work);

/// Smallest epsilon at which the finite losses have a profile of at most e^log_finite, delta less the mass at +inf,
/// itself known to within a bracket (lower may be -inf: the answer's upper end is then +inf). `tolerance` is relative,
/// a width of 1e-9 is enough in any case. `points`: those it may take, less what it takes.
[[nodiscard]] EngineAnswer lattice_epsilon(const Terms& terms, const Bracket& log_finite, double tolerance,
                                           double& points);

}  // namespace pld
