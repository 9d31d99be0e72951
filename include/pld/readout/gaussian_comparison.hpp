#pragma once

#include "pld/account/privacy_profile.hpp"

namespace pld {

/// A composition beside the Gaussian mechanisms of Gaussian differential privacy (Dong, Roth, Su 2022), at every
/// epsilon from 0 to highest_epsilon; a negative one says the same of the other direction.
struct GaussianComparison {
  Bracket smallest_mu;          ///< the smallest mu with delta(epsilon) <= that of mu-GDP: f >= G_mu
  Bracket largest_mu;           ///< the largest mu with delta(epsilon) >= that of mu-GDP: f <= G_mu
  double epsilon_smallest = 0;  ///< where the former is attained, by estimate
  double epsilon_largest = 0;
  double highest_epsilon = 0;  ///< +inf where delta is above least_delta at every epsilon
};

/// The tightest Gaussian trade-off functions below and above the composition's symmetric one, where delta(epsilon) is
/// at least least_delta: at every epsilon up to highest_epsilon, the lower end of that epsilon's bracket, and what may
/// lie between its ends counts for the ends of both mu. Certified between the epsilons computed too: in x = e^epsilon
/// delta and the Gaussian's delta are convex, below their chords and above their tangents and drawn-out chords.
///
/// 0 < least_delta < 1. Below it a composition of other laws is no Gaussian: the chance that every one of k sampled
/// steps hits, however small, makes the mu of the whole curve that of k unsampled ones. `tolerance` is relative.
/// smallest_mu is +inf where least_delta is below the mass of infinite losses; largest_mu is then that over all
/// epsilons. Throws DomainError for arguments out of range.
[[nodiscard]] GaussianComparison compare_with_gaussian(const PrivacyProfile& profile, double least_delta = 1e-10,
                                                       double tolerance = 1e-4);

/// The mu for which the Gaussian's delta(epsilon) equals e^log_delta, epsilon >= 0: to 1e-12 by estimate, 1e-9
/// from epsilon = 1e24 on. 0 for log_delta = -inf, +inf for 0; 1.1e-100 for a smaller one at an epsilon > 0, +inf for
/// one above 9e99.
[[nodiscard]] double gaussian_mu(double epsilon, double log_delta);

}  // namespace pld
