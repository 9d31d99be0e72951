#pragma once

#include "pld/readout/trade_off.hpp"

namespace pld {

// What the best attack that sees all outputs can tell about one record. An attack decides between the neighbours: "P",
// which for the direction remove is the data with the record, or "Q". Its true positive rate is P(says P), its false
// positive rate Q(says P). Brackets hold the best attack, in the worst direction the better one of the two directions'
// best; all throw DomainError for arguments out of range.

/// Membership advantage: the largest true positive rate less false positive rate, the total variation distance,
/// delta(0) (Yeom, Giacomelli, Fredrikson, Jha 2018; Kulynych, Gomez, Kaissis, du Pin Calmon, Troncoso 2024). The same
/// in both directions.
[[nodiscard]] Bracket membership_advantage(const PrivacyProfile& profile,
                                           DirectionChoice direction = DirectionChoice::worst);

/// 1 - f(fpr), which no true positive rate at a false positive rate in [0, 1] exceeds (Carlini et al. 2022 argue for
/// small ones), in relative terms down to 1e-300. The lower end is that of an attack.
[[nodiscard]] Bracket true_positive_rate(const TradeOff& trade_off, double fpr);

/// The probability that an attack of this false positive rate is right when it says P, where P has the prior
/// probability `prior`, in (0, 1): prior tpr / (prior tpr + (1 - prior) fpr). 0 < fpr <= 1.
[[nodiscard]] Bracket positive_predictive_value(const TradeOff& trade_off, double fpr, double prior);

/// The least probability of a wrong decision where P has the prior probability `prior`, in (0, 1):
/// prior (1 - delta(log((1 - prior) / prior))).
[[nodiscard]] Bracket bayes_error(const PrivacyProfile& profile, double prior,
                                  DirectionChoice direction = DirectionChoice::worst);

/// An upper bound on the posterior probability of P after any output of an epsilon-DP mechanism: p / (p + (1 - p)
/// e^{-epsilon}). 0 <= prior <= 1, any epsilon but NaN.
[[nodiscard]] double posterior_bound(double prior, double epsilon);

/// The same given an event that has at least the probability `probability` under P, in (0, 1], for an (epsilon,
/// delta)-DP mechanism: P(S) <= e^epsilon Q(S) + delta leaves Q(S) >= e^-epsilon (P(S) - delta). 1 where delta >=
/// probability.
[[nodiscard]] double posterior_bound(double prior, double epsilon, double delta, double probability);

/// Reconstruction robustness: an adversary whose guess of the record succeeds with probability `prior_success` without
/// the output succeeds with at most 1 - f(prior_success) with it (Hayes, Mahloujifar, Balle 2023, theorem 2; Kaissis,
/// Hayes, Ziller, Rueckert 2023). The bound is attained by some prior and mechanism with this trade-off function.
[[nodiscard]] Bracket reconstruction_success(const TradeOff& trade_off, double prior_success);

}  // namespace pld
