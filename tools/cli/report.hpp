#pragma once

#include <string>

#include "exit_codes.hpp"
#include "pld/pld.hpp"

namespace pld::cli {

/// ", worst direction: remove", or the one asked for; nothing where a record is replaced, which has no direction.
[[nodiscard]] std::string direction_words(const Composition& composition, DirectionChoice asked, const Answer& answer);

/// Prints one answer on stdout, as JSON or for a person, and gives the status to exit with.
ExitCode report(const Composition& composition, const EpsilonQuery& query, const Answer& answer, double seconds,
                bool json);
ExitCode report(const Composition& composition, const DeltaQuery& query, const DeltaAnswer& answer, double seconds,
                bool json);

}  // namespace pld::cli
