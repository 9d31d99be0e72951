#pragma once

#include <vector>

#include "pld/bounds/step.hpp"

namespace pld::bounds {

/// An (epsilon, delta)-DP statement.
struct DpGuarantee {
  double epsilon = 0;
  double delta = 0;
};

/// Poisson sampling at rate q (add/remove), or a fixed-size sample of a share q (replace-one):
/// (log(1 + q (e^epsilon - 1)), q delta). Precondition: epsilon >= 0, delta in [0, 1], q in [0, 1].
/// Source: Li, Qardaji, Su 2012; Balle, Barthe, Gaboardi 2018, theorems 8 and 9.
[[nodiscard]] DpGuarantee amplify_by_sampling(const DpGuarantee& guarantee, double q);

/// `count` releases that are each (epsilon, delta)-DP.
struct RepeatedGuarantee {
  DpGuarantee guarantee;
  double count = 1;
};

/// Throws DomainError unless epsilon is >= 0 and finite, delta in [0, 1], count a whole number from 1 on.
void require_valid(const RepeatedGuarantee& part);

/// What composition theorems for (epsilon, delta)-DP start from: the guarantee of each release by itself. Mechanisms
/// with a pure or given guarantee keep it; a Gaussian one spends `gaussian_delta` in each release and takes the epsilon
/// of the analytic mechanism. Precondition: gaussian_delta in (0, 1) where there is a Gaussian; a randomized response
/// with 0 < p < 1.
[[nodiscard]] std::vector<RepeatedGuarantee> guarantees(const Steps& steps, double gaussian_delta);

/// How many releases have no guarantee with delta = 0 or given: those need a share of delta.
[[nodiscard]] double gaussian_releases(const Steps& steps);

}  // namespace pld::bounds
