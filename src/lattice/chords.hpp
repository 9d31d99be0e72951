#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lattice/lattice_measure.hpp"

namespace pld {

/// Atoms of a measure, each placed between two neighbouring nodes of a target lattice. The nodes in use may be a subset
/// of the lattice (wide intervals where there is little mass).
struct PlacedAtoms {
  double tilt = 0;
  double spacing = 1;
  double origin = 0;
  std::vector<std::int64_t> nodes;  ///< increasing lattice indices; at least one

  /// Millions of them are held at a time.
  struct Atom {
    double offset = 0;  ///< loss minus position of the node, in [0, width of the interval]; 0 only on the last node
    double weight = 0;  ///< tilted: P mass is weight * exp(log_scale - tilt * loss)
    std::uint32_t node = 0;  ///< the atom lies in [nodes[node], nodes[node + 1]); by increasing loss
    float error = 0;         ///< relative error bound of the weight

    Atom(std::size_t at, double from_node, double tilted_weight, double relative_error)
        : offset(from_node), weight(tilted_weight), node(static_cast<std::uint32_t>(at)) {
      set_error(relative_error);
    }
    /// Rounded up.
    void set_error(double relative) { error = static_cast<float>(relative * (1 + 0x1p-22)); }
  };
  std::vector<Atom> atoms;

  [[nodiscard]] double position(std::size_t node) const { return origin + static_cast<double>(nodes[node]) * spacing; }

  double log_scale = 0;
  double slack = 0;           ///< as in LatticeMeasure, handed on
  double position_error = 0;  ///< that of the rounded distances between nodes is to be in it
  double log_scale_error = 0;
};

/// Connect the dots (Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022): every atom is split between the two nodes
/// beside it keeping its P and its Q mass. The profile, convex in e^epsilon, is replaced by its chords between nodes:
/// it can only rise. An atom may stand for mass spread over a part of its interval (the split is linear in P and Q).
[[nodiscard]] LatticeMeasure upper_measure(const PlacedAtoms& atoms);

/// Lowered chords: the chords of upper_measure, moved down at each node i by a c_i that is large enough for every chord
/// to lie below the profile: (1 - theta) c_i + theta c_{i+1} >= chord - profile in each interval. Smooth c_i (the
/// larger of the two neighbouring gaps) keep it an O(spacing^2) change; where the result would not be convex a node is
/// taken out (its negative mass connected to the nodes kept beside it), which lowers it further. An atom may
/// stand for mass spread around it (fusing lowers a profile).
[[nodiscard]] LatticeMeasure lower_measure(const PlacedAtoms& atoms);

/// From below, but only once what the splits add is taken off the profile of the composition (SplitExcess): the measure
/// of connected dots, weights rounded down. Where atoms have intervals to themselves, lowering moves each kink to a
/// node, an error of the first order.
[[nodiscard]] LatticeMeasure split_measure(const PlacedAtoms& atoms);

}  // namespace pld
