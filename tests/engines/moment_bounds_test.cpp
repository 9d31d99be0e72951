#include "engines/moments/moment_bounds.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "pairs/release_moments.hpp"
#include "pld/core/rounding.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/epsilon_of.hpp"
#include "support/exact_laws.hpp"

namespace pld::test {
namespace {

MomentBounds moments_of(const Mechanism& mechanism, Direction direction, std::int64_t count,
                        double highest = infinity) {
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
      const auto read = [&](double epsilon) { return profile_with(moments.log_delta(epsilon, 1)); };
      const Bracket found = epsilon_where(read, log_delta, 1);
      if (found.lower > -infinity) CHECK(exact(found.lower) >= delta);
      if (found.upper < infinity) CHECK(exact(found.upper) <= delta);
    }
  }
}

TEST_CASE("compose.moment_bounds.densities_hold_the_closed_form_at_any_count") {
  // k releases of sigma are one of sigma / sqrt(k).
  for (const double sigma : {0.3, 20.0, 1e4})
    for (const std::int64_t k : std::vector<std::int64_t>{1, 100, 1000000, 1000000000000}) {
      const Composition one = Composition().add(Gaussian{.sigma = sigma / std::sqrt(static_cast<double>(k))});
      const MomentBounds moments =
          moments_of(Gaussian{.sigma = sigma}, Direction::remove, k, 30 / sigma + 0.5 / (sigma * sigma));
      for (const double delta : {0.3, 1e-6, 1e-60}) {
        CAPTURE(sigma);
        CAPTURE(k);
        CAPTURE(delta);
        const Answer exact = epsilon(one, {.delta = delta, .direction = DirectionChoice::remove});
        const double log_delta = std::log(delta), tilt = sigma / std::sqrt(static_cast<double>(k));
        const auto read = [&](double at) { return profile_with(moments.log_delta(at, tilt)); };
        const Bracket found = epsilon_where(read, log_delta, exact.estimate);
        CHECK(found.lower <= exact.upper);
        CHECK(exact.lower <= found.upper);
        // Within some deviations of the loss, mu = sqrt(k) / sigma.
        CHECK(found.width() <= 6 * std::sqrt(static_cast<double>(k)) / sigma + 1e-3 * std::fabs(exact.estimate));
      }
    }
}

// In direction add a sampled law has nearly all its mass within e^{-1 / scale} of its largest loss, where a base loss
// that is some rounding off is off by much of the mass.
TEST_CASE("compose.moment_bounds.no_mass_next_to_the_largest_loss_is_lost") {
  for (const double scale : {0.025, 0.027, 0.0285, 0.033, 0.04})
    for (const double q : {1e-6, 1e-3, 0.1, 0.5})
      for (const Mechanism& base : std::vector<Mechanism>{Laplace{.scale = scale}, Logistic{.scale = scale}}) {
        const PairPtr pair = poisson_sampled(base, q).pair(Direction::add);
        CAPTURE(base.text());
        CAPTURE(q);
        // E e^{tz} = 1 + t E z + ..., and E z >= 0.
        CHECK(ReleaseMoments(pair, infinity, 2000).log_moment_upper(1e-9) >= 0);
        // delta(epsilon) >= 1 - e^epsilon, and next to no loss is below -1.
        CHECK(MomentBounds({{pair, infinity, 100}}).log_delta(-1, 1e-9).upper >= std::log(-std::expm1(-1.0)));
      }
}

