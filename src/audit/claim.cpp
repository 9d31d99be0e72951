#include "audit/claim.hpp"

#include <algorithm>

#include "account/answers_met.hpp"
#include "account/plain_answer.hpp"

namespace pld {

const char* name(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::valid:
      return "valid";
    case ClaimVerdict::under_reports:
      return "under-reports";
    case ClaimVerdict::undecided:
      break;
  }
  return "undecided";
}

ClaimVerdict judge(double claim, const Finding& epsilon) {
  if (claim < epsilon.lower) return epsilon.only_guaranteed ? ClaimVerdict::undecided : ClaimVerdict::under_reports;
  return claim >= epsilon.upper ? ClaimVerdict::valid : ClaimVerdict::undecided;
}

namespace {

/// Whether the bracket leaves open on which side of it the claim is.
bool is_inside(double claim, const Bracket& epsilon) { return epsilon.lower <= claim && claim < epsilon.upper; }

/// Lowers the upper end to a claim inside the bracket where delta there is proved to be small enough: where a bracket
/// gets no narrower, or the claim is the answer that a calibration found, that decides.
void ask_at(double claim, const Composition& composition, const EpsilonQuery& query, Answer& found) {
  if (!is_inside(claim, found)) return;
  const DeltaAnswer there =
      delta(composition,
            {.epsilon = claim, .tolerance = query.tolerance, .direction = query.direction, .engine = query.engine});
  if (!(there.upper <= query.delta)) return;
  found.upper = claim;
  found.estimate = std::min(found.estimate, claim);
}

/// The releases of which more is known than a guarantee.
Composition without_guarantees(const Composition& composition) {
  Composition known(composition.neighbours());
  for (const Release& release : composition.releases())
    if (!release.mechanism.law().kind.only_guaranteed) known.add(release.mechanism, release.count);
  return known;
}

/// Whether a narrower answer may decide: of what is not exact only the upper end gets closer to a claim.
bool worth_narrowing(double claim, const Answer& found) {
  return is_inside(claim, found) && found.converged && (found.exact || found.upper - claim <= 2 * found.doubt());
}

}  // namespace

Answer answer_about(double claim, const Composition& composition, EpsilonQuery query) {
  constexpr double finest = 1e-13, finer = 1e-2;
  Answer found = epsilon(composition, query);
  const bool converged = found.converged;
  while (worth_narrowing(claim, found) && query.tolerance > finest) {
    query.tolerance *= finer;
    found = also(plain_epsilon(composition, query), found);
  }
  found.converged = converged;
  ask_at(claim, composition, query, found);
  if (!found.only_guaranteed || !(claim < found.lower)) return found;
  // To ignore the other releases is post-processing: whatever they are, the neighbours who attain this much of these
  // attain no less of all.
  const Composition known = without_guarantees(composition);
  if (known.releases().empty()) return found;
  const double attained = std::min(answer_about(claim, known, query).lower, found.upper);
  if (!(claim < attained)) return found;
  found.lower = attained;
  found.estimate = std::max(found.estimate, attained);
  found.exact = found.only_guaranteed = false;
  return found;
}

}  // namespace pld
