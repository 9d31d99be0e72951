#pragma once

#include <functional>

#include "pld/bounds/loss_moments.hpp"
#include "pld/bounds/renyi_closed_forms.hpp"

namespace pld::bounds {

/// D_alpha of binary randomized response. Domain: alpha > 1, 0 < p < 1. Mironov 2017, proposition 5.
[[nodiscard]] double renyi_randomized_response(double alpha, double p);

/// The most a pure epsilon-DP mechanism can have: that of randomized response at e^epsilon / (1 + e^epsilon).
/// Source: Kairouz, Oh, Viswanath 2015 (randomized response dominates), with the data-processing inequality.
[[nodiscard]] double renyi_of_pure_dp(double alpha, double epsilon);

/// D_alpha as a function of the order, for one direction of a whole composition: orders add up over independent or
/// adaptive releases (Mironov 2017, proposition 1). Precondition: finite losses (no delta > 0 given, 0 < p < 1).
using RenyiCurve = std::function<double(double alpha)>;
[[nodiscard]] RenyiCurve renyi_curve(const Steps& steps, Direction direction);

/// (alpha, rdp)-RDP is (epsilon, delta)-DP with epsilon = rdp + log(1/delta)/(alpha - 1): Mironov 2017, proposition 3.
/// Domain of all conversions: alpha > 1, rdp >= 0, 0 < delta < 1.
[[nodiscard]] double epsilon_from_renyi_basic(double alpha, double rdp, double delta);
/// delta = exp((alpha - 1)(rdp - epsilon)), the same statement read the other way; capped at 1.
[[nodiscard]] double delta_from_renyi_basic(double alpha, double rdp, double epsilon);

/// epsilon = rdp + log1p(-1/alpha) - log(delta alpha)/(alpha - 1): Balle, Barthe, Gaboardi, Hsu, Sato 2020, theorem 21.
/// May be negative where delta is large. Always below the basic conversion.
[[nodiscard]] double epsilon_from_renyi_tight(double alpha, double rdp, double delta);
/// delta = exp((alpha - 1)(rdp - epsilon)) (1 - 1/alpha)^(alpha - 1) / alpha: Canonne, Kamath, Steinke 2020,
/// proposition 12; capped at 1. The inverse function of the line above.
[[nodiscard]] double delta_from_renyi_tight(double alpha, double rdp, double epsilon);

/// The least epsilon >= 0, from above, that the order implies: the optimal conversion of Asoodeh, Liao, Calmon, Kosut,
/// Sankar 2021, theorem 3, by its dual problem. Never above the tight conversion, which may be negative.
[[nodiscard]] double epsilon_from_renyi_optimal(double alpha, double rdp, double delta);

/// An epsilon and the order that gave it.
struct BestOrder {
  double epsilon = 0;
  double alpha = 0;
};

/// The least of `epsilon_at(alpha)` over real alpha in (1, 1e7): a grid on log(alpha - 1), then Brent's method. Any
/// order gives a sound bound, so a missed minimum costs tightness only.
[[nodiscard]] BestOrder best_order(const std::function<double(double)>& epsilon_at);

/// The least over whole orders from 2 to `last`, which is how tables in the literature do it.
[[nodiscard]] BestOrder best_whole_order(const std::function<double(double)>& epsilon_at, int last);

}  // namespace pld::bounds
