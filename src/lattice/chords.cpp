#include "lattice/chords.hpp"

#include <algorithm>
#include <cmath>

#include "pld/core/rounding.hpp"

namespace pld {
namespace {

// Masses below are "in the scale of node i": P mass times exp(tilt y_i - log_scale), y_i the node's loss. An atom of
// weight w at y_i + t has mass w e^{-tilt t} in that scale; a mass in the scale of node i is e^{tilt d} times as much
// in the scale of a node d above. x = e^loss; profiles are piecewise linear in x.

/// Width of the interval right of nodes[i].
double width(const PlacedAtoms& a, std::size_t i) {
  return static_cast<double>(a.nodes[i + 1] - a.nodes[i]) * a.spacing;
}

/// Share of the P mass of an atom at offset t that goes to the upper end of an interval of width d, both P and Q mass
/// kept.
double upper_share(double t, double d) { return std::expm1(-t) / std::expm1(-d); }

/// A mass in the scale of a node by `exponent` above; nothing stays nothing where the exponential overflows.
double lifted(double mass, double exponent) { return mass > 0 ? mass * std::exp(exponent) : 0; }

/// Round-off of the products and exponentials that place an atom.
double placing_error(double tilt, double d) { return (16 + 2 * std::fabs(tilt) * d) * unit_roundoff; }

/// Spreads masses at the nodes in use over a dense array.
LatticeMeasure on_lattice(const PlacedAtoms& a, const std::vector<double>& node_weight) {
  LatticeMeasure m;
  m.tilt = a.tilt;
  m.spacing = a.spacing;
  m.origin = a.origin;
  m.log_scale = a.log_scale;
  m.slack = a.slack;
  m.position_error = a.position_error;
  m.log_scale_error = a.log_scale_error;
  std::size_t begin = 0, end = node_weight.size();
  while (end > 0 && node_weight[end - 1] == 0) --end;
  while (begin < end && node_weight[begin] == 0) ++begin;
  if (begin == end) return m;
  m.first = a.nodes[begin];
  m.weights.assign(static_cast<std::size_t>(a.nodes[end - 1] - m.first + 1), 0.0);
  for (std::size_t i = begin; i < end; ++i) m.weights[static_cast<std::size_t>(a.nodes[i] - m.first)] = node_weight[i];
  return m;
}

/// Weights at the nodes by connecting the dots; each atom's weight is first moved outward to `side` by its error.
std::vector<double> connect_the_dots(const PlacedAtoms& a, Side side) {
  std::vector<double> node_weight(a.nodes.size(), 0.0);
  const double outward = side == Side::upper ? 1 : -1;
  std::size_t current = a.nodes.size();
  double d = 0, placing = 0;
  for (const auto& atom : a.atoms) {
    if (atom.offset == 0) {
      node_weight[atom.node] += atom.weight * std::max(0.0, 1 + outward * (atom.error + 4 * unit_roundoff));
      continue;
    }
    if (atom.node != current) {
      current = atom.node;
      d = width(a, current);
      placing = placing_error(a.tilt, d);
    }
    const double weight = atom.weight * std::max(0.0, 1 + outward * (atom.error + placing));
    const double share = upper_share(atom.offset, d);
    node_weight[current] += weight * std::exp(-a.tilt * atom.offset) * (1 - share);
    node_weight[current + 1] += weight * std::exp(a.tilt * (d - atom.offset)) * share;
  }
  return node_weight;
}

/// What the inner atoms of an interval come to: their profile at the lower node, and their Q mass relative to that
/// node.
struct InnerSums {
  double profile = 0, q_mass = 0;
};

/// What the atoms strictly inside one interval do to the profile there, in the scale of its lower node.
class Interval {
 public:
  Interval(const PlacedAtoms& a, std::size_t node, std::size_t begin, std::size_t end)
      : atoms_(a), begin_(begin), end_(end), width_(width(a, node)) {}

