#include "pld/readout/gaussian_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "account/all_neighbours.hpp"
#include "core/intersection.hpp"
#include "core/work.hpp"
#include "engines/question.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/normal_tail.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "readout/bounded_mu.hpp"
#include "readout/gaussian_mu.hpp"
#include "readout/rho_sum.hpp"

namespace pld {
namespace {

/// log Q(z > epsilon) of the Gaussian pair, the slope of its delta in x: log Phi(-epsilon / mu - mu / 2).
double gaussian_log_slope(double mu, double epsilon) { return log_normal_tail(epsilon / mu + mu / 2); }

/// The profile at one epsilon and the mu whose Gaussian meets it there.
struct Node {
  ProfileBracket profile;
  Bracket mu;
};
using NodeTable = std::map<double, Node>;

Node node_at(const ProfileBracket& profile, double epsilon) {
  return {profile,
          {certain_mu(epsilon, DeltaLogs::least(profile), -1), mu_of(epsilon, DeltaLogs::estimate(profile)),
           certain_mu(epsilon, DeltaLogs::most(profile), +1)}};
}

/// Deltas over some epsilons relative to the largest, or next to 1 less 1 and relative to the largest distance from 1:
/// the order and the convexity in e^epsilon are those of delta.
class Scale {
 public:
  Scale(const ProfileBracket& first, const ProfileBracket& last)
      : near_one_(first.log_delta.estimate > -0.5),
        log_unit_(near_one_ ? last.log_complement.estimate : first.log_delta.estimate) {}

  [[nodiscard]] double of(const DeltaLogs& delta) const {
    return near_one_ ? -std::exp(delta.log_complement - log_unit_) : std::exp(delta.log_delta - log_unit_);
  }
  /// A negative slope from its logarithm.
  [[nodiscard]] double slope(double log_slope) const { return -std::exp(log_slope - log_unit_); }

  /// What computed values of size 1 and less may be off by, those of a Gaussian's deltas and slopes to 8 u of a tail's
  /// logarithm.
  [[nodiscard]] static double rounding(double mu, double epsilon) {
    const double away = std::fabs(epsilon) / mu + mu / 2;
    return 1e-11 + 4 * unit_roundoff * away * away;
  }

