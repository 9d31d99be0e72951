#include "account/test_threshold.hpp"

#include <cmath>
#include <vector>

#include "account/directed_run.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/readout_reference.hpp"

using namespace pld;
using test::as_double;

namespace {

TestThreshold threshold(const Mechanism& mechanism, std::int64_t count, double alpha) {
  return TestThresholds(terms_in(Composition().add(mechanism, count), Direction::remove)).at(alpha);
}

}  // namespace

TEST_CASE("account.test_threshold.of_gaussian_noise_as_its_closed_form") {
  for (const double sigma : {0.05, 1.0, 30.0})
    for (const double alpha : {1e-12, 1e-3, 0.4, 0.5, 0.6, 0.999, 1 - 1e-12}) {
      constexpr int count = 4;
      const double mu = std::sqrt(count) / sigma;
      const double exact = mu * as_double(test::normal_upper_quantile(alpha)) - mu * mu / 2;
      const TestThreshold found = threshold(Gaussian{.sigma = sigma}, count, alpha);
      CAPTURE(sigma);
      CAPTURE(alpha);
      CHECK(std::fabs(found.epsilon - exact) < 0.1 * mu);
      CHECK(found.spread > 0.8 * mu);
      CHECK(found.spread < 1.2 * mu);
    }
}

TEST_CASE("account.test_threshold.where_the_line_of_a_test_is") {
  const std::vector<Release> compositions = {{Laplace{.scale = 2}, 50},
                                             {poisson_sampled(Laplace{.scale = 1}, 0.3), 40},
                                             {DiscreteGaussian{.sigma = 3}, 20},
                                             {GeneralizedGaussian{.shape = 3, .scale = 3}, 100},
                                             {Binomial{.n = 100, .p = 0.5}, 30}};
  for (const Release& release : compositions)
    for (const double alpha : {1e-6, 0.01, 0.3, 0.7, 0.99}) {
      const TestThreshold found = threshold(release.mechanism, release.count, alpha);
      const TradeOff f = trade_off(Composition().add(release.mechanism, release.count), DirectionChoice::remove);
      CAPTURE(release.mechanism.text());
      CAPTURE(alpha);
      CHECK(std::fabs(found.epsilon - f.at(alpha).epsilon) < 0.25 * found.spread);
    }
}

TEST_CASE("account.test_threshold.is_finite_where_there_is_none") {
  for (const double alpha : {5e-324, 1e-300, 0.5, 1 - 1e-16})
    for (const std::int64_t count : {std::int64_t{1}, std::int64_t{1'000'000'000'000}})
      for (const Mechanism& mechanism :
           {Mechanism(RandomizedResponse{.p = 0.75}), Mechanism(ApproximateDp{.epsilon = 1, .delta = 0.5}),
            Mechanism(Gaussian{.sigma = 1e-9}), Mechanism(Gaussian{.sigma = 1e9})}) {
        const TestThreshold found = threshold(mechanism, count, alpha);
        CAPTURE(mechanism.text());
        CAPTURE(alpha);
        CHECK(std::isfinite(found.epsilon));
        CHECK(found.spread >= 0);
        CHECK(std::isfinite(found.spread));
      }
}
