#include "account/ladder.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "account/engine_refusals.hpp"
#include "core/intersection.hpp"
#include "engines/epsilon_width.hpp"
#include "engines/question.hpp"

namespace pld {
namespace {

/// A smaller 1 - delta is not sought to any relative width.
constexpr double least_complement = 1e-8;

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

/// The rows that take the terms and were asked for; those that hardly pay come last. What has a closed form goes no
/// further.
std::vector<const EngineRow*> rows_for(const Terms& terms, Engine asked, double tolerance) {
  require_engine(asked, terms);
  const bool exact = by_closed_form(asked, terms), unasked = asked == Engine::automatic;
  std::vector<const EngineRow*> rows;
  for (const EngineRow& row : engine_table()) {
    const bool wanted = exact ? row.engine == Engine::closed_form : unasked || asked == row.engine;
    if (wanted && row.takes(terms)) rows.push_back(&row);
  }
  if (unasked)
    std::stable_partition(rows.begin(), rows.end(), [&](const EngineRow* row) { return row->pays(terms, tolerance); });
  return rows;
}

/// Where no other engine follows a line, it is not tried with little work first.
Effort first_effort(Engine asked) { return asked == Engine::contour ? Effort::thorough : Effort::quick; }

/// Asks every row for a piece until they say enough; whether they do.
bool climb_once(const std::vector<const EngineRow*>& rows, EngineWork work, const DeltaAsk& ask, ClimbedDelta& out) {
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
    const bool enough =
        row->engine == Engine::lattice ? are_as_narrow_as_delta(out.here, ask.width) : are_narrow(out.here, ask.width);
    if (enough || out.here.log_delta.upper < ask.log_floor) return true;
  }
  return false;
}

}  // namespace

ClimbedDelta climb(const Terms& terms, Engine asked, const DeltaAsk& ask) {
  constexpr double nearly = 1, pays = 0.7;  // a width that other pieces may mend, and what they must make of it
  constexpr double finest = 1e-6;           // noise that a smaller width meets stays
  std::vector<const EngineRow*> rows = rows_for(terms, asked, ask.width);
  ClimbedDelta out{unknown_profile, nullptr};
  double before = infinity, nats = ask.nats;
  Allowance allowance(lattice_points(terms.size()));
  for (const double share : {1.0, 0.5, 0.25}) {
    const EngineWork work(terms, ask.epsilon, share * ask.width, nats, ask.log_floor, first_effort(asked),
                          allowance.points());
    if (climb_once(rows, work, ask, out)) return out;
    const double width = out.here.log_delta.width();
    if (ask.nats > 0 || ask.width < finest || !(width < std::min(nearly, pays * before))) break;
    before = width;
    // A lattice that is cut and tilted for more may do where this one nearly did. A line has no more to give.
    nats = nats_of_a_neighbourhood;
    std::erase_if(rows, [](const EngineRow* row) { return row->engine != Engine::lattice; });
  }
  if (asked == Engine::contour && !out.piece) refuse_slow_decay();
  return out;
}

ClimbedEpsilon climb(const Terms& terms, Engine asked, EpsilonAsk ask) {
  Allowance allowance(lattice_points(terms.size()));
  ask.effort = first_effort(asked);
  ClimbedEpsilon out{{-infinity, 0, infinity}};
  bool answered = false;
  for (const EngineRow* row : rows_for(terms, asked, ask.tolerance)) {
    if (!row->epsilon) continue;
    const auto found = row->epsilon(terms, ask, allowance.points());
    if (!found) continue;
    const bool narrower = !answered || found->value.width() <= out.value.width();
    const double estimate = narrower ? found->value.estimate : out.value.estimate;
    if (narrower) out.engine = row->engine;
    out.value = answered ? intersection(out.value, found->value) : found->value;
    out.value.estimate = std::clamp(estimate, out.value.lower, out.value.upper);
    answered = true;
    out.converged = found->converged || is_narrow(out.value, ask.tolerance);
    if (out.converged) break;
  }
  if (!answered) refuse_slow_decay();
  return out;
}

}  // namespace pld
