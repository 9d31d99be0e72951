#include "account/ladder.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "account/engine_refusals.hpp"
#include "core/intersection.hpp"
#include "core/work.hpp"
#include "engines/answer_width.hpp"
#include "engines/inverse.hpp"
#include "engines/question.hpp"
#include "pairs/gaussian_allocation.hpp"
#include "pld/core/time_limit.hpp"

namespace pld {
namespace {

/// Whether both logarithms are as narrow as asked.
bool are_narrow(const ProfileBracket& found, double width) {
  if (!(found.log_delta.width() <= width)) return false;
  const Bracket& rest = found.log_complement;
  if (rest.width() <= width || rest.upper > std::log(0.5)) return true;
  return std::exp(rest.upper) - std::exp(rest.lower) <= width * least_complement;
}

/// Whether log delta is as narrow as asked and 1 - delta no wider than delta: more no further piece has that a lattice
/// measure has not.
bool are_as_narrow_as_delta(const ProfileBracket& found, double width) {
  const Bracket& rest = found.log_complement;
  return found.log_delta.width() <= width && std::exp(rest.upper) - std::exp(rest.lower) <= 2 * width;
}

bool is_asked(const EngineRow& row, const Terms& terms) { return row.in_any_case || may_set_up(terms); }

/// The rows that take the terms and were asked for; those that hardly pay come last. What has a closed form goes no
/// further; of nodes that stand for a law only lines know that law.
std::vector<const EngineRow*> rows_for(const Terms& terms, Engine asked, double tolerance) {
  require_engine(asked, terms);
  const bool by_law = has_allocation(terms), unasked = asked == Engine::automatic;
  const bool exact = by_closed_form(asked, terms);
  std::vector<const EngineRow*> rows;
  for (const EngineRow& row : engine_table()) {
    const bool known = !by_law || row.engine == Engine::contour;
    const bool wanted = known && (exact ? row.engine == Engine::closed_form : unasked || asked == row.engine);
    if (wanted && is_asked(row, terms) && row.takes(terms)) rows.push_back(&row);
  }
  if (unasked && rows.size() > 1)
    std::stable_partition(rows.begin(), rows.end(), [&](const EngineRow* row) { return row->pays(terms, tolerance); });
  return rows;
}

/// Where no other engine follows a line, it is not tried with little work first.
Effort first_effort(Engine asked) { return asked == Engine::contour ? Effort::thorough : Effort::quick; }

/// Asks every row for a piece until they say enough; whether they do.
bool climb_once(const std::vector<const EngineRow*>& rows, EngineWork work, const PieceAsk& ask, ClimbedDelta& out) {
  for (const EngineRow* row : rows) {
    if (!is_asked(*row, work.terms())) continue;
    PiecePtr found = if_affordable([&] { return row->piece(work); });
    if (!found) continue;
    const ProfileBracket here = reading(*found, ask.epsilon);
    if (here.log_delta.width() <= out.here.log_delta.width()) out.engine = row->engine;
    const ProfileBracket together = intersection(out.here, here);
    const bool adds = together.log_delta.width() < out.here.log_delta.width() ||
                      together.log_complement.width() < out.here.log_complement.width();
    if (adds || !out.piece) out.piece = both(std::move(out.piece), std::move(found));
    out.here = together;
    const bool enough =
        row->engine == Engine::lattice ? are_as_narrow_as_delta(out.here, ask.width) : are_narrow(out.here, ask.width);
    if (enough || out.here.log_delta.upper < ask.log_floor) return true;
  }
  return false;
}

}  // namespace

ClimbedDelta climb(const Terms& terms, Engine asked, const PieceAsk& ask) {
  constexpr double nearly = 1, pays = 0.7;  // a width that other pieces may mend, and what they must make of it
  constexpr double finest = 1e-6;           // noise that a smaller width meets stays
  std::vector<const EngineRow*> rows = rows_for(terms, asked, ask.width);
  ClimbedDelta out{unknown_profile, nullptr};
  double before = infinity;
  PieceAsk finer = ask;
  Allowance allowance(lattice_points(terms.size()));
  for (const double share : {1.0, 0.5, 0.25}) {
    finer.width = share * ask.width;
    if (climb_once(rows, {terms, finer, first_effort(asked), allowance.points()}, ask, out)) return out;
    const double width = out.here.log_delta.width();
    if (ask.nats > 0 || ask.width < finest || !(width < std::min(nearly, pays * before))) break;
    before = width;
    // A lattice that is cut and tilted for more may do where this one nearly did. A line has no more to give.
    finer.nats = nats_of_a_neighbourhood;
    std::erase_if(rows, [](const EngineRow* row) { return row->engine != Engine::lattice; });
  }
  if (asked == Engine::contour && !out.piece && !TimeLimit::is_over()) refuse_slow_decay();
  return out;
}

ClimbedEpsilon climb_to_delta(const Terms& terms, Engine asked, double log_delta, double tolerance) {
  Allowance allowance(lattice_points(terms.size()));
  EngineWork work(terms, {.log_delta = log_delta, .width = tolerance}, first_effort(asked), allowance.points());
  ClimbedEpsilon out{{-infinity, 0, infinity}};
  bool answered = false;
  for (const EngineRow* row : rows_for(terms, asked, tolerance)) {
    if (!is_asked(*row, terms)) continue;
    const PiecePtr piece = if_affordable([&] { return row->piece(work); });
    if (!piece) continue;
    const auto read = [&](double epsilon) { return piece->at(epsilon); };
    const Bracket found = epsilon_where(read, log_delta, piece->centre());
    const bool narrower = found.width() <= out.value.width();
    const double estimate = narrower ? found.estimate : out.value.estimate;
    if (narrower) out.engine = row->engine;
    out.value = intersection(out.value, found);
    out.value.estimate = std::clamp(estimate, out.value.lower, out.value.upper);
    answered = true;
    if (is_narrow(out.value, tolerance)) break;
  }
  if (!answered && asked == Engine::contour && !TimeLimit::is_over()) refuse_slow_decay();
  return out;
}

}  // namespace pld
