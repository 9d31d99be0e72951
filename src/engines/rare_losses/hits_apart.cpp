#include "engines/rare_losses/hits_apart.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numeric/log_sum.hpp"

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

/// log delta at an epsilon that the query is tilted for, by its saddle point and by the hits that count in any case.
double log_delta_of_whole(const LatticeQuery& query, double epsilon) {
  return std::max(query.saddle().log_delta, query.hits().gaining.log_gain(epsilon));
}

/// About what the parts come to there. A normal law in the place of a rest may promise more than Chernoff's bound
/// allows: then the tilt serves both.
double log_delta_of_parts(const OneHit& parts, const LatticeQuery& query, double epsilon) {
  const double tilt = query.saddle().tilt, about = parts.log_delta_about(epsilon);
  const double most = log_sum(query.cumulant_at(tilt).value - tilt * epsilon, query.hits().log_most);
  return about < most + far_off ? about : log_delta_of_whole(query, epsilon);
}

}  // namespace

double log_hit_share(double tolerance) { return std::log(1e-3 * std::min(tolerance, 1e-3)); }

std::optional<HitsApart> apart_at_epsilon(const Terms& terms, const LatticeQuery& query, double epsilon,
                                          double tolerance) {
  std::optional<HitsApart> found;
  double log_delta = log_delta_of_whole(query, epsilon);
  for (int attempt = 0; attempt < 3; ++attempt) {  // where hits begin depends on delta
    if (!taken_apart(terms, epsilon, log_delta)) return std::nullopt;
    LatticeQuery whole(terms);
    whole.cut_above(log_delta + log_hit_share(tolerance), epsilon);
    OneHit parts(terms, whole, log_delta + log_two_hits_share(tolerance));
    if (!parts.useful()) return std::nullopt;
    const double before = std::exchange(log_delta, log_delta_of_parts(parts, query, epsilon));
    const bool needed = std::fabs(log_delta - query.saddle().log_delta) > far_off;
    found.emplace(HitsApart{std::move(parts), whole.hits(), log_delta, needed});
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
  const bool needed = std::fabs(log_delta_of_parts(parts, query, saddle.epsilon) - saddle.log_delta) > far_off;
  return HitsApart{std::move(parts), query.hits(), log_delta, needed};
}

}  // namespace pld
