#pragma once

#include <vector>

namespace pld::bounds {

/// Two probability vectors on the same finite set: where theorems about all pairs can be tried exactly.
struct FinitePair {
  std::vector<double> p, q;
};

/// Throws DomainError unless both are non-negative, of one length >= 1 and sum to 1 within 1e-12.
void require_valid(const FinitePair& pair);

/// D_alpha(P||Q) for alpha in [1, inf] (1: Kullback-Leibler, inf: max divergence); +inf where P is not dominated.
[[nodiscard]] double renyi_divergence(const FinitePair& pair, double alpha);

/// D~_alpha = (E_Q[(dP/dQ)^alpha] - 1) / (alpha (alpha - 1)). Domain: alpha > 1, finite.
[[nodiscard]] double alpha_divergence(const FinitePair& pair, double alpha);

/// The expressions of delta(epsilon) that must agree, each evaluated its own way. Domain: any real epsilon.
struct DeltaExpressions {
  double supremum = 0;     ///< max over events of P(S) - e^epsilon Q(S)
  double tails = 0;        ///< P(Z > epsilon) - e^epsilon P(-Z' > epsilon), Z and Z' the losses of the two directions
  double expectation = 0;  ///< E max(0, 1 - e^{epsilon - Z})
  double integral = 0;     ///< int_epsilon^inf e^{epsilon - z} P(Z > z) dz, exactly on each step of the tail
  double tail_bound = 0;   ///< P(Z > epsilon), which is not below the others
};
[[nodiscard]] DeltaExpressions delta_expressions(const FinitePair& pair, double epsilon);

/// Trade-off function f(alpha), the least type II error at type I error alpha, by the Neyman-Pearson lemma.
[[nodiscard]] double trade_off(const FinitePair& pair, double alpha);

/// Moment-difference bound E[X] - E[Y] <= (e^epsilon - 1) E|Y| + 2 delta range, for X, Y in [-range, range] that are
/// (epsilon, delta)-close both ways. Returns the right side. Precondition: all arguments >= 0, delta <= 1.
/// Source: Steinke 2022, lecture notes; Dwork, Smith, Steinke, Ullman, Vadhan 2015 (robust traceability).
[[nodiscard]] double moment_difference_bound(double epsilon, double delta, double mean_abs_y, double range);

/// Pure DP to concentrated DP: D_alpha <= alpha/8 (D_inf(P||Q) + D_inf(Q||P))^2. Returns the right side.
[[nodiscard]] double concentrated_bound_of_ranges(double alpha, double forward, double backward);

/// Quasi-convexity: right side log((1-s) e^{(alpha-1) first} + s e^{(alpha-1) second}) / (alpha-1) for the mixtures of
/// two pairs with divergences `first` and `second` (van Erven, Harremoes 2014, theorem 13). Domain: alpha > 1, s in [0,
/// 1].
[[nodiscard]] double mixture_bound(double alpha, double s, double first, double second);

/// Orders of the triangle-like inequality D_alpha(P||R) <= beta/(beta-1) D_{order}(P||Q) + D_beta(Q||R), with
/// order = alpha (beta-1)/(beta-alpha) (Mironov 2017, proposition 11). Precondition: 1 < alpha < beta.
[[nodiscard]] double triangle_order(double alpha, double beta);
[[nodiscard]] double triangle_bound(double beta, double divergence_pq, double divergence_qr);
/// Its consequence for curves rho alpha: (sqrt(rho_1) + sqrt(rho_2))^2 (Bun and Steinke 2016, proposition 1.9).
[[nodiscard]] double group_rho(double rho_1, double rho_2);

/// Leaky-randomized-response decomposition of an (epsilon, delta)-close pair: P = (1-delta)(e^eps A + B)/(e^eps+1) +
/// delta P'', Q = (1-delta)(A + e^eps B)/(e^eps+1) + delta Q''.
struct Decomposition {
  double epsilon = 0, delta = 0;
  std::vector<double> a, b;            ///< the outcomes of a truthful and of a lying response
  std::vector<double> p_leak, q_leak;  ///< P'' and Q''
};

/// Constructs one. Precondition: epsilon >= 0 and both hockey-stick divergences at epsilon at most delta (to 1e-13).
/// Source: Kairouz, Oh, Viswanath 2015, theorem 3.3 (existence); Steinke 2022, lemma 24 (the construction, completed
/// here for unequal divergences).
[[nodiscard]] Decomposition decompose(const FinitePair& pair, double epsilon, double delta);

/// The largest absolute error in rebuilding the pair, in the four masses, and the most negative entry; those of the
/// leaks weighted by delta, as they enter the pair.
[[nodiscard]] double decomposition_error(const Decomposition& decomposition, const FinitePair& pair);

/// Acceptance probability of the randomized test E(y) = min(1, e^eps q/p): joined with it, the posterior of P never
/// exceeds p/(p + (1-p) e^{-eps}) for any prior p, and its mean is at least 1 - delta under both P and Q.
[[nodiscard]] std::vector<double> posterior_test(const FinitePair& pair, double epsilon);

}  // namespace pld::bounds
