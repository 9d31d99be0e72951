#pragma once

#include <memory>
#include <string>

#include "pld/mechanisms/mechanism.hpp"

namespace pld::bounds {

/// A mechanism of a type, or on a sample, without theorems of its own: of its dominating pair the theorems on all
/// mechanisms take the largest loss and the Renyi divergences. Copies share what has been computed. Thread-safe.
class OtherMechanism {
 public:
  /// Under the relation that pair() of it has.
  explicit OtherMechanism(Mechanism mechanism);

  [[nodiscard]] const Mechanism& mechanism() const;
  /// D_order from above, to some 1e-4; beyond the orders of a guarantee +inf. Domain: order > 1.
  [[nodiscard]] double divergence(double order, Direction direction) const;
  /// The least known c with D_order <= c order in both directions, +inf where none is known.
  [[nodiscard]] double slope() const;
  /// The pure epsilon. Throws DomainError where losses have no bound.
  [[nodiscard]] double largest_loss() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

[[nodiscard]] std::string describe(const OtherMechanism& other);
[[nodiscard]] PairPtr dominating_pair(const OtherMechanism& other, Direction direction);

}  // namespace pld::bounds
