#pragma once

#include <vector>

#include "lattice/lattice_measure.hpp"
#include "numeric/extended.hpp"
#include "pairs/term.hpp"
#include "pld/core/bracket.hpp"

namespace pld {

/// The loss distribution of releases that have few losses each, one by one: how often each of a release's losses occurs
/// is multinomial, and losses and probabilities of different releases add up and multiply. Nothing is rounded to a
/// lattice.
class ComposedAtoms {
 public:
  /// Whether no release has a density and there are a thousand outcomes, and releases, at most.
  [[nodiscard]] static bool takes(const Terms& terms);
  explicit ComposedAtoms(const Terms& terms);

  /// log delta(epsilon), moved to `side`.
  [[nodiscard]] double log_delta(double epsilon, Side side) const;
  /// log(1 - delta(epsilon)), likewise.
  [[nodiscard]] double log_complement(double epsilon, Side side) const;

 private:
  /// Bounds of an outcome's loss and P mass are `doubt`s away on either side.
  struct Outcome {
    Extended loss = 0, log_mass = 0;
    double loss_doubt = 0, mass_doubt = 0;
  };
  void add(const DominatingPair& pair, int count);
  /// log of the sum over all outcomes of e^contribution(outcome).
  template <class Contribution>
  [[nodiscard]] double log_total(const Contribution& contribution) const;

  std::vector<Outcome> outcomes_{Outcome{}};
  Bracket log_infinity_{-infinity, -infinity, -infinity};
};

}  // namespace pld
