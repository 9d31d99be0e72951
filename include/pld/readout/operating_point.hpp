#pragma once

#include "pld/core/bracket.hpp"

namespace pld {

/// A point of a trade-off function: a test's type I error alpha and the least type II error beta = f(alpha) it can
/// have.
struct OperatingPoint {
  double alpha = 0;
  Bracket beta;      ///< f(alpha), in relative terms where it is small
  Bracket power;     ///< 1 - f(alpha), likewise
  Bracket log_beta;  ///< natural logarithms of the two
  Bracket log_power;
  double epsilon = 0;  ///< f has a supporting line of slope -e^epsilon there; not certified
  /// Whether a test may be f's there. False where certainly none is, as f is an envelope: the ends of beta and power on
  /// the side of more privacy are then those of the better direction's best test.
  bool attained = true;
};

}  // namespace pld