  /// Evaluates gap, profile and Q mass. `visit(gap, below, above)` is called atom by atom: `gap` is how far the chord
  /// lies above the profile at the atom's x, `below` and `above` are the shares of the two ends in a chord there.
  /// Nothing grows with e^width.
  template <class Visit>
  InnerSums scan(Visit&& visit) const {
    double top = 0;  // the mass that connecting the dots puts on the upper node: the chord's slope
    for (std::size_t j = begin_; j < end_; ++j) top += mass(j) * upper_share(offset(j), width_);
    const double full = -std::expm1(-width_);
    // Chord and profile are sums of positive products, and the profile is no larger than the chord.
    const double rounding = (32 + 8 * static_cast<double>(end_ - begin_)) * unit_roundoff;
    // From the right: all terms positive, so that the profile has full relative accuracy. q is relative to where the
    // sweep is.
    double profile = 0, q = 0, from = width_;
    const auto sweep_to = [&](double to) {
      const double fall = std::expm1(to - from);
      profile -= q * fall;
      q += q * fall;
      from = to;
    };
    for (std::size_t j = end_; j-- > begin_;) {
      sweep_to(offset(j));
      const double rest = -std::expm1(offset(j) - width_);
      const double left = rest < 0.9 ? 1 - rest : std::exp(offset(j) - width_);
      const double above = left * (-std::expm1(-offset(j)) / full);
      visit(std::max(top * rest - profile, 0.0) + rounding * top * rest, rest / full, above);
      q += mass(j);
    }
    sweep_to(0);
    return {profile, q};
  }

  [[nodiscard]] double width_of() const { return width_; }

  /// How far the profile lies, at the upper node, above the continuation of its tangent at the lower node.
  [[nodiscard]] double tangent_gap() const {
    double gap = 0;
    for (std::size_t j = begin_; j < end_; ++j) gap += mass(j) * std::expm1(width_ - offset(j));
    return gap;
  }
  /// Q mass of the inner atoms relative to the upper node (still in the scale of the lower).
  [[nodiscard]] double q_mass_at_upper_node() const {
    double q = 0;
    for (std::size_t j = begin_; j < end_; ++j) q += mass(j) * std::exp(width_ - offset(j));
    return q;
  }

 private:
  [[nodiscard]] double offset(std::size_t j) const { return atoms_.atoms[j].offset; }
  [[nodiscard]] double mass(std::size_t j) const { return atoms_.atoms[j].weight * std::exp(-atoms_.tilt * offset(j)); }

  const PlacedAtoms& atoms_;
  std::size_t begin_, end_;
  double width_;
};

/// The least lowering at one node (in the scale of the lower one) when the other is lowered by `given` only.
double needed_below(const Interval& interval, double given) {
  double need = 0;
  interval.scan([&](double gap, double below, double above) { need = std::max(need, (gap - above * given) / below); });
  return need * (1 + 64 * unit_roundoff);
}
double needed_above(const Interval& interval, double given) {
  double need = 0;
  interval.scan([&](double gap, double below, double above) { need = std::max(need, (gap - below * given) / above); });
  return need * (1 + 64 * unit_roundoff);
}

/// One Interval for each pair of neighbouring nodes, and the mass of atoms that sit on nodes.
struct Intervals {
  const PlacedAtoms& atoms;
  std::vector<std::uint32_t> begin{}, end{};  ///< of each interval's atoms
  std::vector<double> on_node{};
  std::vector<InnerSums> inner{};  ///< of each interval, and the chord's largest gap there
  std::vector<double> gap{};

