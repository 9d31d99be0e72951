#pragma once

#include <vector>

#include "pld/bounds/step.hpp"

namespace pld::bounds {

/// Q's mass, as a log, at a value of log(dP/dQ) of the unsampled pair: an atom, or a node of a quadrature rule.
struct RatioNode {
  double log_weight = 0;
  double log_ratio = 0;
};
using RatioNodes = std::vector<RatioNode>;

/// log(1 - q + q e^z) without loss for small q or z.
[[nodiscard]] double sampled_log_ratio(double q, double z);

/// Nodes fit for E_Q of (1 - q + q dP/dQ)^t: exact for discrete laws; for densities a rule whose error is below 1e-14
/// relative. Empty where that takes more than 1e6 nodes. Every pair here is symmetric, so one list serves both
/// directions.
/// Precondition: losses finite (0 < p < 1).
[[nodiscard]] RatioNodes ratio_nodes(const Parameters& mechanism, double t, double q);

/// The same for that mean alone: where it is beyond e^3, nodes may be missing that add less than 1e-15 of it.
[[nodiscard]] RatioNodes power_nodes(const Parameters& mechanism, double t, double q);

}  // namespace pld::bounds
