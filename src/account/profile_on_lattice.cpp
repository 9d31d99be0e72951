#include "account/profile_on_lattice.hpp"

#include <utility>

#include "core/standard_arithmetic.hpp"

namespace pld {

PrivacyProfile profile_on(const Composition& composition, const ProfileOptions& options, CommonLatticePtr lattice) {
  const StandardArithmetic arithmetic;
  return PrivacyProfile(composition, options, std::move(lattice));
}

std::optional<Bracket> epsilon_on_lattice(const PrivacyProfile& profile, double delta, DirectionChoice choice,
                                          double tolerance) {
  const StandardArithmetic arithmetic;
  return profile.on_lattice(delta, choice, tolerance);
}

}  // namespace pld
