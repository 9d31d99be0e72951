#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/side.hpp"
#include "engines/closed_form/outcome_list.hpp"
#include "pairs/term.hpp"
#include "pld/core/bracket.hpp"

namespace pld {

/// The loss distribution of releases that have few losses each, by up to a quarter of a million outcomes in order of
/// their losses. A reading adds nothing up: it finds its place among sums made once. What is too rare for a double is
/// left out, and what is rarer still where that brings the number down.
class SortedOutcomes {
 public:
  /// Whether there may be so few outcomes, and they lie on no one lattice, on which nothing would be rounded either.
  [[nodiscard]] static bool takes(const Terms& terms);
  /// None where there are more outcomes, or more than there is work left for.
  [[nodiscard]] static std::optional<SortedOutcomes> of(const Terms& terms);

  /// log delta(epsilon), moved to `side`. Finite epsilon.
  [[nodiscard]] double log_delta(double epsilon, Side side) const;
  /// log(1 - delta(epsilon)), likewise.
  [[nodiscard]] double log_complement(double epsilon, Side side) const;

 private:
  SortedOutcomes(OutcomeList list, const Bracket& log_infinity);

  struct Node {
    double loss = 0;
    double profile = 0;  ///< delta at the loss
    double q_mass = 0;   ///< sum of e^{loss - z} over the P masses of losses z from here on
    double below = 0;    ///< P mass of the losses before it
  };
  [[nodiscard]] std::size_t first_above(double epsilon) const;
  [[nodiscard]] double relative_doubt() const;
  [[nodiscard]] double moved(double log_value, Side side) const;

  std::vector<Node> nodes_;
  double loss_doubt_ = 0, mass_doubt_ = 0;  ///< of any outcome, the latter relative
  double left_out_ = 0;
  Bracket log_infinity_;
};

}  // namespace pld
