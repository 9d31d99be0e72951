#pragma once

#include <cstdint>
#include <memory>

#include "pld/account/composition.hpp"
#include "pld/account/query.hpp"
#include "pld/account/total_grid.hpp"

namespace pld {

struct RunningTotalState;

/// The grid for a running total that is to become like `expected`: mechanisms like those to come, and as many. Queries
/// at `delta` in (0, 1) are then certified within about `tolerance` of delta, relatively. Throws DomainError.
[[nodiscard]] TotalGrid grid_for(const Composition& expected, double delta, double tolerance = 1e-3);

/// The privacy loss of releases made one after the other, by the million, that can be asked at any time, saved, and
/// merged with that of another shard of them.
///
/// Its answers are those of a composition that was fixed in advance. It is no privacy filter: to stop when a target is
/// reached, with parameters chosen after earlier releases were seen, may give away more than the target (Tran, Koskela,
/// Raisa, Honkela 2026, arXiv:2602.06756); see PrivacyFilter for what may be done then.
///
/// As long as at most 128 mechanisms differ, however often they are repeated, it is the list of them, and
/// answers are those of epsilon() and delta(). Beyond that
///   - Gaussians that are not sampled are joined into one, exactly;
///   - Gaussians, Laplace and discrete Laplace noise, (epsilon, delta)-DP of one delta and binary randomized response,
///     sampled or not, are kept in at most 256 boxes of their parameters: wider as there are more kinds (a million,
///     noise from 1 to 1.4 times the least: some percent of delta, some parts in a thousand of epsilon);
///   - others, and what is to be composed with them, are composed on a lattice as they come: a query costs two
///     convolutions of at most 2^20 nodes (each side, each direction), however many releases there were before.
/// On the lattice brackets are narrowest about the epsilon and delta the grid was made for; a lower bound is looser
/// where distinct mechanisms have atoms.
class RunningTotal {
 public:
  /// Throws DomainError for a number out of range.
  explicit RunningTotal(const TotalGrid& grid = {}, const Neighbours& neighbours = {});

  RunningTotal(const RunningTotal& other);
  RunningTotal(RunningTotal&& other) noexcept;
  RunningTotal& operator=(const RunningTotal& other);
  RunningTotal& operator=(RunningTotal&& other) noexcept;
  ~RunningTotal();

  /// As Composition::add(). Throws DomainError, too, where the list is full and what is on it fits no lattice, such as
  /// noise of 5e6 values and more; the total is as before.
  void add(const Mechanism& mechanism, std::int64_t count = 1);

  /// Adds the releases of another total. Throws DomainError where their grids or their neighbours differ, and as
  /// add().
  void merge(const RunningTotal& other);

  /// Puts everything on the lattice. Throws DomainError where something does not fit; the total is as before.
  void fold();

  /// As epsilon() and delta() of a composition of all releases; beyond the list the bracket is as wide as it is:
  /// `converged` tells whether that is within the tolerance. On the lattice no engine asked for is heeded,
  /// and a delta of 0 or 1 or an infinite epsilon is a DomainError.
  [[nodiscard]] Answer epsilon(const EpsilonQuery& query);
  [[nodiscard]] DeltaAnswer delta(const DeltaQuery& query);

  /// All there is to it, for running_total_bytes(); no type of it is installed.
  explicit RunningTotal(RunningTotalState state);
  [[nodiscard]] const RunningTotalState& state() const { return *state_; }

 private:
  std::unique_ptr<RunningTotalState> state_;
};

}  // namespace pld
