#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pld/core/direction.hpp"
#include "pld/core/doubles_around.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

/// P and Q mass of an atom of the loss distribution, or of all outcomes with a loss in some interval: log P, log Q and
/// log(P/Q), the cell's barycentre under Q in the scale of e^loss. A of -inf is an empty cell.
struct LossCell {
  double loss = 0;                ///< log(P/Q), finite
  double log_mass = -infinity;    ///< log P, natural log
  double log_q_mass = -infinity;  ///< log Q = log_mass - loss, kept apart: that difference cancels where both are large
};

struct LossRange {
  double lowest = -infinity;
  double highest = infinity;
};

/// A loss that is known exactly: rate * times / over.
struct ExactLoss {
  double rate = 0, times = 1, over = 1;
};

/// A slope of Renyi divergences that is known exactly: a b / (c d).
struct ExactSlope {
  double a = 1, b = 1, c = 1, d = 1;
};

/// A Gaussian location pair with its Poisson sampling rate: what closed forms and the contour engine can use.
/// remove: P = (1-q) N(0,1) + q N(mu,1), Q = N(0,1); add: P and Q swapped.
struct SampledGaussianLaw {
  double mu = 0;  ///< sensitivity / sigma
  double q = 1;   ///< Poisson sampling rate
  Direction direction = Direction::remove;
};

/// Noise X about 0 and about a shift: the pair (X + shift, X).
class SymmetricLogConcaveNoise;
struct LocationFamily {
  std::shared_ptr<const SymmetricLogConcaveNoise> noise;
  double shift = 0;
};

struct RenyiCurve;

/// The loss distribution of one release in one direction: the law of z = log dP/dQ for a pair (P, Q) that dominates
/// every pair of neighbouring outputs (Zhu, Dong, Wang 2022, definition 7). It has finitely or countably many atoms
/// and at most one interval with a density.
///
/// Accuracy every implementation keeps: log_mass of a cell is within 16 u (1 + |log_mass|) of exact, and log_q_mass
/// likewise, for the very cell the implementation used; the edges of that cell, and its `loss`, are within loss_error()
/// of exact, the latter to 16 u (1 + |log_q_mass|) of its distance from the cell's lowest loss besides.
class DominatingPair {
 public:
  virtual ~DominatingPair() = default;

  /// log of P's mass where Q has none (loss +inf), and of Q's mass where P has none (loss -inf).
  [[nodiscard]] virtual double log_mass_at_plus_infinity() const { return -infinity; }
  [[nodiscard]] virtual double log_q_mass_at_minus_infinity() const { return -infinity; }

  /// The doubles around P's mass at loss +inf, of which log_mass_at_plus_infinity() rounds the logarithm; none where
  /// they are not known.
  [[nodiscard]] virtual std::optional<DoublesAround> infinite_mass() const { return std::nullopt; }

  /// Infimum and supremum of the finite losses.
  [[nodiscard]] virtual LossRange range() const = 0;

  /// Atoms with a loss in `within` (closed), by increasing loss; none is empty. Throws WorkSpent for more than 5e6.
  [[nodiscard]] virtual std::vector<LossCell> atoms(LossRange within) const = 0;

  /// Whether there is a part with a density; where false, cells() is not called.
  [[nodiscard]] virtual bool has_density() const = 0;

  /// The part with a density: appends one cell for each interval between consecutive `edges` (non-decreasing; the
  /// first and last may be infinite).
  virtual void cells(std::span<const double> edges, std::vector<LossCell>& out) const = 0;

  /// Roughly how long a cell takes, in those of a Gaussian: what a budget of work counts.
  [[nodiscard]] virtual double cell_cost() const { return 1; }

  /// All finite losses > z (above) or <= z (below), atoms and density together, as one cell.
  [[nodiscard]] virtual LossCell above(double z) const = 0;
  [[nodiscard]] virtual LossCell below(double z) const = 0;

  /// A bound on the absolute error of every loss and edge within the range.
  [[nodiscard]] virtual double loss_error(LossRange within) const = 0;

  /// The same of an edge at z alone: where masses are too small to tell a tail's loss, its edge may still be known.
  [[nodiscard]] virtual double edge_error(double z) const { return loss_error({z, z}); }

  /// above(z) with all that the losses' error may have left out, and perhaps a little more.
  [[nodiscard]] virtual LossCell above_and_doubtful(double z) const { return above(z - edge_error(z)); }

  /// The supremum of the finite losses where it is one product and quotient of doubles, of which range() rounds the
  /// result.
  [[nodiscard]] virtual std::optional<ExactLoss> exact_highest() const { return std::nullopt; }

  /// The spacing of a lattice that holds every atom, where there is one and there are two atoms or more.
  [[nodiscard]] virtual std::optional<double> spacing() const { return std::nullopt; }

  /// Up to a thousand cells that carry the whole law, increasing in loss: enough to place a tilt, no more.
  [[nodiscard]] virtual std::vector<LossCell> outline() const = 0;

  /// Whether the law stays the same when P and Q are swapped: one object then serves both directions.
  [[nodiscard]] virtual bool symmetric() const { return false; }

  /// Upper bound of log E_Q e^{order z}, for an order > 1 over the finite losses z > from, for one < 0 over those <
  /// from: what cells leave of a Renyi divergence. +inf where none is known; by default that of the range.
  [[nodiscard]] virtual double log_tail_moment(double order, double from) const;

  /// The order from which on Renyi divergences are infinite though no loss is: +inf where none is.
  [[nodiscard]] virtual double infinite_order() const { return infinity; }

  /// The least known c with D_order <= c order for all orders > 1, +inf where none is known. By default that of the
  /// range: of losses within [-L, L], and within a range of any length.
  [[nodiscard]] virtual double renyi_slope() const;

  /// The same where it is known exactly, of which renyi_slope() rounds the result.
  [[nodiscard]] virtual std::optional<ExactSlope> exact_slope() const { return std::nullopt; }

  /// Bounds of the Rényi divergences of all that the pair dominates, where they are known apart from it and lower than
  /// its own: the guarantee that it was converted from, or those of each of the pairs that it is the supremum of.
  [[nodiscard]] virtual const RenyiCurve* renyi_curve() const { return nullptr; }

  /// Set where the law is that of a shift of symmetric log-concave noise.
  [[nodiscard]] virtual std::optional<LocationFamily> location_family() const { return std::nullopt; }

  /// Set where the law is that of a (sampled) Gaussian.
  [[nodiscard]] virtual std::optional<SampledGaussianLaw> sampled_gaussian() const { return std::nullopt; }
};

using PairPtr = std::shared_ptr<const DominatingPair>;

}  // namespace pld
