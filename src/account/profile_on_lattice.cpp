#include "account/profile_on_lattice.hpp"

#include <utility>

#include "core/standard_arithmetic.hpp"
#include "core/work.hpp"
#include "engines/question.hpp"

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

CountedAnswer epsilon_with_points(const Composition& composition, const EpsilonQuery& query) {
  const Question question;
  const double before = Work::left();
  const Answer found = epsilon(composition, query);
  return {found, before - Work::left()};
}

}  // namespace pld
