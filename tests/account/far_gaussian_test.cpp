// Gaussian noise that neighbours lose far out: against the divergences of two allocated steps, sums of whole powers.
#include "account/far_gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "pld/account/query.hpp"
#include "pld/readout/concentrated.hpp"
#include "pld/readout/gaussian_dp.hpp"
#include "support/checks.hpp"
#include "support/composition_of.hpp"

namespace pld {
namespace {

/// D_a(P || Q) of a record that is in one of two steps: E_Q ((r_1 + r_2) / 2)^a, r_t the steps' ratios, whose moments
/// E r^k are e^(mu^2 k (k - 1) / 2).
double renyi_of_two_steps(double mu, int order) {
  double log_sum = -std::numeric_limits<double>::infinity();
  for (int k = 0; k <= order; ++k) {
    const double rest = order - k;
    const double term = std::lgamma(order + 1.0) - std::lgamma(k + 1.0) - std::lgamma(rest + 1.0) -
                        order * std::log(2.0) + mu * mu / 2 * (k * (k - 1.0) + rest * (rest - 1));
    const double most = std::max(term, log_sum);
    log_sum = most + std::log(std::exp(term - most) + std::exp(log_sum - most));
  }
  return log_sum / (order - 1);
}

}  // namespace

TEST_CASE("account.far_gaussian.divergences_of_two_steps_come_to_it") {
  for (const double sigma : {0.5, 1.0, 4.0}) {
    const double mu = 1 / sigma;
    const Composition steps = test::composition_of({"gaussian:allocation=2,sigma=" + std::to_string(sigma)});
    const double limit = squared_mu_far_out(steps) / 2;
    double before = 0;
    for (const int order : {100, 1000, 10000, 100000}) {
      const double found = renyi_of_two_steps(mu, order) / order;
      CHECK(found > before);
      CHECK(found <= limit * (1 + 1e-9));
      before = found;
    }
    CHECK_REL(before, limit, 1e-3);
    const Bracket rho = zcdp_rho(steps);
    CHECK(rho.lower >= before);
    CHECK(rho.width() <= 1e-12 * rho.upper);
    CHECK(zcdp_rho(steps, DirectionChoice::add).lower < 0.9 * limit);
  }
}

TEST_CASE("account.far_gaussian.of_records_that_may_all_be_in_the_same_releases") {
  const double mu_2 = 0.25;
  const auto check = [&](const std::string& given, const Neighbours& neighbours, double times) {
    CAPTURE(given);
    const Composition composition = test::composition_of({"gaussian:sigma=2," + given}, neighbours);
    CHECK_REL(squared_mu_far_out(composition), times * mu_2, 1e-12);
    CHECK_REL(gaussian_dp_mu(composition).lower, std::sqrt(times * mu_2), 1e-12);
  };
  check("allocation=10,count=5", {}, 5);
  check("allocation=10,participations=3", {}, 3);
  check("allocation=10,passes=4", Relation::zero_out, 4);
  check("allocation=10", {Relation::add_remove, 3}, 9);
  check("allocation=10,participations=2", {Relation::zero_out, 3}, 18);
  check("q=0.1,count=2", {Relation::add_remove, 3}, 18);
}

/// P's losses have no end, whatever is known of the rest of its law.
TEST_CASE("account.far_gaussian.no_epsilon_holds_at_a_delta_of_0") {
  for (const char* given : {"allocation=2", "allocation=2,passes=2", "allocation=5,participations=2", "q=0.1"}) {
    CAPTURE(given);
    const Composition composition = test::composition_of({std::string("gaussian:sigma=9,") + given, "laplace:scale=2"});
    for (const DirectionChoice direction : {DirectionChoice::worst, DirectionChoice::remove}) {
      const Answer found = epsilon(composition, {.delta = 0, .direction = direction});
      CHECK(found.lower == INFINITY);
      CHECK(found.upper == INFINITY);
      CHECK(found.exact);
      CHECK(found.converged);
    }
  }
}

TEST_CASE("account.far_gaussian.nothing_where_no_neighbours_are_known_to_lose_it") {
  const auto check = [&](const std::string& given, const Neighbours& neighbours) {
    CAPTURE(given);
    const Composition composition = test::composition_of({"gaussian:sigma=2," + given}, neighbours);
    CHECK(squared_mu_far_out(composition) == 0);
    CHECK(gaussian_dp_mu(composition).lower == 0);
  };
  check("q=0", {});
  check("q=0", {Relation::add_remove, 3});
  // The other records of Q are drawn as well, and a batch of fixed size may be smaller than the group.
  check("allocation=10", {Relation::replace_one, 3});
  check("wor=0.5", {Relation::replace_one, 3});
  check("allocation=10", Relation::replace_one);
}

}  // namespace pld