TEST_CASE("compose.moment_bounds.an_outcome_too_rare_to_move_its_block_still_counts") {
  // 2002 outcomes go in blocks; the last is one of e^50 times its neighbour's ratio and 1e-19 of its probability.
  MassTable table;
  const auto add = [&](double p, double loss) {
    table.p.push_back(p);
    table.q.push_back(p * std::exp(-loss));
  };
  for (int i = 0; i < 1999; ++i) add(0.9 / 1999, -1 + 1.8 * i / 1999);
  add(1e-4, 0.93), add(0.0999, 0.95), add(1e-20, 50);
  for (std::vector<double>* masses : {&table.p, &table.q}) {
    double sum = 0;
    for (const double m : *masses) sum += m;
    for (double& m : *masses) m /= sum;
  }
  const ReleaseMoments moments(Mechanism(table).pair(Direction::remove), infinity, 2000);
  Real p_sum = 0, q_sum = 0;
  for (std::size_t i = 0; i < table.p.size(); ++i) p_sum += table.p[i], q_sum += table.q[i];
  for (const double t : {0.2, 0.5, 0.9, 2.0, 20.0}) {
    Real exact = 0;
    for (std::size_t i = 0; i < table.p.size(); ++i) {
      const Real p = table.p[i] / p_sum;
      exact += p * pow(p / (table.q[i] / q_sum), t);
    }
    CAPTURE(t);
    CHECK(log(exact) <= moments.log_moment_upper(t));
    CHECK(moments.log_moment_upper(t) <= log(exact) + 1e-2);
  }
}

// The losses of one block are so far apart that nearly all of its P mass has next to none of its Q mass. The truth is
// at least e^{-s E z} by Jensen's inequality, and E z at most q times the mean loss of noise about the sensitivity.
TEST_CASE("compose.moment_bounds.atoms_far_apart_keep_their_mass") {
  const double sigma = 0.25396, q = 0.0088501;
  for (const double sensitivity : {5e4, 593220.0, 1e6}) {
    const PairPtr pair =
        poisson_sampled(DiscreteGaussian{.sigma = sigma, .sensitivity = sensitivity}, q).pair(Direction::remove);
    const double most = q * sensitivity * sensitivity / (2 * sigma * sigma) * (1 + 1e-9);
    const ReleaseMoments moments(pair, 1.001 * most / q, 2000);
    CAPTURE(sensitivity);
    for (const double share : {1e-6, 1e-3, 0.1, 1.0})
      CHECK(moments.log_negative_moments_upper({share / most}).front() >= -share);
    // At 1794 times the mean of such losses 1 - delta is more than 1/4.
    CHECK(MomentBounds({{pair, 1.001 * most / q, 1794}}).log_delta_near_one(1794 * most) <= std::log(0.75));
  }
}

// Next to its largest loss a density has 1e-10 of its mass between neighbouring doubles. What a cut there leaves out of
// the cells counts beyond it: E e^{-sz} >= e^{-s highest}.
TEST_CASE("compose.moment_bounds.no_mass_is_lost_at_a_cut_next_to_the_largest_loss") {
  const Mechanism sampled = poisson_sampled(Logistic{.scale = 0.076523}, 0.0002692);
  const PairPtr pair = sampled.under(Neighbours(Relation::zero_out, 3)).pair(Direction::add);
  const double highest = pair->range().highest;
  for (const double share : {1e-5, 1e-9, 1e-12, 1e-15}) {
    CAPTURE(share);
    const ReleaseMoments moments(pair, highest * (1 - share), 2000);
    for (const double s : {1e-15, 1e-9, 1e-3}) CHECK(moments.log_negative_moments_upper({s}).front() >= -s * highest);
  }
}

// Gaussian noise goes on beyond its outline, which ends at losses of 0.4: the moments' upper bound counts what lies
// there. The truth: the integral along Re t = 9970 of both moment functions in closed form, 60 digits.
TEST_CASE("compose.moment_bounds.the_tail_beyond_an_outline_counts") {
  const auto pair = [](const auto& parameters) { return dominating_pair(parameters, Direction::remove); };
  const PairPtr gaussian = pair(Gaussian{.sigma = 100}), laplace = pair(Laplace{.scale = 100000});
  const MomentBounds bounds({{gaussian, infinity, 1}, {laplace, laplace->range().highest, 3000}});
  const double truth = -4999.29982649368950983533697785148331, upper = bounds.log_delta(1, 1e4).upper;
  CHECK(upper >= truth);
  CHECK(upper <= truth + 6);  // Chernoff's bound is some log(100) above
  const ReleaseMoments alone(gaussian, infinity, 2000);
  const double exact = -0.25 * 0.5e-4, found = alone.log_negative_moments_upper({0.5}).front();  // E_P e^{-z/2}
  CHECK(found >= exact);
  CHECK(found <= exact * (1 - 1e-3));
}

}  // namespace
}  // namespace pld::test
