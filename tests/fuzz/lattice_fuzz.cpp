// Small lattice measures of any atoms: their two bounds, composed, hold the sum over all outcomes.

#include <cmath>
#include <cstdint>
#include <vector>

#include "fuzz_target.hpp"
#include "input.hpp"
#include "lattice/chords.hpp"
#include "lattice/convolve.hpp"
#include "lattice/discretise.hpp"
#include "lattice/lattice_profile.hpp"

namespace {

using namespace pld;
using fuzz::Input;
using fuzz::promise;

struct Atom {
  long double loss = 0, mass = 0;
};

/// Doubles that are no fractions of a power of two, over many powers of ten.
double magnitude(Input& input, int powers) { return (0.1 + input.share()) * std::pow(10.0, -input.whole(0, powers)); }

PlacedAtoms placed(Input& input) {
  PlacedAtoms out;
  out.tilt = input.coin() ? 0 : 40 * input.share();
  out.spacing = magnitude(input, 4) / (1 + out.tilt);
  out.origin = (input.share() - 0.5) * out.spacing;
  out.log_scale = 6 * (input.share() - 0.5);
  out.nodes.push_back(input.whole(-20, 20));
  for (int left = input.whole(1, 5); left > 0; --left) out.nodes.push_back(out.nodes.back() + input.whole(1, 4));
  for (std::size_t node = 0; node + 1 < out.nodes.size(); ++node) {
    const double width = static_cast<double>(out.nodes[node + 1] - out.nodes[node]) * out.spacing;
    double offset = 0;
    for (int left = input.whole(0, 2); left > 0; --left) {
      offset += (width - offset) * input.share();
      out.atoms.push_back({node, offset, input.byte() % 8 == 0 ? 0 : magnitude(input, 250), 0});
    }
  }
  return out;
}

std::vector<Atom> exact(const PlacedAtoms& placed) {
  std::vector<Atom> atoms;
  for (const PlacedAtoms::Atom& atom : placed.atoms) {
    const long double loss = static_cast<long double>(placed.origin) + atom.offset +
                             static_cast<long double>(placed.nodes[atom.node]) * placed.spacing;
    atoms.push_back({loss, atom.weight * std::exp(placed.log_scale - placed.tilt * loss)});
  }
  return atoms;
}

std::vector<Atom> composed(const std::vector<Atom>& a, const std::vector<Atom>& b) {
  std::vector<Atom> out;
  for (const Atom& x : a)
    for (const Atom& y : b) out.push_back({x.loss + y.loss, x.mass * y.mass});
  return out;
}

long double log_delta(const std::vector<Atom>& atoms, double epsilon) {
  long double sum = 0;
  for (const Atom& atom : atoms)
    if (atom.loss > epsilon) sum -= atom.mass * std::expm1(epsilon - atom.loss);
  return std::log(sum);
}

IndexWindow window_of(const LatticeMeasure& measure, std::int64_t count) {
  const auto length = static_cast<std::size_t>(count) * (measure.weights.size() - 1) + 1;
  return {count * measure.first, length + length % 2};
}

LatticeMeasure repeated(const LatticeMeasure& measure, std::int64_t count, Precision precision) {
  const Factor factor{&measure, count};
  return convolve({&factor, 1}, window_of(measure, count), precision);
}

/// The bound is on its side of the truth, up to the rounding of the long doubles and what of both is next to no mass.
void bounds(const LatticeProfile& profile, Side side, const std::vector<Atom>& atoms, double epsilon) {
  const double bound = profile.log_delta(epsilon);
  const long double truth = log_delta(atoms, epsilon);
  if (truth < -600) return promise(!std::isnan(bound), "a number");
  promise(side == Side::upper ? bound >= truth - 1e-15L : bound <= truth + 1e-15L, "a profile's side");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const PlacedAtoms atoms = placed(input);
  if (atoms.atoms.empty()) return 0;
  const int count = input.whole(1, 3);
  const Precision precision = input.coin() ? Precision::standard : Precision::extended;
  std::vector<Atom> truth = exact(atoms);
  for (int left = count; left > 1; --left) truth = composed(truth, exact(atoms));
  constexpr Side sides[] = {Side::upper, Side::lower, Side::lower};
  std::size_t measured = 0;
  for (LatticeMeasure measure : {upper_measure(atoms), lower_measure(atoms), split_measure(atoms)}) {
    const Side side = sides[measured++];
    if (input.byte() % 4 == 0) measure = regrid(measure, 2 * measure.spacing, side);
    if (total_weight(measure) == 0) continue;
    const LatticeProfile profile(repeated(measure, count, precision), side);
    for (int asked = 0; asked < 3; ++asked) {
      const double epsilon = count * (atoms.origin + atoms.spacing * (60 * input.share() - 25));
      bounds(profile, side, truth, epsilon);
    }
  }
  return 0;
}
