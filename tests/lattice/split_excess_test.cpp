#include "lattice/split_excess.hpp"

#include <cmath>

#include "lattice/chords.hpp"
#include "lattice/convolve.hpp"
#include "lattice/lattice_profile.hpp"
#include "support/checks.hpp"
#include "support/exact_profile.hpp"
#include "support/random_draws.hpp"

namespace pld::test {
namespace {

/// P masses that add up to one, at losses of which no lattice knows.
struct Law {
  std::vector<double> losses, masses;

  [[nodiscard]] PlacedAtoms on_lattice(double spacing, double tilt) const {
    PlacedAtoms out{.tilt = tilt, .spacing = spacing, .nodes = {}, .atoms = {}};
    for (std::size_t i = 0; i < losses.size(); ++i) {
      const auto below = static_cast<std::int64_t>(std::floor(losses[i] / spacing));
      for (const std::int64_t node : {below, below + 1})
        if (out.nodes.empty() || out.nodes.back() < node) out.nodes.push_back(node);
      const std::size_t at = out.nodes.size() - 2;
      out.atoms.emplace_back(at, losses[i] - out.position(at), masses[i] * std::exp(tilt * losses[i]), 1e-14);
    }
    return out;
  }
};

/// A few atoms between losses -1 and 1, more than two spacings of up to 0.05 apart.
Law random_law(Random& random, int atoms) {
  Law out;
  double total = 0;
  for (int i = 0; i < atoms; ++i) {
    const double room = 2.0 / atoms;
    out.losses.push_back(-1 + room * (i + random.uniform(0.2, 0.8)));
    out.masses.push_back(random.uniform(0.05, 1));
    total += out.masses.back();
  }
  for (double& mass : out.masses) mass /= total;
  return out;
}

void compose(std::vector<ExactAtom>& with, const Law& law, int count) {
  for (int n = 0; n < count; ++n) {
    std::vector<ExactAtom> next;
    for (const ExactAtom& atom : with)
      for (std::size_t i = 0; i < law.losses.size(); ++i)
        next.push_back({atom.loss + law.losses[i], atom.mass * law.masses[i]});
    // Sums of the same losses in another order are one atom.
    std::sort(next.begin(), next.end(), [](const ExactAtom& a, const ExactAtom& b) { return a.loss < b.loss; });
    with.clear();
    for (const ExactAtom& atom : next) {
      if (!with.empty() && abs(with.back().loss - atom.loss) < 1e-40)
        with.back().mass += atom.mass;
      else
        with.push_back(atom);
    }
  }
}

/// Kinks, next to them, and anywhere between.
std::vector<double> epsilons(const std::vector<ExactAtom>& atoms, Random& random) {
  std::vector<double> out;
  const auto low = static_cast<double>(atoms.front().loss), high = static_cast<double>(atoms.back().loss);
  for (int i = 0; i < 60; ++i) out.push_back(random.uniform(low, high));
  for (int i = 0; i < 30; ++i) {
    const auto at = static_cast<std::size_t>(random.uniform(0, static_cast<double>(atoms.size() - 1)));
    for (const double beside : {-1e-3, -1e-6, 0.0, 1e-6, 1e-3})
      out.push_back(static_cast<double>(atoms[at].loss) + beside);
  }
  return out;
}

LatticeMeasure convolved(const std::vector<Factor>& factors) {
  return convolve(factors, IndexWindow{-4000, 1 << 13}, Precision::standard);
}

/// Whether the lower bound is nowhere above the truth.
bool is_no_less(const LatticeMeasure& lower, const std::vector<ExactAtom>& atoms, Random& random) {
  const LatticeProfile profile(lower, Side::lower);
  const ExactProfile exact(atoms);
  const std::vector<double> places = epsilons(atoms, random);
  return std::all_of(places.begin(), places.end(), [&](double epsilon) {
    return exp(Real(profile.log_delta(epsilon))) <= exact(Real(epsilon)) * (1 + 1e-14);
  });
}

TEST_CASE("lattice.split_excess.compositions_of_atoms_are_no_less") {
  Random random(20261130);
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const Law first = random_law(random, 2 + round % 2), second = random_law(random, 2);
    const int often = 3 + round % 7, once_more = 1 + round % 3;
    const double spacing = std::pow(10, random.uniform(-2.6, -1.2)), tilt = random.uniform(0, 12);
    std::vector<ExactAtom> exact{{0, 1}};
    compose(exact, first, often);
    compose(exact, second, once_more);
    const LatticeMeasure a = split_measure(first.on_lattice(spacing, tilt));
    const LatticeMeasure b = split_measure(second.on_lattice(spacing, tilt));
    const LatticeMeasure lowered = lower_measure(second.on_lattice(spacing, tilt));
    CHECK(is_no_less(convolved({{&a, often}, {&b, once_more}}), exact, random));
    CHECK(is_no_less(convolved({{&a, often}, {&lowered, once_more}}), exact, random));
  }
}

/// One atom at loss 0, half an interval from either node, in a unit e^0.1 larger than its mass.
LatticeMeasure halved(double spacing, double tilt) {
  constexpr double log_scale = 0.1;
  PlacedAtoms out{.tilt = tilt, .spacing = spacing, .origin = -spacing / 2, .nodes = {0, 1}, .atoms = {}};
  out.log_scale = log_scale;
  out.atoms.emplace_back(0, spacing / 2, std::exp(-log_scale), 1e-14);
  return split_measure(out);
}

TEST_CASE("lattice.split_excess.nothing_lies_above_the_largest_loss") {
  // The lattice has mass at losses of up to count spacing / 2, the chords from above reach over 7 deviations.
  constexpr int count = 400;
  const double spacing = 1e-3, deviation = std::sqrt(count) * spacing / 2;
  for (const double tilt : {2 / deviation, 3.5 / deviation, 5 / deviation}) {
    const LatticeMeasure one = halved(spacing, tilt);
    const LatticeMeasure all = convolve(std::vector<Factor>{{&one, count}}, {-20, 512}, Precision::extended);
    const LatticeProfile whole(
        [&] {
          LatticeMeasure bare = all;
          bare.split_variance = 0;
          return bare;
        }(),
        Side::lower);
    const LatticeProfile profile(all, Side::lower);
    for (const double deviations : {0.1, 1.0, 3.0, 6.9, 7.1, 7.3, 8.0, 9.0}) {
      CAPTURE(tilt * deviation);
      CAPTURE(deviations);
      if (deviations < 8) CHECK(whole.log_delta(deviations * deviation) > -infinity);
      CHECK(profile.log_delta(deviations * deviation) == -infinity);
    }
  }
}

TEST_CASE("lattice.split_excess.what_lies_beyond_is_the_best_of_its_moment_bounds") {
  for (const double deviation : {1e-7, 1e-4, 0.01, 0.05}) {
    const double variance = deviation * deviation;
    const SplitExcess excess(variance);
    for (const double tilt : {0.0, 0.5, 10.0, 3 / deviation, 6 / deviation}) {
      CAPTURE(deviation);
      CAPTURE(tilt);
      // log of (1 + w)^-s E R^(1 + tilt + s), of an s >= 0.
      const auto bound = [&](double s) {
        const double order = 1 + tilt + s;
        return variance * order * (order - 1) / 2 - s * excess.below();
      };
      double least = infinity;
      for (int i = 0; i <= 10000; ++i) least = std::min(least, bound(i * 1e-3 / deviation));
      constexpr double of_steps = 1e-6;  // next to the least, the bound rises by half the square of what s is off by
      CHECK(excess.log_far_share(tilt) >= least - of_steps);
      CHECK(excess.log_far_share(tilt) <= least + variance + of_steps);
    }
  }
}

TEST_CASE("lattice.split_excess.positions_may_be_off_by_their_error") {
  // One atom at loss 0: nothing lies above. Its nodes are held apart by more than they are, as a regridded measure's
  // may be.
  constexpr double spacing = 1e-3, off = 0.03 * spacing, share = 0.5 - 0.03 / 14;
  PlacedAtoms placed{.tilt = 0.5, .spacing = spacing, .origin = -share * spacing, .nodes = {0, 1}, .atoms = {}};
  placed.atoms.emplace_back(0, share * spacing, 1, 1e-14);
  LatticeMeasure held = split_measure(placed);
  held.position_error = off;
  held.origin -= off;
  held.spacing += 2 * off;
  held.weights[0] *= std::exp(-held.tilt * off);
  held.weights[1] *= std::exp(held.tilt * off);
  const LatticeProfile profile(held, Side::lower);
  double most = -infinity;
  for (int i = 0; i <= 1000; ++i) most = std::max(most, profile.log_delta(i * spacing / 1000));
  CHECK(most == -infinity);
}

TEST_CASE("lattice.split_excess.a_unit_of_mass_is_any") {
  Random random(20261204);
  const Law law = random_law(random, 3);
  LatticeMeasure one = split_measure(law.on_lattice(0.003, 2));
  const LatticeProfile profile(one, Side::lower);
  for (const double log_scale : {-60.0, 60.0}) {
    LatticeMeasure scaled = one;
    scaled.log_scale += log_scale;
    const LatticeProfile other(scaled, Side::lower);
    for (const double epsilon : {-0.7, -0.2, 0.1}) {
      CHECK(profile.log_delta(epsilon) > -infinity);
      CHECK(std::fabs(other.log_delta(epsilon) - log_scale - profile.log_delta(epsilon)) <= 1e-12);
    }
  }
}

TEST_CASE("lattice.split_excess.weights_may_be_less_by_their_errors") {
  Random random(20261202);
  for (int round = 0; round < 10; ++round) {
    CAPTURE(round);
    Law law = random_law(random, 2);
    const double tilt = random.uniform(0.5, 5), error = 0.01;
    PlacedAtoms placed = law.on_lattice(1e-4, tilt);
    for (auto& atom : placed.atoms) atom.set_error(error);
    for (double& mass : law.masses) mass *= 1 - error;
    std::vector<ExactAtom> exact{{0, 1}};
    compose(exact, law, 2);
    const LatticeMeasure one = split_measure(placed);
    const LatticeMeasure all = convolve(std::vector<Factor>{{&one, 2}}, {-21000, 42000}, Precision::standard);
    CHECK(is_no_less(all, exact, random));
  }
}

TEST_CASE("lattice.split_excess.splits_that_are_too_wide_leave_nothing") {
  Random random(20261203);
  const Law law = random_law(random, 2);
  const LatticeMeasure one = split_measure(law.on_lattice(0.2, 1));
  CHECK_FALSE(SplitExcess(one.split_variance).bounds());
  const LatticeProfile profile(one, Side::lower);
  for (const double epsilon : {-2.0, -0.5, 0.0, 0.5}) CHECK(profile.log_delta(epsilon) == -infinity);
}

TEST_CASE("lattice.split_excess.a_finer_lattice_brings_the_square") {
  Random random(5);
  const Law law = random_law(random, 3);
  std::vector<ExactAtom> exact{{0, 1}};
  compose(exact, law, 24);
  std::vector<double> split, lowered;
  for (const double spacing : {0.008, 0.004, 0.002, 0.001}) {
    const PlacedAtoms placed = law.on_lattice(spacing, 3);
    const LatticeMeasure a = split_measure(placed), b = lower_measure(placed);
    const IndexWindow window{static_cast<std::int64_t>(-24 / spacing), 1 << 16};
    const auto at = [&](const LatticeMeasure& m) {
      const std::vector<Factor> factors{{&m, 24}};
      const LatticeProfile profile(convolve(factors, window, Precision::standard), Side::lower);
      const Real truth = ExactProfile(exact)(Real(3.3));
      return static_cast<double>(1 - exp(Real(profile.log_delta(3.3))) / truth);
    };
    split.push_back(at(a)), lowered.push_back(at(b));
  }
  CHECK(lowered.back() > 4 * split.back());
  for (std::size_t i = 1; i < split.size(); ++i) {
    CAPTURE(i);
    CHECK(split[i] > 0);
    CHECK(split[i] < split[i - 1] / 3);
  }
}

}  // namespace
}  // namespace pld::test
