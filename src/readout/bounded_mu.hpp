#pragma once

#include "pld/account/privacy_profile.hpp"

namespace pld {

/// The smallest mu whose Gaussian is above the profile at every epsilon >= 0, of losses of at most largest_loss > 0:
/// beyond that delta is 0. Real neighbours' profiles have a mu of its lower end or more; the largest of all is convex
/// in e^epsilon as each one is, so that the chords of its upper bounds are above it.
[[nodiscard]] Bracket smallest_mu_of_bounded(const PrivacyProfile& profile, double largest_loss, double tolerance);

}  // namespace pld
