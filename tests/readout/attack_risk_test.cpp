#include "pld/readout/attack_risk.hpp"

#include <cmath>
#include <vector>

#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/readout_reference.hpp"

namespace {

using namespace pld;
using test::as_double;
using test::check_close;
using test::Real;

Composition one(const Mechanism& mechanism, std::int64_t count = 1) { return Composition().add(mechanism, count); }
Composition sgd() { return one(poisson_sampled(Gaussian{.sigma = 0.8}, 0.005), 1000); }

}  // namespace

TEST_CASE("readout.attack.gaussian_equals_its_closed_forms") {
  for (const double mu : {0.1, 1.0, 4.0}) {
    const PrivacyProfile profile(one(Gaussian{.sigma = 1, .sensitivity = mu}));
    const TradeOff f(profile);
    CAPTURE(mu);
    check_close(membership_advantage(profile), 2 * test::normal_cdf(Real(mu) / 2) - 1, 1e-10);
    for (const double fpr : {1e-12, 1e-3, 0.1}) {
      const Real tpr = test::gaussian_errors(mu, fpr).power;
      check_close(true_positive_rate(f, fpr), tpr, 1e-10);
      check_close(reconstruction_success(f, fpr), tpr, 1e-10);
      for (const double prior : {0.5, 0.01}) {
        const Real hit = prior * tpr, miss = (1 - Real(prior)) * fpr;
        check_close(positive_predictive_value(f, fpr, prior), hit / (hit + miss), 1e-10);
      }
    }
    for (const double prior : {0.5, 0.1, 0.9}) {
      // The best test calls P where x > t, at the posterior odds 1.
      const Real odds = log((1 - Real(prior)) / prior), t = odds / mu + Real(mu) / 2;
      const Real error = prior * test::normal_cdf(t - mu) + (1 - Real(prior)) * test::normal_cdf(-t);
      check_close(bayes_error(profile, prior), error, 1e-10);
    }
  }
}

TEST_CASE("readout.attack.randomized_response_equals_its_closed_forms") {
  const double p = 0.75;
  const PrivacyProfile profile(one(RandomizedResponse{.p = p}));
  check_close(membership_advantage(profile), Real(0.5), 1e-12);
  check_close(bayes_error(profile, 0.5), Real(0.25), 1e-12);
  check_close(true_positive_rate(TradeOff(profile), 0.1), Real(3) * 0.1, 1e-10);
  // With a prior beyond the losses the answer changes nothing.
  CHECK_REL(bayes_error(profile, 0.1).upper, 0.1, 1e-12);
  CHECK_REL(bayes_error(profile, 0.1).lower, 0.1, 1e-12);
}

TEST_CASE("readout.attack.advantage_is_delta_at_zero_in_both_directions") {
  const PrivacyProfile profile(sgd());
  const Bracket remove = membership_advantage(profile, DirectionChoice::remove),
                add = membership_advantage(profile, DirectionChoice::add);
  const DeltaAnswer zero = delta(sgd(), {.epsilon = 0});
  CHECK(remove.lower <= zero.upper);
  CHECK(zero.lower <= remove.upper);
  CHECK_REL(remove.estimate, add.estimate, 1e-10);
  // The largest distance of true and false positive rates.
  double most = 0;
  const TradeOff f(profile, DirectionChoice::remove);
  for (int i = 1; i < 200; ++i) most = std::max(most, f.at(i / 200.0).power.estimate - i / 200.0);
  CHECK_REL(most, remove.estimate, 1e-3);
  CHECK(most <= remove.upper);
}

TEST_CASE("readout.attack.bayes_error_at_even_odds_is_half_the_rest_of_the_advantage") {
  for (const Composition& run : {sgd(), one(Laplace{.scale = 2}, 3)}) {
    const PrivacyProfile profile(run);
    CHECK_REL(2 * bayes_error(profile, 0.5).estimate, 1 - membership_advantage(profile).estimate, 1e-4);
  }
}

