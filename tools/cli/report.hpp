#pragma once

#include <optional>
#include <string>

#include "exit_codes.hpp"
#include "formats/answer_fields.hpp"
#include "pld/pld.hpp"

namespace pld::cli {

/// What is proved in one of two directions that differ: " in the direction add alone (differential privacy needs
/// both)".
[[nodiscard]] std::string in_one_direction(const Composition& composition, DirectionChoice asked);

/// ", adjacency replace-one, groups of 3"; nothing of one record added or removed.
void print_neighbours(const Neighbours& neighbours);

/// The end of an answer's line: whose neighbours it is about, and what it is not as narrow as; then a line for each
/// release that counts as something else than what was named.
void print_subject(const Composition& composition, std::optional<double> missed_tolerance);

/// How an answer is printed: as JSON, or for a person, in as many digits as are known or so many.
struct Printing {
  bool json = false;
  std::optional<int> digits{};
  OrderedJson assumed{};  ///< the field "assumed", where something was taken for granted
};

/// Prints one answer on stdout, and gives the status to exit with.
ExitCode report(const Composition& composition, const EpsilonQuery& query, const Answer& answer, double seconds,
                const Printing& printing);
ExitCode report(const Composition& composition, const DeltaQuery& query, const DeltaAnswer& answer, double seconds,
                const Printing& printing);

/// "0.52 ms", "132 ms"
[[nodiscard]] std::string milliseconds(double seconds);

}  // namespace pld::cli
