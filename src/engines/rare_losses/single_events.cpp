#include "engines/rare_losses/single_events.hpp"

#include <algorithm>
#include <cmath>

#include "engines/search.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

SingleEvents::SingleEvents(const LatticeQuery& query, double log_delta) : epsilon_(-infinity) {
  constexpr double nats_more[] = {1e-3, 0.1, 1.0};
  const auto close = [](double a, double b) { return b - a <= 1e-12 * std::max(1.0, b); };
  for (const double nats : nats_more) {
    const auto more = [&](double loss) { return query.single_hits(loss).log_p - log_delta - nats; };
    const double border = crossing(more, 1, 1, close).first;
    if (!std::isfinite(border)) continue;
    events_.push_back(query.single_hits(border));
    const double gained = log_difference(events_.back().log_p, log_delta) - events_.back().log_q;
    if (gained < infinity) epsilon_ = std::max(epsilon_, gained);
  }
}

double SingleEvents::log_gain(double epsilon) const {
  double most = -infinity;
  for (const LatticeQuery::SingleHits& event : events_) most = std::max(most, event.log_gain(epsilon));
  return most;
}

}  // namespace pld
