#include "pld/mechanisms/integer_noise.hpp"

#include <cmath>
#include <map>

#include "pld/account/query.hpp"
#include "pld/core/errors.hpp"
#include "pld/mechanisms/binomial.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "pld/mechanisms/poisson_difference.hpp"
#include "pld/mechanisms/skellam.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/pair_checks.hpp"

namespace pld::test {
namespace {

/// Masses of X - Y as the sum over Y of the two Poisson laws' products: another formula than the Bessel function's.
std::map<int, Real> poisson_difference50(double plus, double minus, int reach) {
  const auto poisson = [](double mean, int most) {
    std::vector<Real> p{exp(-Real(mean))};
    for (int i = 1; i <= most; ++i) p.push_back(p.back() * mean / i);
    return p;
  };
  const auto more = poisson(plus, 2 * reach), less = poisson(minus, 2 * reach);
  std::map<int, Real> masses;
  for (int k = -reach; k <= reach; ++k) {
    Real sum = 0;
    for (int y = std::max(0, -k); y + std::max(k, 0) <= 2 * reach && y <= 2 * reach; ++y)
      if (y + k <= 2 * reach) sum += more[static_cast<std::size_t>(y + k)] * less[static_cast<std::size_t>(y)];
    masses[k] = sum;
  }
  return masses;
}

Real mass_at(const std::map<int, Real>& masses, int x) {
  const auto found = masses.find(x);
  return found == masses.end() ? Real(0) : found->second;
}

struct Case {
  double plus, minus;
  int sensitivity, reach;
};
const Case cases[] = {{0.5, 0.5, 1, 90}, {5, 5, 2, 140},   {40, 40, 7, 260},
                      {6, 2.5, 1, 120},  {70, 10, 3, 300}, {0.01, 1, 1, 60}};

Mechanism mechanism_of(const Case& c) {
  if (c.plus == c.minus) return Skellam{.variance = 2 * c.plus, .sensitivity = double(c.sensitivity)};
  return PoissonDifference{.plus = c.plus, .minus = c.minus, .sensitivity = double(c.sensitivity)};
}

TEST_CASE("mechanisms.poisson_difference.atoms_match_50_digits") {
  double worst_mass = 0, worst_loss = 0;
  for (const Case& c : cases) {
    const auto masses = poisson_difference50(c.plus, c.minus, c.reach);
    const PairPtr pair = mechanism_of(c).pair(Direction::remove);
    CAPTURE(mechanism_of(c).text());
    const int mode = static_cast<int>(std::floor(c.plus - c.minus));
    // Where the truncated sums of the reference still hold 30 digits.
    std::size_t seen = 0;
    for (int x = mode - c.reach / 3; x <= mode + c.reach / 3; ++x) {
      const Real p = mass_at(masses, x - c.sensitivity), q = mass_at(masses, x);
      const Real loss = log(p / q);
      const double near = static_cast<double>(loss);
      const double gap = 1e-9 * (1 + std::fabs(near));
      const auto atoms = pair->atoms({near - gap, near + gap});
      REQUIRE(atoms.size() == 1);
      const double error = pair->loss_error({near, near});
      worst_loss = std::fmax(worst_loss, static_cast<double>(abs(atoms[0].loss - loss)) / error);
      worst_mass = std::fmax(worst_mass,
                             std::fmax(mass_excess(atoms[0].log_mass, p, p), mass_excess(atoms[0].log_q_mass, q, q)));
      ++seen;
    }
    CHECK(seen > 30);
  }
  MESSAGE("worst mass ", worst_mass, ", loss ", worst_loss, " of what is allowed");
  CHECK(worst_mass <= 1);
  CHECK(worst_loss <= 1);
}

TEST_CASE("mechanisms.poisson_difference.delta_of_one_release_down_to_1e-30") {
  double least = 1;
  for (const Case& c : cases) {
    const auto masses = poisson_difference50(c.plus, c.minus, c.reach);
    CAPTURE(mechanism_of(c).text());
    const Composition run = Composition().add(mechanism_of(c));
    for (const double epsilon : {-1.0, -0.05, 0.0, 0.3, 1.0, 2.5, 4.0}) {
      CAPTURE(epsilon);
      Real remove = 0, add = 0;
      for (int x = -c.reach; x <= c.reach; ++x) {
        const Real p = mass_at(masses, x - c.sensitivity), q = mass_at(masses, x), alpha = exp(Real(epsilon));
        if (p > alpha * q) remove += p - alpha * q;
        if (q > alpha * p) add += q - alpha * p;
      }
      for (const auto direction : {DirectionChoice::remove, DirectionChoice::add}) {
        const Real& exact = direction == DirectionChoice::remove ? remove : add;
        if (exact < 1e-60) continue;
        least = std::fmin(least, static_cast<double>(exact));
        const DeltaAnswer got = delta(run, {.epsilon = epsilon, .direction = direction});
        CHECK_INSIDE(got, static_cast<double>(exact));
        CHECK(got.width() <= 1e-8 * got.upper);
        CHECK_INSIDE(delta(run, {.epsilon = epsilon, .direction = direction, .engine = Engine::lattice}),
                     static_cast<double>(exact));
      }
    }
  }
  MESSAGE("least ", digits(least));
  CHECK(least < 1e-20);
}

TEST_CASE("mechanisms.poisson_difference.totals") {
  for (const auto& [plus, minus, s] :
       {std::tuple{1e-3, 1e-3, 1.0}, {40.0, 40.0, 5.0}, {2e5, 2e5, 30.0}, {3e4, 4.0, 2.0}, {5e5, 4e5, 1e3}}) {
    const Mechanism m = PoissonDifference{.plus = plus, .minus = minus, .sensitivity = s};
    CAPTURE(m.text());
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const PairPtr& pair = m.pair(direction);
      for (const double z : {-3.0, -0.1, 0.0, 0.1, 3.0}) {
        CAPTURE(z);
        check_total(*pair, std::vector{pair->below(z), pair->above(z)}, 1e-12);
        for (const LossCell& cell : {pair->below(z), pair->above(z)})
          CHECK(std::fabs(cell.loss - (cell.log_mass - cell.log_q_mass)) <= 1e-12 * (1 + std::fabs(cell.log_mass)));
      }
    }
  }
}

/// An outline that leaves 1/200 of the law out tilts a thousand releases for another law.
/// Losses grow as the logarithm of the outcome does, on both sides.
TEST_CASE("mechanisms.poisson_difference.losses_stay_finite_far_out") {
  const Mechanism m = PoissonDifference{.plus = 0.2, .minus = 0.0003};
  for (const Direction direction : {Direction::remove, Direction::add}) {
    for (const double z : {20.0, 40.0, 60.0, 500.0}) {
      const LossCell cell = m.pair(direction)->above(z);
      CHECK(cell.loss >= z * (1 - 1e-12));
      CHECK(cell.loss <= z + 0.1);
    }
  }
}

TEST_CASE("mechanisms.poisson_difference.outlines_carry_the_law") {
  for (const double variance : {0.1, 3.0, 20.0, 400.0, 1e6})
    for (const double sensitivity : {1.0, 2.0, 7.0}) {
      const Mechanism m = Skellam{.variance = variance, .sensitivity = sensitivity};
      CAPTURE(m.text());
      check_total(*m.pair(Direction::remove), m.pair(Direction::remove)->outline(), 1e-6);
    }
  CHECK(epsilon(Composition().add(Skellam{.variance = 20, .sensitivity = 2}, 1000), {.delta = 0.1}).converged);
}

TEST_CASE("mechanisms.poisson_difference.sampled_atoms_by_the_hard_edge_are_countable") {
  for (const double variance : {0.5, 20.0, 1e5}) {
    const Mechanism m = poisson_sampled(Skellam{.variance = variance}, 0.002);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const auto atoms = m.pair(direction)->atoms({});
      CHECK(atoms.size() < 1000000);
      check_total(*m.pair(direction), atoms, 1e-12);
    }
    CHECK(delta(Composition().add(m, 100), {.epsilon = 0.01 / std::sqrt(variance)}).log_delta.width() < 0.1);
  }
}

