#pragma once

#include <vector>

#include "engines/tilted_lattice/lattice_query.hpp"

namespace pld {

/// Lower bounds of delta by single hits: of an event S that some release has a loss above a border, P(S) less
/// e^epsilon Q(S) is below delta(epsilon), whatever the border.
class SingleEvents {
 public:
  /// Events that weigh a little more than e^log_delta, for epsilons near that of this delta.
  SingleEvents(const LatticeQuery& query, double log_delta);

  /// The largest epsilon at which one of them has e^log_delta; -inf where none has.
  [[nodiscard]] double epsilon() const { return epsilon_; }
  /// log delta(epsilon) from below, by the best of them.
  [[nodiscard]] double log_gain(double epsilon) const;

 private:
  std::vector<LatticeQuery::SingleHits> events_;
  double epsilon_;
};

}  // namespace pld