  [[nodiscard]] Interval at(std::size_t i) const { return {atoms, i, begin[i], end[i]}; }
  [[nodiscard]] double width_of(std::size_t i) const { return width(atoms, i); }
};

Intervals split_by_interval(const PlacedAtoms& a) {
  const std::size_t n = a.nodes.size();
  Intervals out{.atoms = a};
  out.begin.resize(n - 1), out.end.resize(n - 1), out.inner.resize(n - 1);
  out.on_node.assign(n, 0.0), out.gap.assign(n, 0.0);
  std::uint32_t j = 0;
  for (std::size_t i = 0; i < n; ++i) {
    while (j < a.atoms.size() && a.atoms[j].node == i && a.atoms[j].offset == 0) out.on_node[i] += a.atoms[j++].weight;
    if (i + 1 == n) break;
    out.begin[i] = j;
    while (j < a.atoms.size() && a.atoms[j].node == i) ++j;
    out.end[i] = j;
    if (out.begin[i] == j) continue;
    out.inner[i] = out.at(i).scan([&](double gap, double, double) { out.gap[i] = std::max(out.gap[i], gap); });
  }
  return out;
}

/// Profile of the atoms at each node, in the node's scale.
std::vector<double> profile_at_nodes(const PlacedAtoms& a, const Intervals& parts) {
  const std::size_t n = a.nodes.size();
  std::vector<double> profile(n, 0.0);
  double q = 0;  // Q mass beyond the node, relative to it
  for (std::size_t i = n - 1; i-- > 0;) {
    const double d = parts.width_of(i);
    const double beyond = q + parts.on_node[i + 1];
    const double drop = std::exp(-a.tilt * d);
    profile[i] = drop * (profile[i + 1] - std::expm1(-d) * beyond) + parts.inner[i].profile;
    q = drop * std::exp(-d) * beyond + parts.inner[i].q_mass;
  }
  return profile;
}

/// The share of its profile that a node is lowered by for the sake of the interval below it.
constexpr double smoothing_share = 0.01;

/// How far to lower each node, in its scale, so that every chord lies below the profile and none below zero.
std::vector<double> lowering_from_right(const PlacedAtoms& a, const Intervals& parts,
                                        const std::vector<double>& profile) {
  const std::vector<double>& gap = parts.gap;
  const std::size_t n = a.nodes.size();
  std::vector<double> c(n, 0.0);
  for (std::size_t i = n - 1; i-- > 0;) {
    const double above = c[i + 1] * std::exp(-a.tilt * parts.width_of(i));
    c[i] = above >= gap[i] ? gap[i] : needed_below(parts.at(i), above);
    // As far as the interval below wants it too, but a gap there must not eat up what little there may be here: then
    // the node below is lowered by more.
    if (i > 0 && gap[i - 1] > 0) {
      const double wanted = gap[i - 1] * std::exp(a.tilt * parts.width_of(i - 1));
      c[i] = std::max(c[i], std::min(wanted, smoothing_share * profile[i]));
    }
  }
  return c;
}

/// At the left end the profile is a straight line, 1 - x Q. Lowered nodes there would change Q, an error of first
/// order. So no node is lowered below the continuation of that line; where this binds, the next node makes up for it.
/// Gives up (all of `c` stays) where the line would fall below zero.
std::vector<double> keep_left_line(const PlacedAtoms& a, const Intervals& parts, const std::vector<double>& profile,
                                   const std::vector<double>& from_right) {
  std::vector<double> c = from_right;
  c[0] = 0;
  double line = 0;  // profile less the continued line
  double q = 0;     // Q mass of the atoms below the node, relative to it
  for (std::size_t i = 0; i + 1 < c.size(); ++i) {
    const Interval interval = parts.at(i);
    const double d = interval.width_of(), lift = std::exp(a.tilt * d), below = q + parts.on_node[i];
    line = lift * (line + std::expm1(d) * below + interval.tangent_gap()) * (1 + 16 * unit_roundoff);
    q = lift * std::exp(d) * below + lift * interval.q_mass_at_upper_node();
    const double need = lift * needed_above(interval, c[i]);
    // A barycentre's node is where the line reaches zero but for rounding, and gaps have theirs. Beyond the last node
    // nothing is lowered, so that it is not lowered either.
    const double rounding = i + 2 < c.size() ? 8 * unit_roundoff * q * (std::fabs(a.position(i + 1)) + d) : 0;
    constexpr double nearly = 1 + 1e-12;
    if (need > profile[i + 1] * nearly + rounding) return from_right;
    const double within = line + rounding;
    c[i + 1] = std::max(std::min(from_right[i + 1], within), need);
    if (within >= from_right[i + 1] && from_right[i + 1] > 0) return c;
  }
  return c;
}

std::vector<double> lowering(const PlacedAtoms& a, const Intervals& parts) {
  const std::vector<double> profile = profile_at_nodes(a, parts);
  return keep_left_line(a, parts, profile, lowering_from_right(a, parts, profile));
}

/// Takes out every node of negative weight, its mass connected to the nodes kept beside it. Returns the weight that
/// could not be placed (a round-off at the right end).
double remove_negative(const PlacedAtoms& a, std::vector<double>& weight) {
  std::vector<std::size_t> kept;
  double unplaced = 0;
  const auto distance = [&](std::size_t from, std::size_t to) {
    return static_cast<double>(a.nodes[to] - a.nodes[from]) * a.spacing;
  };
  for (std::size_t next = 0; next < weight.size(); ++next) {
    // Lower neighbours made negative by what `next` took from them go the same way.
    while (!kept.empty() && weight[kept.back()] < 0) {
      const std::size_t node = kept.back();
      kept.pop_back();
      const double above = distance(node, next);
      double share = 1;  // nothing below: the negative mass moves up, which lowers the profile
      if (!kept.empty()) {
        const double below = distance(kept.back(), node);
        share = upper_share(below, below + above);
        weight[kept.back()] += weight[node] * (1 - share) * std::exp(-a.tilt * below);
      }
      weight[next] += weight[node] * share * std::exp(a.tilt * above) * (1 + 16 * unit_roundoff);
      weight[node] = 0;
    }
    kept.push_back(next);
  }
  for (; !kept.empty() && weight[kept.back()] < 0; kept.pop_back()) {
    unplaced -= weight[kept.back()];
    weight[kept.back()] = 0;
  }
  return unplaced;
}

/// Weights at the nodes of the lowered chords, possibly negative.
std::vector<double> lowered_chords(const PlacedAtoms& a) {
  std::vector<double> weight = connect_the_dots(a, Side::lower);
  const Intervals parts = split_by_interval(a);
  const std::vector<double> c = lowering(a, parts);

  // A function of x that is piecewise linear with value c_i at node i has the mass
  // (c_{i+1} - c_i) / (e^d - 1) - (c_i - c_{i-1}) / (1 - e^-d') at node i: taken from the chords' masses.
  for (std::size_t i = 0; i < weight.size(); ++i) {
    double change = 0, magnitude = weight[i];
    if (i + 1 < weight.size()) {
      const double d = parts.width_of(i);
      const double above = c[i + 1] * std::exp(-a.tilt * d), share = 1 / std::expm1(d);
      change -= (above - c[i]) * share;
      magnitude += (above + c[i]) * share;
    }
    if (i > 0) {
      const double d = parts.width_of(i - 1);
      const double below = lifted(c[i - 1], a.tilt * d), share = -1 / std::expm1(-d);
      change += (c[i] - below) * share;
      magnitude += (c[i] + below) * share;
    }
    weight[i] += change - 24 * unit_roundoff * magnitude;
  }
  return weight;
}

/// Whether the weights of an interval's atoms range over so many orders of magnitude, e^{tilt width}, that chords mean
/// nothing.
bool too_wide_for_chords(const PlacedAtoms& a) {
  return std::any_of(a.atoms.begin(), a.atoms.end(), [&](const PlacedAtoms::Atom& atom) {
    return atom.offset > 0 && std::fabs(a.tilt) * width(a, atom.node) > 20;
  });
}

/// A lower bound whatever the widths: each atom's P mass moved down to its node.
std::vector<double> rounded_down(const PlacedAtoms& a) {
  std::vector<double> weight(a.nodes.size(), 0.0);
  for (const auto& atom : a.atoms) {
    const double error = atom.error + placing_error(a.tilt, atom.offset);
    weight[atom.node] += atom.weight * std::exp(-a.tilt * atom.offset) * std::max(0.0, 1 - error);
  }
  return weight;
}

}  // namespace

LatticeMeasure upper_measure(const PlacedAtoms& atoms) {
  return on_lattice(atoms, connect_the_dots(atoms, Side::upper));
}

LatticeMeasure split_measure(const PlacedAtoms& a) {
  LatticeMeasure m = on_lattice(a, connect_the_dots(a, Side::lower));
  double widest = 0;
  for (const auto& atom : a.atoms)
    if (atom.offset > 0) widest = std::max(widest, width(a, atom.node));
  m.split_variance = widest * widest / 4 * (1 + 8 * unit_roundoff);
  // So much less than the split of atoms without their errors: a profile read from above is to hold that.
  m.log_scale_error += 4 * placing_error(a.tilt, widest);
  return m;
}

LatticeMeasure lower_measure(const PlacedAtoms& a) {
  if (a.atoms.empty()) return on_lattice(a, {});
  if (too_wide_for_chords(a)) return on_lattice(a, rounded_down(a));
  std::vector<double> weight = lowered_chords(a);
  const double unplaced = remove_negative(a, weight);
  const auto finite = [](double w) { return std::isfinite(w); };
  if (!std::all_of(weight.begin(), weight.end(), finite)) return on_lattice(a, rounded_down(a));
  LatticeMeasure m = on_lattice(a, weight);
  m.slack += unplaced;
  return m;
}

}  // namespace pld
