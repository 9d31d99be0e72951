#pragma once

namespace pld::validation {

// What each framework says of k releases of a Gaussian of sensitivity 1 at delta, as the literature applies it.

/// Advanced composition (Dwork, Rothblum, Vadhan 2010, theorem III.3): half of delta is shared out to the releases,
/// each of which has its exact epsilon for that, and half is the theorem's slack.
[[nodiscard]] double advanced_composition_epsilon(double sigma, double k, double delta);

/// Renyi DP with the basic conversion, at one order (a straight line in k) or at the best whole order up to 3000.
[[nodiscard]] double renyi_epsilon(double order, double sigma, double k, double delta);
[[nodiscard]] double best_renyi_order(double sigma, double k, double delta);
[[nodiscard]] double best_renyi_epsilon(double sigma, double k, double delta);

/// rho + 2 sqrt(rho log(1/delta)), which is Renyi DP at the best real order.
[[nodiscard]] double zcdp_epsilon(double sigma, double k, double delta);

}  // namespace pld::validation
