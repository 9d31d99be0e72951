#include <cmath>
#include <random>

#include "pld/account/composition.hpp"
#include "pld/account/query.hpp"
#include "pld/core/errors.hpp"
#include "pld/mechanisms/approximate_dp.hpp"
#include "pld/mechanisms/discrete_laplace.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/mechanisms/randomized_response.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/pair_checks.hpp"

namespace pld::test {
namespace {

constexpr Direction directions[] = {Direction::remove, Direction::add};

/// Edges over the sampled losses of base losses from -`reach` to `reach`: even in the base loss, so that both the cells
/// crowded at the hard end and the far tail are met.
std::vector<double> edges_of_base_losses(double q, Direction direction, double reach, int count) {
  std::vector<double> edges;
  const double sign = direction == Direction::remove ? 1 : -1;
  for (int i = 0; i <= count; ++i) {
    const Real z = sign * (-reach + 2 * reach * i / count);
    edges.push_back(static_cast<double>(sign * log(1 - Real(q) + Real(q) * exp(z))));
  }
  return edges;
}

TEST_CASE("mechanisms.poisson_sampled.text") {
  CHECK(poisson_sampled(Gaussian{.sigma = 0.8}, 0.005).text() == "gaussian:sigma=0.8,q=0.005");
  CHECK(poisson_sampled(poisson_sampled(Laplace{}, 0.5), 0.25).text() == "laplace:scale=1,q=0.125");
  CHECK(poisson_sampled(Laplace{}, 1).text() == "laplace:scale=1");
  CHECK_FALSE(poisson_sampled(Laplace{}, 0.5).symmetric());
  for (const double bad : {-1e-9, 1.0000001, std::nan("")}) {
    CHECK_THROWS_AS((void)poisson_sampled(Gaussian{}, bad), DomainError);
  }
}

TEST_CASE("mechanisms.poisson_sampled.never_is_the_trivial_pair") {
  const Mechanism never = poisson_sampled(Gaussian{}, 0);
  CHECK(never.symmetric());
  const auto atoms = never.pair(Direction::remove)->atoms({});
  REQUIRE(atoms.size() == 1);
  CHECK(atoms[0].loss == 0);
  CHECK(atoms[0].log_mass == 0);
}

TEST_CASE("mechanisms.poisson_sampled.gaussian_matches_50_digits") {
  std::mt19937_64 random(20240607);
  std::uniform_real_distribution<double> uniform(0, 1);
  double worst_mass = 0, worst_loss = 0;
  for (int round = 0; round < 12; ++round) {
    const double sigma = std::pow(10, 4 * uniform(random) - 1.3);
    const double q = round % 4 == 0 ? 1 - std::pow(10, -12 * uniform(random)) : std::pow(10, -12 * uniform(random));
    CAPTURE(sigma);
    CAPTURE(q);
    const Mechanism mechanism = poisson_sampled(Gaussian{.sigma = sigma}, q);
    for (const Direction direction : directions) {
      INFO(std::string(name(direction)));
      const PairPtr& pair = mechanism.pair(direction);
      const Law law = sampled_law(gaussian_law(sigma, 1), q, direction);
      const double reach = (uniform(random) * 30 + 1 / sigma) / sigma;
      const auto edges = edges_of_base_losses(q, direction, reach, 17);
      const Worst cells = check_density(*pair, law, edges);
      const Worst tails = check_tails(*pair, law, std::vector<double>{edges[2], edges[8], edges[15]});
      worst_mass = std::fmax(worst_mass, std::fmax(cells.mass, tails.mass));
      worst_loss = std::fmax(worst_loss, std::fmax(cells.loss, tails.loss));
    }
  }
  MESSAGE("worst mass ", worst_mass, ", loss ", worst_loss, " of what is allowed");
}

TEST_CASE("mechanisms.poisson_sampled.losses_beyond_the_exponential") {
  const double sigma = 0.02, q = 1e-3;  // losses up to thousands
  const Mechanism mechanism = poisson_sampled(Gaussian{.sigma = sigma}, q);
  for (const Direction direction : directions) {
    const double sign = direction == Direction::remove ? 1 : -1;
    std::vector<double> edges;
    for (const double size : {5.0, 650.0, 699.0, 720.0, 1500.0, 3000.0}) edges.push_back(sign * size);
    if (sign < 0) std::reverse(edges.begin(), edges.end());
    check_density(*mechanism.pair(direction), sampled_law(gaussian_law(sigma, 1), q, direction), edges);
  }
}

TEST_CASE("mechanisms.poisson_sampled.losses_too_large_for_a_double_have_no_bound") {
  const PairPtr pair = poisson_sampled(Gaussian{.sigma = 1e-10}, 0.5).pair(Direction::remove);
  CHECK(pair->loss_error({-infinity, 0}) == infinity);
}

/// delta at 0 is q times the base's: 5e-401, and 1.9e-332.
TEST_CASE("mechanisms.poisson_sampled.losses_below_doubles_are_not_nothing") {
  const auto log_delta = [](const Mechanism& mechanism, double q) {
    Composition run;
    run.add(poisson_sampled(mechanism, q));
    return delta(run, {.epsilon = 0}).log_delta;
  };
  CHECK(log_delta(Laplace{.scale = 1e100}, 1e-300).upper >= -922);
  CHECK(log_delta(RandomizedResponse{.p = 0.5 + std::ldexp(1, -30)}, 5e-324).upper >= -765);
}

TEST_CASE("mechanisms.poisson_sampled.small_losses_have_small_errors") {
  // A composition of 1e9 multiplies the error of a loss by 1e9.
  for (const double q : {1e-4, 1e-6}) {
    for (const Direction direction : directions) {
      const PairPtr pair = poisson_sampled(Gaussian{.sigma = 2}, q).pair(direction);
      CHECK(pair->loss_error({-q, q}) <= 60 * unit_roundoff * q);
      CHECK(pair->loss_error({-infinity, q}) <= (direction == Direction::remove ? 60 * unit_roundoff * q : infinity));
    }
  }
}

TEST_CASE("mechanisms.poisson_sampled.laplace_matches_50_digits") {
  for (const double scale : {0.01, 0.3, 1.0, 50.0}) {
    for (const double q : {1e-9, 0.01, 0.5, 0.93, 1 - 1e-11}) {
      CAPTURE(scale);
      CAPTURE(q);
      const Mechanism mechanism = poisson_sampled(Laplace{.scale = scale}, q);
      for (const Direction direction : directions) {
        INFO(std::string(name(direction)));
        const PairPtr& pair = mechanism.pair(direction);
        const Law law = sampled_law(laplace_law(scale, 1), q, direction);
        check_density(*pair, law, edges_of_base_losses(q, direction, 0.999 / scale, 11));
        std::vector<LossCell> all = pair->atoms({});
        CHECK(all.size() == 2);
        CHECK(*pair->spacing() == all[1].loss - all[0].loss);
        CHECK(pair->range().lowest == all[0].loss);
        CHECK(pair->range().highest == all[1].loss);
        check_tails(*pair, law, std::vector<double>{0.3 * all[0].loss, 0.3 * all[1].loss});
        pair->cells(even_edges(all[0].loss, all[1].loss, 50), all);
        check_total(*pair, all, 1e-14);
        check_total(*pair, pair->outline(), 1e-14);
      }
    }
  }
}

TEST_CASE("mechanisms.poisson_sampled.two_atoms_and_mass_at_infinity") {
  for (const double q : {1e-10, 0.2, 0.7, 1 - 1e-9}) {
    for (const double epsilon : {0.0, 1e-5, 0.7, 50.0, 1e5}) {
      for (const double delta : {0.0, 1e-8, 0.4}) {
        CAPTURE(q);
        CAPTURE(epsilon);
        CAPTURE(delta);
        const Mechanism mechanism = poisson_sampled(ApproximateDp{.epsilon = epsilon, .delta = delta}, q);
        // By the definition: A has masses likely, unlikely at +-epsilon, delta where B has none, and B the reverse.
        const Real likely = (1 - Real(delta)) / (1 + exp(-Real(epsilon)));
        const Real unlikely = (1 - Real(delta)) / (1 + exp(Real(epsilon))), rate = q;
        struct Outcome {
          Real a, b;
        };
        std::vector<Outcome> outcomes{{unlikely, likely}, {likely, unlikely}};
        if (epsilon == 0) outcomes = {{likely + unlikely, likely + unlikely}};
        for (const Direction direction : directions) {
          const PairPtr& pair = mechanism.pair(direction);
          std::vector<ReferenceAtom> want;
          const auto add = [&](const Real& a, const Real& b) {
            const Real mixture = direction == Direction::remove ? (1 - rate) * b + rate * a : (1 - rate) * a + rate * b;
            const Real p = direction == Direction::remove ? mixture : a;
            const Real mass_q = direction == Direction::remove ? b : mixture;
            if (p > 0 && mass_q > 0) want.push_back({log(p / mass_q), p, mass_q});
          };
          for (const Outcome& outcome : outcomes) add(outcome.a, outcome.b);
          if (delta > 0) direction == Direction::remove ? add(0, delta) : add(delta, 0);
          std::sort(want.begin(), want.end(), [](const auto& x, const auto& y) { return x.p < y.p; });
          auto got = pair->atoms({});
          CHECK(std::is_sorted(got.begin(), got.end(), [](const auto& x, const auto& y) { return x.loss < y.loss; }));
          // Paired by mass: two losses may round to the same double.
          std::sort(got.begin(), got.end(), [](const auto& x, const auto& y) { return x.log_mass < y.log_mass; });
          REQUIRE(got.size() == want.size());
          for (std::size_t i = 0; i < got.size(); ++i) {
            const double error = pair->loss_error({got[i].loss, got[i].loss});
            CHECK(abs(got[i].loss - want[i].loss) <= error);
            CHECK(mass_excess(got[i].log_mass, want[i].p, want[i].p) <= 1);
            CHECK(mass_excess(got[i].log_q_mass, want[i].q, want[i].q) <= 1);
          }
          check_total(*pair, got, 1e-14);
          CHECK(pair->spacing().has_value() == (want.size() == 2));
          Worst worst;
          for (const double z : {-2 * q * epsilon, 0.0, 0.1 * q * epsilon}) {
            const Law law = atomic_law(want);
            const auto bound = pair->loss_error(pair->range());
            check_cell(pair->above(z), law, z, infinity, bound, worst);
            check_cell(pair->below(z), law, -infinity, z, bound, worst);
          }
        }
      }
    }
  }
}

TEST_CASE("mechanisms.poisson_sampled.directions_mirror_each_other") {
  // The law of the loss in one direction under P is that of minus the loss in the other under Q.
  for (const double q : {1e-7, 0.3, 0.999}) {
    const Mechanism mechanism = poisson_sampled(Gaussian{.sigma = 1.3}, q);
    const PairPtr &remove = mechanism.pair(Direction::remove), &add = mechanism.pair(Direction::add);
    for (const double z : edges_of_base_losses(q, Direction::remove, 5, 21)) {
      const LossCell one = remove->above(z), other = add->below(-z);
      const double error = remove->loss_error({std::min(z, one.loss), std::max(z, one.loss)});
      CHECK(std::fabs(one.loss + other.loss) <= 2 * error);
      CHECK(std::fabs(one.log_mass - other.log_q_mass) <= 32 * unit_roundoff * (1 + std::fabs(one.log_mass)));
      CHECK(std::fabs(one.log_q_mass - other.log_mass) <= 32 * unit_roundoff * (1 + std::fabs(one.log_q_mass)));
    }
  }
}

TEST_CASE("mechanisms.poisson_sampled.tells_the_closed_form_what_it_is") {
  const Mechanism mechanism = poisson_sampled(poisson_sampled(Gaussian{.sigma = 4}, 0.5), 0.5);
  for (const Direction direction : directions) {
    const auto law = mechanism.pair(direction)->sampled_gaussian();
    REQUIRE(law.has_value());
    CHECK(law->mu == 0.25);
    CHECK(law->q == 0.25);
    CHECK(law->direction == direction);
  }
  CHECK_FALSE(poisson_sampled(Laplace{}, 0.5).pair(Direction::add)->sampled_gaussian().has_value());
}

// The ends of the range and the losses of the atoms there come from one formula: differing by a rounding they would cut
// off the atom, with a finite share of the mass.
TEST_CASE("mechanisms.poisson_sampled.range_holds_its_end_atoms") {
  std::mt19937_64 random(77);
  std::uniform_real_distribution<double> uniform(0, 1);
  int atoms_cut_off = 0;
  for (int round = 0; round < 1000; ++round) {
    const double q = std::pow(1e-4, uniform(random)), scale = 0.1 * std::pow(100, uniform(random));
    for (const Mechanism& base : {Mechanism(Laplace{.scale = scale}), Mechanism(RandomizedResponse{uniform(random)}),
                                  Mechanism(DiscreteLaplace{.a = scale, .sensitivity = 5})}) {
      for (const Direction direction : directions) {
        const PairPtr pair = poisson_sampled(base, q).pair(direction);
        if (pair->atoms(pair->range()).size() != pair->atoms({}).size()) ++atoms_cut_off;
      }
    }
  }
  CHECK(atoms_cut_off == 0);
}

}  // namespace
}  // namespace pld::test
