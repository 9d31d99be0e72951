#pragma once

#include <optional>

#include "pld/compose/composition.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/direction.hpp"
#include "pld/readout/query.hpp"

namespace pld {

struct TestQuery {
  Direction direction = Direction::remove;
  Engine engine = Engine::automatic;
  double tolerance = 1e-5;  ///< of the deltas
};

/// The most powerful test at a false positive rate: it rejects where the loss exceeds `epsilon`.
struct BestTest {
  Bracket power;
  double epsilon = 0;
  bool converged = true;
};

/// Power at false positive rate alpha in (0, 1): inf over all real epsilon of delta(epsilon) + e^epsilon alpha (the conjugate of
/// the profile: Dong, Roth, Su 2022, proposition 2.12), searched from `near` where that is given.
[[nodiscard]] BestTest best_test(const Composition& composition, double alpha, const TestQuery& query,
                                 std::optional<double> near);

}  // namespace pld
