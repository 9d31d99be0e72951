#include "engines/rare_losses/hits.hpp"

#include <algorithm>
#include <cmath>

#include "core/intersection.hpp"
#include "engines/rare_losses/some_trial.hpp"
#include "engines/search.hpp"
#include "lattice/lattice_profile.hpp"
#include "pairs/loss_cuts.hpp"
#include "pairs/rounded_total.hpp"

namespace pld {

Bracket Hits::with_body(double log_lower, double log_upper, double epsilon) const {
  const LogBound lower = LogBound(log_lower, Side::lower).plus(std::max(log_infinity, gaining.log_gain(epsilon)));
  const double low = std::min(lower.log(), largest);
  const double high = LogBound(log_upper, Side::upper).plus(log_most).log_probability();
  const Bracket both = intersection({low, low, 0}, at_most(high));
  return {both.lower, estimate_between(both.lower, both.upper), both.upper};
}

HitEvent hits_above(const Terms& terms, double loss) {
  SomeTrial of_p, of_q;
  for (const Term& t : terms) {
    const LossCell above = t.pair->above(loss);
    const auto count = static_cast<double>(t.count);
    of_p.add(log_sum(above.log_mass, t.pair->log_mass_at_plus_infinity()), count);
    of_q.add(above.log_q_mass, count);
  }
  const auto [spread, q_spread] = total_spread(terms);
  return {of_p.log_some().lower - spread, of_q.log_some().upper + q_spread};
}

double log_expected_hits(const Term& term, double border) {
  const LossCell above = term.pair->above(border - border_doubt(*term.pair, border));
  return bound_of_mass(above.log_mass, Side::upper).times(log_count(term)).log();
}

SingleEvents::SingleEvents(const Terms& terms, double log_delta) {
  constexpr double nats_more[] = {1e-3, 0.1, 1.0};
  const double nearby = terms.size() > most_kinds_at_best_border ? 1e-3 : 1e-12;
  const auto close = [nearby](double a, double b) { return b - a <= nearby * std::max(1.0, b); };
  for (const double nats : nats_more) {
    const auto more = [&](double loss) { return hits_above(terms, loss).log_p - log_delta - nats; };
    const double border = crossing(more, 1, 1, close).first;
    if (!std::isfinite(border)) continue;
    events_.push_back(hits_above(terms, border));
    const double gained = log_difference(events_.back().log_p, log_delta) - events_.back().log_q;
    if (gained < infinity) epsilon_ = std::max(epsilon_, gained);
  }
}

double SingleEvents::log_gain(double epsilon) const {
  double most = -infinity;
  for (const HitEvent& event : events_) most = std::max(most, event.log_gain(epsilon));
  return most;
}

}  // namespace pld
