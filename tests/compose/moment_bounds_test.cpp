#include "compose/moment_bounds.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "pld/core/rounding.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/exact_laws.hpp"

namespace pld::test {
namespace {

MomentBounds moments_of(const Mechanism& mechanism, Direction direction, std::int64_t count, double highest = infinity) {
  return MomentBounds({{mechanism.pair(direction), highest, count}});
}

struct Case {
  std::string name;
  Mechanism mechanism;
  Direction direction;
  std::int64_t count;
  std::function<Outcomes()> outcomes;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const double p : {0.75, 0.5000001, 1 - 1e-9})
    for (const std::int64_t k : {1, 40, 1000})
      all.push_back({"randomized response " + digits(p), RandomizedResponse{p}, Direction::remove, k,
                     [=] { return repeated(randomized_response(p), k); }});
  for (const Direction direction : {Direction::remove, Direction::add})
    for (const double q : {1e-6, 0.3}) {
      all.push_back({"sampled randomized response", poisson_sampled(RandomizedResponse{0.8}, q), direction, 60,
                     [=] { return repeated(sampled(randomized_response(0.8), q, direction), 60); }});
      all.push_back({"sampled discrete Laplace", poisson_sampled(DiscreteLaplace{0.7, 3}, q), direction, 15,
                     [=] { return repeated(sampled(discrete_laplace(0.7, 3), q, direction), 15); }});
    }
  return all;
}

const std::vector<double> tilts = {1e-6, 1, 300};

TEST_CASE("compose.moment_bounds.delta_holds_exact_sums") {
  for (const Case& c : cases()) {
    const OutcomeProfile exact(c.outcomes());
    const MomentBounds moments = moments_of(c.mechanism, c.direction, c.count);
    const auto largest = static_cast<double>(exact.largest_loss());
    for (const double share : {-0.9, -0.2, 0.0, 0.3, 0.7, 0.95, 0.9999})
      for (const double tilt : tilts) {
        CAPTURE(c.name);
        CAPTURE(share);
        const double epsilon = share * largest;
        const Real truth = log(exact(epsilon)), accuracy(1e-45);
        const Bracket found = moments.log_delta(epsilon, tilt);
        CHECK(Real(found.lower) <= truth + accuracy);
        CHECK(truth <= Real(found.upper) + accuracy);
        CHECK(Real(moments.log_delta_near_one(epsilon)) <= truth + accuracy);
      }
  }
}

TEST_CASE("compose.moment_bounds.epsilon_holds_exact_sums") {
  for (const Case& c : cases()) {
    const OutcomeProfile exact(c.outcomes());
    const MomentBounds moments = moments_of(c.mechanism, c.direction, c.count);
    for (const double log_delta : {-1e-9, -0.3, -5.0, -30.0, -300.0}) {
      CAPTURE(c.name);
      CAPTURE(log_delta);
      const Real delta = exp(Real(log_delta));
      const Bracket found = moments.epsilon({log_delta, log_delta, log_delta}, 1);
      if (found.lower > -infinity) CHECK(exact(found.lower) >= delta);
      if (found.upper < infinity) CHECK(exact(found.upper) <= delta);
      const double log_complement = round_down(std::log(-std::expm1(log_delta)), 4);
      const double near_one = moments.epsilon_near_one(log_complement);
      if (near_one > -infinity) CHECK(1 - exact(near_one) <= exp(Real(log_complement)));
    }
  }
}

TEST_CASE("compose.moment_bounds.densities_hold_the_closed_form_at_any_count") {
  // k releases of sigma are one of sigma / sqrt(k).
  for (const double sigma : {0.3, 20.0, 1e4})
    for (const std::int64_t k : std::vector<std::int64_t>{1, 100, 1000000, 1000000000000}) {
      const Composition one = Composition().add(Gaussian{.sigma = sigma / std::sqrt(static_cast<double>(k))});
      const MomentBounds moments = moments_of(Gaussian{.sigma = sigma}, Direction::remove, k, 30 / sigma + 0.5 / (sigma * sigma));
      for (const double delta : {0.3, 1e-6, 1e-60}) {
        CAPTURE(sigma);
        CAPTURE(k);
        CAPTURE(delta);
        const Answer exact = epsilon(one, {.delta = delta, .direction = DirectionChoice::remove});
        const double log_delta = std::log(delta), tilt = sigma / std::sqrt(static_cast<double>(k));
        const Bracket found = moments.epsilon({log_delta, log_delta, log_delta}, tilt);
        CHECK(found.lower <= exact.upper);
        CHECK(exact.lower <= found.upper);
        // Within some deviations of the loss, mu = sqrt(k) / sigma.
        CHECK(found.width() <= 6 * std::sqrt(static_cast<double>(k)) / sigma + 1e-3 * std::fabs(exact.estimate));
      }
    }
}

}  // namespace
}  // namespace pld::test
