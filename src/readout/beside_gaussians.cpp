#include "readout/beside_gaussians.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/intersection.hpp"
#include "core/work.hpp"
#include "numeric/normal_tail.hpp"
#include "pld/core/rounding.hpp"
#include "readout/gaussian_mu.hpp"

namespace pld {
namespace {

/// log Q(z > epsilon) of the Gaussian pair, the slope of its delta in x: log Phi(-epsilon / mu - mu / 2).
double gaussian_log_slope(double mu, double epsilon) { return log_normal_tail(epsilon / mu + mu / 2); }

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
bool certainly_above(double mu, double a, const MuNode& at_a, double b, const MuNode& at_b) {
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
bool certainly_below(double mu, MuNodes::const_iterator at_a, const MuNodes& nodes) {
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

}  // namespace

MuNode node_at(const ProfileBracket& profile, double epsilon) {
  return {profile,
          {certain_mu(epsilon, DeltaLogs::least(profile), -1), mu_of(epsilon, DeltaLogs::estimate(profile)),
           certain_mu(epsilon, DeltaLogs::most(profile), +1)}};
}

double mu_over(const MuNodes& nodes, MuNodes::const_iterator at_a, int side) {
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

Bracket extreme_mu(const PrivacyProfile& profile, MuNodes& nodes, double highest, double tolerance, int side,
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

MuNodes first_nodes(const PrivacyProfile& profile, double highest) {
  constexpr int parts = 48;
  std::vector<ProfilePlace> places;  // what is wide there is halved later
  for (int i = -1; i <= parts + 1; ++i) places.push_back({.epsilon = i == parts ? highest : highest / parts * i});
  const auto found = profile.log_profile(places);
  MuNodes nodes;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double epsilon = places[i].epsilon;
    const bool inside = epsilon >= 0 && epsilon <= highest;
    nodes.emplace(epsilon, inside ? node_at(found[i], epsilon) : MuNode{found[i], {}});
  }
  return nodes;
}

}  // namespace pld
