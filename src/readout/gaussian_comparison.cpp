#include "pld/readout/gaussian_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "account/all_neighbours.hpp"
#include "account/larger_of.hpp"
#include "core/intersection.hpp"
#include "engines/question.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "readout/beside_gaussians.hpp"
#include "readout/gaussian_mu.hpp"
#include "readout/rho_sum.hpp"

namespace pld {
namespace {

/// An upper bound, by the profile's upper bounds alone, of which those that steps have are no pair's.
double smallest_mu_by_steps(const PrivacyProfile& profile, double least_delta, double tolerance, double& where) {
  const double highest = profile.epsilon(least_delta).upper;
  if (!(highest > 0 && highest < infinity)) return infinity;
  MuNodes nodes = first_nodes(profile, highest);
  return extreme_mu(profile, nodes, highest, tolerance, +1, where).upper;
}

/// The largest mu below a profile up to an epsilon.
Bracket largest_mu_up_to(const PrivacyProfile& profile, double highest, double tolerance, double& where) {
  if (highest == 0) return node_at(profile.log_profile(0), 0).mu;
  MuNodes nodes = first_nodes(profile, highest);
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
void count_up_to(const PrivacyProfile& profile, MuNodes& nodes, double inner, double outer, GaussianComparison& out) {
  if (outer == infinity) {
    out.smallest_mu.upper = infinity, out.largest_mu.lower = 0;
    return;
  }
  nodes.insert_or_assign(outer, MuNode{profile.log_profile(outer), {}});
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
  MuNodes nodes = first_nodes(profile, out.highest_epsilon);
  out.smallest_mu = extreme_mu(profile, nodes, out.highest_epsilon, tolerance, +1, out.epsilon_smallest);
  out.largest_mu = up_to < out.highest_epsilon
                       ? largest_mu_up_to(profile, up_to, tolerance, out.epsilon_largest)
                       : extreme_mu(profile, nodes, out.highest_epsilon, tolerance, -1, out.epsilon_largest);
  if (end.upper > out.highest_epsilon) count_up_to(profile, nodes, out.highest_epsilon, end.upper, out);
  return out;
}

/// What is larger of some pairs of neighbours. Their largest mu are below up to the same epsilon, the highest of all.
GaussianComparison of_real_neighbours(const std::vector<PrivacyProfile>& attained, double least_delta,
                                      double tolerance) {
  GaussianComparison out = of_one_law(attained.front(), least_delta, tolerance);
  const double highest_of_first = out.highest_epsilon;
  use_each(std::span(attained).subspan(1), [&](const PrivacyProfile& one) {
    const GaussianComparison found = of_one_law(one, least_delta, tolerance);
    out.smallest_mu = larger(out.smallest_mu, found.smallest_mu);
    if (found.highest_epsilon > out.highest_epsilon)
      out.highest_epsilon = found.highest_epsilon, out.largest_mu = found.largest_mu;
  });
  if (out.highest_epsilon == highest_of_first || out.highest_epsilon == infinity) return out;
  use_each(attained, [&](const PrivacyProfile& one) {
    double where = 0;
    out.largest_mu = larger(out.largest_mu, largest_mu_up_to(one, out.highest_epsilon, tolerance, where));
  });
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

GaussianComparison compare_with_gaussian(const PrivacyProfile& profile, double least_delta, double tolerance) {
  const Question question;
  require(least_delta > 0 && least_delta < 1, "gaussian comparison", "least delta", least_delta, "0 < least delta < 1");
  require(tolerance > 0 && tolerance < 1, "gaussian comparison", "tolerance", tolerance, "0 < tolerance < 1");
  if (!profile.composition().is_one_profile()) {
    const GaussianComparison attained = of_real_neighbours(profile.attained(), least_delta, tolerance);
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
