#include "report.hpp"

#include <cstdio>
#include <iostream>

#include "core/number_text.hpp"
#include "decimal.hpp"
#include "report/directions.hpp"

namespace pld::cli {

namespace {

/// Whose a release's pair is, in a composition that is not exact.
const char* whose_pair(Attainment attained) {
  switch (attained) {
    case Attainment::together:
    case Attainment::between:
      break;
    case Attainment::alone:
      return ": an upper bound here, which some neighbours attain in one release, no pair of them in all";
    case Attainment::nowhere:
      return ": an upper bound, which no neighbours need attain";
  }
  return "";
}

/// What sets a batch of a fixed size apart from a Poisson sample.
const char* whose_batch(const Mechanism& mechanism, Relation relation) {
  const auto& sampling = mechanism.sampling();
  if (relation == Relation::zero_out) return "";
  return sampling && sampling->numbers.contains("without_replacement")
             ? " (in a fixed-size batch another record takes the place of one left out)"
             : "";
}

/// A line for each release that is accounted for as something else than what was named, or by an upper bound: of many,
/// the first.
void print_releases(const Composition& composition) {
  constexpr int most_told = 10;
  const bool exact = composition.is_exact();
  int told = 0;
  for (const Release& release : composition.releases()) {
    const std::string& named = release.mechanism.text();
    const Law& law = release.mechanism.law();
    const std::string whose = exact ? "" : whose_pair(law.kind.attained);
    if (named == law.text && whose.empty()) continue;
    if (++told > most_told) continue;
    std::cout << "    " << named << (named == law.text ? "" : " counts as " + law.text)
              << whose_batch(release.mechanism, composition.relation()) << whose << '\n';
  }
  if (told > most_told)
    std::cout << "    and " << told - most_told << " more, each counted as something else or by an upper bound\n";
}

/// ", worst direction: remove", or the one asked for; nothing where both are alike, as where a record is replaced. Wide
/// brackets of the two may overlap, and what only dominates tells nothing of the loss: then bounds alone are compared.
std::string direction_words(const Composition& composition, DirectionChoice asked, const Answer& answer) {
  const std::string direction = name(answer.direction);
  if (asked != DirectionChoice::worst) return ", direction: " + direction;
  if (!directions_differ(composition)) return "";
  return (answer.exact && answer.converged ? ", worst direction: " : ", direction of the larger bound: ") + direction;
}

template <class Query>
void print_sentence(const Composition& composition, const std::string& finding, const Query& query,
                    const Answer& answer, double seconds) {
  std::cout << finding << direction_words(composition, query.direction, answer) << ", engine " << name(answer.engine)
            << ", " << milliseconds(seconds);
  print_subject(composition, answer.converged ? std::nullopt : std::optional(query.tolerance));
  if (answer.renyi_routes)
    std::cout << "    Renyi guarantees added up, then converted: <= "
              << decimals(answer.renyi_routes->added_first).upper
              << "; each converted, then composed: <= " << decimals(answer.renyi_routes->converted_first).upper << '\n';
}

/// One line of JSON, or a sentence beginning with what was found.
template <class Query, class Found>
ExitCode print(const Composition& composition, const std::string& finding, const Query& query, const Found& answer,
               double seconds, const Printing& printing) {
  if (printing.json) {
    OrderedJson fields = answer_fields(composition, query, answer, seconds);
    fields.update(printing.assumed);
    std::cout << fields.dump() << '\n';
  } else {
    print_sentence(composition, finding, query, answer, seconds);
  }
  return answer.converged ? ExitCode::answered : ExitCode::tolerance_not_reached;
}

}  // namespace

std::string milliseconds(double seconds) {
  char text[40];
  const bool has_parts = seconds < 0.0995;  // above, two digits would be written 1e+02
  std::snprintf(text, sizeof text, has_parts ? "%.2g ms" : "%.0f ms", seconds * 1e3);
  return text;
}

std::string in_one_direction(const Composition& composition, DirectionChoice asked) {
  if (asked == DirectionChoice::worst || !directions_differ(composition)) return "";
  return " in the direction " + std::string(name(asked)) + " alone (differential privacy needs both)";
}

void print_neighbours(const Neighbours& neighbours) {
  if (neighbours.relation != Relation::add_remove) std::cout << ", adjacency " << name(neighbours.relation);
  if (neighbours.group > 1) std::cout << ", groups of " << neighbours.group;
}

void print_subject(const Composition& composition, std::optional<double> missed_tolerance) {
  print_neighbours(composition.neighbours());
  if (missed_tolerance) std::cout << ", tolerance " << number_text(*missed_tolerance) << " not reached";
  std::cout << '\n';
  print_releases(composition);
}

ExitCode report(const Composition& composition, const EpsilonQuery& query, const Answer& answer, double seconds,
                const Printing& printing) {
  return print(composition, "epsilon <= " + at_most(answer, printing.digits) + " at delta " + number_text(query.delta),
               query, answer, seconds, printing);
}

ExitCode report(const Composition& composition, const DeltaQuery& query, const DeltaAnswer& answer, double seconds,
                const Printing& printing) {
  return print(composition,
               "delta <= " + at_most(answer, printing.digits) + " at epsilon " + number_text(query.epsilon), query,
               answer, seconds, printing);
}

}  // namespace pld::cli