TEST_CASE("mechanisms.poisson_difference.far_losses_stay_in_order") {
  const PairPtr pair = Mechanism(Skellam{.variance = 100}).pair(Direction::remove);
  double last = 1;
  for (const double z : {1.0, 5.0, 20.0, 100.0, 300.0, 690.0}) {
    const LossCell tail = pair->above(z);
    CHECK(tail.loss >= z);
    CHECK(tail.log_mass < last);
    CHECK(tail.loss < z + 5);
    last = tail.log_mass;
  }
  CHECK(last < -1e100);
  CHECK(pair->above(1e6).log_mass == -infinity);
}

/// Exact sums, asymmetric tables: the shift is upward only.
TEST_CASE("mechanisms.integer_noise.unfair_coins_match_exact_sums") {
  for (const double p : {0.25, 0.5, 0.875}) {
    for (const int n : {3, 12}) {
      for (const int s : {1, 2}) {
        std::vector<Real> still, moved(static_cast<std::size_t>(s), Real(0));
        for (int x = 0; x <= n; ++x) {
          Real mass = pow(Real(p), x) * pow(1 - Real(p), n - x);
          for (int i = 0; i < x; ++i) mass = mass * (n - i) / (i + 1);
          still.push_back(mass);
        }
        moved.insert(moved.end(), still.begin(), still.end());
        still.resize(moved.size(), Real(0));
        const Composition run = Composition().add(Binomial{.n = double(n), .sensitivity = double(s), .p = p});
        CAPTURE(run.releases()[0].mechanism.text());
        for (const double epsilon : {-0.5, 0.0, 0.7, 3.0}) {
          Real remove = 0, add = 0;
          for (std::size_t x = 0; x < still.size(); ++x) {
            const Real alpha = exp(Real(epsilon));
            if (moved[x] > alpha * still[x]) remove += moved[x] - alpha * still[x];
            if (still[x] > alpha * moved[x]) add += still[x] - alpha * moved[x];
          }
          for (const auto direction : {DirectionChoice::remove, DirectionChoice::add}) {
            const Real& exact = direction == DirectionChoice::remove ? remove : add;
            const DeltaAnswer got = delta(run, {.epsilon = epsilon, .direction = direction});
            const double t = static_cast<double>(exact);
            CHECK(got.lower <= t * (1 + 1e-13));
            CHECK(t * (1 - 1e-13) <= got.upper);
            CHECK(got.width() <= 1e-9 * got.upper);
          }
        }
      }
    }
  }
}

