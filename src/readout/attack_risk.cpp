#include "pld/readout/attack_risk.hpp"

#include <algorithm>
#include <cmath>

#include "account/directed_run.hpp"
#include "engines/question.hpp"
#include "numeric/extended.hpp"
#include "numeric/roundings.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

void require_prior(const char* where, double prior) {
  require(prior > 0 && prior < 1, where, "prior", prior, "0 < prior < 1");
}

double up(double probability) { return std::min(1.0, round_up(probability, 8)); }
double down(double probability) { return std::max(0.0, round_down(probability, 8)); }

}  // namespace

Bracket membership_advantage(const PrivacyProfile& profile, DirectionChoice direction) {
  const Question question;
  return probability(profile.log_profile(0, direction).log_delta);
}

Bracket true_positive_rate(const TradeOff& trade_off, double fpr) {
  const Question question;
  require(fpr >= 0 && fpr <= 1, "true positive rate", "fpr", fpr, "0 <= fpr <= 1");
  return trade_off.at(fpr).power;
}

Bracket positive_predictive_value(const TradeOff& trade_off, double fpr, double prior) {
  const Question question;
  require(fpr > 0 && fpr <= 1, "positive predictive value", "fpr", fpr, "0 < fpr <= 1");
  require_prior("positive predictive value", prior);
  // Rises with the true positive rate. In Extended no product of probabilities vanishes.
  const auto value = [&](double tpr) {
    const Extended truly = static_cast<Extended>(prior) * tpr, falsely = (1 - static_cast<Extended>(prior)) * fpr;
    return static_cast<double>(truly / (truly + falsely));
  };
  const Bracket tpr = trade_off.at(fpr).power;
  return {down(value(tpr.lower)), value(tpr.estimate), up(value(tpr.upper))};
}

Bracket bayes_error(const PrivacyProfile& profile, double prior, DirectionChoice direction) {
  const Question question;
  require_prior("bayes error", prior);
  const bool even = prior == 0.5;
  // Rounds two logarithms and their difference by u of each, or of the larger one.
  const double odds = even ? 0 : std::log1p(-prior) - std::log(prior), doubt = even ? 0 : roundings(4, std::log(prior));
  // 1 - delta rises with epsilon.
  const auto error = [&](const Bracket& log_complement, double Bracket::*end) {
    return prior * std::exp(log_complement.*end);
  };
  const double lower = error(profile.log_profile(odds - doubt, direction).log_complement, &Bracket::lower);
  const double upper = error(profile.log_profile(odds + doubt, direction).log_complement, &Bracket::upper);
  const double middle = error(profile.log_profile(odds, direction).log_complement, &Bracket::estimate);
  // Deciding without looking errs with the smaller of prior and 1 - prior.
  const double blind = std::min(prior, 1 - prior);
  const bool nothing_lost = lower == blind;  // exp(0) is no rounded number
  return {nothing_lost ? blind : down(lower), std::min(middle, blind), std::min(up(upper), round_up(blind))};
}

double posterior_bound(double prior, double epsilon) {
  const Question question;
  require(prior >= 0 && prior <= 1, "posterior", "prior", prior, "0 <= prior <= 1");
  require(!std::isnan(epsilon), "posterior", "epsilon", epsilon, "a number or an infinity");
  if (prior == 0 || prior == 1) return prior;
  // In Extended neither the odds nor the exponential leaves the range, but for what no prior makes up for.
  const Extended odds = (1 - static_cast<Extended>(prior)) / prior;
  return up(static_cast<double>(1 / (1 + odds * exp(-static_cast<Extended>(epsilon)))));
}

double posterior_bound(double prior, double epsilon, double delta, double probability) {
  const Question question;
  require(delta >= 0 && delta <= 1, "posterior", "delta", delta, "0 <= delta <= 1");
  require(probability > 0 && probability <= 1, "posterior", "probability", probability, "0 < probability <= 1");
  if (delta >= probability) return prior == 0 ? 0 : 1;
  return posterior_bound(prior, epsilon - std::log1p(-delta / probability));
}

Bracket reconstruction_success(const TradeOff& trade_off, double prior_success) {
  const Question question;
  require(prior_success >= 0 && prior_success <= 1, "reconstruction", "prior success", prior_success,
          "0 <= prior success <= 1");
  return trade_off.at(prior_success).power;
}

}  // namespace pld
