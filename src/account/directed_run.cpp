#include "account/directed_run.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/work.hpp"
#include "engines/closed_form/closed_form.hpp"
#include "engines/ends/largest_loss.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// Of logarithms of probabilities.
Bracket sum(const Bracket& a, const Bracket& b) {
  return {round_down(a.lower + b.lower, 1), a.estimate + b.estimate, std::min(0.0, round_up(a.upper + b.upper, 1))};
}

/// Whether a release has infinite losses only: of a bound from below their mass may be less than 1.
bool has_no_finite_loss(const DominatingPair& pair) {
  constexpr double next_to_all = -1e-6;
  const double log_infinite = pair.log_mass_at_plus_infinity();
  if (log_infinite == -infinity && pair.log_q_mass_at_minus_infinity() == -infinity) return false;
  const auto* rounded = dynamic_cast<const RoundedTotal*>(&pair);
  const bool may_lack = rounded && rounded->rounded_to() == Side::lower;
  return (may_lack || log_infinite > next_to_all) && pair.above(-infinity).log_mass == -infinity;
}

/// The doubles around the P mass at infinity of one release where it alone has some.
std::optional<DoublesAround> infinite_mass_of_one(const Terms& terms) {
  const auto has_some = [](const Term& t) { return t.pair->log_mass_at_plus_infinity() > -infinity; };
  if (std::count_if(terms.begin(), terms.end(), has_some) != 1) return std::nullopt;
  const Term& only = *std::find_if(terms.begin(), terms.end(), has_some);
  return only.count == 1 ? only.pair->infinite_mass() : std::nullopt;
}

/// The smallest loss and the Q mass at -inf of one term.
void add_left_end(DirectedRun& run, const Term& t) {
  const auto k = static_cast<double>(t.count);
  const double lowest = t.pair->range().lowest, log_q_mass = t.pair->log_q_mass_at_minus_infinity();
  run.smallest_loss += k * (lowest - t.pair->loss_error({lowest, lowest}));
  if (log_q_mass == -infinity) return;
  run.log_q_finite = sum(run.log_q_finite, log_none_of(log_q_mass, k));
}

}  // namespace

Terms terms_in(const Composition& composition, Direction direction) {
  Terms terms;
  for (const Release& r : composition.releases()) terms.push_back({r.mechanism.pair(direction), r.count});
  return terms;
}

bool loses_infinitely(const Composition& composition, Direction direction) {
  const auto& releases = composition.releases();
  return std::any_of(releases.begin(), releases.end(), [&](const Release& release) {
    return release.mechanism.pair(direction)->log_mass_at_plus_infinity() > -infinity;
  });
}

DirectedRun run_in(const Composition& composition, Direction direction) {
  DirectedRun run{.direction = direction, .terms = join_gaussians(terms_in(composition, direction))};
  Work::allow_for(static_cast<double>(run.terms.size()));
  double log_reach = 0;
  Bracket log_finite_mass{};
  bool certainly_infinite = false;
  for (const Term& t : run.terms) {
    const auto k = static_cast<double>(t.count);
    const double log_mass = t.pair->log_mass_at_plus_infinity();
    log_finite_mass = sum(log_finite_mass, log_none_of(log_mass, k));
    if (log_mass > -infinity) log_reach = std::max(log_reach, std::min(std::fabs(log_mass), log_nothing));
    run.has_infinite_loss = run.has_infinite_loss || log_mass > -infinity;
    // The mass at infinity is 1 as a double also where next to nothing is left of the others.
    if (has_no_finite_loss(*t.pair)) {
      run.has_finite_loss = false;
      certainly_infinite = certainly_infinite || log_mass == 0;
    }
    add_left_end(run, t);
  }
  // A sum of non-positive terms, each off by the round-off of an exponential; expm1 keeps its relative accuracy.
  const double mass = -std::expm1(log_finite_mass.estimate),
               units = 8 + 2 * log_reach + static_cast<double>(run.terms.size());
  if (run.has_infinite_loss)
    run.infinity_mass = {std::max(0.0, round_down(mass, units)), mass, std::min(1.0, round_up(mass, units))};
  if (certainly_infinite) run.infinity_mass = {1, 1, 1};
  if (const auto one = infinite_mass_of_one(run.terms)) run.infinity_mass = {one->below, one->below, one->above};
  if (run.has_infinite_loss) run.log_finite_mass = log_finite_mass;
  run.smallest_loss = round_down(run.smallest_loss, 4 * static_cast<double>(run.terms.size()));
  run.largest_loss = largest_loss(run.terms);
  return run;
}

Bracket log_delta_beyond_losses(const DirectedRun& run) {
  const Bracket& mass = run.infinity_mass;
  if (mass.upper == 0) return {-infinity, -infinity, -infinity};
  if (mass.lower == 1) return {0, 0, 0};
  return {round_down(std::log(mass.lower), 4), std::log(mass.estimate),
          std::min(0.0, round_up(std::log(mass.upper), 4))};
}

Bracket log_delta_below_losses(const DirectedRun& run, double epsilon) {
  const Bracket out{log_one_minus_exp(round_up(epsilon + run.log_q_finite.upper, 2)),
                    log_one_minus_exp(epsilon + run.log_q_finite.estimate),
                    log_one_minus_exp(round_down(epsilon + run.log_q_finite.lower, 2))};
  return {round_down(out.lower, 8), out.estimate, std::min(0.0, round_up(out.upper, 8))};
}

double most_log_delta(const DirectedRun& run) { return log_delta_below_losses(run, run.smallest_loss).upper; }

bool symmetric(const Composition& composition) {
  return std::all_of(composition.releases().begin(), composition.releases().end(),
                     [](const Release& r) { return r.mechanism.symmetric(); });
}

std::vector<Direction> directions(const Composition& composition, DirectionChoice choice) {
  if (choice == DirectionChoice::add) return {Direction::add};
  if (choice == DirectionChoice::remove || symmetric(composition)) return {Direction::remove};
  return {Direction::remove, Direction::add};
}

Bracket probability(const Bracket& log) {
  const auto up = [](double x) { return x == -infinity ? 0.0 : std::min(1.0, round_up(std::exp(x), 4)); };
  const auto down = [](double x) { return std::max(0.0, round_down(std::exp(x), 4)); };
  Bracket out{down(log.lower), std::exp(log.estimate), up(log.upper)};
  if (log.lower == 0) out.lower = 1;
  out.estimate = std::clamp(out.estimate, out.lower, out.upper);
  return out;
}

}  // namespace pld
