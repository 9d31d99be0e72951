#pragma once

#include <functional>
#include <optional>

#include "pld/calibrate/calibration.hpp"

namespace pld {

/// What a rule of yes or no says of a value.
struct Verdict {
  bool accepted = false;
  double excess = 0;  ///< how far it is beyond what is accepted, below 0 within: an estimate, which places the search
};

/// Where a rule stops to accept the values of a range.
struct LastAccepted {
  double accepted = 0;
  std::optional<double> refused{};  ///< closer to the unsafe end; none where that end is accepted
  bool adjacent = true;             ///< no double, or whole number, lies between them; false where time or work ended
};

/// The value closest to the unsafe end of the unknown's range that the rule accepts, and the next one, which it
/// refuses. Where the rule is not monotone, one of the places where it changes. The rule must accept the safe end; a
/// value is asked about once.
[[nodiscard]] LastAccepted last_accepted(const Unknown& range, const std::function<Verdict(double)>& rule);

}  // namespace pld
