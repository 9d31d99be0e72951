#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "pld/account/composition.hpp"
#include "pld/account/query.hpp"
#include "pld/calibrate/goal.hpp"

namespace pld {

/// A composition with one number left open, on which its privacy depends monotonically.
struct Unknown {
  enum class Safer { larger, smaller };  ///< noise is safer where it is larger, counts and rates where they are smaller
  /// odds: the probability p of a true answer among `answers`, searched by log(p (answers - 1) / (1 - p))
  enum class Scale { logarithmic, odds, whole };

  std::function<Composition(double)> at;  ///< the composition with the number at a value of the range
  Composition safest{};                   ///< what is left of it at the safe end of the range, or beyond
  Safer safer = Safer::larger;
  Scale scale = Scale::logarithmic;
  double lowest = 1e-4, highest = 1e12;  ///< the range searched; lowest > 0 (> 1 / answers for odds)
  double answers = 2;                    ///< of odds

  /// The end of the range where most is lost.
  [[nodiscard]] double unsafe_end() const { return safer == Safer::larger ? lowest : highest; }
};

/// What is the number closest to the unsafe end that meets every goal?
struct CalibrateQuery {
  std::vector<Goal> goals;  ///< one or more
  double tolerance = 1e-5;  ///< relative width asked of the brackets of what is limited, in (0, 1)
  DirectionChoice direction = DirectionChoice::worst;
  Engine engine = Engine::automatic;
};

/// What a composition has of the quantity a goal limits, and its natural logarithm (where a double has no digits left).
/// mu is gaussian_dp_mu(), at all alphas; rho is zcdp_rho().
struct Attained {
  Finding value;
  Bracket log_value;
  bool converged = true;  ///< whether the tolerance was met
};

/// One value of the unknown and what it attains of each goal.
struct Trial {
  double value = 0;
  std::vector<Attained> attained;
};

struct Calibration {
  Trial chosen;               ///< every upper bound is within its goal's limit
  std::optional<Trial> next;  ///< closer to the unsafe end: some upper bound exceeds its limit. None where the end of
                              ///< the range is chosen, or nothing beyond was looked at before the work ended
  bool next_fails = false;    ///< next is certain to miss a goal: a lower bound exceeds its limit
  std::optional<Trial> failing{};  ///< where next is not certain to miss: about the nearest value beyond it that is
  bool converged = true;  ///< chosen's brackets are as narrow as asked, and next is at most 1e-6 (relative; of the
                          ///< log odds) or 1 (whole) away; else the work ended before
  int trials = 0;         ///< how many compositions were evaluated, each for every goal
};

}  // namespace pld
