#include "pairs/laplace_pair.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "numeric/roundings.hpp"
#include "pairs/end_refined_edges.hpp"
#include "pairs/exponential_density.hpp"
#include "pairs/mirrored.hpp"
#include "pld/pairs/symmetric_noise.hpp"

namespace pld {

using std::numbers::ln2;

namespace {

/// Laplace noise of scale 1.
class DoubleExponentialNoise final : public SymmetricLogConcaveNoise {
 public:
  [[nodiscard]] double log_density(double x) const override { return -std::fabs(x) - ln2; }
  [[nodiscard]] double log_tail(double x) const override { return -x - ln2; }
  [[nodiscard]] double loss(double x, double s) const override { return x < s ? 2 * x - s : s; }
  [[nodiscard]] double loss_error(double /*x*/, double s) const override { return 4 * unit_roundoff * s; }
  [[nodiscard]] double highest_loss(double s) const override { return s; }
  [[nodiscard]] double renyi_slope(double s) const override { return slope_of_laplace(round_up(s)); }
  [[nodiscard]] std::string name() const override { return "laplace"; }
  [[nodiscard]] double exponential_from() const override { return 0; }
};

}  // namespace

LossCell LaplacePair::top_atom() const { return {.loss = epsilon_, .log_mass = -ln2, .log_q_mass = -ln2 - epsilon_}; }

std::vector<LossCell> LaplacePair::atoms(LossRange within) const {
  std::vector<LossCell> inside;
  for (const LossCell& atom : {mirrored(top_atom()), top_atom()})
    if (within.lowest <= atom.loss && atom.loss <= within.highest) inside.push_back(atom);
  return inside;
}

// P's density at loss z is e^{-(epsilon - z)/2} / 4, Q's e^{-(epsilon + z)/2} / 4.
void LaplacePair::cells(std::span<const double> edges, std::vector<LossCell>& out) const {
  for (std::size_t i = 1; i < edges.size(); ++i) out.push_back(exponential_cell(edges[i - 1], edges[i], epsilon_, ln2));
}

// All losses >= z for z in (-epsilon, epsilon], and all > z at z = -epsilon: Q = e^{-c}/2 with c = (epsilon + z)/2, P =
// 1 - e^{-(epsilon - z)/2}/2; the loss, log(2 - e^{(z - epsilon)/2}) + c, as a sum of positive terms.
LossCell LaplacePair::from(double z) const {
  const double c = 0.5 * (epsilon_ + z);
  const double drop = -0.5 * (epsilon_ - z);
  return {
      .loss = c + std::log1p(-std::expm1(drop)), .log_mass = std::log1p(-0.5 * std::exp(drop)), .log_q_mass = -ln2 - c};
}

LossCell LaplacePair::above(double z) const {
  if (z >= epsilon_) return {};
  if (z < -epsilon_) return {.loss = 0, .log_mass = 0, .log_q_mass = 0};
  return from(z);
}

LossCell LaplacePair::below(double z) const {
  if (z < -epsilon_) return {};
  if (z >= epsilon_) return {.loss = 0, .log_mass = 0, .log_q_mass = 0};
  return mirrored(from(-z));
}

double LaplacePair::loss_error(LossRange within) const {
  const double reach = std::max(std::fabs(within.lowest), std::fabs(within.highest));
  return 4 * unit_roundoff * std::min(reach, epsilon_);
}

std::vector<LossCell> LaplacePair::outline() const {
  // P and Q drop by e^{-1/2} for each 1 of loss away from their ends.
  std::vector<LossCell> all{mirrored(top_atom())};
  cells(end_refined_edges(-epsilon_, epsilon_, 80), all);
  all.push_back(top_atom());
  return all;
}

std::optional<AnalyticLaw> LaplacePair::analytic_law(double) const {
  const long double half = std::numbers::ln2_v<long double>;
  // Carries what the pair's own loss is off by, into masses by their exponents.
  const double loss_error = 4 * unit_roundoff * epsilon_, mass_error = roundings(4, epsilon_);
  AnalyticLaw law;
  law.atoms = {{-epsilon_, -half, loss_error, mass_error}, {epsilon_, -half - epsilon_, loss_error, mass_error}};
  law.densities = {std::make_shared<ExponentialDensity>(-epsilon_, epsilon_, -0.5L * epsilon_ - 2 * half)};
  return law;
}

std::optional<LocationFamily> LaplacePair::location_family() const {
  return LocationFamily{std::make_shared<DoubleExponentialNoise>(), epsilon_};
}

}  // namespace pld
