#pragma once

#include <optional>

#include "pld/core/direction.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

/// Which losses of a release a question depends on: P's law times e^{order z - (z - centre)^2 / (2 spread^2)}.
struct LossWeight {
  double order = 0, centre = 0, spread = infinity;
};

/// How fine a law is to be that is put on nodes, and for which question. They change how wide bounds are, and no more.
struct Nodes {
  int count = 64;
  std::optional<Direction> direction{};  ///< the only one that is needed; both where none is said
  std::optional<LossWeight> weight{};    ///< where to be dense; without it, where the mass is
  bool exact = false;                    ///< for an engine that knows the law which the nodes stand for
};

}  // namespace pld