TEST_CASE("mechanisms.integer_noise.shifts_grow_with_the_sensitivity") {
  for (const double s : {1.0, 2.0, 5.0}) {
    for (const double epsilon : {-0.5, 0.0, 1.0, 5.0}) {
      for (const auto direction : {DirectionChoice::remove, DirectionChoice::add}) {
        const auto at = [&](double shift) {
          return delta(Composition().add(PoissonDifference{.plus = 9, .minus = 2, .sensitivity = shift}),
                       {.epsilon = epsilon, .direction = direction});
        };
        CHECK(at(s).lower <= at(s + 1).upper);
      }
    }
  }
}

TEST_CASE("mechanisms.integer_noise.refuses") {
  const double nan = std::nan("");
  for (const double bad : {0.0, -1.0, nan, infinity, 1e9}) {
    CHECK_THROWS_AS(Mechanism(Skellam{.variance = bad}), DomainError);
    CHECK_THROWS_AS(Mechanism(PoissonDifference{.plus = bad}), DomainError);
    CHECK_THROWS_AS(Mechanism(PoissonDifference{.plus = 1, .minus = bad}), DomainError);
    CHECK_THROWS_AS(Mechanism(Binomial{.n = 10, .p = bad}), DomainError);
  }
  CHECK_THROWS_AS(Mechanism(Skellam{.variance = 1, .sensitivity = 1.5}), DomainError);
  CHECK_THROWS_AS((void)Mechanism(PoissonDifference{.plus = 2, .minus = 1}).under(Relation::replace_one),
                  MissingTheorem);
  CHECK_NOTHROW((void)(Mechanism(PoissonDifference{.plus = 2, .minus = 2}).under(Relation::replace_one)));
  CHECK_THROWS_AS((void)Mechanism(Binomial{.n = 10, .p = 0.25}).under(Relation::replace_one), MissingTheorem);
  CHECK_THROWS_AS((void)Mechanism(IntegerNoise{.masses = {0.5, 0.3125, 0.1875}}).under(Relation::replace_one),
                  MissingTheorem);
  CHECK_NOTHROW((void)(Mechanism(IntegerNoise{.masses = {0.5, 0.3125, 0.1875}})));
  CHECK_THROWS_AS(Mechanism(IntegerNoise{.masses = {0.25, 0.5, 0, 0.25}}), DomainError);
}

}  // namespace
}  // namespace pld::test
