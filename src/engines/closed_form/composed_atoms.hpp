#pragma once

#include <vector>

#include "engines/closed_form/outcome_list.hpp"
#include "numeric/log_bound.hpp"
#include "pairs/term.hpp"
#include "pld/core/bracket.hpp"

namespace pld {

/// The loss distribution of releases that have few losses each, outcome by outcome. Nothing is rounded to a lattice.
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
  /// The sum over all outcomes of contribution(mass, outcome), each and its mass a LogBound from this side.
  template <class Contribution>
  [[nodiscard]] LogBound total(Side side, const Contribution& contribution) const;

  std::vector<Outcome> outcomes_;
  Bracket log_infinity_;
};

}  // namespace pld
