#include "account/running_total_state.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "account/all_neighbours.hpp"
#include "pld/core/errors.hpp"
#include "sampling/sampled_laws.hpp"

namespace pld {
namespace {

/// In batches whose transforms stay short.
void add_in_batches(LatticeTotal& total, const std::vector<BoundedRelease>& releases, const TotalGrid& grid) {
  constexpr std::size_t batch = 32;
  for (std::size_t from = 0; from < releases.size(); from += batch) {
    const std::size_t to = std::min(releases.size(), from + batch);
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

}  // namespace

bool RunningTotalState::box(const Mechanism& mechanism, std::int64_t count) {
  if (JoinedGaussians::takes(mechanism)) {
    require(count <= Composition::max_count, "running total", "count", static_cast<double>(count),
            "0 <= count <= 1e12");
    gaussians.add(mechanism, count);
    return true;
  }
  if (!ReleaseCells::takes(mechanism)) return false;
  cells.add(mechanism, count);
  return true;
}

void RunningTotalState::take(const RunningTotalState& other) {
  if (other.on_lattice) {
    if (other.add && !add) add = remove;
    if (add) add->add(other.add ? *other.add : other.remove);
    remove.add(other.remove);
    on_lattice = true;
    exact_on_lattice = exact_on_lattice && other.exact_on_lattice;
  }
  gaussians.add(other.gaussians);
  cells.add(other.cells);
}

void RunningTotalState::unlist_last() {
  const Composition all = std::exchange(listed, Composition(listed.neighbours()));
  for (std::size_t i = 0; i + 1 < all.releases().size(); ++i)
    listed.add(all.releases()[i].mechanism, all.releases()[i].count);
}

void RunningTotalState::shorten() {
  const Composition all = std::exchange(listed, Composition(listed.neighbours()));
  for (const Release& release : all.releases())
    if (!box(release.mechanism, release.count)) listed.add(release.mechanism, release.count);
  if (listed.releases().size() > most_listed || cells.size() > ReleaseCells::most_of_total) fold();
}

void RunningTotalState::fold() {
  const std::vector<BoundedRelease> releases = pending(Direction::remove);
  if (releases.empty()) return;
  const bool alike = std::all_of(releases.begin(), releases.end(),
                                 [](const BoundedRelease& r) { return r.below->symmetric() && r.above->symmetric(); });
  LatticeTotal removed, added;
  try {
    add_in_batches(removed, releases, grid);
    if (!alike || add) add_in_batches(added, pending(Direction::add), grid);
  } catch (const WorkSpent&) {
    throw DomainError("running total", "mechanism", first_on_no_lattice(),
                      "one that a lattice holds; epsilon() and delta() of a composition take others");
  }
  if (!alike && !add) add = remove;
  remove.add(removed);
  if (add) add->add(added);
  exact_on_lattice = exact_on_lattice && listed.has_worst_neighbours();
  listed = Composition(listed.neighbours());
  gaussians = {};
  cells = ReleaseCells{};
  on_lattice = true;
}

std::string RunningTotalState::first_on_no_lattice() const {
  for (const Release& release : listed.releases()) {
    const PairPtr pair = release.mechanism.pair(Direction::remove);
    try {
      LatticeTotal().add({{pair, pair, release.count}}, grid);
    } catch (const WorkSpent&) {
      return release.mechanism.text();
    }
  }
  return "one of several";
}

std::vector<BoundedRelease> RunningTotalState::pending(Direction direction) const {
  std::vector<BoundedRelease> all = cells.releases(direction);
  if (!gaussians.empty()) all.push_back(gaussians.release());
  for (const Release& release : listed.releases())
    all.push_back({attained_pair(release.mechanism, direction), release.mechanism.pair(direction), release.count});
  return all;
}

Composition RunningTotalState::bound(PairPtr BoundedRelease::*side) const {
  Composition all = listed;
  std::vector<BoundedRelease> removed = cells.releases(Direction::remove), added = cells.releases(Direction::add);
  if (!gaussians.empty()) {
    removed.push_back(gaussians.release());
    added.push_back(removed.back());
  }
  for (std::size_t i = 0; i < removed.size(); ++i) {
    const PairPtr one = removed[i].*side, other = one->symmetric() ? one : added[i].*side;
    // The pairs are those of the neighbours already.
    all.add(Mechanism::of_law("box " + std::to_string(i), Law{"", one, other, {}}), removed[i].count);
  }
  return all;
}

LatticeTotal& RunningTotalState::total(Direction direction) {
  return direction == Direction::add && add ? *add : remove;
}

}  // namespace pld
