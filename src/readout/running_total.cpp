#include "pld/readout/running_total.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "directed_run.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "pld/lattice/lattice_profile.hpp"
#include "pld/numeric/log_sum.hpp"

namespace pld {

namespace {

Terms terms_of(const Composition& composition, Direction direction) {
  Terms terms;
  for (const Release& r : composition.releases()) terms.push_back({r.mechanism.pair(direction), r.count});
  return terms;
}

/// P mass of infinite losses, and logarithms of its ends.
struct InfiniteMass {
  double lower = 0, upper = 0;

  explicit InfiniteMass(const LatticeTotal& total) {
    const double mass = -std::expm1(total.log_finite);
    if (mass > 0) lower = round_down(mass, total.log_finite_roundings), upper = round_up(mass, total.log_finite_roundings);
  }
};

Bracket log_delta_of(LatticeTotal& total, double epsilon) {
  const InfiniteMass infinite(total);
  const TotalBlock& block = total.collapse();
  const double log_lower = log_sum(LatticeProfile(block.lower, Side::lower).log_delta(epsilon), std::log(infinite.lower));
  const double log_upper = log_sum(LatticeProfile(block.upper, Side::upper).log_delta(epsilon),
                                   std::log(round_up(infinite.upper + total.cut_mass)));
  Bracket out;
  out.lower = log_lower - 8 * unit_roundoff * (1 + std::fabs(log_lower));
  out.upper = std::min(0.0, log_upper + 8 * unit_roundoff * (1 + std::fabs(log_upper)));
  out.estimate = estimate_between(out.lower, out.upper);
  return out;
}

/// The upper end leaves what is cut off or infinite to delta; the lower end does without what was cut off.
Bracket epsilon_of(LatticeTotal& total, double delta) {
  const InfiniteMass infinite(total);
  const TotalBlock& block = total.collapse();
  const double near = block.upper.position(block.upper.first + static_cast<std::int64_t>(block.upper.weights.size() / 2));
  Bracket out{infinity, infinity, infinity};
  const double rest_upper = round_down(delta - round_up(infinite.upper + total.cut_mass));
  const double rest_lower = round_up(delta - infinite.lower);
  if (rest_upper > 0)
    out.upper = LatticeProfile(block.upper, Side::upper).epsilon(round_down(std::log(rest_upper), 4), near);
  if (rest_lower > 0)
    out.lower = LatticeProfile(block.lower, Side::lower).epsilon(round_up(std::log(rest_lower), 4), near);
  out.estimate = estimate_between(out.lower, out.upper);
  return out;
}

/// The worse of the directions asked for, each of which `solve` brackets.
template <class Solve>
std::pair<Bracket, Direction> worst(DirectionChoice choice, bool alike, const Solve& solve) {
  if (choice == DirectionChoice::add) return {solve(Direction::add), Direction::add};
  const Bracket remove = solve(Direction::remove);
  if (choice == DirectionChoice::remove || alike) return {remove, Direction::remove};
  const Bracket add = solve(Direction::add);
  const bool removing = remove.estimate >= add.estimate;
  return {{std::max(remove.lower, add.lower), std::max(remove.estimate, add.estimate), std::max(remove.upper, add.upper)},
          removing ? Direction::remove : Direction::add};
}

}  // namespace

TotalGrid grid_for(const Composition& expected, double delta, double tolerance) {
  require(delta > 0 && delta < 1, "running total", "delta", delta, "0 < delta < 1");
  require(tolerance > 0 && tolerance < 1, "running total", "tolerance", tolerance, "0 < tolerance < 1");
  require(!expected.releases().empty(), "running total", "expected releases", 0, "one or more");
  // The direction with the heavier tail has the lower saddle point, which the other one bears.
  const TotalGrid remove = grid_for(terms_of(expected, Direction::remove), std::log(delta), tolerance);
  const TotalGrid add = grid_for(terms_of(expected, Direction::add), std::log(delta), tolerance);
  return remove.tilt <= add.tilt ? remove : add;
}

RunningTotal::RunningTotal(const TotalGrid& grid) : RunningTotal(State{.grid = grid, .listed = {}, .remove = {}, .add = {}}) {}

RunningTotal::RunningTotal(State state) : state_(std::move(state)) {
  const TotalGrid& grid = state_.grid;
  require(grid.tilt > 0 && grid.tilt < infinity, "running total", "tilt", grid.tilt, "tilt > 0 and finite");
  require(grid.spacing > 0 && grid.spacing < 1, "running total", "spacing", grid.spacing, "0 < spacing < 1");
  require(grid.log_cut < 0 && grid.log_cut > -1e6, "running total", "log_cut", grid.log_cut, "-1e6 < log_cut < 0");
  require(grid.log_negligible < 0 && grid.log_negligible > -1e6, "running total", "log_negligible", grid.log_negligible,
          "-1e6 < log_negligible < 0");
}

void RunningTotal::add(const Mechanism& mechanism, std::int64_t count) {
  state_.listed.add(mechanism, count);
  if (state_.listed.releases().size() > most_listed) fold();
}

void RunningTotal::fold() {
  if (state_.listed.releases().empty()) return;
  const auto& releases = state_.listed.releases();
  const bool alike = std::all_of(releases.begin(), releases.end(), [](const Release& r) { return r.mechanism.symmetric(); });
  if (!alike && !state_.add) state_.add = state_.remove;
  state_.remove.add(terms_of(state_.listed, Direction::remove), state_.grid);
  if (state_.add) state_.add->add(terms_of(state_.listed, Direction::add), state_.grid);
  state_.listed = {};
  state_.on_lattice = true;
}

void RunningTotal::merge(const RunningTotal& other) {
  if (state_.grid != other.state_.grid) throw DomainError("running total", "grid", "another one", "that of the total it is merged into");
  if (other.state_.on_lattice) {
    if (other.state_.add && !state_.add) state_.add = state_.remove;
    if (state_.add) state_.add->add(other.state_.add ? *other.state_.add : other.state_.remove);
    state_.remove.add(other.state_.remove);
    state_.on_lattice = true;
  }
  for (const Release& release : other.state_.listed.releases()) add(release.mechanism, release.count);
}

LatticeTotal& RunningTotal::total(Direction direction) {
  return direction == Direction::add && state_.add ? *state_.add : state_.remove;
}

Answer RunningTotal::epsilon(const EpsilonQuery& query) {
  if (!state_.on_lattice) return pld::epsilon(state_.listed, query);
  require(query.delta > 0 && query.delta < 1, "running total", "delta", query.delta, "0 < delta < 1 on the lattice");
  fold();
  const auto [found, direction] = worst(query.direction, !state_.add, [&](Direction d) {
    return epsilon_of(total(d), query.delta);
  });
  const bool narrow = found.width() <= std::max(query.tolerance * std::fabs(found.estimate), 1e-9);
  return {found, direction, Engine::lattice, narrow};
}

DeltaAnswer RunningTotal::delta(const DeltaQuery& query) {
  if (!state_.on_lattice) return pld::delta(state_.listed, query);
  require(std::isfinite(query.epsilon), "running total", "epsilon", query.epsilon, "a finite number on the lattice");
  fold();
  const auto [found, direction] =
      worst(query.direction, !state_.add, [&](Direction d) { return log_delta_of(total(d), query.epsilon); });
  return {{probability(found), direction, Engine::lattice, found.width() <= std::log1p(query.tolerance)}, found};
}

}  // namespace pld
