#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "pld/core/rounding.hpp"
#include "pld/pairs/dominating_pair.hpp"
#include "support/checks.hpp"
#include "support/reference_law.hpp"

namespace pld::test {

/// Worst errors seen, as multiples of what is allowed.
struct Worst {
  double mass = 0, loss = 0;
};

/// Whether log m lies within 16 u (1 + |log m|) of log of a mass between `least` and `most`.
inline double mass_excess(double log_mass, const Real& least, const Real& most) {
  if (most <= 0) return log_mass == -infinity ? 0 : infinity;
  const auto allowed = [](const Real& exact) { return 16 * unit_roundoff * (1 + abs(exact)); };
  const Real high = log(most);
  Real excess = (log_mass - high) / allowed(high);
  if (least > 0) {
    const Real low = log(least);
    excess = std::max(excess, Real((low - log_mass) / allowed(low)));
  }
  return static_cast<double>(excess);
}

/// No answer depends on what has a mass below e^-this.
constexpr double nothing_beyond = 1e6;

/// A cell of (low, high] against the exact law. The implementation's own edges may lie loss_error off: its masses are
/// those of an interval between the one shrunk and the one grown by that much, and its barycentre, which grows with
/// either edge, lies between those of the interval moved down and up by that much, to within loss_error once more and,
/// of its distance from either end of the cell, the accuracy of the masses. A cell of less than e^-beyond is only to be
/// so.
inline void check_cell(const LossCell& cell, const Law& law, double low, double high, double error, Worst& worst,
                       double beyond = nothing_beyond) {
  CAPTURE(digits(low));
  CAPTURE(digits(high));
  CAPTURE(digits(cell.loss));
  CAPTURE(cell.log_mass);
  CAPTURE(cell.log_q_mass);
  CAPTURE(error);
  if (!(error < infinity)) return;  // losses too large for a double
  const Real a_down = Real(low) - error, a_up = Real(low) + error, b_down = Real(high) - error,
             b_up = Real(high) + error;
  const Masses grown = law(a_down, b_up);
  if (std::min(grown.p, grown.q) < exp(Real(-beyond))) {
    CHECK(std::min(cell.log_mass, cell.log_q_mass) <= -beyond * (1 - 1e-12));
    return;
  }
  const Masses shrunk = a_up < b_down ? law(a_up, b_down) : Masses{};
  const double p_excess = mass_excess(cell.log_mass, shrunk.p, grown.p);
  const double q_excess = mass_excess(cell.log_q_mass, shrunk.q, grown.q);
  CHECK(p_excess <= 1);
  CHECK(q_excess <= 1);
  worst.mass = std::fmax(worst.mass, std::fmax(p_excess, q_excess));
  if (cell.log_mass == -infinity) return;
  const Masses down = law(a_down, b_down), up = law(a_up, b_up);
  const Real least = down.p > 0 ? down.loss() : a_down, most = up.p > 0 ? up.loss() : b_up;
  const double off = static_cast<double>(std::max(Real(least - cell.loss), Real(cell.loss - most)));
  const double of_masses = 16 * unit_roundoff * (1 + std::fmax(std::fabs(cell.log_mass), std::fabs(cell.log_q_mass)));
  const double distance = std::fmax(0.0, std::fmin(cell.loss - low, high - cell.loss));
  const double allowed = error + (distance < infinity ? of_masses * distance : 0);
  CHECK(off <= allowed);
  if (off > 0) worst.loss = std::fmax(worst.loss, off / allowed);
}

/// Every cell between consecutive edges, and everything above and below each edge.
inline Worst check_density(const DominatingPair& pair, const Law& law, std::span<const double> edges) {
  Worst worst;
  std::vector<LossCell> cells;
  pair.cells(edges, cells);
  REQUIRE(cells.size() + 1 == edges.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    check_cell(cells[i], law, edges[i], edges[i + 1], pair.loss_error({edges[i], edges[i + 1]}), worst);
  }
  return worst;
}

inline Worst check_tails(const DominatingPair& pair, const Law& law, std::span<const double> edges,
                         double beyond = nothing_beyond) {
  Worst worst;
  for (const double z : edges) {
    const LossCell above = pair.above(z), below = pair.below(z);
    // The cell's loss lies beyond z: the bound for the stretch between holds.
    check_cell(above, law, z, infinity, pair.loss_error({std::min(z, above.loss), std::max(z, above.loss)}), worst,
               beyond);
    check_cell(below, law, -infinity, z, pair.loss_error({std::min(z, below.loss), std::max(z, below.loss)}), worst,
               beyond);
  }
  return worst;
}

/// Sums of P and of Q over cells, each to be 1 less what lies at infinity.
inline Masses total(std::span<const LossCell> cells) {
  Masses sum;
  for (const LossCell& cell : cells) {
    if (cell.log_mass == -infinity) continue;
    sum.p += exp(Real(cell.log_mass));
    sum.q += exp(Real(cell.log_q_mass));
  }
  return sum;
}

inline void check_total(const DominatingPair& pair, std::span<const LossCell> cells, double tolerance) {
  const Masses sum = total(cells);
  const Real p_missing = 1 - sum.p - exp(Real(pair.log_mass_at_plus_infinity()));
  const Real q_missing = 1 - sum.q - exp(Real(pair.log_q_mass_at_minus_infinity()));
  CHECK(std::fabs(static_cast<double>(p_missing)) <= tolerance);
  CHECK(std::fabs(static_cast<double>(q_missing)) <= tolerance);
}

inline std::vector<double> even_edges(double low, double high, int count) {
  std::vector<double> edges;
  for (int i = 0; i < count; ++i) edges.push_back(low + (high - low) * i / count);
  edges.push_back(high);
  return edges;
}

}  // namespace pld::test
