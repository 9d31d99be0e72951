#include "account/profile_routes.hpp"

namespace pld {

bool is_convex(const PrivacyProfile& profile) { return profile.is_one_bound(); }

}  // namespace pld
