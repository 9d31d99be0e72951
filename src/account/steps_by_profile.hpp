#pragma once

#include "account/steps.hpp"
#include "pld/account/privacy_profile.hpp"

namespace pld {

/// The bounds of a way by one profile of its steps, which answers all that a search for the best shares asks.
[[nodiscard]] Steps steps_by_profile(const Way& way, const ProfileOptions& options);

}  // namespace pld