 private:
  bool near_one_;
  double log_unit_;
};

/// Whether the Gaussian's delta is certainly above the profile over [a, b]: its tangents at both ends cross above the
/// chord of the profile, which meets neither end from above.
bool certainly_above(double mu, double a, const Node& at_a, double b, const Node& at_b) {
  const Scale scale(at_a.profile, at_b.profile);
  const double width = std::expm1(b - a);  // x in units of e^a
  const double chord_a = scale.of(DeltaLogs::most(at_a.profile)), chord_b = scale.of(DeltaLogs::most(at_b.profile));
  const double value_a = scale.of(DeltaLogs::least(gaussian_profile(mu, a))),
               value_b = scale.of(DeltaLogs::least(gaussian_profile(mu, b)));
  if (value_a < chord_a || value_b < chord_b) return false;
  // d delta / dx = -Q(z > epsilon).
  const double slope_a = scale.slope(gaussian_log_slope(mu, a) + a),
               slope_b = scale.slope(gaussian_log_slope(mu, b) + a);
  const double crossing = std::clamp((value_b - slope_b * width - value_a) / (slope_a - slope_b), 0.0, width);
  const double tangent = value_a + slope_a * crossing, chord = chord_a + (chord_b - chord_a) * crossing / width;
  // A Gaussian far above the profile at a has larger values there than those.
  const double size = std::max(1.0, std::fabs(value_a));
  return slope_a < slope_b && tangent >= chord + size * Scale::rounding(mu, b);
}

/// Whether it is certainly below: its chord against the profile's chords before a and after b, drawn out.
bool certainly_below(double mu, NodeTable::const_iterator at_a, const NodeTable& nodes) {
  const auto at_b = std::next(at_a);
  if (at_a == nodes.begin() || std::next(at_b) == nodes.end()) return false;
  const auto before = std::prev(at_a), after = std::next(at_b);
  const Scale scale(before->second.profile, after->second.profile);
  const double a = at_a->first, width = std::expm1(at_b->first - a);
  const double low_a = scale.of(DeltaLogs::least(at_a->second.profile)),
               low_b = scale.of(DeltaLogs::least(at_b->second.profile));
  const double chord_a = scale.of(DeltaLogs::most(gaussian_profile(mu, a))),
               chord_b = scale.of(DeltaLogs::most(gaussian_profile(mu, at_b->first)));
  if (chord_a > low_a || chord_b > low_b) return false;
  const double slope_a = (low_a - scale.of(DeltaLogs::most(before->second.profile))) / -std::expm1(before->first - a);
  const double slope_b =
      (scale.of(DeltaLogs::most(after->second.profile)) - low_b) / (std::expm1(after->first - a) - width);
  // The profile is above the larger of the two lines, and that minus the chord is least at an end or where they cross.
  const double crossing = (low_b - slope_b * width - low_a) / (slope_a - slope_b);
  if (!(crossing > 0 && crossing < width))
    return std::max(low_a + slope_a * width, low_b) >= chord_b && low_a >= chord_a && slope_a >= slope_b;
  return low_a + slope_a * crossing >=
         chord_a + (chord_b - chord_a) * crossing / width + Scale::rounding(mu, at_b->first);
}

/// A certified bound over [a, next of a]: from the ends' own mu outward until the Gaussian is certainly on its side.
double mu_over(const NodeTable& nodes, NodeTable::const_iterator at_a, int side) {
  const auto at_b = std::next(at_a);
  const double start = side > 0 ? std::max(at_a->second.mu.upper, at_b->second.mu.upper)
                                : std::min(at_a->second.mu.lower, at_b->second.mu.lower);
  if (!(start > 0 && start < infinity)) return start;
  for (double step = 1e-7; step < 0.5; step *= 2) {
    const double mu = start * (1 + side * step);
    if (mu < least_mu || mu > most_mu) break;
    if (side > 0 ? certainly_above(mu, at_a->first, at_a->second, at_b->first, at_b->second)
                 : certainly_below(mu, at_a, nodes))
      return mu;
  }
  // delta falls: the profile's value at one end against the Gaussian's at the other.
  return side > 0 ? certain_mu(at_b->first, DeltaLogs::most(at_a->second.profile), +1)
                  : certain_mu(at_a->first, DeltaLogs::least(at_b->second.profile), -1);
}

/// The extreme mu over [0, highest]; halves the interval that decides until the bracket is as narrow as asked, or as
/// the profile allows at single epsilons.
Bracket extreme_mu(const PrivacyProfile& profile, NodeTable& nodes, double highest, double tolerance, int side,
                   double& where) {
  constexpr int most_nodes = 2000, most_without_work = 100;  // readings that are left take milliseconds
  constexpr double of_no_use = 0.01;  // of the tolerance: what intervals may still add to their ends
  std::map<double, double> over;      // by left end
  Bracket best{};
  const auto both = [&](double a, double b) {
    return side > 0 ? intersection(at_most(a), at_most(b)).upper : intersection(at_least(a), at_least(b)).lower;
  };
  for (int step = 0; step < (Work::affords_piece() ? most_nodes : most_without_work); ++step) {
    best = side > 0 ? Bracket{0, 0, 0} : Bracket{infinity, infinity, infinity};
    double of_ends = side > 0 ? 0 : infinity;
    auto deciding = nodes.end();
    for (auto i = nodes.begin(); i != nodes.end(); ++i) {
      if (i->first < 0 || i->first > highest) continue;
      const Bracket& mu = i->second.mu;
      if (side > 0 ? mu.estimate > best.estimate : mu.estimate < best.estimate)
        best.estimate = mu.estimate, where = i->first;
      if (side > 0)
        best.lower = std::max(best.lower, mu.lower), best.upper = std::max(best.upper, mu.upper);
      else
        best.upper = std::min(best.upper, mu.upper), best.lower = std::min(best.lower, mu.lower);
      of_ends = side > 0 ? std::max(of_ends, mu.upper) : std::min(of_ends, mu.lower);
      if (i->first >= highest) continue;
      const auto known = over.find(i->first);
      const double bound = known != over.end() ? known->second : over[i->first] = mu_over(nodes, i, side);
      if (side > 0 ? bound > best.upper : bound < best.lower) {
        (side > 0 ? best.upper : best.lower) = bound;
        deciding = i;
      }
    }
    if (!(best.width() > tolerance * best.upper) || deciding == nodes.end() || !(best.upper < infinity)) break;
    if (std::fabs((side > 0 ? best.upper : best.lower) - of_ends) <= of_no_use * tolerance * best.upper) break;
    const double a = deciding->first, b = std::next(deciding)->first, middle = a + (b - a) / 2;
    if (!(middle > a && middle < b)) break;
    const auto half = nodes.emplace(middle, node_at(profile.log_profile(middle), middle)).first;
    const double whole = over[a];  // holds over either half
    over[a] = both(whole, mu_over(nodes, deciding, side));
    over[middle] = both(whole, mu_over(nodes, half, side));
  }
  return intersection({best.lower, best.estimate, infinity}, at_most(best.upper));
}

/// Where to begin: [0, highest], and a little beyond either end for the chords there.
NodeTable first_nodes(const PrivacyProfile& profile, double highest) {
  constexpr int parts = 48;
  std::vector<ProfilePlace> places;  // what is wide there is halved later
  for (int i = -1; i <= parts + 1; ++i) places.push_back({.epsilon = i == parts ? highest : highest / parts * i});
  const auto found = profile.log_profile(places);
  NodeTable nodes;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double epsilon = places[i].epsilon;
    const bool inside = epsilon >= 0 && epsilon <= highest;
    nodes.emplace(epsilon, inside ? node_at(found[i], epsilon) : Node{found[i], {}});
  }
  return nodes;
}

/// An upper bound, by the profile's upper bounds alone, of which those that steps have are no pair's.
double smallest_mu_by_steps(const PrivacyProfile& profile, double least_delta, double tolerance, double& where) {
  const double highest = profile.epsilon(least_delta).upper;
  if (!(highest > 0 && highest < infinity)) return infinity;
  NodeTable nodes = first_nodes(profile, highest);
  return extreme_mu(profile, nodes, highest, tolerance, +1, where).upper;
}

/// The largest mu below a profile up to an epsilon.
Bracket largest_mu_up_to(const PrivacyProfile& profile, double highest, double tolerance, double& where) {
  if (highest == 0) return node_at(profile.log_profile(0), 0).mu;
  NodeTable nodes = first_nodes(profile, highest);
  return extreme_mu(profile, nodes, highest, tolerance, -1, where);
}

/// The largest mu below a profile that is above least_delta at every epsilon: from where the Gaussian of the profile's
/// delta at 0 is below that, every smaller one is.
Bracket largest_mu_of_infinite(const PrivacyProfile& profile, double least_delta, double tolerance, double& where) {
  const Bracket at_zero = node_at(profile.log_profile(0), 0).mu;
  if (at_zero.upper == infinity) return at_zero.lower == infinity ? at_zero : Bracket{0, at_zero.estimate, infinity};
  double highest = at_zero.upper;
  while (!(gaussian_profile(at_zero.upper, highest).log_delta.upper < round_down(std::log(least_delta), 2)))
    highest *= 2;
  return largest_mu_up_to(profile, highest, tolerance, where);
}

/// Widens both mu by the epsilons from `inner` to `outer`, up to one of which they are asked for.
void count_up_to(const PrivacyProfile& profile, NodeTable& nodes, double inner, double outer, GaussianComparison& out) {
  if (outer == infinity) {
    out.smallest_mu.upper = infinity, out.largest_mu.lower = 0;
    return;
  }
  nodes.insert_or_assign(outer, Node{profile.log_profile(outer), {}});
  for (auto i = nodes.find(inner); i->first < outer; ++i) {
    const auto next = std::next(i);
    // Mu rises with delta, which falls, and with epsilon.
    const double most = node_at(i->second.profile, next->first).mu.upper,
                 least = node_at(next->second.profile, i->first).mu.lower;
    next->second = node_at(next->second.profile, next->first);
    out.smallest_mu.upper = std::max(out.smallest_mu.upper, std::min(most, mu_over(nodes, i, +1)));
    out.largest_mu.lower = std::min(out.largest_mu.lower, std::max(least, mu_over(nodes, i, -1)));
  }
}

/// `up_to`: the largest mu is that over no epsilons beyond.
GaussianComparison of_one_law(const PrivacyProfile& profile, double least_delta, double tolerance,
                              double up_to = infinity) {
  GaussianComparison out;
  const Bracket end = profile.epsilon(least_delta);
  if (end.lower == infinity) {
    out.smallest_mu = {infinity, infinity, infinity};
    out.largest_mu = largest_mu_of_infinite(profile, least_delta, tolerance, out.epsilon_largest);
    out.highest_epsilon = infinity;
    return out;
  }
  out.highest_epsilon = std::max(end.lower, 0.0);
  NodeTable nodes = first_nodes(profile, out.highest_epsilon);
  out.smallest_mu = extreme_mu(profile, nodes, out.highest_epsilon, tolerance, +1, out.epsilon_smallest);
  out.largest_mu = up_to < out.highest_epsilon
                       ? largest_mu_up_to(profile, up_to, tolerance, out.epsilon_largest)
                       : extreme_mu(profile, nodes, out.highest_epsilon, tolerance, -1, out.epsilon_largest);
  if (end.upper > out.highest_epsilon) count_up_to(profile, nodes, out.highest_epsilon, end.upper, out);
  return out;
}

}  // namespace

