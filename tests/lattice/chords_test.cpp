#include "lattice/chords.hpp"

#include <cmath>
#include <set>

#include "lattice/lattice_profile.hpp"
#include "pld/core/rounding.hpp"
#include "support/checks.hpp"
#include "support/exact_profile.hpp"
#include "support/random_draws.hpp"

namespace pld::test {
namespace {

enum class Shape { smooth, isolated, pile_at_left, pile_at_right, pile_inside, huge_range, on_nodes, single };

/// Where an atom goes in a case of this shape: the share of the way through all intervals.
double place_of(Shape shape, Random& random) {
  switch (shape) {
    case Shape::pile_at_left:
      return random.whole(0, 2) ? random.uniform(0, 0.02) : random.uniform(0, 1);
    case Shape::pile_at_right:
      return random.whole(0, 2) ? random.uniform(0.98, 1) : random.uniform(0, 1);
    case Shape::pile_inside:
      return random.whole(0, 2) ? random.uniform(0.5, 0.51) : random.uniform(0, 1);
    default:
      return random.uniform(0, 1);
  }
}

double weight_of(Shape shape, double place, Random& random) {
  switch (shape) {
    case Shape::smooth:
      return std::exp(-20 * (place - 0.4) * (place - 0.4));
    case Shape::huge_range:
      return std::pow(10, random.uniform(-300, 0));
    default:
      return random.uniform(0, 1);
  }
}

PlacedAtoms random_atoms(Shape shape, Random& random, double widest_spacing = 1) {
  PlacedAtoms out;
  out.tilt = random.whole(0, 3) ? random.uniform(0, 50) : 0;
  out.spacing = widest_spacing * std::pow(10, random.uniform(-6, 0)) / (1 + out.tilt);
  out.origin = random.uniform(-0.5, 0.5) * out.spacing;
  out.log_scale = random.uniform(-3, 3);
  const int widest = random.whole(0, 1) ? 1 : 6, intervals = random.whole(1, 30);
  std::int64_t node = random.whole(-40, 10);
  for (int i = 0; i <= intervals; ++i, node += random.whole(1, widest)) out.nodes.push_back(node);
  const int count = shape == Shape::single ? 1 : shape == Shape::isolated ? 4 : 80;
  for (int j = 0; j < count; ++j) {
    const double place = place_of(shape, random), weight = weight_of(shape, place, random);
    const double at = place * intervals;
    const auto i = std::min(static_cast<std::size_t>(at), out.nodes.size() - 2);
    const double width = static_cast<double>(out.nodes[i + 1] - out.nodes[i]) * out.spacing;
    double share = at - static_cast<double>(i);
    if (random.whole(0, 9) == 0) share = random.whole(0, 1) ? 1e-13 : 1 - 1e-13;
    if (shape == Shape::on_nodes && random.whole(0, 2)) share = 0;
    const double error = random.whole(0, 1) ? 0 : 1e-12;
    out.atoms.push_back({i, std::min(share * width, width), weight, error});
  }
  if (shape == Shape::on_nodes) out.atoms.push_back({out.nodes.size() - 1, 0, 0.5, 0});
  std::stable_sort(out.atoms.begin(), out.atoms.end(), [](const auto& a, const auto& b) {
    return a.node != b.node ? a.node < b.node : a.offset < b.offset;
  });
  return out;
}

/// The atoms as they are, each weight moved by its error in the direction that is harder for a side.
ExactProfile exact_profile(const PlacedAtoms& a, Side side) {
  std::vector<ExactAtom> atoms;
  for (const auto& atom : a.atoms) {
    const Real loss = exact_position(a.origin, a.spacing, a.nodes[atom.node]) + Real(atom.offset);
    const Real weight = Real(atom.weight) * (1 + (side == Side::upper ? 1 : -1) * Real(atom.error));
    atoms.push_back({loss, weight * exp(Real(a.log_scale) - Real(a.tilt) * loss)});
  }
  return ExactProfile(std::move(atoms));
}

std::vector<Real> places_to_check(const PlacedAtoms& a, const ExactProfile& exact, Random& random) {
  std::vector<Real> places;
  for (const std::int64_t node : a.nodes) places.push_back(exact_position(a.origin, a.spacing, node));
  for (const ExactAtom& atom : exact.atoms()) places.push_back(atom.loss);
  const Real lowest = places.front() - 2 * a.spacing;
  const Real length = exact_position(a.origin, a.spacing, a.nodes.back()) - lowest;
  for (int i = 0; i < 60; ++i) places.push_back(lowest + length * random.uniform(0, 1));
  places.push_back(lowest - 100);
  return places;
}

constexpr Shape shapes[] = {Shape::smooth,      Shape::isolated,   Shape::pile_at_left, Shape::pile_at_right,
                            Shape::pile_inside, Shape::huge_range, Shape::on_nodes,     Shape::single};

void check_bounds(const PlacedAtoms& atoms, Random& random) {
  CAPTURE(atoms.tilt);
  CAPTURE(atoms.spacing);
  const LatticeMeasure upper = upper_measure(atoms), lower = lower_measure(atoms);
  CHECK(upper.slack == 0);
  for (const LatticeMeasure& measure : {upper, lower})
    for (const double w : measure.weights) REQUIRE(w >= 0);
  const ExactProfile most = exact_profile(atoms, Side::upper), least = exact_profile(atoms, Side::lower);
  const ExactProfile above(exact_atoms(upper)), below(exact_atoms(lower));
  const LatticeProfile split(split_measure(atoms), Side::lower);
  int upper_falls_short = 0, lower_too_high = 0, split_too_high = 0;
  const double doubt =
      4 * unit_roundoff * static_cast<double>(atoms.nodes.back() - atoms.nodes.front()) * atoms.spacing;
  for (const Real& epsilon : places_to_check(atoms, most, random)) {
    // Subnormal weights round by more than u: callers that have any add 1e-290 to the slack.
    const Real spare = (lower.slack + 1e-300) * largest_contribution(atoms.tilt) *
                       exp(Real(atoms.log_scale) - Real(atoms.tilt) * epsilon);
    if (above(epsilon) + spare < most(epsilon)) ++upper_falls_short;
    if (below(epsilon + doubt) - spare > least(epsilon)) ++lower_too_high;  // position_error's part
    const auto at = static_cast<double>(epsilon);
    if (exp(Real(split.log_delta(at + doubt))) - spare > least(at)) ++split_too_high;
  }
  CHECK(split_too_high == 0);
  CHECK(upper_falls_short == 0);
  CHECK(lower_too_high == 0);
}

TEST_CASE("lattice.regrid.bounds_hold_at_every_node_atom_and_between") {
  Random random(20240611);
  for (const Shape shape : shapes) {
    for (int round = 0; round < 25; ++round) {
      CAPTURE(static_cast<int>(shape));
      CAPTURE(round);
      check_bounds(random_atoms(shape, random), random);
    }
  }
}

TEST_CASE("lattice.regrid.bounds_hold_where_exponentials_of_a_width_overflow") {
  // Huge losses on few nodes: e^width, and e^{tilt width}, beyond the range of a double.
  Random random(20240612);
  for (const Shape shape : shapes) {
    for (int round = 0; round < 12; ++round) {
      CAPTURE(static_cast<int>(shape));
      CAPTURE(round);
      PlacedAtoms atoms = random_atoms(shape, random, 1e5);
      if (round % 2 == 0) atoms.tilt /= 1e3;
      check_bounds(atoms, random);
    }
  }
}

TEST_CASE("lattice.regrid.connecting_the_dots_keeps_the_mass") {
  Random random(11);
  for (const Shape shape : shapes) {
    for (int round = 0; round < 20; ++round) {
      const PlacedAtoms atoms = random_atoms(shape, random);
      const ExactProfile exact = exact_profile(atoms, Side::upper), upper(exact_atoms(upper_measure(atoms)));
      const Real growth = upper.mass() / exact.mass() - 1;
      CHECK(growth >= 0);
      CHECK(growth <= 400 * unit_roundoff);
      const Real q_growth = upper.q_mass() / exact.q_mass() - 1;
      CHECK(q_growth <= 400 * unit_roundoff);
      CHECK(q_growth >= -400 * unit_roundoff);
    }
  }
}

TEST_CASE("lattice.regrid.atoms_on_nodes_stay_as_they_are") {
  // Nothing to lower: both sides are the atoms themselves, but for the last bits.
  PlacedAtoms atoms{.tilt = 3, .spacing = 0.25, .origin = 0.1, .nodes = {-2, 0, 5}, .atoms = {}};
  atoms.atoms = {{0, 0, 0.3, 0}, {1, 0, 0.5, 0}, {2, 0, 0.2, 0}};
  for (const LatticeMeasure& m : {upper_measure(atoms), lower_measure(atoms)}) {
    REQUIRE(m.first == -2);
    REQUIRE(m.weights.size() == 8);
    CHECK_REL(m.weights[0], 0.3, 1e-14);
    CHECK_REL(m.weights[2], 0.5, 1e-14);
    CHECK_REL(m.weights[7], 0.2, 1e-14);
  }
}

/// A smooth law, so fine that every lattice below sees a density: normal losses about 0.2, standard deviation 1.
PlacedAtoms fine_normal_law(double spacing, double tilt) {
  PlacedAtoms out{.tilt = tilt, .spacing = spacing, .origin = 0.3 * spacing, .nodes = {}, .atoms = {}};
  const auto reach = static_cast<std::int64_t>(std::ceil(9 / spacing));
  for (std::int64_t node = -reach; node <= reach; ++node) out.nodes.push_back(node);
  constexpr int atoms = 4800;
  for (int i = 1; i < atoms; ++i) {
    const double z = -8 + 16.0 * i / atoms;
    const auto node = static_cast<std::size_t>(std::floor((z - out.origin) / spacing) + static_cast<double>(reach));
    const double offset = z - (out.origin + static_cast<double>(out.nodes[node]) * spacing);
    out.atoms.push_back({node, offset, std::exp(tilt * z - (z - 0.2) * (z - 0.2) / 2), 0});
  }
  return out;
}

/// Two atoms of mass 1 together on either side of the node of their barycentre, by this share of the P mass below it.
PlacedAtoms about_barycentre(double share, double below, double spacing) {
  const double above = -std::log1p(-share / (1 - share) * std::expm1(below));
  PlacedAtoms placed{.spacing = spacing, .nodes = {-1, 0, 1}, .atoms = {}};
  placed.atoms = {{0, spacing - below, share, 1e-15}, {1, above, 1 - share, 1e-15}};
  return placed;
}

TEST_CASE("lattice.regrid.atoms_about_their_barycentre_become_one") {
  for (const double share : {0.3, 0.5, 0.9}) {
    double p = 0;
    for (const double weight : lower_measure(about_barycentre(share, 0.004, 0.07)).weights) p += weight;
    CHECK(p <= 1 + 1e-14);
    CHECK(p >= 1 - 1e-13);
  }
}

// What rounding leaves of the line below the node was once made up for at the next node, which has nothing to lower.
TEST_CASE("lattice.regrid.bounds_hold_about_a_barycentre") {
  Random random(20261125);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const double spacing = std::pow(10, random.uniform(-5, -1)), below = spacing * random.uniform(0, 0.8);
    PlacedAtoms atoms = about_barycentre(std::pow(10, random.uniform(-6, -0.5)), below, spacing);
    atoms.tilt = random.uniform(0, 1) / spacing;
    atoms.atoms[0].weight *= std::exp(-atoms.tilt * below);
    atoms.atoms[1].weight *= std::exp(atoms.tilt * atoms.atoms[1].offset);
    check_bounds(atoms, random);
  }
}

TEST_CASE("lattice.regrid.both_errors_fall_with_the_square_of_the_spacing") {
  for (const double tilt : {1e-6, 2.5}) {
    double last_above = 0, last_below = 0;
    for (const double spacing : {0.1, 0.05, 0.025}) {
      CAPTURE(tilt);
      CAPTURE(spacing);
      const PlacedAtoms atoms = fine_normal_law(spacing, tilt);
      const ExactProfile exact = exact_profile(atoms, Side::upper);
      const ExactProfile upper(exact_atoms(upper_measure(atoms))), lower(exact_atoms(lower_measure(atoms)));
      double above = 0, below = 0, largest_gap = 0, largest_below = 0;
      int count = 0;
      for (double epsilon = -2; epsilon < 3; epsilon += 0.0117, ++count) {
        const Real truth = exact(epsilon);
        const auto gap = static_cast<double>((upper(epsilon) - truth) / truth);
        const auto lowered = static_cast<double>((truth - lower(epsilon)) / truth);
        above += gap;
        below += lowered;
        largest_gap = std::max(largest_gap, gap);
        largest_below = std::max(largest_below, lowered);
      }
      above /= count;
      below /= count;
      // The lowered chord touches the profile somewhere in each interval: it is off by the chord's own gap at the most.
      CHECK(largest_below <= 1.3 * largest_gap);
      CHECK(below <= 0.7 * above);
      if (last_above > 0) {
        CHECK(last_above / above > 3.6);
        CHECK(last_above / above < 4.4);
        CHECK(last_below / below > 3.6);  // comes down to 4: a third-order term is left
        CHECK(last_below / below < 4.7);
      }
      last_above = above;
      last_below = below;
    }
  }
}

}  // namespace
}  // namespace pld::test
