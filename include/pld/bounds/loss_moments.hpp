#pragma once

#include "pld/bounds/step.hpp"
#include "pld/core/direction.hpp"

namespace pld::bounds {

/// log E_Q[(dP/dQ)^alpha] = (alpha - 1) D_alpha(P||Q) of one release in one direction. The mechanisms that step.hpp
/// lists by name, Poisson-sampled or not, have exact sums or quadrature, with a relative error below 1e-11 while alpha
/// * loss < 1e6; guarantees, bounded range and other types, unsampled, what is known from above. It is +inf where P has
/// mass that Q lacks, where the quadrature would take more than 1e6 nodes, and beyond the orders of a guarantee.
/// Domain: alpha > 1. Throws DomainError for what no theorem gives. Sources: Mironov 2017 (closed forms); Mironov,
/// Talwar, Zhang 2019, section 3 (the sampled Gaussian at real orders); Zhu, Dong, Wang 2022, theorem 11 (the sampled
/// pair of each direction).
[[nodiscard]] double log_moment(const Step& step, double alpha, Direction direction);

/// Mean, variance and third absolute central moment of the loss log dP/dQ under P.
struct LossMoments {
  double mean = 0;  ///< the Kullback-Leibler divergence of P from Q
  double variance = 0;
  double third = 0;  ///< E|loss - mean|^3, rounded up by at most a thousandth
};

/// Precondition: the loss is finite, and the quadrature takes at most 1e6 nodes.
[[nodiscard]] LossMoments loss_moments(const Step& step, Direction direction);

}  // namespace pld::bounds
