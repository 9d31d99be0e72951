#pragma once

#include "pairs/renyi_curve.hpp"

namespace pld {

/// The least log delta(epsilon) that a Renyi curve is known to imply, from above and at most 0. Domain: epsilon >= 0,
/// finite.
///
/// An event of probabilities a and b has M = e^{(A-1) D} >= a^A b^{1-A} + (1-a)^A (1-b)^{1-A} at every order A (data
/// processing), and x^A y^{1-A} >= A t^{A-1} x - (A-1) t^A y, its tangent plane along x = t y. With the planes at t for
/// the event and at r < t for its complement,
///   a - k b <= (M - A r^{A-1} + (A-1) r^A) / (A (t^{A-1} - r^{A-1})),  k = (A-1)(t^A - r^A) / (A (t^{A-1} - r^{A-1})),
/// and k = e^epsilon makes this a bound of delta. It is minimised over A and r, which gives the optimal conversion of
/// one order (Asoodeh, Liao, Calmon, Kosut, Sankar 2021, theorem 3); r = 0 is that of Canonne, Kamath, Steinke 2020,
/// proposition 12. The least over all orders is all that can be said of a curve (Riess et al. 2026, theorem 1). Only
/// near epsilon = 0 the other order of the two data sets adds to that.
[[nodiscard]] double log_delta_of_renyi(const RenyiCurve& curve, double epsilon);

/// The same with where it was found: at the order 1 + e^log_b, with r that share of what it may be.
struct RenyiDelta {
  double log_delta = 0, log_b = 0, share = 0;
};

[[nodiscard]] RenyiDelta delta_of_renyi(const RenyiCurve& curve, double epsilon);

/// The same, looked for from where it is at an epsilon a little smaller: a rising row of epsilons takes a fraction of
/// what single ones do, a falling one may miss the least.
[[nodiscard]] RenyiDelta delta_of_renyi_from(const RenyiDelta& near, const RenyiCurve& curve, double epsilon);

/// log delta(epsilon) of one order > 1 alone.
[[nodiscard]] double log_delta_of_order(double order, double divergence, double epsilon);

}  // namespace pld
