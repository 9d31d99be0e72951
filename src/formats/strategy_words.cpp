#include "formats/strategy_words.hpp"

#include <algorithm>
#include <cmath>

#include "core/number_text.hpp"
#include "formats/matrix_file.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

/// Lower triangular, with so many diagonals.
bool is_banded(const StrategyMatrix& c, double bands) {
  if (c.rows != c.steps) return false;
  for (std::size_t i = 0; i < c.rows; ++i)
    for (std::size_t j = 0; j < c.steps; ++j)
      if (c.entries[i * c.steps + j] != 0 && (j > i || !(static_cast<double>(i - j) < bands))) return false;
  return true;
}

/// Of cyclic Poisson samples: a record is in every b-th step's part of the data, whose columns of C do not overlap.
void require_cyclic(const StrategyMatrix& c, const Participation& participation, const Entry& entry,
                    const std::string& where) {
  const double bands = participation.min_separation;
  if (entry.sampling.size() != 1 || !entry.sampling.contains("poisson") || participation.participations != 1)
    throw ReadError(where +
                    ": a matrix mechanism takes no sampling but cyclic Poisson samples: q= of a part, in which "
                    "a record is at most once (participations=1)");
  if (!is_banded(c, bands))
    throw ReadError(where +
                    ": of Poisson samples the matrix must be lower triangular with no more bands than "
                    "min_separation, " +
                    number_text(bands) + ", the number of parts taken in turn");
  const double rounds = std::ceil(static_cast<double>(c.steps) / bands);
  if (std::fmod(static_cast<double>(entry.count), rounds) != 0)
    throw ReadError(where, "count", std::to_string(entry.count),
                    number_text(rounds) + " or a multiple: once for each of the matrix's rounds of all parts");
}

/// What some record of cyclic Poisson samples moves each of its releases by, or more: the shortest column of a part
/// that has one in every round.
double attained_in_parts(const StrategyMatrix& c, double bands) {
  const auto parts = static_cast<std::size_t>(std::min(bands, static_cast<double>(c.steps)));
  const std::size_t rounds = (c.steps + parts - 1) / parts;
  double most = 0;
  for (std::size_t part = 0; part + (rounds - 1) * parts < c.steps; ++part) {
    double least = infinity;
    for (std::size_t step = part; step < c.steps; step += parts) {
      StrategyMatrix column{.rows = c.rows, .steps = 1, .entries = {}};
      for (std::size_t i = 0; i < c.rows; ++i) column.entries.push_back(c.entries[i * c.steps + step]);
      least = std::min(least, matrix_sensitivity_between(column).attained);
    }
    most = std::max(most, least);
  }
  return most;
}

}  // namespace

void StrategyWords::write_to(Entry& entry, FileAccess files, const std::string& where) const {
  if (path.empty()) {
    if (min_separation) throw ReadError(where + ": min_separation is of a matrix: give matrix=FILE");
    return;
  }
  if (entry.parameters.contains("sensitivity") || entry.parameters.contains("replace_sensitivity") ||
      entry.parameters.contains("attained_sensitivity"))
    throw ReadError(where + ": the sensitivity is that of the matrix: leave sensitivity out");
  const auto written = entry.sampling.extract("participations");
  const Participation participation{written.empty() ? 1 : written.mapped(), min_separation.value_or(1)};
  const StrategyMatrix matrix = matrix_of_file(path, files);
  if (!entry.sampling.empty()) require_cyclic(matrix, participation, entry, where);
  try {
    MatrixSensitivity found = matrix_sensitivity_between(matrix, participation);
    if (!entry.sampling.empty()) found.attained = attained_in_parts(matrix, participation.min_separation);
    entry.parameters["sensitivity"] = found.bound;
    if (!is_attained(found, matrix)) entry.parameters["attained_sensitivity"] = found.attained;
  } catch (const DomainError& error) {
    throw ReadError(where + ": " + error.what());
  }
}

}  // namespace pld
