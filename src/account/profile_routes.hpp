#pragma once

#include "pld/account/privacy_profile.hpp"

namespace pld {

/// Whether the profile is convex in e^epsilon, as one pair's is: the least of several bounds is not. Domain: that of a
/// composition's pairs, Composition::is_one_profile().
[[nodiscard]] bool is_convex(const PrivacyProfile& profile);

}  // namespace pld
