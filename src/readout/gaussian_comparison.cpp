#include "pld/readout/gaussian_comparison.hpp"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <map>
#include <vector>

#include "pld/compose/closed_form.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/numeric/normal_tail.hpp"

namespace pld {
namespace {

Bracket gaussian_log_delta(double mu, double epsilon) {
  const Terms one{{dominating_pair(Gaussian{.sigma = 1, .sensitivity = mu}, Direction::remove), 1}};
  return closed_form_log_delta(one, epsilon).value;
}

/// A mu certainly not below (side = upper), or not above, the one whose Gaussian has delta(epsilon) = e^log_delta.
double certain_mu(double epsilon, double log_delta, int side) {
  if (log_delta == -infinity) return 0;
  double mu = gaussian_mu(epsilon, log_delta);
  for (double step = 1e-13; step < 1; step *= 4) {
    const double moved = mu * (1 + side * step);
    const Bracket there = gaussian_log_delta(moved, epsilon);
    if (side > 0 ? there.lower >= log_delta : there.upper <= log_delta) return moved;
  }
  return side > 0 ? infinity : 0;
}

/// log Q(z > epsilon) of the Gaussian pair, the slope of its delta in x: log Phi(-epsilon / mu - mu / 2).
double gaussian_log_slope(double mu, double epsilon) { return log_normal_tail(epsilon / mu + mu / 2); }

/// The profile at one epsilon and the mu whose Gaussian meets it there.
struct Node {
  Bracket log_delta, mu;
};
using Nodes = std::map<double, Node>;

Node node_at(const Bracket& log_delta, double epsilon) {
  return {log_delta, {certain_mu(epsilon, log_delta.lower, -1), gaussian_mu(epsilon, log_delta.estimate),
                      certain_mu(epsilon, log_delta.upper, +1)}};
}

/// Values over e^{log delta at a}, at x over e^a less 1: small numbers near 1.
constexpr double rounding = 1e-11;

/// Whether the Gaussian's delta is certainly above the profile over [a, b]: its tangents at both ends cross above the chord of the
/// profile, which meets neither end from above.
bool certainly_above(double mu, double a, const Node& at_a, double b, const Node& at_b) {
  const double unit = at_a.log_delta.upper, width = std::expm1(b - a);
  const double chord_a = 1, chord_b = std::exp(at_b.log_delta.upper - unit);
  const double value_a = std::exp(gaussian_log_delta(mu, a).lower - unit), value_b = std::exp(gaussian_log_delta(mu, b).lower - unit);
  if (value_a < chord_a || value_b < chord_b) return false;
  // d delta / dx = -Q(z > epsilon), x in units of e^a.
  const double slope_a = -std::exp(gaussian_log_slope(mu, a) + a - unit), slope_b = -std::exp(gaussian_log_slope(mu, b) + a - unit);
  const double crossing = std::clamp((value_b - slope_b * width - value_a) / (slope_a - slope_b), 0.0, width);
  const double tangent = value_a + slope_a * crossing, chord = chord_a + (chord_b - chord_a) * crossing / width;
  return slope_a < slope_b && tangent >= chord + rounding;
}

/// Whether it is certainly below: its chord against the profile's chords before a and after b, drawn out.
bool certainly_below(double mu, Nodes::const_iterator at_a, const Nodes& nodes) {
  const auto at_b = std::next(at_a);
  if (at_a == nodes.begin() || std::next(at_b) == nodes.end()) return false;
  const auto before = std::prev(at_a), after = std::next(at_b);
  const double a = at_a->first, unit = at_a->second.log_delta.lower, width = std::expm1(at_b->first - a);
  const auto value = [&](double log_value) { return std::exp(log_value - unit); };
  const double low_a = 1, low_b = value(at_b->second.log_delta.lower);
  const double chord_a = value(gaussian_log_delta(mu, a).upper), chord_b = value(gaussian_log_delta(mu, at_b->first).upper);
  if (chord_a > low_a || chord_b > low_b) return false;
  const double slope_a = (low_a - value(before->second.log_delta.upper)) / -std::expm1(before->first - a);
  const double slope_b = (value(after->second.log_delta.upper) - low_b) / (std::expm1(after->first - a) - width);
  // The profile is above the larger of the two lines, and that minus the chord is least at an end or where they cross.
  const double crossing = (low_b - slope_b * width - low_a) / (slope_a - slope_b);
  if (!(crossing > 0 && crossing < width)) return std::max(low_a + slope_a * width, low_b) >= chord_b && low_a >= chord_a && slope_a >= slope_b;
  return low_a + slope_a * crossing >= chord_a + (chord_b - chord_a) * crossing / width + rounding;
}

/// A certified bound over [a, next of a]: from the ends' own mu outward until the Gaussian is certainly on its side.
double mu_over(const Nodes& nodes, Nodes::const_iterator at_a, int side) {
  const auto at_b = std::next(at_a);
  const double start = side > 0 ? std::max(at_a->second.mu.upper, at_b->second.mu.upper)
                                : std::min(at_a->second.mu.lower, at_b->second.mu.lower);
  if (!(start > 0 && start < infinity)) return start;
  for (double step = 1e-7; step < 0.5; step *= 2) {
    const double mu = start * (1 + side * step);
    if (side > 0 ? certainly_above(mu, at_a->first, at_a->second, at_b->first, at_b->second) : certainly_below(mu, at_a, nodes))
      return mu;
  }
  // delta falls: the profile's value at one end against the Gaussian's at the other.
  return side > 0 ? certain_mu(at_b->first, at_a->second.log_delta.upper, +1)
                  : certain_mu(at_a->first, at_b->second.log_delta.lower, -1);
}

/// The extreme mu over [0, highest]; halves the interval that decides until the bracket is as narrow as asked.
Bracket extreme_mu(const PrivacyProfile& profile, Nodes& nodes, double highest, double tolerance, int side, double& where) {
  constexpr int most_nodes = 2000;
  std::map<double, double> over;  // by left end
  Bracket best{};
  for (int step = 0; step < most_nodes; ++step) {
    best = side > 0 ? Bracket{0, 0, 0} : Bracket{infinity, infinity, infinity};
    auto deciding = nodes.end();
    for (auto i = nodes.begin(); i != nodes.end(); ++i) {
      if (i->first < 0 || i->first > highest) continue;
      const Bracket& mu = i->second.mu;
      if (side > 0 ? mu.estimate > best.estimate : mu.estimate < best.estimate) best.estimate = mu.estimate, where = i->first;
      if (side > 0)
        best.lower = std::max(best.lower, mu.lower), best.upper = std::max(best.upper, mu.upper);
      else
        best.upper = std::min(best.upper, mu.upper), best.lower = std::min(best.lower, mu.lower);
      if (i->first >= highest) continue;
      const auto known = over.find(i->first);
      const double bound = known != over.end() ? known->second : over[i->first] = mu_over(nodes, i, side);
      if (side > 0 ? bound > best.upper : bound < best.lower) {
        (side > 0 ? best.upper : best.lower) = bound;
        deciding = i;
      }
    }
    if (!(best.width() > tolerance * best.upper) || deciding == nodes.end() || !(best.upper < infinity)) break;
    const double a = deciding->first, b = std::next(deciding)->first, middle = a + (b - a) / 2;
    if (!(middle > a && middle < b)) break;
    over.erase(a);
    nodes.emplace(middle, node_at(profile.log_profile(middle).log_delta, middle));
  }
  best.estimate = std::clamp(best.estimate, best.lower, best.upper);
  return best;
}

/// Where to begin: [0, highest], and a little beyond either end for the chords there.
Nodes first_nodes(const PrivacyProfile& profile, double highest) {
  constexpr int parts = 48;
  std::vector<double> epsilons;
  for (int i = -1; i <= parts + 1; ++i) epsilons.push_back(i == parts ? highest : highest / parts * i);
  const auto found = profile.log_profile(epsilons);
  Nodes nodes;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool inside = epsilons[i] >= 0 && epsilons[i] <= highest;
    nodes.emplace(epsilons[i], inside ? node_at(found[i].log_delta, epsilons[i]) : Node{found[i].log_delta, {}});
  }
  return nodes;
}

}  // namespace

