#pragma once

#include <functional>
#include <vector>

#include "pld/bounds/step.hpp"
#include "pld/core/direction.hpp"

namespace pld::bounds {

/// log E_Q[(dP/dQ)^alpha] = (alpha - 1) D_alpha(P||Q) of one release, sampled or not, in one direction, by exact sums
/// or quadrature of the pair; never by a bound. Domain: alpha > 1. Relative error below 1e-11 while alpha * loss < 1e6.
/// +inf where P has mass that Q lacks, and where the quadrature would take more than 4e6 nodes. Sources: Mironov 2017
/// (closed forms); Mironov, Talwar, Zhang 2019, section 3 (the sampled Gaussian at real orders); Zhu, Dong, Wang 2022,
/// theorem 11 (the sampled pair of each direction).
[[nodiscard]] double log_moment(const Step& step, double alpha, Direction direction);

/// Mean, variance and third absolute central moment of the loss log dP/dQ under P.
struct LossMoments {
  double mean = 0;  ///< the Kullback-Leibler divergence of P from Q
  double variance = 0;
  double third = 0;  ///< E|loss - mean|^3, rounded up by at most a thousandth
};

/// Precondition: the loss is finite, and the quadrature takes at most 4e6 nodes.
[[nodiscard]] LossMoments loss_moments(const Step& step, Direction direction);

}  // namespace pld::bounds
