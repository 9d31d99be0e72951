#include "engines/rare_losses/hits_apart.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pld {
namespace {

/// The share of delta that two hits or more may be, in nats.
double log_two_hits_share(double tolerance) { return std::log(0.1 * std::min(tolerance, 1e-2)); }

/// Compositions of more kinds do not have their hits taken apart: each would be composed with all others.
constexpr std::size_t most_kinds = 4;

/// How far off a saddle point's log delta is where one tilt does not serve both hits and what is no hit.
constexpr double far_off = 0.5;

bool taken_apart(const Terms& terms, double epsilon, double log_delta) {
  return terms.size() <= most_kinds && epsilon > 0 && log_delta < 0 && std::isfinite(log_delta);
}

}  // namespace

double log_hit_share(double tolerance) { return std::log(1e-3 * std::min(tolerance, 1e-3)); }

std::optional<HitsApart> apart_at_epsilon(const Terms& terms, const LatticeQuery& query, double epsilon,
                                          double tolerance) {
  const double by_saddle = query.saddle().log_delta;
  std::optional<HitsApart> found;
  double log_delta = std::max(
      by_saddle, query.hits().gaining.log_gain(epsilon));  // a body whose losses end below epsilon has no saddle point
  for (int attempt = 0; attempt < 3; ++attempt) {          // where hits begin depends on delta
    if (!taken_apart(terms, epsilon, log_delta)) return std::nullopt;
    LatticeQuery whole(terms);
    whole.cut_above(log_delta + log_hit_share(tolerance), epsilon);
    OneHit parts(terms, whole, log_delta + log_two_hits_share(tolerance));
    if (!parts.useful()) return std::nullopt;
    const double before = std::exchange(log_delta, parts.log_delta_about(epsilon));
    found.emplace(HitsApart{std::move(parts), whole.hits(), log_delta, std::fabs(log_delta - by_saddle) > far_off});
    if (std::fabs(log_delta - before) < far_off) break;
  }
  return found;
}

std::optional<HitsApart> apart_at_log_delta(const Terms& terms, const LatticeQuery& query, double log_delta,
                                            double tolerance) {
  const Saddle& saddle = query.saddle();
  if (!taken_apart(terms, saddle.epsilon, log_delta)) return std::nullopt;
  OneHit parts(terms, query, log_delta + log_two_hits_share(tolerance));
  if (!parts.useful()) return std::nullopt;
  const bool needed = std::fabs(parts.log_delta_about(saddle.epsilon) - saddle.log_delta) > far_off;
  return HitsApart{std::move(parts), query.hits(), log_delta, needed};
}

}  // namespace pld
