#pragma once

#include <string>
#include <variant>

namespace pld {

/// What a composition may have to satisfy. Each is an upper limit of one quantity, in the direction asked for.

/// delta(epsilon) <= delta.
struct Target {
  double epsilon = 1;   ///< any real number
  double delta = 1e-6;  ///< in [0, 1]
};

/// Membership advantage: the total variation delta(0) <= limit, the most that any test's true positive rate exceeds its
/// false positive rate by.
struct Advantage {
  double limit = 0.1;  ///< in [0, 1]
};

/// Every test that is wrong about a record absent with probability at most fpr detects one present with probability at
/// most tpr: f(fpr) >= 1 - tpr for the trade-off function f (Dong, Roth, Su 2022).
struct TestPower {
  double fpr = 0.01;  ///< in (0, 1)
  double tpr = 0.1;   ///< in [fpr, 1]
};

/// mu-Gaussian DP at every type I error (Dong, Roth, Su 2022, definition 2.6).
struct GaussianDp {
  double mu = 1;  ///< > 0, finite
};

/// rho-zCDP: D_alpha <= rho alpha at every order alpha > 1 (Bun, Steinke 2016, definition 1.1).
struct ZeroConcentratedDp {
  double rho = 0.5;  ///< > 0, finite
};

using Goal = std::variant<Target, Advantage, TestPower, GaussianDp, ZeroConcentratedDp>;

/// The largest value that meets the goal: delta, limit, tpr, mu or rho.
[[nodiscard]] double limit_of(const Goal& goal);

/// What is limited, for a person: "delta at epsilon 1", "advantage", "true positive rate at 0.01", "mu over all
/// alphas", "rho".
[[nodiscard]] std::string quantity_of(const Goal& goal);

/// Throws DomainError, in the name of `where`, unless every number of the goal is in its range.
void require_valid(const Goal& goal, const char* where = "calibrate");

}  // namespace pld
