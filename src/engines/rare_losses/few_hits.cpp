#include "engines/rare_losses/few_hits.hpp"

#include <algorithm>
#include <cmath>

#include "core/work.hpp"
#include "engines/closed_form/closed_form.hpp"
#include "engines/rare_losses/hits.hpp"
#include "numeric/log_bound.hpp"
#include "pairs/loss_cuts.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// log of the expected number of hits above a border, infinite losses among them.
double log_expected_above(const Terms& terms, double border) {
  LogBound sum(-infinity, Side::upper);
  for (const Term& t : terms) {
    const LogBound infinite = bound_of_mass(t.pair->log_mass_at_plus_infinity(), Side::upper);
    sum = sum.plus(infinite.times(log_count(t)).log()).plus(log_expected_hits(t, border));
  }
  return sum.log();
}

}  // namespace

FewHits::FewHits(const Terms& terms, double log_delta, double epsilon) : terms_(terms) {
  constexpr double share = -3.5;  // some percent: rarer hits leave larger losses to Chernoff's bound
  const double log_expected = log_expected_for(log_delta + share);
  double low = 0, high = epsilon;
  for (int i = 0; i < 40; ++i) {
    hit_ = low + (high - low) / 2;
    (log_expected_above(terms, hit_) > log_expected ? low : high) = hit_;
  }
  hit_ = high;
  log_hit_ = log_expected_above(terms, hit_);

  constexpr std::size_t most_cells = 1000;
  std::vector<ReleaseMoments> parts;
  // What lies next to the border may well count twice.
  for (const Term& t : terms) parts.emplace_back(t.pair, hit_ + border_doubt(*t.pair, hit_), most_cells);
  // From the tilts that matter at epsilon to those that matter a millionth of it from the mean.
  for (double tilt = 0.25 / epsilon; tilt < 1e6 / epsilon; tilt *= 1.5) {
    LogBound all(0, Side::upper);
    double least = infinity;
    for (std::size_t j = 0; j < parts.size(); ++j) {
      const double one = parts[j].log_moment_upper(tilt);
      all = all.times(static_cast<double>(terms[j].count) * one);
      least = std::min(least, one);
    }
    const LogMoment at{tilt, all.log(), all.times(-least).log()};
    if (std::isfinite(at.all) && std::isfinite(at.all_but_one)) moments_.push_back(at);
  }
}

/// A sum of all losses but one, hits left out, that more than e^-nats of the mass does not exceed.
double FewHits::rest_beyond(double nats) const {
  double least = infinity;
  for (const LogMoment& at : moments_)
    least = std::min(least, round_up(LogBound(at.all_but_one, Side::upper).times(nats).log() / at.tilt, 4));
  return least;
}

/// Sums what one hit makes, or as much of it as is no less than `known`.
double FewHits::log_one_hit(double epsilon, double known) const {
  // E h(epsilon - S) <= sum h(epsilon - s_{i+1}) (e^{-t_i} - e^{-t_{i+1}}), where P(S > s_i) <= e^{-t_i}: h rises with
  // S.
  constexpr double first = 0.02, growth = 1.25, last = 400;
  LogBound sum(-infinity, Side::upper);
  double before = 0;
  const auto add = [&](const LogBound& h, double log_weight) { sum = sum.plus(h.times(log_weight).log()); };
  for (double nats = first; nats < last; before = nats, nats *= growth) {
    const double left = round_down(epsilon - rest_beyond(nats), 4);
    if (!(left > hit_)) break;
    if (sum.log() >= known) return sum.log();
    const double log_weight = LogBound(0, Side::upper).less(before - nats).times(-before).log();
    for (const Term& t : terms_) {
      const LogBound one(closed_form_log_delta_upper(t.pair, left), Side::upper);
      add(one.times(log_count(t)), log_weight);
    }
  }
  add({log_hit_, Side::upper}, -before);  // h <= P(hit)
  return sum.log();
}

double FewHits::log_delta_upper(double epsilon, double known) const {
  double log_no_hit = 0;
  for (const LogMoment& at : moments_)
    log_no_hit = std::min(log_no_hit, LogBound(at.all, Side::upper).times(-at.tilt * epsilon).log());
  const LogBound no_hit(log_no_hit, Side::upper);
  const LogBound rest = no_hit.plus(log_two_hits(log_hit_));
  if (rest.log() >= known || !(Work::left() > 0)) return known;
  return std::min(known, rest.plus(log_one_hit(epsilon, known)).times(total_spread(terms_).p).log_probability());
}

}  // namespace pld