TEST_CASE("readout.attack.composing_more_never_improves_privacy") {
  Composition run = one(Laplace{.scale = 5}, 4);
  for (const Mechanism& more : {poisson_sampled(Gaussian{.sigma = 1}, 0.05), Mechanism(RandomizedResponse{.p = 0.6}),
                                Mechanism(Gaussian{.sigma = 3})}) {
    const PrivacyProfile before(run);
    run.add(more, 2);
    const PrivacyProfile after(run);
    const TradeOff f_before(before), f_after(after);
    CHECK(membership_advantage(after).upper >= membership_advantage(before).lower);
    for (const double prior : {0.02, 0.5, 0.8})
      CHECK(bayes_error(after, prior).lower <= bayes_error(before, prior).upper);
    for (const double fpr : {1e-12, 1e-4, 0.1}) {
      CHECK(true_positive_rate(f_after, fpr).upper >= true_positive_rate(f_before, fpr).lower);
      CHECK(positive_predictive_value(f_after, fpr, 0.1).upper >= positive_predictive_value(f_before, fpr, 0.1).lower);
      CHECK(reconstruction_success(f_after, fpr).upper >= reconstruction_success(f_before, fpr).lower);
    }
  }
}

TEST_CASE("readout.attack.posterior_bounds") {
  for (const double prior : {0.001, 0.3, 0.9}) {
    for (const double epsilon : {-0.5, 0.0, 1.0, 50.0}) {
      const Real bound = prior / (prior + (1 - Real(prior)) * exp(Real(-epsilon)));
      CHECK_REL(posterior_bound(prior, epsilon), as_double(bound), 1e-14);
      CHECK(posterior_bound(prior, epsilon) >= as_double(bound));
      // Of an event of probability 0.2, of which delta may be without any Q mass.
      const Real q = exp(Real(-epsilon)) * (Real(0.2) - Real(0.05)),
                 given = prior * Real(0.2) / (prior * Real(0.2) + (1 - Real(prior)) * q);
      CHECK_REL(posterior_bound(prior, epsilon, 0.05, 0.2), as_double(given), 1e-14);
    }
  }
  CHECK(posterior_bound(0.3, 1, 0.2, 0.1) == 1);
  // Attained by randomized response: its posterior after the answer 1.
  CHECK_REL(posterior_bound(0.5, std::log(3.0)), 0.75, 1e-14);
  CHECK_INSIDE(positive_predictive_value(TradeOff(PrivacyProfile(one(RandomizedResponse{.p = 0.75}))), 0.1, 0.5), 0.75);
}

TEST_CASE("readout.attack.refuses") {
  const PrivacyProfile profile(sgd());
  CHECK_THROWS_AS((void)bayes_error(profile, 0), DomainError);
  CHECK_THROWS_AS((void)positive_predictive_value(TradeOff(profile), 0, 0.5), DomainError);
  CHECK_THROWS_AS((void)positive_predictive_value(TradeOff(profile), 0.1, 1), DomainError);
  CHECK_THROWS_AS((void)posterior_bound(2, 1), DomainError);
  CHECK_THROWS_AS((void)reconstruction_success(TradeOff(profile), -1), DomainError);
}

TEST_CASE("readout.attack.probabilities_that_are_hardly_doubles") {
  const PrivacyProfile profile(one(Gaussian{.sigma = 1}));
  const TradeOff f(profile);
  for (const double fpr : {5e-324, 1e-310, 1e-300, 1e-20, 0.5, 1.0}) {
    const Bracket tpr = true_positive_rate(f, fpr);
    for (const double prior : {5e-324, 1e-310, 1e-300, 1e-20, 0.5, 1 - 1e-16}) {
      const Bracket found = positive_predictive_value(f, fpr, prior);
      const auto value = [&](double rate) {
        const Real hit = Real(prior) * rate;
        return Real(hit / (hit + (1 - Real(prior)) * fpr));
      };
      CAPTURE(fpr);
      CAPTURE(prior);
      CHECK(found.lower <= found.estimate);
      CHECK(found.estimate <= found.upper);
      CHECK(Real(found.lower) <= value(tpr.lower));
      CHECK(Real(found.upper) >= value(tpr.upper));
      CHECK(Real(found.upper) <= value(tpr.upper) * (1 + Real(1e-14)) + 1e-323);
    }
  }
  for (const double prior : {5e-324, 1e-310, 1e-308, 1e-300, 0.3}) {
    for (const double epsilon : {-800.0, 0.0, 700.0, 720.0, 740.0, 745.0, 2000.0, infinity}) {
      const Real exact =
          epsilon == infinity ? Real(1) : Real(1 / (1 + (1 - Real(prior)) / prior * exp(-Real(epsilon))));
      CAPTURE(prior);
      CAPTURE(epsilon);
      CHECK(Real(posterior_bound(prior, epsilon)) >= exact);
      CHECK(Real(posterior_bound(prior, epsilon)) <= exact * (1 + Real(1e-14)) + 1e-323);
    }
  }
}
