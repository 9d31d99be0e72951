#include "pld/account/running_total.hpp"

#include <chrono>
#include <cmath>
#include <functional>
#include <vector>

#include "account/running_total_state.hpp"
#include "lattice/lattice_profile.hpp"
#include "pld/bounds/gaussian_dp.hpp"
#include "pld/core/errors.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace pld {
namespace {
constexpr int most_listed = RunningTotalState::most_listed;

/// sigma of the i-th of n Gaussians that are one of mu, none equal to another.
double sigma_of(int i, int n, double mu) { return std::sqrt(n) / mu * (1 + 0.2 * std::sin(i)); }

double mu_of(int from, int to, int n, double mu) {
  double squared = 0;
  for (int i = from; i < to; ++i) squared += std::pow(sigma_of(i, n, mu), -2);
  return std::sqrt(squared);
}

TotalGrid gaussian_grid(int n, double mu) { return grid_for(Composition().add(Gaussian{std::sqrt(n) / mu}, n), 1e-6); }

/// Down to here round-off leaves a grid made for 1e-6 its accuracy, after some hundred releases.
constexpr double least_log_delta = -21;

void check_gaussian(RunningTotal& total, double mu, double tolerance, double least = least_log_delta) {
  for (const double epsilon : {-0.5, 0.0, 0.5, 1.0, 1.3}) {
    const DeltaAnswer found = total.delta({.epsilon = epsilon, .tolerance = tolerance});
    const double truth = bounds::gdp_log_delta(mu, epsilon);
    CHECK_MESSAGE(found.log_delta.contains(truth), "epsilon ", epsilon, ": ", found.log_delta.lower, " ", truth, " ",
                  found.log_delta.upper);
    CHECK((found.converged || truth < least));
    CHECK(found.contains(bounds::gdp_delta(mu, epsilon)));
  }
  for (const double delta : {1e-9, 1e-6, 1e-3}) {
    const Answer found = total.epsilon({.delta = delta, .tolerance = tolerance});
    CHECK_INSIDE(found, bounds::gdp_epsilon(mu, delta));
    CHECK((found.width() < tolerance || std::log(delta) < least));
  }
}

/// Adds, and puts every 40 of them on the lattice.
void add_on_lattice(RunningTotal& total, const Mechanism& mechanism, int i) {
  total.add(mechanism);
  if (i % 40 == 39) total.fold();
}

/// To the accuracy of the closed forms that are compared with.
void check_as_one_gaussian(RunningTotal& total, double mu) {
  for (const double epsilon : {-0.1, 0.5, 2.0, 6.0}) {
    const DeltaAnswer found = total.delta({.epsilon = epsilon, .tolerance = 1e-10});
    CHECK_REL(found.log_delta.lower, bounds::gdp_log_delta(mu, epsilon), 1e-11);
    CHECK_REL(found.log_delta.upper, bounds::gdp_log_delta(mu, epsilon), 1e-11);
    CHECK(found.converged);
  }
  for (const double delta : {1e-12, 1e-6, 1e-3}) {
    const Answer found = total.epsilon({.delta = delta, .tolerance = 1e-10});
    CHECK_REL(found.lower, bounds::gdp_epsilon(mu, delta), 1e-11);
    CHECK_REL(found.upper, bounds::gdp_epsilon(mu, delta), 1e-11);
    CHECK(found.converged);
  }
}

TEST_CASE("readout.running_total.distinct gaussians by their closed form, at any time") {
  constexpr int n = 400;
  const double mu = 0.23;
  RunningTotal total(gaussian_grid(n, mu));
  for (int i = 0; i < n; ++i) {
    add_on_lattice(total, Gaussian{sigma_of(i, n, mu)}, i);
    if (i == 99 || i == 100 || i == 250 || i == n - 1)
      check_gaussian(total, mu_of(0, i + 1, n, mu), i < 300 ? 0.1 : 5e-3);
  }
  CHECK(total.state().on_lattice);
}

TEST_CASE("readout.running_total.gaussians are joined exactly, be they a million") {
  constexpr int n = 100'000;
  RunningTotal total;
  CompensatedSum squared;
  for (int i = 0; i < n; ++i) {
    const double sigma = sigma_of(i, n, 0.23);
    total.add(Gaussian{sigma}, 1 + i % 3);
    squared.add((1 + i % 3) / (sigma * sigma));
  }
  CHECK(!total.state().on_lattice);
  check_as_one_gaussian(total, std::sqrt(squared.value()));
}

/// The i-th of a noise schedule, no two alike.
Mechanism scheduled(int i) { return poisson_sampled(Gaussian{.sigma = 1 + 1e-3 * i}, 0.02 + 1e-6 * i); }

TEST_CASE("readout.running_total.boxes hold what the contour engine says of every release apart") {
  constexpr int n = 300;
  RunningTotal total;
  Composition all;
  for (int i = 0; i < n; ++i) {
    total.add(scheduled(i));
    all.add(scheduled(i));
  }
  CHECK(total.state().cells.size() <= ReleaseCells::most_of_total);
  CHECK(total.state().cells.level() > 0);
  for (const DirectionChoice direction : {DirectionChoice::remove, DirectionChoice::add}) {
    const DeltaAnswer found = total.delta({.epsilon = 1.5, .tolerance = 0.02, .direction = direction});
    const DeltaAnswer exact = delta(all, {.epsilon = 1.5, .direction = direction, .engine = Engine::contour});
    CHECK(found.log_delta.lower < exact.log_delta.lower);
    CHECK(found.log_delta.upper > exact.log_delta.upper);
    CHECK(found.log_delta.width() < 0.1);
    CHECK(found.engine == Engine::contour);
  }
}

TEST_CASE("readout.running_total.boxes at the ends of epsilon and of delta") {
  RunningTotal total;
  for (int i = 0; i < 40; ++i) total.add(Gaussian{.sigma = 5 + 0.1 * i});
  total.add(Laplace{.scale = 3});
  const auto ends = [](const Bracket& found) { return std::vector{found.lower, found.estimate, found.upper}; };
  CHECK(ends(total.epsilon({.delta = 1})) == std::vector(3, -infinity));
  CHECK(ends(total.epsilon({.delta = 0})) == std::vector(3, infinity));
  CHECK(ends(total.delta({.epsilon = infinity})) == std::vector(3, 0.0));
  CHECK(ends(total.delta({.epsilon = infinity}).log_delta) == std::vector(3, -infinity));
  CHECK(ends(total.delta({.epsilon = -infinity})) == std::vector(3, 1.0));
}

TEST_CASE("readout.running_total.boxes of many kinds are left to the contour engine") {
  constexpr int n = 10'000;
  RunningTotal total;
  for (int i = 0; i < n; ++i) total.add(poisson_sampled(Gaussian{.sigma = 1 + 4e-5 * i}, 1e-3));
  const auto all = [](double sigma) { return Composition().add(poisson_sampled(Gaussian{.sigma = sigma}, 1e-3), n); };
  const Answer found = total.epsilon({.delta = 1e-6});
  CHECK(found.engine == Engine::contour);
  CHECK(found.width() < 0.01 * found.estimate);
  CHECK(found.upper >= epsilon(all(1.4), {.delta = 1e-6}).lower);
  CHECK(found.lower <= epsilon(all(1), {.delta = 1e-6}).upper);
}

/// By the lattice engine, which is told every release.
TEST_CASE("readout.running_total.boxes of discrete Laplace noise and randomized response") {
  constexpr int n = most_listed + 18;
  const auto discrete = [](int i) -> Mechanism { return DiscreteLaplace{.a = 0.1 + 1e-4 * i, .sensitivity = 2}; };
  const auto response = [](int i) -> Mechanism { return RandomizedResponse{.p = 0.55 + 3e-5 * i}; };
  for (const auto& kind : {std::function<Mechanism(int)>(discrete), std::function<Mechanism(int)>(response)}) {
    RunningTotal total;
    Composition all;
    for (int i = 0; i < n; ++i) {
      total.add(kind(i), 3);
      all.add(kind(i), 3);
    }
    CHECK(total.state().listed.releases().empty());
    CHECK(total.state().cells.size() > 0);
    for (const double epsilon : {0.5, 3.0}) {
      const DeltaAnswer found = total.delta({.epsilon = epsilon}),
                        exact = delta(all, {.epsilon = epsilon, .tolerance = 0.01});
      CHECK(found.log_delta.lower <= exact.log_delta.upper);
      CHECK(found.log_delta.upper >= exact.log_delta.lower);
      CHECK(found.log_delta.width() < 0.3);
    }
  }
}

TEST_CASE("readout.running_total.very loud releases have a grid") {
  const TotalGrid grid = grid_for(Composition().add(poisson_sampled(Gaussian{.sigma = 0.003}, 0.5), 200), 1e-6);
  RunningTotal total(grid);
  total.add(Gaussian{.sigma = 0.003});
  total.fold();
  CHECK(total.delta({.epsilon = 1}).upper > 0.99);
}

// A delta little above the mass of infinite losses leaves little to the finite ones.
TEST_CASE("readout.running_total.epsilon leaves infinite losses to delta") {
  Composition all;
  for (int i = 0; i < 40; ++i) all.add(ApproximateDp{.epsilon = 0.05 + 1e-3 * i, .delta = 1e-7});
  RunningTotal total(grid_for(all, 1e-5));
  for (const Release& release : all.releases()) total.add(release.mechanism, release.count);
  total.fold();
  for (const double delta : {4.1e-6, 5e-6, 8e-6, 1e-4}) {
    const Answer found = total.epsilon({.delta = delta}), exact = epsilon(all, {.delta = delta, .tolerance = 1e-6});
    CAPTURE(delta);
    CHECK(found.lower <= exact.upper);
    CHECK(exact.lower <= found.upper);
    CHECK(found.width() <= 0.05 * exact.estimate);
  }
  CHECK(total.epsilon({.delta = 3.9e-6}).lower == infinity);
}

// The saddle point of a delta next to the largest loss has no end; a grid as fine as that took all memory.
TEST_CASE("readout.running_total.next to a largest loss") {
  const Composition expected = Composition().add(Laplace{.scale = 1});
  const TotalGrid grid = grid_for(expected, 1e-6);
  CHECK(grid.spacing > 1e-5);
  RunningTotal total(grid);
  total.add(Laplace{.scale = 1});
  total.fold();
  const Answer found = total.epsilon({.delta = 1e-6});
  CHECK_INSIDE(found, 1 + 2 * std::log1p(-1e-6));  // delta is 1 - e^((epsilon - 1) / 2)
  CHECK(found.converged);
  // Loud Gaussians are steep, too, but have no largest loss: delta keeps its accuracy.
  CHECK(grid_for(Composition().add(Gaussian{.sigma = 0.02}), 1e-6).spacing < 0.3);
}

TEST_CASE("readout.running_total.boxes of one value are exact, of several they get wider only") {
  ReleaseCells cells;
  for (int i = 0; i < 10; ++i) cells.add(scheduled(7), 5);
  REQUIRE(cells.size() == 1);
  CHECK(cells.releases(Direction::add).front().count == 50);
  CHECK(cells.releases(Direction::remove).front().below->above(0.1).log_mass ==
        scheduled(7).pair(Direction::remove)->above(0.1).log_mass);
  for (int i = 0; i < 2000; ++i) cells.add(Laplace{.scale = 1 + 1e-4 * i}, 1);
  const auto releases = cells.releases(Direction::remove);
  CHECK(releases.size() <= ReleaseCells::most_of_total);
  double scales = 0;
  std::int64_t count = 0;
  for (const BoundedRelease& release : releases) {
    count += release.count;
    // A Laplace law's largest loss is 1 / scale.
    if (release.below->range().highest < 1.1)
      scales += static_cast<double>(release.count) * (release.above->range().highest - release.below->range().highest);
    CHECK(release.below->range().highest <= release.above->range().highest);
  }
  CHECK(count == 2050);
  CHECK(scales < 0.01 * 2000);
  CHECK_THROWS_AS(cells.add(Laplace{.scale = 1}, -1), DomainError);
  CHECK_THROWS_AS(cells.add(Mechanism(RandomizedResponse{.p = 1}), 1), DomainError);
  CHECK_THROWS_AS(cells.add(Laplace{.scale = 1}, ReleaseCells::Cell{{2}, {1}, 1}), DomainError);
  CHECK_THROWS_AS(cells.add(Laplace{.scale = 1}, ReleaseCells::Cell{{0}, {1}, 1}), DomainError);
}

/// delta(epsilon) of pure DP releases, over all outcomes.
double delta_of_answers(const std::vector<double>& losses, double epsilon) {
  long double sum = 0;
  for (std::size_t outcome = 0; outcome < std::size_t{1} << losses.size(); ++outcome) {
    long double log_p = 0, loss = 0;
    for (std::size_t i = 0; i < losses.size(); ++i) {
      const bool likely = (outcome >> i) & 1;
      log_p += (likely ? 0.0L : -losses[i]) - std::log1p(std::exp(static_cast<long double>(-losses[i])));
      loss += likely ? losses[i] : -losses[i];
    }
    if (loss > epsilon) sum += std::exp(log_p) * -std::expm1(epsilon - loss);
  }
  return static_cast<double>(sum);
}

TEST_CASE("readout.running_total.atoms moved to the grid from either side") {
  RunningTotal total(TotalGrid{.tilt = 1, .spacing = 0.2});
  std::vector<double> losses;
  for (int i = 0; i < 10; ++i) {
    losses.push_back(0.31 + 0.0137 * i);
    total.add(ApproximateDp{.epsilon = losses.back(), .delta = 0});
  }
  total.fold();
  for (int i = -20; i <= 25; ++i) {
    const double epsilon = 0.13 * i, truth = delta_of_answers(losses, epsilon);
    const DeltaAnswer found = total.delta({.epsilon = epsilon});
    CHECK_INSIDE(found, truth);
    if (epsilon < 2) CHECK(found.lower > 0.5 * truth);
  }
}

/// Blocks that grew too wide for the grid lie on a coarser one, to which those they are joined with are moved. The
/// coarse one has its two atoms on nodes, so that moving the others is all there is to see.
TEST_CASE("readout.running_total.blocks of different spacing join from either side") {
  LatticeTotal fine, coarse;
  std::vector<double> losses;
  const auto add = [&](LatticeTotal& total, double loss, double spacing) {
    losses.push_back(loss);
    const PairPtr pair = Mechanism(ApproximateDp{.epsilon = loss, .delta = 0}).pair(Direction::remove);
    total.add({{pair, pair, 1}}, TotalGrid{.tilt = 1, .spacing = spacing});
  };
  for (int i = 0; i < 8; ++i) add(fine, 0.31 + 0.0137 * i, 0.01);
  add(coarse, 0.3, 0.3);
  fine.add(coarse);
  const TotalBlock& block = fine.collapse();
  REQUIRE(block.lower.spacing == 0.3);
  const LatticeProfile lower(block.lower, Side::lower), upper(block.upper, Side::upper);
  for (int i = -20; i <= 20; ++i) {
    const double truth = std::log(delta_of_answers(losses, 0.13 * i));
    CHECK(lower.log_delta(0.13 * i) < truth + 1e-12);
    CHECK(upper.log_delta(0.13 * i) > truth - 1e-12);
  }
}

TEST_CASE("readout.running_total.under any relation") {
  // A replaced record moves the query twice as far.
  constexpr int n = 80;
  const double mu = 0.23;
  RunningTotal listed({}, Relation::replace_one), joined({}, Relation::replace_one);
  RunningTotal lattice(gaussian_grid(n, 2 * mu), Relation::replace_one);
  listed.add(Gaussian{1 / mu});
  for (int i = 0; i < n; ++i) {
    joined.add(Gaussian{sigma_of(i, n, mu)});
    add_on_lattice(lattice, Gaussian{sigma_of(i, n, mu)}, i);
  }
  check_as_one_gaussian(listed, 2 * mu);
  check_as_one_gaussian(joined, 2 * mu_of(0, n, n, mu));
  check_gaussian(lattice, 2 * mu_of(0, n, n, mu), 0.02);
  CHECK(lattice.state().on_lattice);
  CHECK_THROWS_AS(listed.merge(RunningTotal{}), DomainError);
  const RunningTotal zero_out({}, Relation::zero_out);
  CHECK_THROWS_AS(listed.merge(zero_out), DomainError);
  listed.merge(joined);
  check_as_one_gaussian(listed, 2 * std::hypot(mu, mu_of(0, n, n, mu)));
  // of which no pair is known
  CHECK_THROWS_AS(listed.add(PoissonDifference{.plus = 9, .minus = 4}), MissingTheorem);
  Composition all(Relation::replace_one);
  RunningTotal sampled(
      grid_for(Composition(Relation::replace_one).add(without_replacement(Gaussian{2}, 0.1), 40), 1e-6),
      Relation::replace_one);
  for (int i = 0; i < 40; ++i) {
    all.add(without_replacement(Gaussian{2 + 0.01 * i}, 0.1));
    sampled.add(without_replacement(Gaussian{2 + 0.01 * i}, 0.1));
  }
  const DeltaAnswer found = sampled.delta({.epsilon = 2, .tolerance = 0.02}), fresh = delta(all, {.epsilon = 2});
  CHECK_FALSE(found.exact);
  CHECK_FALSE(fresh.exact);
  CHECK(found.upper <= 1.03 * fresh.upper);
  CHECK(found.upper >= fresh.upper * (1 - 1e-3));
  CHECK(found.lower >= 0.97 * fresh.lower);
  CHECK(found.lower <= fresh.lower * (1 + 1e-3));
}

TEST_CASE("readout.running_total.tiny deltas by a tilt") {
  constexpr int n = 100;
  const double mu = 0.23;
  for (const double delta_asked : {1e-12, 1e-25}) {
    RunningTotal total(grid_for(Composition().add(Gaussian{std::sqrt(n) / mu}, n), delta_asked));
    for (int i = 0; i < n; ++i) add_on_lattice(total, Gaussian{sigma_of(i, n, mu)}, i);
    total.fold();
    const Answer found = total.epsilon({.delta = delta_asked, .tolerance = 1e-3});
    CHECK_INSIDE(found, bounds::gdp_epsilon(mu_of(0, n, n, mu), delta_asked));
    CHECK(found.converged);
  }
}

TEST_CASE("readout.running_total.a list while few differ") {
  const Mechanism gaussian = poisson_sampled(Gaussian{.sigma = 1}, 0.001), laplace = Laplace{.scale = 1e4};
  RunningTotal total;
  for (int i = 0; i < 1'000'000; ++i) total.add(i % 2 == 0 ? gaussian : laplace);
  CHECK(!total.state().on_lattice);
  Composition all;
  all.add(gaussian, 500'000).add(laplace, 500'000);
  const Answer found = total.epsilon({.delta = 1e-6}), fresh = epsilon(all, {.delta = 1e-6});
  CHECK(found.lower == fresh.lower);
  CHECK(found.upper == fresh.upper);
}

TEST_CASE("readout.running_total.shards merge in any order") {
  constexpr int n = 300;
  const double mu = 0.23;
  const auto shard = [&](int from, int to) {
    RunningTotal part(gaussian_grid(n, mu));
    for (int i = from; i < to; ++i) add_on_lattice(part, Gaussian{sigma_of(i, n, mu)}, i - from);
    return part;
  };
  const double truth = mu_of(0, n, n, mu);
  RunningTotal left = shard(0, 90), right = shard(90, 120);  // the second one is still a list
  left.merge(right);
  left.merge(shard(120, n));
  check_gaussian(left, truth, 5e-3);
  RunningTotal rest = shard(90, 120);
  rest.merge(shard(120, n));
  RunningTotal first = shard(0, 90);
  first.merge(rest);
  check_gaussian(first, truth, 5e-3);
  RunningTotal back = shard(120, n);
  back.merge(shard(90, 120));
  back.merge(shard(0, 90));
  check_gaussian(back, truth, 5e-3);
  CHECK_THROWS_AS(left.merge(RunningTotal(gaussian_grid(n + 1, mu))), DomainError);
}

TEST_CASE("readout.running_total.both directions of sampled gaussians by the contour engine") {
  constexpr int n = 60;
  RunningTotal total(grid_for(Composition().add(poisson_sampled(Gaussian{.sigma = 1.3}, 0.02), n), 1e-6));
  Composition all;
  for (int i = 0; i < n; ++i) {
    const Mechanism step = poisson_sampled(Gaussian{.sigma = 1 + 0.01 * i}, 0.02);
    add_on_lattice(total, step, i);
    all.add(step);
  }
  total.fold();
  for (const DirectionChoice direction : {DirectionChoice::remove, DirectionChoice::add, DirectionChoice::worst}) {
    for (const double epsilon : {0.3, 1.0, 1.5}) {
      const DeltaAnswer found = total.delta({.epsilon = epsilon, .tolerance = 0.05, .direction = direction});
      const DeltaAnswer exact = delta(all, {.epsilon = epsilon, .direction = direction, .engine = Engine::contour});
      CHECK_INSIDE(found.log_delta, exact.log_delta.estimate);
      CHECK((found.converged || exact.log_delta.estimate < least_log_delta));
      CHECK(found.direction == exact.direction);
    }
    const Answer found = total.epsilon({.delta = 1e-5, .tolerance = 0.01, .direction = direction});
    CHECK_INSIDE(found, epsilon(all, {.delta = 1e-5, .direction = direction, .engine = Engine::contour}).estimate);
    CHECK(found.converged);
  }
}

TEST_CASE("readout.running_total.atoms that fit no lattice, and mass at infinity") {
  constexpr int n = 100;
  Composition like;
  like.add(Laplace{.scale = 50}, n / 2).add(ApproximateDp{.epsilon = 0.01, .delta = 1e-8}, n / 2);
  RunningTotal total(grid_for(like, 1e-4));
  Composition all;
  const auto add = [&](const Mechanism& mechanism) {
    total.add(mechanism);
    all.add(mechanism);
  };
  for (int i = 0; i < n / 2; ++i) {
    add(Laplace{.scale = 40 + 0.37 * i});
    add(ApproximateDp{.epsilon = 0.01 + 1e-4 * i, .delta = 1e-8});
  }
  for (const double epsilon : {0.2, 0.5, 1.0}) {
    const DeltaAnswer found = total.delta({.epsilon = epsilon, .tolerance = 0.02}),
                      fresh = delta(all, {.epsilon = epsilon});
    CHECK(found.converged);
    CHECK(found.upper >= fresh.lower);
    CHECK(found.lower <= fresh.upper);
  }
  const double infinite = -std::expm1(n / 2 * std::log1p(-1e-8));  // where no finite loss reaches
  const DeltaAnswer far = total.delta({.epsilon = 3});
  CHECK(far.lower <= infinite);
  CHECK(far.upper >= infinite);
  CHECK(total.epsilon({.delta = infinite / 2}).lower == infinity);
}

TEST_CASE("readout.running_total.refuses what it cannot do") {
  CHECK_THROWS_AS(RunningTotal(TotalGrid{.tilt = NAN}), DomainError);
  CHECK_THROWS_AS(RunningTotal(TotalGrid{.tilt = 1, .spacing = 0}), DomainError);
  CHECK_THROWS_AS(static_cast<void>(grid_for(Composition(), 1e-6)), DomainError);
  CHECK_THROWS_AS(static_cast<void>(grid_for(Composition().add(Gaussian{1}), 0)), DomainError);
}

TEST_CASE("readout.running_total.losses of 1e16 and more widen what is composed with them") {
  // Found by fuzzing: they threw WorkSpent.
  RunningTotal total(TotalGrid{.tilt = 1, .spacing = 0.01});
  Composition all;
  for (const double scale : {1e-17, 5.0}) {
    total.add(Laplace{.scale = scale}, 2);
    all.add(Laplace{.scale = scale}, 2);
  }
  total.fold();
  const DeltaAnswer found = total.delta({.epsilon = 1}), truth = delta(all, {.epsilon = 1});
  CHECK(found.lower <= truth.upper);
  CHECK(found.upper >= truth.lower);
}

// Such a pair may be a plain Gaussian's that no neighbours attain: it joins none that they do.
TEST_CASE("readout.running_total.upper bounds stay upper bounds beyond the list") {
  const Neighbours replaced(Relation::replace_one);
  const Mechanism allocated = randomly_allocated(Gaussian{.sigma = 2}, 50),
                  batch = without_replacement(Gaussian{.sigma = 4}, 1);
  for (const auto& [bound, neighbours] : {std::pair(allocated, replaced), std::pair(batch, Neighbours{})}) {
    CAPTURE(bound.text());
    RunningTotal total({}, neighbours);
    Composition all(neighbours);
    for (int i = 0; i <= most_listed; ++i) {
      total.add(Gaussian{.sigma = 400.0 + i});
      all.add(Gaussian{.sigma = 400.0 + i});
    }
    total.add(bound, 3), all.add(bound, 3);
    const Answer found = total.epsilon({.delta = 1e-6}), truth = epsilon(all, {.delta = 1e-6});
    CHECK(found.lower <= truth.upper);
    CHECK(found.upper >= truth.lower);
    CHECK(found.exact == truth.exact);
    CHECK_FALSE(found.exact);
  }
}

TEST_CASE("readout.running_total.what fits no lattice leaves it as it was") {
  const TotalGrid grid{.tilt = 1e20, .spacing = 0.01};
  const auto in_no_box = [](double sigma) {
    return GaussianMixture{.sigma = sigma, .shifts = {0, 1}, .weights = {0.5, 0.5}};
  };
  RunningTotal total(grid);
  total.add(in_no_box(2), 5);
  total.add(in_no_box(3));  // tilted, its weights have no digits
  const double before = total.delta({.epsilon = 0.5}).upper;
  CHECK_THROWS_AS(total.fold(), DomainError);
  CHECK(total.delta({.epsilon = 0.5}).upper == before);
  for (int i = 0; i < most_listed - 2; ++i) total.add(in_no_box(4.0 + i));
  const double full = total.delta({.epsilon = 0.5}).upper;
  CHECK_THROWS_AS(total.add(in_no_box(999)), DomainError);
  CHECK(total.delta({.epsilon = 0.5}).upper == full);
  RunningTotal other(grid);
  other.add(Gaussian{.sigma = 3}), other.add(in_no_box(998));
  CHECK_THROWS_AS(total.merge(other), DomainError);
  CHECK(total.delta({.epsilon = 0.5}).upper == full);
}

TEST_CASE("readout.running_total.a box that would hold too many leaves all as it was") {
  RunningTotal total;
  const auto noise = [](double sigma) { return poisson_sampled(Gaussian{.sigma = sigma}, 0.02); };
  for (const double sigma : {1.1, 1.1 * (1 + 3e-6)}) total.add(noise(sigma), 1'000'000'000'000);
  std::string before;
  bool refused = false;
  for (int i = 0; i < 400 && !refused; ++i) {
    before = running_total_bytes(total);
    try {
      total.add(noise(2 + 0.05 * i));
    } catch (const DomainError&) {
      refused = true;
    }
  }
  CHECK(refused);
  CHECK(running_total_bytes(total) == before);
}

TEST_SUITE("slow") {
  using Clock = std::chrono::steady_clock;
  double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

  TEST_CASE("readout.running_total.a query after one more release costs the same after many") {
    constexpr int n = 20'000;
    const double mu = 0.23;
    RunningTotal total(gaussian_grid(n, mu));
    std::vector<double> seconds;
    for (int i = 0; i < n; ++i) {
      add_on_lattice(total, Gaussian{sigma_of(i, n, mu)}, i);
      if ((i + 1) % (n / 4) == 0) {
        static_cast<void>(total.delta({.epsilon = 1}));
        total.add(Gaussian{sigma_of(i, n, mu) * 1.5});
        const auto start = Clock::now();
        static_cast<void>(total.delta({.epsilon = 1}));
        seconds.push_back(seconds_since(start));
        MESSAGE("after ", i + 1, " releases: ", seconds.back(), " s");
      }
    }
    double squared = std::pow(mu_of(0, n, n, mu), 2);
    for (int i = n / 4 - 1; i < n; i += n / 4) squared += std::pow(sigma_of(i, n, mu) * 1.5, -2);
    check_gaussian(total, std::sqrt(squared), 5e-3, std::log(1e-6) - 0.1);
    CHECK(seconds.back() < 6 * seconds.front());
  }

  TEST_CASE("readout.running_total.a million, all distinct") {
    constexpr int n = 1'000'000;
    RunningTotal total;
    const auto start = Clock::now();
    for (int i = 0; i < n; ++i) total.add(poisson_sampled(Gaussian{.sigma = 1 + 4e-7 * i}, 3e-4));
    MESSAGE("a million sampled Gaussians: ", seconds_since(start), " s");
    const auto asked = Clock::now();
    const DeltaAnswer found = total.delta({.epsilon = 1.5, .tolerance = 0.1});
    MESSAGE("a query: ", seconds_since(asked), " s, width ", found.upper / found.lower - 1);
    CHECK(found.converged);
    // 100 strata, at their ends, by the engine alone
    Composition less, more;
    for (int i = 0; i < n; i += n / 100) {
      less.add(poisson_sampled(Gaussian{.sigma = 1 + 4e-7 * (i + n / 100 - 1)}, 3e-4), n / 100);
      more.add(poisson_sampled(Gaussian{.sigma = 1 + 4e-7 * i}, 3e-4), n / 100);
    }
    CHECK(found.upper >= delta(less, {.epsilon = 1.5}).lower);
    CHECK(found.lower <= delta(more, {.epsilon = 1.5}).upper);
  }
}

}  // namespace
}  // namespace pld
