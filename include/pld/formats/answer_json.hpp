#pragma once

#include <string>

#include "pld/account/query.hpp"
#include "pld/calibrate/calibrate.hpp"
#include "pld/formats/open_entry.hpp"

namespace pld {

/// An answer as one JSON object on one line, without the line's end: the query, the bracket ("lower" is null where no
/// loss of real neighbours is known), how it was computed, whether it is "exact", and in how many seconds; then all
/// that it takes to check it (docs/verify.md): mechanisms, adjacency (where that is not add-remove, what each release
/// was accounted for as too), direction and tolerance asked for, version. Infinite numbers are the strings "inf" and
/// "-inf"; the others read back as the same doubles. A sampler that was taken for granted is said as "assumed".
[[nodiscard]] std::string answer_json(const Composition& composition, const EpsilonQuery& query, const Answer& answer,
                                      double seconds, const std::string& assumed_sampler = "");
[[nodiscard]] std::string answer_json(const Composition& composition, const DeltaQuery& query,
                                      const DeltaAnswer& answer, double seconds,
                                      const std::string& assumed_sampler = "");

/// The same for a calibration; "next" is null where the end of the range was chosen.
[[nodiscard]] std::string answer_json(const CalibrateQuery& query, const NamedUnknown& unknown,
                                      const Calibration& found, double seconds);

}  // namespace pld
