#pragma once

#include "pld/account/query.hpp"

namespace pld {

/// What is proved of somebody's epsilon.
enum class ClaimVerdict {
  valid,          ///< at or above a proved upper bound
  under_reports,  ///< below what real neighbours attain
  undecided,      ///< between the two
};
[[nodiscard]] const char* name(ClaimVerdict verdict);

/// Where only a guarantee is known no claim under-reports: a mechanism that keeps the guarantee may lose less than
/// another that does.
[[nodiscard]] ClaimVerdict judge(double claim, const Finding& epsilon);

/// The answer to the query; where a claim lies inside its bracket, that of ever smaller tolerances until it is decided,
/// or until no bracket gets narrower. Beside mechanisms known by a guarantee alone the other releases may have more
/// than the claim by themselves. The lower end is then theirs, whatever keeps the guarantees, and the answer neither
/// exact nor only guaranteed. Throws as epsilon().
[[nodiscard]] Answer answer_about(double claim, const Composition& composition, EpsilonQuery query);

}  // namespace pld