double gaussian_mu(double epsilon, double log_delta) {
  const Question question;
  require(epsilon >= 0 && epsilon < infinity, "gaussian mu", "epsilon", epsilon, "0 <= epsilon < inf");
  require(log_delta <= 0, "gaussian mu", "log delta", log_delta, "log delta <= 0");
  // 2 Phi(mu / 2) - 1, of which mu^3 is less than 1e-12 from here on.
  constexpr double linear = -200, log_root_two_pi = 0.91893853320467274178;
  if (epsilon == 0 && log_delta < linear) return std::exp(log_delta + log_root_two_pi);
  return mu_of(epsilon, {log_delta, log_one_minus_exp(log_delta)});
}

Bracket smallest_mu_of_bounded(const PrivacyProfile& profile, double largest_loss, double tolerance) {
  const auto of = [&](const PrivacyProfile& one) {
    NodeTable nodes = first_nodes(one, largest_loss);
    double where = 0;
    return extreme_mu(one, nodes, largest_loss, tolerance, +1, where);
  };
  return profile.composition().is_one_profile() ? of(profile) : rising(of(profile.of_pairs()), of(profile.attained()));
}

GaussianComparison compare_with_gaussian(const PrivacyProfile& profile, double least_delta, double tolerance) {
  const Question question;
  require(least_delta > 0 && least_delta < 1, "gaussian comparison", "least delta", least_delta, "0 < least delta < 1");
  require(tolerance > 0 && tolerance < 1, "gaussian comparison", "tolerance", tolerance, "0 < tolerance < 1");
  if (!profile.composition().is_one_profile()) {
    const GaussianComparison attained = of_one_law(profile.attained(), least_delta, tolerance);
    // Real neighbours' delta may be below least_delta beyond what is attained: pairs tell of epsilons up to there.
    GaussianComparison both = of_one_law(profile.of_pairs(), least_delta, tolerance, attained.highest_epsilon);
    if (both.smallest_mu.upper == infinity) {
      // The pairs say nothing of a largest one, and steps from neighbour to neighbour may bound the smallest.
      both.largest_mu = {0, 0, infinity};
      both.highest_epsilon = attained.highest_epsilon;
      both.smallest_mu = at_most(smallest_mu_by_steps(profile, least_delta, tolerance, both.epsilon_smallest));
    }
    both.smallest_mu = rising(both.smallest_mu, attained.smallest_mu);
    both.largest_mu = rising(both.largest_mu, attained.largest_mu);
    return both;
  }
  if (const auto mu = mu_of_gaussians(profile.composition()))
    return {*mu, *mu, 0, 0, std::max(profile.epsilon(least_delta).lower, 0.0)};
  return of_one_law(profile, least_delta, tolerance);
}

}  // namespace pld