double gaussian_mu(double epsilon, double log_delta) {
  require(epsilon >= 0 && epsilon < infinity, "gaussian mu", "epsilon", epsilon, "0 <= epsilon < inf");
  require(log_delta <= 0, "gaussian mu", "log delta", log_delta, "log delta <= 0");
  if (log_delta == -infinity) return 0;
  const auto excess = [&](double log_mu) { return gaussian_log_delta(std::exp(log_mu), epsilon).estimate - log_delta; };
  double low = std::log(1e-6), high = std::log(1e-6);
  if (excess(low) >= 0) return 1e-6;
  while (excess(high) < 0) {
    low = high;
    high += 1;
    if (high > 20) return infinity;
  }
  boost::uintmax_t iterations = 100;
  const auto root = boost::math::tools::toms748_solve(excess, low, high, boost::math::tools::eps_tolerance<double>(46), iterations);
  return std::exp(root.first + (root.second - root.first) / 2);
}

GaussianComparison compare_with_gaussian(const PrivacyProfile& profile, double least_delta, double tolerance) {
  require(least_delta > 0 && least_delta < 1, "gaussian comparison", "least delta", least_delta, "0 < least delta < 1");
  require(tolerance > 0 && tolerance < 1, "gaussian comparison", "tolerance", tolerance, "0 < tolerance < 1");
  GaussianComparison out;
  const Bracket end = profile.epsilon(least_delta);
  if (end.lower == infinity) {
    out.smallest_mu = {infinity, infinity, infinity};
    return out;
  }
  out.highest_epsilon = std::max(end.lower, 0.0);
  if (out.highest_epsilon == 0) {
    // Delta is below least_delta everywhere but perhaps at 0.
    const Node only = node_at(profile.log_profile(0).log_delta, 0);
    out.smallest_mu = out.largest_mu = only.mu;
    return out;
  }
  Nodes nodes = first_nodes(profile, out.highest_epsilon);
  out.smallest_mu = extreme_mu(profile, nodes, out.highest_epsilon, tolerance, +1, out.epsilon_smallest);
  out.largest_mu = extreme_mu(profile, nodes, out.highest_epsilon, tolerance, -1, out.epsilon_largest);
  return out;
}

}  // namespace pld
