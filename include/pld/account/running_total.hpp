#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pld/account/composition.hpp"
#include "pld/account/lattice_total.hpp"
#include "pld/account/query.hpp"
#include "pld/account/release_cells.hpp"

namespace pld {

/// The grid for a running total that is to become like `expected` (mechanisms like those to come, with as many of
/// them), for queries at a delta in (0, 1), certified within a relative width of about `tolerance` of delta. Throws
/// DomainError.
[[nodiscard]] TotalGrid grid_for(const Composition& expected, double delta, double tolerance = 1e-3);

/// The privacy loss of releases made one after the other, by the million, that can be asked at any time, saved, and
/// merged with that of another shard of them.
///
/// Its answers are those of a composition that was fixed in advance. It is no privacy filter: to stop when a target is
/// reached, with parameters chosen after earlier releases were seen, may give away more than the target (Tran, Koskela,
/// Raisa, Honkela 2026, arXiv:2602.06756); see PrivacyFilter for what may be done then.
///
/// As long as at most `most_listed` mechanisms differ, however often they are repeated, it is the list of them, and
/// answers are those of epsilon() and delta(). Beyond that
///   - Gaussians that are not sampled are joined into one, exactly;
///   - Gaussians, Laplace and discrete Laplace noise, (epsilon, delta)-DP of one delta and
///   binary randomized
///     response, sampled or not, are kept in at most ReleaseCells::most boxes of their parameters: wider as there are
///     more kinds (a million, noise from 1 to 1.4 times the least: some percent of delta, some parts in a thousand of
///     epsilon);
///   - others, and what is to be composed with them, are composed on a lattice as they come: a query costs two
///   convolutions of at
///     most 2^20 nodes (each side, each direction), however many releases there were before.
/// On the lattice brackets are narrowest about the epsilon and delta the grid was made for; a lower bound is looser
/// where distinct mechanisms have atoms.
class RunningTotal {
 public:
  static constexpr std::size_t most_listed = 32;

  /// All there is to it, for saving.
  struct State {
    TotalGrid grid;
    Composition listed;  ///< neither in the boxes nor in the totals
    JoinedGaussians gaussians{};
    ReleaseCells cells{};
    LatticeTotal remove{};
    std::optional<LatticeTotal> add{};  ///< the same as `remove` while it is not there: all are symmetric
    bool on_lattice = false;            ///< whether the totals hold anything
    bool exact_on_lattice = true;       ///< whether one pair of neighbours attains all that they hold
  };

  /// Throws DomainError for a number out of range.
  explicit RunningTotal(const TotalGrid& grid = {}, Relation relation = Relation::add_remove);
  explicit RunningTotal(State state);

  /// As Composition::add().
  void add(const Mechanism& mechanism, std::int64_t count = 1);

  /// Adds the releases of another total. Throws DomainError where their grids or their relations differ.
  void merge(const RunningTotal& other);

  /// Puts everything on the lattice.
  void fold();

  /// As epsilon() and delta() of a composition of all releases; beyond the list the bracket is as wide as it is:
  /// `converged` tells whether that is within the tolerance. On the lattice no engine asked for is heeded.
  [[nodiscard]] Answer epsilon(const EpsilonQuery& query);
  [[nodiscard]] DeltaAnswer delta(const DeltaQuery& query);

  [[nodiscard]] const State& state() const { return state_; }

 private:
  bool box(const Mechanism& mechanism, std::int64_t count);
  void shorten();
  [[nodiscard]] std::vector<BoundedRelease> pending(Direction direction) const;
  [[nodiscard]] bool for_engines() const;
  [[nodiscard]] Composition bound(PairPtr BoundedRelease::*side) const;
  template <class Ask, class Narrow>
  [[nodiscard]] auto between(const Ask& ask, const Narrow& narrow) const;
  [[nodiscard]] LatticeTotal& total(Direction direction);

  State state_;
};

}  // namespace pld
