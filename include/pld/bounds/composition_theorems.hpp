#pragma once

#include <vector>

#include "pld/bounds/dp_guarantee.hpp"

namespace pld::bounds {

/// Basic composition: the sums of the epsilons and of the deltas (Dwork and Roth 2014, theorem 3.16). Always sound: the
/// sum of the deltas is rounded up, and is the exact one where a double has it.
[[nodiscard]] DpGuarantee basic_composition(const std::vector<RepeatedGuarantee>& parts);

/// Advanced composition of k equal (epsilon, delta)-DP releases: (epsilon sqrt(2 k log(1/slack)) + k epsilon
/// (e^epsilon - 1), k delta + slack). Precondition: 0 < slack < 1. Source: Dwork, Rothblum, Vadhan 2010, theorem III.3.
[[nodiscard]] DpGuarantee advanced_composition(const DpGuarantee& each, double k, double slack);

/// The short form 2 epsilon sqrt(2 k log(1/slack)). Preconditions: the result is <= 1 (Dwork and Roth 2014, corollary
/// 3.21 asks for a target below 1), and k epsilon (e^epsilon - 1), which it drops, is at most half of it: what the
/// corollary's proof needs, and what fails for a slack near 1 (3 releases of epsilon 5.2 at a slack of .9985).
[[nodiscard]] DpGuarantee advanced_composition_short(const DpGuarantee& each, double k, double slack);

/// The short form without its precondition, as a table may quote it. Not a bound.
[[nodiscard]] DpGuarantee advanced_composition_short_unchecked(const DpGuarantee& each, double k, double slack);

/// Heterogeneous form: min(sum eps, sum eps^2 / 2 + sqrt(2 log(1/slack) sum eps^2)), delta = sum delta + slack.
/// Precondition: 0 < slack < 1. Source: Steinke 2022, "Composition of Differential Privacy", theorem 22.
[[nodiscard]] DpGuarantee heterogeneous_advanced_composition(const std::vector<RepeatedGuarantee>& parts, double slack);

/// The moments-accountant line: k releases of the classical Gaussian mechanism calibrated to (epsilon, delta) each are
/// (4 epsilon sqrt(2 k log(1/delta)), delta)-DP, without the factor of k on delta. Precondition: epsilon < 1 and
/// epsilon sqrt(k) <= 4 L (4 sqrt(2 L) - 1) with L = log(1/delta). Derivation: the k releases are rho-zCDP with
/// rho = k epsilon^2 / (4 log(1.25/delta)) <= k epsilon^2 / (4 L), and rho + 2 sqrt(rho L) <= 4 epsilon sqrt(2 k L)
/// exactly there.
[[nodiscard]] double moments_accountant_epsilon(double epsilon, double k, double delta);

/// The same without its precondition. Not a bound.
[[nodiscard]] double moments_accountant_epsilon_unchecked(double epsilon, double k, double delta);

/// The slack left of a target delta once the parts have taken theirs, which the theorems above may spend. 0 if none.
[[nodiscard]] double slack_left(const std::vector<RepeatedGuarantee>& parts, double delta);

}  // namespace pld::bounds
