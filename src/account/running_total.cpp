#include "pld/account/running_total.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "account/all_neighbours.hpp"
#include "account/directed_run.hpp"
#include "account/larger_of.hpp"
#include "core/intersection.hpp"
#include "core/standard_arithmetic.hpp"
#include "engines/epsilon_width.hpp"
#include "lattice/lattice_profile.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "sampling/sampled_laws.hpp"

namespace pld {

namespace {

/// P mass of infinite losses, and logarithms of its ends.
struct InfiniteMass {
  double lower = 0, upper = 0;

  explicit InfiniteMass(const LatticeTotal& total) {
    const double mass = -std::expm1(total.log_finite);
    if (mass > 0)
      lower = round_down(mass, total.log_finite_roundings), upper = round_up(mass, total.log_finite_roundings);
  }
};

Bracket log_delta_of(LatticeTotal& total, double epsilon) {
  const InfiniteMass infinite(total);
  const TotalBlock& block = total.collapse();
  const double log_lower =
      log_sum(LatticeProfile(block.lower, Side::lower).log_delta(epsilon), std::log(infinite.lower));
  const double log_upper = log_sum(LatticeProfile(block.upper, Side::upper).log_delta(epsilon),
                                   std::log(round_up(infinite.upper + total.cut_mass)));
  const double least = log_lower - 8 * unit_roundoff * (1 + std::fabs(log_lower));
  const double most = std::min(0.0, log_upper + 8 * unit_roundoff * (1 + std::fabs(log_upper)));
  Bracket out = intersection({least, least, 0}, at_most(most));
  out.estimate = estimate_between(out.lower, out.upper);
  return out;
}

/// The upper end leaves what is cut off or infinite to delta; the lower end does without what was cut off.
Bracket epsilon_of(LatticeTotal& total, double delta) {
  const InfiniteMass infinite(total);
  const TotalBlock& block = total.collapse();
  const double near =
      block.upper.position(block.upper.first + static_cast<std::int64_t>(block.upper.weights.size() / 2));
  Bracket out{infinity, infinity, infinity};
  const double rest_upper = round_down(delta - round_up(infinite.upper + total.cut_mass));
  const double rest_lower = round_up(delta - infinite.lower);
  if (rest_upper > 0)
    out.upper = LatticeProfile(block.upper, Side::upper).epsilon(round_down(std::log(rest_upper), 4), near);
  if (rest_lower > 0)
    out.lower = LatticeProfile(block.lower, Side::lower).epsilon(round_up(std::log(rest_lower), 4), near);
  out = intersection(at_least(out.lower), at_most(out.upper));
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
  return {larger(remove, add), remove.estimate >= add.estimate ? Direction::remove : Direction::add};
}

/// In batches whose transforms stay short.
void add_in_batches(LatticeTotal& total, const std::vector<BoundedRelease>& releases, const TotalGrid& grid) {
  for (std::size_t from = 0; from < releases.size(); from += RunningTotal::most_listed) {
    const std::size_t to = std::min(releases.size(), from + RunningTotal::most_listed);
    total.add(
        {releases.begin() + static_cast<std::ptrdiff_t>(from), releases.begin() + static_cast<std::ptrdiff_t>(to)},
        grid);
  }
}

/// What one pair of neighbours attains of a release: nothing where nothing is known.
PairPtr attained_pair(const Mechanism& mechanism, Direction direction) {
  const auto attained = attained_law(mechanism.law());
  const Law law = attained ? *attained : law_of_nothing(mechanism.text());
  return direction == Direction::remove ? law.remove : law.add;
}

bool all_attained_together(const Composition& composition) {
  return std::all_of(composition.releases().begin(), composition.releases().end(), [](const Release& release) {
    return release.mechanism.law().kind.attained == Attainment::together;
  });
}

/// The bracket that ends where that of a composition from below begins.
void widen_down(Bracket& above, const Bracket& below, double most) {
  const double estimate = below.estimate + (above.estimate - below.estimate) / 2;
  above = rising({above.lower, estimate, above.upper}, below, most);
}

}  // namespace

TotalGrid grid_for(const Composition& expected, double delta, double tolerance) {
  const StandardArithmetic arithmetic;
  require(delta > 0 && delta < 1, "running total", "delta", delta, "0 < delta < 1");
  require(tolerance > 0 && tolerance < 1, "running total", "tolerance", tolerance, "0 < tolerance < 1");
  require(!expected.releases().empty(), "running total", "expected releases", 0, "one or more");
  // The direction with the heavier tail has the lower saddle point, which the other one bears.
  const TotalGrid remove = grid_for(terms_in(expected, Direction::remove), std::log(delta), tolerance);
  const TotalGrid add = grid_for(terms_in(expected, Direction::add), std::log(delta), tolerance);
  return remove.tilt <= add.tilt ? remove : add;
}

RunningTotal::RunningTotal(const TotalGrid& grid, Relation relation)
    : RunningTotal(State{.grid = grid, .listed = Composition(relation)}) {}

RunningTotal::RunningTotal(State state) : state_(std::move(state)) {
  const StandardArithmetic arithmetic;
  const TotalGrid& grid = state_.grid;
  require(grid.tilt > 0 && grid.tilt < infinity, "running total", "tilt", grid.tilt, "tilt > 0 and finite");
  require(grid.spacing > 0 && grid.spacing < 1, "running total", "spacing", grid.spacing, "0 < spacing < 1");
  require(grid.log_cut < 0 && grid.log_cut > -1e6, "running total", "log_cut", grid.log_cut, "-1e6 < log_cut < 0");
  require(grid.log_negligible < 0 && grid.log_negligible > -1e6, "running total", "log_negligible", grid.log_negligible,
          "-1e6 < log_negligible < 0");
}

void RunningTotal::add(const Mechanism& mechanism, std::int64_t count) {
  const StandardArithmetic arithmetic;
  const bool beyond_list = !state_.gaussians.empty() || !state_.cells.empty();
  if (beyond_list && count > 0 && box(mechanism.under(state_.listed.relation()), count)) return;
  state_.listed.add(mechanism, count);
  if (state_.listed.releases().size() > most_listed) shorten();
}

bool RunningTotal::box(const Mechanism& mechanism, std::int64_t count) {
  if (JoinedGaussians::takes(mechanism)) {
    require(count <= Composition::max_count, "running total", "count", static_cast<double>(count),
            "0 <= count <= 1e12");
    state_.gaussians.add(mechanism, count);
    return true;
  }
  if (!ReleaseCells::takes(mechanism)) return false;
  state_.cells.add(mechanism, count);
  return true;
}

void RunningTotal::shorten() {
  const Composition all = std::exchange(state_.listed, Composition(state_.listed.relation()));
  for (const Release& release : all.releases())
    if (!box(release.mechanism, release.count)) state_.listed.add(release.mechanism, release.count);
  if (state_.listed.releases().size() > most_listed || state_.cells.size() > ReleaseCells::most) fold();
}

std::vector<BoundedRelease> RunningTotal::pending(Direction direction) const {
  std::vector<BoundedRelease> all = state_.cells.releases(direction);
  if (!state_.gaussians.empty()) all.push_back(state_.gaussians.release());
  for (const Release& release : state_.listed.releases())
    all.push_back({attained_pair(release.mechanism, direction), release.mechanism.pair(direction), release.count});
  return all;
}

void RunningTotal::fold() {
  const StandardArithmetic arithmetic;
  const std::vector<BoundedRelease> remove = pending(Direction::remove);
  if (remove.empty()) return;
  const bool alike = std::all_of(remove.begin(), remove.end(),
                                 [](const BoundedRelease& r) { return r.below->symmetric() && r.above->symmetric(); });
  if (!alike && !state_.add) state_.add = state_.remove;
  add_in_batches(state_.remove, remove, state_.grid);
  if (state_.add) add_in_batches(*state_.add, pending(Direction::add), state_.grid);
  state_.exact_on_lattice = state_.exact_on_lattice && all_attained_together(state_.listed);
  state_.listed = Composition(state_.listed.relation());
  state_.gaussians = {};
  state_.cells = {};
  state_.on_lattice = true;
}

void RunningTotal::merge(const RunningTotal& other) {
  const StandardArithmetic arithmetic;
  if (state_.grid != other.state_.grid)
    throw DomainError("running total", "grid", "another one", "that of the total it is merged into");
  const Relation relation = state_.listed.relation();
  if (relation != other.state_.listed.relation())
    throw DomainError("running total", "adjacency", name(other.state_.listed.relation()),
                      std::string(name(relation)) + ", that of the total it is merged into");
  if (other.state_.on_lattice) {
    if (other.state_.add && !state_.add) state_.add = state_.remove;
    if (state_.add) state_.add->add(other.state_.add ? *other.state_.add : other.state_.remove);
    state_.remove.add(other.state_.remove);
    state_.on_lattice = true;
    state_.exact_on_lattice = state_.exact_on_lattice && other.state_.exact_on_lattice;
  }
  state_.gaussians.add(other.state_.gaussians);
  state_.cells.add(other.state_.cells);
  for (const Release& release : other.state_.listed.releases()) add(release.mechanism, release.count);
}

bool RunningTotal::for_engines() const {
  if (state_.on_lattice) return false;
  const std::vector<BoundedRelease> all = pending(Direction::remove);
  return all.size() <= most_listed || std::all_of(all.begin(), all.end(), [](const BoundedRelease& r) {
           return r.below->sampled_gaussian().has_value();
         });
}

Composition RunningTotal::bound(PairPtr BoundedRelease::*side) const {
  Composition all = state_.listed;
  std::vector<BoundedRelease> remove = state_.cells.releases(Direction::remove),
                              add = state_.cells.releases(Direction::add);
  if (!state_.gaussians.empty()) {
    remove.push_back(state_.gaussians.release());
    add.push_back(remove.back());
  }
  for (std::size_t i = 0; i < remove.size(); ++i) {
    const PairPtr one = remove[i].*side, other = one->symmetric() ? one : add[i].*side;
    // The pairs are those of the relation already.
    all.add({"box " + std::to_string(i), [one, other](Relation) { return Law{"", one, other, {}}; }}, remove[i].count);
  }
  return all;
}

/// The answer of `ask(composition)` from the two that bound a total.
template <class Ask, class Narrow>
auto RunningTotal::between(const Ask& ask, const Narrow& narrow) const {
  if (state_.gaussians.empty() && state_.cells.empty()) return ask(state_.listed);
  auto found = ask(bound(&BoundedRelease::above));
  const auto below = ask(bound(&BoundedRelease::below));
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

LatticeTotal& RunningTotal::total(Direction direction) {
  return direction == Direction::add && state_.add ? *state_.add : state_.remove;
}

Answer RunningTotal::epsilon(const EpsilonQuery& query) {
  const StandardArithmetic arithmetic;
  const auto narrow = [&](const Bracket& found) { return is_narrow(found, query.tolerance); };
  if (for_engines()) return between([&](const Composition& c) { return pld::epsilon(c, query); }, narrow);
  require(query.delta > 0 && query.delta < 1, "running total", "delta", query.delta, "0 < delta < 1 on the lattice");
  fold();
  const auto [found, direction] =
      worst(query.direction, !state_.add, [&](Direction d) { return epsilon_of(total(d), query.delta); });
  return {{found, state_.exact_on_lattice}, direction, Engine::lattice, narrow(found)};
}

DeltaAnswer RunningTotal::delta(const DeltaQuery& query) {
  const StandardArithmetic arithmetic;
  const auto narrow = [&](const Bracket& log_delta) {
    return log_delta.lower == log_delta.upper || log_delta.width() <= std::log1p(query.tolerance);
  };
  if (for_engines()) return between([&](const Composition& c) { return pld::delta(c, query); }, narrow);
  require(std::isfinite(query.epsilon), "running total", "epsilon", query.epsilon, "a finite number on the lattice");
  fold();
  const auto [found, direction] =
      worst(query.direction, !state_.add, [&](Direction d) { return log_delta_of(total(d), query.epsilon); });
  return {{{probability(found), state_.exact_on_lattice}, direction, Engine::lattice, narrow(found)}, found};
}

}  // namespace pld
