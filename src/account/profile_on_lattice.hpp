#pragma once

#include <optional>

#include "account/common_lattice.hpp"
#include "pld/account/privacy_profile.hpp"
#include "pld/account/query.hpp"

namespace pld {

/// A profile that is read off a common lattice (none: null) where that has it as narrow as asked, and composed where it
/// has not.
[[nodiscard]] PrivacyProfile profile_on(const Composition& composition, const ProfileOptions& options,
                                        CommonLatticePtr lattice);

/// As pld::epsilon, where the profile's lattice has it to that tolerance.
[[nodiscard]] std::optional<Bracket> epsilon_on_lattice(const PrivacyProfile& profile, double delta,
                                                        DirectionChoice direction, double tolerance);

/// As pld::epsilon, and the points of work that it took.
struct CountedAnswer {
  Answer answer;
  double points = 0;
};
[[nodiscard]] CountedAnswer epsilon_with_points(const Composition& composition, const EpsilonQuery& query);

}  // namespace pld
