#pragma once

#include <optional>
#include <string>

#include "exit_codes.hpp"
#include "pld/pld.hpp"

namespace pld::cli {

/// ", worst direction: remove", or the one asked for; nothing where both are alike, as where a record is replaced.
[[nodiscard]] std::string direction_words(const Composition& composition, DirectionChoice asked, const Answer& answer);

/// How an answer is printed: as JSON, or for a person, in as many digits as are known or so many.
struct Printing {
  bool json = false;
  std::optional<int> digits{};
};

/// Prints one answer on stdout, and gives the status to exit with.
ExitCode report(const Composition& composition, const EpsilonQuery& query, const Answer& answer, double seconds,
                const Printing& printing);
ExitCode report(const Composition& composition, const DeltaQuery& query, const DeltaAnswer& answer, double seconds,
                const Printing& printing);

/// "0.52 ms", "132 ms"
[[nodiscard]] std::string milliseconds(double seconds);

}  // namespace pld::cli
