#pragma once

#include <string>
#include <vector>

#include "audit/claim.hpp"
#include "formats/answer_fields.hpp"
#include "pld/bounds/bound.hpp"
#include "pld/formats/entry.hpp"

namespace pld {

/// A bound's answer.
struct ComparedBound {
  const bounds::Bound* bound;
  bounds::BoundAnswer answer;
};

/// Every bound of the literature beside the answer.
struct Comparison {
  EpsilonQuery query;
  Answer answer;
  std::vector<ComparedBound> bounds;  ///< the sharpest first, those that refuse last
};

/// The bounds of a composition and of the entries that it was made of. Throws as epsilon(), and DomainError unless 0 <
/// delta < 1.
[[nodiscard]] Comparison comparison_of(const Composition& composition, const std::vector<Entry>& entries,
                                       const EpsilonQuery& query);

/// A number over the exact epsilon, or over the best bound where that is what is known. Meaningful where both are
/// positive; NaN elsewhere.
[[nodiscard]] double times_answer(double epsilon, const Answer& answer);

/// "sound", "UNSOUND", "undecided" or "above here". Real neighbours have the certified lower end: below it no number is
/// an upper bound, whatever its theorem says. What is no theorem may lie above it here and below it elsewhere.
[[nodiscard]] std::string verdict(const ComparedBound& compared, const Answer& answer);

/// The fields that `pld compare --json` prints, without its seconds.
[[nodiscard]] OrderedJson comparison_fields(const Comparison& comparison);

/// Those of `pld compare --claim --json`: somebody's epsilon beside the answer about it, see answer_about().
[[nodiscard]] OrderedJson claim_fields(double claimed, const EpsilonQuery& query, const Answer& answer);

}  // namespace pld
