#pragma once

#include <map>

#include "pld/account/privacy_profile.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/profile_bracket.hpp"

namespace pld {

// A profile beside those of Gaussians at all epsilons up to one, by its values at some of them. In x = e^epsilon both
// are convex: below their chords, and above their tangents and drawn-out chords.

/// The profile at one epsilon and the mu whose Gaussian meets it there.
struct MuNode {
  ProfileBracket profile;
  Bracket mu;
};
using MuNodes = std::map<double, MuNode>;  ///< by epsilon

[[nodiscard]] MuNode node_at(const ProfileBracket& profile, double epsilon);

/// Where to begin: [0, highest], and a little beyond either end for the chords there.
[[nodiscard]] MuNodes first_nodes(const PrivacyProfile& profile, double highest);

/// A certified bound of the mu of Gaussians that are above (side > 0) or below the profile over [a, next of a]: from
/// the ends' own mu outward until the Gaussian is certainly on its side.
[[nodiscard]] double mu_over(const MuNodes& nodes, MuNodes::const_iterator at_a, int side);

/// The smallest such mu (side > 0), or the largest, over [0, highest], and `where` it is attained by estimate: halves
/// the interval that decides until the bracket is as narrow as asked, or as the profile allows at single epsilons.
[[nodiscard]] Bracket extreme_mu(const PrivacyProfile& profile, MuNodes& nodes, double highest, double tolerance,
                                 int side, double& where);

}  // namespace pld
