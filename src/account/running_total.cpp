#include "pld/account/running_total.hpp"

#include <cmath>
#include <utility>

#include "account/all_neighbours.hpp"
#include "account/directed_run.hpp"
#include "account/larger_of.hpp"
#include "account/running_total_state.hpp"
#include "account/total_reading.hpp"
#include "core/same_neighbours.hpp"
#include "core/standard_arithmetic.hpp"
#include "engines/answer_width.hpp"
#include "lattice/lattice_profile.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// The worse of the directions asked for, each of which `solve` brackets.
template <class Solve>
std::pair<Bracket, Direction> worst(DirectionChoice choice, bool alike, const Solve& solve) {
  if (choice == DirectionChoice::add) return {solve(Direction::add), Direction::add};
  const Bracket remove = solve(Direction::remove);
  if (choice == DirectionChoice::remove || alike) return {remove, Direction::remove};
  const Bracket add = solve(Direction::add);
  return {larger(remove, add), remove.estimate >= add.estimate ? Direction::remove : Direction::add};
}

/// The bracket that ends where that of a composition from below begins.
void widen_down(Bracket& above, const Bracket& below, double most) {
  const bool finite = std::isfinite(below.estimate);  // between infinities there is no middle
  const double estimate = finite ? below.estimate + (above.estimate - below.estimate) / 2 : above.estimate;
  above = rising({above.lower, estimate, above.upper}, below, most);
}

/// The answer of `ask(composition)` from the two that bound a total.
template <class Ask, class Narrow>
auto between(const RunningTotalState& state, const Ask& ask, const Narrow& narrow) {
  if (state.gaussians.empty() && state.cells.empty()) return ask(state.listed);
  auto found = ask(state.bound(&BoundedRelease::above));
  const auto below = ask(state.bound(&BoundedRelease::below));
  if constexpr (requires { found.log_delta; }) {
    widen_down(found.log_delta, below.log_delta, 0);
    static_cast<Bracket&>(found) = probability(found.log_delta);
    found.converged = narrow(found.log_delta);
  } else {
    widen_down(found, below, infinity);
    found.converged = narrow(found);
  }
  return found;
}

}  // namespace

TotalGrid grid_for(const Composition& expected, double delta, double tolerance) {
  const StandardArithmetic arithmetic;
  require(delta > 0 && delta < 1, "running total", "delta", delta, "0 < delta < 1");
  require(tolerance > 0 && tolerance < 1, "running total", "tolerance", tolerance, "0 < tolerance < 1");
  require(!expected.releases().empty(), "running total", "expected releases", 0, "one or more");
  // The direction with the heavier tail has the lower saddle point, which the other one bears.
  const TotalGrid remove = grid_for(terms_in(expected, Direction::remove), std::log(delta), tolerance);
  if (symmetric(expected)) return remove;
  const TotalGrid add = grid_for(terms_in(expected, Direction::add), std::log(delta), tolerance);
  return remove.tilt <= add.tilt ? remove : add;
}

RunningTotal::RunningTotal(const TotalGrid& grid, const Neighbours& neighbours)
    : RunningTotal(RunningTotalState{.grid = grid, .listed = Composition(neighbours)}) {}

RunningTotal::RunningTotal(RunningTotalState state) : state_(std::make_unique<RunningTotalState>(std::move(state))) {
  const StandardArithmetic arithmetic;
  const TotalGrid& grid = state_->grid;
  require(grid.tilt > 0 && grid.tilt < infinity, "running total", "tilt", grid.tilt, "tilt > 0 and finite");
  require(grid.spacing > 0 && grid.spacing < 1, "running total", "spacing", grid.spacing, "0 < spacing < 1");
  require(grid.log_cut < 0 && grid.log_cut > -1e6, "running total", "log_cut", grid.log_cut, "-1e6 < log_cut < 0");
  require(grid.log_negligible < 0 && grid.log_negligible > -1e6, "running total", "log_negligible", grid.log_negligible,
          "-1e6 < log_negligible < 0");
}

RunningTotal::RunningTotal(const RunningTotal& other) : state_(std::make_unique<RunningTotalState>(*other.state_)) {}
RunningTotal::RunningTotal(RunningTotal&& other) noexcept = default;
RunningTotal& RunningTotal::operator=(const RunningTotal& other) { return *this = RunningTotal(other); }
RunningTotal& RunningTotal::operator=(RunningTotal&& other) noexcept = default;
RunningTotal::~RunningTotal() = default;

void RunningTotal::fold() {
  const StandardArithmetic arithmetic;
  state_->fold();
}

void RunningTotal::add(const Mechanism& mechanism, std::int64_t count) {
  const StandardArithmetic arithmetic;
  const bool beyond_list = !state_->gaussians.empty() || !state_->cells.empty();
  if (beyond_list && count > 0 && state_->box(mechanism.under(state_->listed.neighbours()), count)) return;
  state_->listed.add(mechanism, count);
  if (state_->listed.releases().size() <= RunningTotalState::most_listed) return;
  RunningTotalState after = *state_;
  state_->unlist_last();  // where what is too much for a list fits no lattice, all is as before
  after.shorten();
  *state_ = std::move(after);
}

void RunningTotal::merge(const RunningTotal& other) {
  const StandardArithmetic arithmetic;
  if (state_->grid != other.state_->grid)
    throw DomainError("running total", "grid", "another one", "that of the total it is merged into");
  require_same(other.state_->listed.neighbours(), state_->listed.neighbours(), "running total",
               "that of the total it is merged into");
  RunningTotal both = *this;
  both.state_->take(*other.state_);
  for (const Release& release : other.state_->listed.releases()) both.add(release.mechanism, release.count);
  *this = std::move(both);
}

Answer RunningTotal::epsilon(const EpsilonQuery& query) {
  const StandardArithmetic arithmetic;
  const auto narrow = [&](const Bracket& found) { return is_narrow(found, query.tolerance); };
  if (!state_->on_lattice)
    return between(
        *state_, [&](const Composition& c) { return pld::epsilon(c, query); }, narrow);
  require(query.delta > 0 && query.delta < 1, "running total", "delta", query.delta, "0 < delta < 1 on the lattice");
  fold();
  const auto [found, direction] = worst(
      query.direction, !state_->add, [&](Direction d) { return TotalReading(state_->total(d)).epsilon(query.delta); });
  return {{found, state_->exact_on_lattice}, direction, Engine::lattice, narrow(found)};
}

DeltaAnswer RunningTotal::delta(const DeltaQuery& query) {
  const StandardArithmetic arithmetic;
  const auto narrow = [&](const Bracket& log_delta) {
    return log_delta.lower == log_delta.upper || is_narrow_log_delta(log_delta, query.tolerance);
  };
  if (!state_->on_lattice)
    return between(
        *state_, [&](const Composition& c) { return pld::delta(c, query); }, narrow);
  require(std::isfinite(query.epsilon), "running total", "epsilon", query.epsilon, "a finite number on the lattice");
  fold();
  const auto [found, direction] = worst(query.direction, !state_->add, [&](Direction d) {
    return TotalReading(state_->total(d)).log_delta(query.epsilon);
  });
  return {{{probability(found), state_->exact_on_lattice}, direction, Engine::lattice, narrow(found)}, found};
}

}  // namespace pld
