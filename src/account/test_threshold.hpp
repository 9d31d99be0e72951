#pragma once

#include "engines/tilted_lattice/lattice_query.hpp"

namespace pld {

/// About where a test "loss > epsilon" has type I error alpha, and the spread of the losses next to it.
struct TestThreshold {
  double epsilon = 0, spread = 0;
};

/// Where to look for the tests of a composition: by the saddle point of Q(z > epsilon) (Daniels 1954, with a normal
/// tail in place of his leading term) on the outlines of the laws. Certain of nothing.
class TestThresholds {
 public:
  explicit TestThresholds(const Terms& terms) : outlined_(terms) {}
  /// 0 < alpha < 1. Both numbers are finite.
  [[nodiscard]] TestThreshold at(double alpha) const;

 private:
  LatticeQuery outlined_;
};

}  // namespace pld
