#include "engines/rare_losses/few_hits.hpp"

#include <algorithm>
#include <cmath>

#include "engines/closed_form/closed_form.hpp"
#include "engines/rare_losses/hits.hpp"
#include "numeric/log_doubt.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/loss_cuts.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// log of the expected number of hits above a border, infinite losses among them.
double log_expected_above(const Terms& terms, double border) {
  double sum = -infinity;
  for (const Term& t : terms) {
    const double log_infinite = std::log(static_cast<double>(t.count)) + t.pair->log_mass_at_plus_infinity();
    sum = log_sum(sum, log_sum(log_expected_hits(t, border), log_infinite));
  }
  return sum + doubt(sum);
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
    LogMoment at{tilt, 0, 0};
    double least = infinity;
    for (std::size_t j = 0; j < parts.size(); ++j) {
      const double one = parts[j].log_moment_upper(tilt), all = static_cast<double>(terms[j].count) * one;
      at.all += all + doubt(all);
      least = std::min(least, one);
    }
    at.all_but_one = at.all - least + doubt(at.all);
    if (std::isfinite(at.all) && std::isfinite(at.all_but_one)) moments_.push_back(at);
  }
}

/// A sum of all losses but one, hits left out, that more than e^-nats of the mass does not exceed.
double FewHits::rest_beyond(double nats) const {
  double least = infinity;
  for (const LogMoment& at : moments_) {
    const double beyond = (at.all_but_one + nats) / at.tilt;
    least = std::min(least, beyond + doubt(at.all_but_one / at.tilt));
  }
  return least;
}

double FewHits::log_one_hit(double epsilon) const {
  // E h(epsilon - S) <= sum h(epsilon - s_{i+1}) (e^{-t_i} - e^{-t_{i+1}}), where P(S > s_i) <= e^{-t_i}: h rises with
  // S.
  constexpr double first = 0.02, growth = 1.25, last = 400;
  double sum = -infinity, before = 0;
  const auto add = [&](double log_h, double log_weight) { sum = log_sum(sum, log_h + log_weight); };
  for (double nats = first; nats < last; before = nats, nats *= growth) {
    const double left = round_down(epsilon - rest_beyond(nats), 4);
    if (!(left > hit_)) break;
    const double log_weight = -before + log_one_minus_exp(before - nats);
    for (const Term& t : terms_)
      add(std::log(static_cast<double>(t.count)) + closed_form_log_delta({{t.pair, 1}}, left).upper, log_weight);
  }
  add(log_hit_, -before);                                        // h <= P(hit)
  return sum + static_cast<double>(terms_.size()) * doubt(sum);  // some forty sums for each kind
}

double FewHits::log_delta_upper(double epsilon) const {
  double log_no_hit = 0;
  for (const LogMoment& at : moments_) {
    const double exponent = at.tilt * epsilon;
    log_no_hit = std::min(log_no_hit, at.all - exponent + doubt(exponent) + doubt(at.all));
  }
  const double more = log_sum(log_two_hits(log_hit_), log_one_hit(epsilon));
  const double sum = log_sum(log_no_hit, more) + total_spread(terms_).p;
  return std::min(0.0, sum + doubt(sum));
}

}  // namespace pld
