#include "account/ladder.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "account/engine_refusals.hpp"
#include "account/engine_table.hpp"
#include "core/intersection.hpp"
#include "engines/tilted_lattice/lattice_query.hpp"

namespace pld {
namespace {

/// Certain of nothing.
constexpr ProfileBracket unknown{{-infinity, -infinity, 0}, {-infinity, 0, 0}};

/// A smaller 1 - delta is not sought to any relative width.
constexpr double least_complement = 1e-8;

/// Whether both logarithms are as narrow as asked.
bool is_narrow(const ProfileBracket& found, double width) {
  if (!(found.log_delta.width() <= width)) return false;
  const Bracket& rest = found.log_complement;
  if (rest.width() <= width || rest.upper > std::log(0.5)) return true;
  return std::exp(rest.upper) - std::exp(rest.lower) <= width * least_complement;
}

/// The widths that pieces are made to: a tenth after three levels, so that the usual tolerances are among them.
double width_of(int level) { return std::log1p(std::pow(10, -level / 3.0)); }
int level_of(double width) {
  constexpr int finest = 48;
  int level = std::clamp(static_cast<int>(std::floor(-3 * std::log10(std::expm1(width)))), 0, finest);
  while (level < finest && width_of(level) > width * (1 + 1e-9)) ++level;
  return level;
}

/// How far log delta may be from that in the middle of a panel.
constexpr double nats_of_a_panel = 6;

/// The rows that take the terms and were asked for. What has a closed form goes no further.
std::vector<const EngineRow*> rows_for(const Terms& terms, Engine asked) {
  require_engine(asked, terms);
  const bool exact = by_closed_form(asked, terms);
  std::vector<const EngineRow*> rows;
  for (const EngineRow& row : engine_table()) {
    const bool wanted = exact
                            ? row.engine == Engine::closed_form
                            : row.engine != Engine::closed_form && (asked == Engine::automatic || asked == row.engine);
    if (wanted && row.takes(terms)) rows.push_back(&row);
  }
  return rows;
}

/// Where nine tenths of the losses lie. An estimate.
double width_of_bulk(const std::vector<LossCell>& outline) {
  constexpr double beyond = 0.05;
  double below = 0, low = -infinity, high = infinity;
  for (const LossCell& cell : outline) {
    below += std::exp(cell.log_mass);
    if (low == -infinity && below >= beyond) low = cell.loss;
    if (high == infinity && below >= 1 - beyond) high = cell.loss;
  }
  return high - low < infinity ? high - low : 0;
}

}  // namespace

double panel_of(const Terms& terms, double epsilon) {
  const LatticeQuery law(terms);
  if (!law.reaches(epsilon)) return epsilon;
  double bulk_squared = 0, highest = 0;
  for (const Term& t : terms) {
    const auto count = static_cast<double>(t.count);
    bulk_squared += count * std::pow(width_of_bulk(t.pair->outline()), 2);
    highest += count * t.pair->range().highest;
  }
  const double tilt = law.at_epsilon(epsilon).tilt, deviation = std::sqrt(law.cumulant_at(tilt).variance);
  const double extent = std::min({8 / tilt, 4 * deviation, std::max(std::sqrt(bulk_squared), std::fabs(epsilon))});
  if (!(extent > 0 && extent < infinity)) return epsilon;
  const double width = std::exp2(std::floor(std::log2(extent)));
  const double middle = (std::floor(epsilon / width) + 0.5) * width;
  return middle < highest && law.reaches(middle) ? middle : epsilon;
}

Climbed climb(const Terms& terms, Engine asked, const Ask& ask) {
  constexpr int levels_further = 3;
  constexpr double nearly = 1, pays = 0.7;  // a width that finer pieces may mend, and what they must make of it
  const std::vector<const EngineRow*> rows = rows_for(terms, asked);
  std::optional<LatticePlace> place;
  const auto place_of_lattices = [&] {
    if (!place)
      place = ask.nats > 0 ? LatticePlace{ask.epsilon, ask.nats, true}
                           : LatticePlace{panel_of(terms, ask.epsilon), nats_of_a_panel, false};
    return *place;
  };
  Climbed out{unknown, nullptr};
  double before = infinity;
  const int first = level_of(ask.width);
  for (int level = first; level <= first + levels_further; ++level) {
    EngineWork work(terms, ask.epsilon, width_of(level), place_of_lattices);
    for (const EngineRow* row : rows) {
      PiecePtr found = row->piece(work);
      if (!found) continue;
      const ProfileBracket here = found->at(ask.epsilon);
      if (here.log_delta.width() <= out.here.log_delta.width()) out.engine = row->engine;
      const ProfileBracket together = intersection(out.here, here);
      const bool adds = together.log_delta.width() < out.here.log_delta.width() ||
                        together.log_complement.width() < out.here.log_complement.width();
      if (adds || !out.piece) out.piece = both(std::move(out.piece), std::move(found));
      out.here = together;
      // A lattice measure has a delta near 1 as narrow as its rounding lets it: no further piece mends the complement.
      const bool enough =
          row->engine == Engine::lattice ? out.here.log_delta.width() <= ask.width : is_narrow(out.here, ask.width);
      if (enough || out.here.log_delta.upper < ask.log_floor) return out;
    }
    const double width = out.here.log_delta.width();
    if (!(width < std::min(nearly, pays * before))) break;
    before = width;
  }
  if (asked == Engine::contour && !out.piece) refuse_slow_decay();
  return out;
}

}  // namespace pld
