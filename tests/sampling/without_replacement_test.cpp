#include "pld/sampling/without_replacement.hpp"

#include <cmath>

#include "pld/account/query.hpp"
#include "pld/core/errors.hpp"
#include "pld/mechanisms/approximate_dp.hpp"
#include "pld/mechanisms/discrete_gaussian.hpp"
#include "pld/mechanisms/discrete_laplace.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/gaussian_mixture.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/mechanisms/mass_table.hpp"
#include "pld/mechanisms/randomized_response.hpp"
#include "pld/mechanisms/selection.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/pair_checks.hpp"

namespace pld::test {
namespace {

constexpr Relation relations[] = {Relation::add_remove, Relation::replace_one, Relation::zero_out};

/// Hockey-stick divergence of the sampled pair at alpha = e^epsilon from the masses of the base: (1-g) Q + g P against
/// Q for alpha >= 1, P against (1-g) P + g Q below. Either is decided by the base's likelihood ratio, so that one
/// interval of base losses gives it.
Real sampled_profile(const Law& base, double rate, double epsilon) {
  const Real g = rate, alpha = exp(Real(epsilon));
  if (epsilon >= 0) {
    const Real hit = (alpha - 1 + g) / g;  // (1-g) + g r > alpha
    const Masses m = base(Real(log(hit)), real_infinity());
    return (1 - g) * m.q + g * m.p - alpha * m.q;
  }
  const Real hit = (1 - alpha * (1 - g)) / (alpha * g);  // r > alpha ((1-g) r + g), where the factor of r is positive
  if (1 - alpha * (1 - g) <= 0) return 0;
  const Masses m = base(Real(log(1 / hit)), real_infinity());
  return m.p - alpha * ((1 - g) * m.p + g * m.q);
}

TEST_CASE("mechanisms.without_replacement.delta_of_one_batch_down_to_1e-30") {
  struct Case {
    Mechanism mechanism;
    Law base;  // of the doubled sensitivity
  };
  double least = 1;
  for (const auto& [mechanism, base] : std::vector<Case>{{Gaussian{.sigma = 2}, gaussian_law(2, 2)},
                                                         {Gaussian{.sigma = 0.5}, gaussian_law(0.5, 2)},
                                                         {Laplace{.scale = 3}, laplace_law(3, 2)},
                                                         {Laplace{.scale = 0.25}, laplace_law(0.25, 2)}}) {
    for (const double rate : {0.5, 0.01, 1e-6, 1 - 1e-6}) {
      Composition run(Relation::replace_one);
      run.add(without_replacement(mechanism, rate));
      CAPTURE(run.releases().front().mechanism.text());
      for (const double epsilon : {-3.0, -0.4, -1e-3, 0.0, 1e-4, 0.3, 1.0, 2.5, 6.0, 20.0}) {
        CAPTURE(epsilon);
        const double exact = static_cast<double>(sampled_profile(base, rate, epsilon));
        if (!(exact > 1e-290)) continue;
        least = std::fmin(least, exact);
        const DeltaAnswer got = delta(run.of_pairs(), {.epsilon = epsilon});
        CHECK_INSIDE(got, exact);
        CHECK(got.width() <= 1e-9 * exact);
        if ((rate == 0.5 || rate == 1e-6) && epsilon > -1)
          CHECK_INSIDE(delta(run, {.epsilon = epsilon, .engine = Engine::lattice}), exact);
      }
    }
  }
  CHECK(least < 1e-30);
}

TEST_CASE("mechanisms.without_replacement.laws_too_far_apart_for_a_double") {
  // They have no outcome in common to e^-1000 and further: (P, (1-g) P + g Q) has 1 - (1-g) e^epsilon below 0, and g
  // from 0 on.
  for (const Mechanism& mechanism :
       std::vector<Mechanism>{Gaussian{.sigma = 0.01}, Laplace{.scale = 1e-3}, DiscreteLaplace{.a = 138990}}) {
    for (const double rate : {0.1, 1e-5}) {
      for (const Mechanism& sample : {without_replacement(mechanism, rate), poisson_sampled(mechanism, rate)}) {
        CAPTURE(sample.text());
        for (const double epsilon : {-0.5, -1e-3, -1.4e-7, -1e-250, 0.0, 1e-3}) {
          CAPTURE(epsilon);
          const Real exact = epsilon < 0 ? Real(1 - (1 - Real(rate)) * exp(Real(epsilon))) : Real(rate);
          const DeltaAnswer got = delta(Composition(Relation::replace_one).add(sample), {.epsilon = epsilon});
          CHECK_INSIDE(got, static_cast<double>(exact));
          CHECK(got.width() <= 1e-9 * got.upper);
        }
      }
    }
  }
}

/// k batches of a finite pair, outcome by outcome: the atoms of the profile above, composed.
struct Atom50 {
  Real p, q;
};

std::vector<Atom50> spliced_atoms(const std::vector<Atom50>& base, double rate) {
  const Real g = rate;
  std::vector<Atom50> atoms;
  Real p_left = 1, q_left = 1;
  for (const auto& [p, q] : base) {
    if (p == q) continue;
    atoms.push_back(p > q ? Atom50{(1 - g) * q + g * p, q} : Atom50{p, (1 - g) * p + g * q});
    p_left -= atoms.back().p;
    q_left -= atoms.back().q;
  }
  CHECK(std::fabs(static_cast<double>(p_left - q_left)) < 1e-40);
  atoms.push_back({p_left, q_left});
  return atoms;
}

Real delta_of(const std::vector<Atom50>& atoms, double epsilon, int k, const Real& p = 1, const Real& q = 1) {
  if (k == 0) {
    const Real excess = p - exp(Real(epsilon)) * q;
    return excess > 0 ? excess : Real(0);
  }
  Real sum = 0;
  for (const Atom50& a : atoms) sum += delta_of(atoms, epsilon, k - 1, p * a.p, q * a.q);
  return sum;
}

TEST_CASE("mechanisms.without_replacement.composes_as_exact_sums") {
  std::vector<Atom50> coin{{0.75, 0.25}, {0.25, 0.75}}, dice,
      table{{0.5, 0.125}, {0.25, 0.25}, {0.125, 0.5}, {0.125, 0.125}}, leaky;
  for (int i = 0; i < 4; ++i) dice.push_back({i == 0 ? 0.625 : 0.125, i == 1 ? 0.625 : 0.125});
  const Real half = Real(1) / 1024, likely = (1 - half) * exp(Real(0.5)) / (1 + exp(Real(0.5)));
  leaky = {{half, 0}, {likely, 1 - half - likely}, {1 - half - likely, likely}, {0, half}};
  struct Case {
    Mechanism mechanism;
    std::vector<Atom50> base;
  };
  for (const auto& [mechanism, base] :
       std::vector<Case>{{RandomizedResponse{.p = 0.75}, coin},
                         {RandomizedResponse{.p = 0.625, .k = 4}, dice},
                         {MassTable{.p = {0.5, 0.25, 0.125, 0.125}, .q = {0.125, 0.25, 0.5, 0.125}}, table},
                         {ApproximateDp{.epsilon = 0.5, .delta = 0x1p-10}, leaky}}) {
    for (const double rate : {0.5, 0.03125}) {
      const auto atoms = spliced_atoms(base, rate);
      for (const int k : {1, 2, 4}) {
        Composition run(Relation::replace_one);
        run.add(without_replacement(mechanism, rate), k);
        CAPTURE(run.releases().front().mechanism.text());
        CAPTURE(k);
        for (const double epsilon : {-1.0, -0.1, 0.0, 0.05, 0.5, 1.5}) {
          CAPTURE(epsilon);
          const Real exact = delta_of(atoms, epsilon, k);
          const DeltaAnswer got = delta(run.of_pairs(), {.epsilon = epsilon});
          const double t = static_cast<double>(exact);
          CHECK(got.lower <= t * (1 + 1e-14));
          CHECK(t * (1 - 1e-14) <= got.upper);
          CHECK(got.width() <= 2e-3 * got.upper + 1e-300);
        }
      }
    }
  }
}

TEST_CASE("mechanisms.without_replacement.totals_and_tails") {
  for (const Mechanism& mechanism :
       {Mechanism(Gaussian{.sigma = 3}), Mechanism(Laplace{.scale = 0.5}),
        Mechanism(DiscreteLaplace{.a = 0.25, .sensitivity = 3}), Mechanism(DiscreteGaussian{.sigma = 2}),
        Mechanism(RandomizedResponse{.p = 0.9, .k = 5})}) {
    const Mechanism batch = without_replacement(mechanism, 0.125).under(Relation::replace_one);
    CAPTURE(batch.law().text);
    const PairPtr& pair = batch.pair(Direction::remove);
    CHECK(batch.symmetric());
    check_total(*pair, pair->outline(), 1e-12);
    for (const double z : {-0.9, -0.05, 0.0, 0.02, 0.4}) {
      CAPTURE(z);
      check_total(*pair, std::vector{pair->below(z), pair->above(z)}, 1e-13);
      for (const LossCell& cell : {pair->below(z), pair->above(z)}) {
        if (cell.log_mass == -infinity) continue;
        CHECK(std::fabs(cell.loss - (cell.log_mass - cell.log_q_mass)) < 1e-12);
      }
    }
  }
}

/// Many batches of a lattice law whose own atom at 0 the outline of its base has in a cell: beside its continuous
/// limit.
TEST_CASE("mechanisms.without_replacement.many_batches_converge") {
  const auto answer = [](const Mechanism& m) {
    return delta(Composition(Relation::replace_one).add(without_replacement(m, 0.2), 10000), {.epsilon = 5});
  };
  const DeltaAnswer discrete = answer(DiscreteGaussian{.sigma = 100, .sensitivity = 2}),
                    limit = answer(Gaussian{.sigma = 50});
  CHECK(discrete.converged);
  CHECK(limit.converged);
  CHECK_REL(discrete.estimate, limit.estimate, 0.02);
}

/// Every answer of `larger` is at least that of `smaller`.
void check_dominates(const Composition& larger, const Composition& smaller) {
  for (const double epsilon : {-0.3, 0.4}) {
    CAPTURE(epsilon);
    CHECK(delta(larger, {.epsilon = epsilon, .tolerance = 0.01}).upper >=
          delta(smaller, {.epsilon = epsilon, .tolerance = 0.01}).lower);
  }
  for (const double d : {1e-30}) {
    CAPTURE(d);
    CHECK(epsilon(larger, {.delta = d}).upper >= epsilon(smaller, {.delta = d}).lower);
  }
}

std::vector<Mechanism> algorithms() {
  return {Gaussian{.sigma = 1.5},
          Laplace{.scale = 2},
          DiscreteLaplace{.a = 0.5},
          DiscreteGaussian{.sigma = 2},
          RandomizedResponse{.p = 0.75, .k = 3},
          ExponentialMechanism{.epsilon = 0.5}};
}

TEST_CASE("mechanisms.relations.order_of_what_dominates_what") {
  for (const Mechanism& mechanism : algorithms()) {
    CAPTURE(mechanism.text());
    const auto run = [&](const Mechanism& m, Relation relation) { return Composition(relation).add(m, 3); };
    const Mechanism poisson = poisson_sampled(mechanism, 0.25), batch = without_replacement(mechanism, 0.25);
    for (const Relation relation : relations) {
      CAPTURE(std::string(name(relation)));
      if (relation == Relation::replace_one) {
        check_dominates(run(mechanism, relation), run(poisson, relation));
        check_dominates(run(mechanism, relation), run(batch, relation));
      }
      check_dominates(run(poisson, Relation::replace_one), run(poisson, relation));
      check_dominates(run(batch, Relation::replace_one), run(batch, relation));
      check_dominates(run(mechanism, Relation::replace_one), run(mechanism, relation));
      check_dominates(run(batch, relation),
                      run(poisson, relation));  // replaced batches differ by more than removals do
      check_dominates(run(batch, relation), run(without_replacement(mechanism, 0.125), relation));
    }
    check_dominates(run(mechanism, Relation::add_remove), run(poisson, Relation::add_remove));
  }
}

TEST_CASE("mechanisms.relations.replacing_doubles_the_sensitivity") {
  Composition replaced(Relation::replace_one), doubled;
  replaced.add(Gaussian{.sigma = 3}, 7).add(Laplace{.scale = 9}).add(DiscreteGaussian{.sigma = 4, .sensitivity = 2});
  doubled.add(Gaussian{.sigma = 3, .sensitivity = 2}, 7).add(Laplace{.scale = 9, .sensitivity = 2});
  doubled.add(DiscreteGaussian{.sigma = 4, .sensitivity = 4});
  const Answer a = epsilon(replaced, {.delta = 1e-9}), b = epsilon(doubled, {.delta = 1e-9});
  CHECK(a.lower == b.lower);
  CHECK(a.upper == b.upper);
  CHECK(replaced.releases()[2].mechanism.law().text == "discrete-gaussian:sigma=4,sensitivity=4");
  CHECK(replaced.releases()[2].mechanism.text() == "discrete-gaussian:sigma=4,sensitivity=2");
  // A guarantee and a local randomizer are read as they stand.
  for (const Mechanism& m :
       {Mechanism(ApproximateDp{.epsilon = 1, .delta = 1e-5}), Mechanism(RandomizedResponse{.p = 0.75})})
    CHECK(m.under(Relation::replace_one).law().text == m.text());
  CHECK(Mechanism(PermuteAndFlip{.epsilon = 0.5}).under(Relation::replace_one).law().text ==
        "permute-and-flip:epsilon=1");
}

// The example of Lebeda, Regehr, Kamath, Steinke 2024: about 1 under Poisson sampling, above 10 without replacement.
TEST_CASE("mechanisms.without_replacement.is_no_poisson_sample") {
  const auto epsilon_of = [](const Mechanism& m, Relation relation) {
    return epsilon(Composition(relation).add(m, 10000), {.delta = 1e-6, .tolerance = 1e-2});
  };
  const Mechanism step = Gaussian{.sigma = 0.8};
  const double poisson = epsilon_of(poisson_sampled(step, 0.001), Relation::add_remove).upper;
  const double batch = epsilon_of(without_replacement(step, 0.001), Relation::replace_one).lower;
  MESSAGE("poisson ", digits(poisson), ", without replacement ", digits(batch));
  CHECK(batch > 5 * poisson);
}

TEST_CASE("mechanisms.relations.refuses_what_no_theorem_covers") {
  const Mechanism mixture = GaussianMixture{.sigma = 1, .shifts = {0, 1}, .weights = {0.5, 0.5}};
  const Mechanism dp = ApproximateDp{.epsilon = 1};
  const Mechanism lopsided = MassTable{.p = {0.5, 0.5}, .q = {0.25, 0.75}};
  CHECK_THROWS_AS((void)mixture.under(Relation::replace_one), MissingTheorem);
  CHECK_NOTHROW(static_cast<void>(mixture.under(Relation::zero_out)));
  for (const Relation relation : relations)
    CHECK_THROWS_AS((void)without_replacement(mixture, 0.5).under(relation), MissingTheorem);
  CHECK_THROWS_AS((void)poisson_sampled(dp, 0.5).under(Relation::replace_one), MissingTheorem);
  CHECK_THROWS_AS((void)without_replacement(dp, 0.5).under(Relation::add_remove), MissingTheorem);
  CHECK_THROWS_AS((void)without_replacement(dp, 0.5).under(Relation::zero_out), MissingTheorem);
  CHECK_NOTHROW(static_cast<void>(without_replacement(dp, 0.5).under(Relation::replace_one)));
  // Its larger order is a symmetric pair, to which the theorem applies; account.all_neighbours enumerates the truth.
  CHECK_NOTHROW(static_cast<void>(without_replacement(lopsided, 0.5).under(Relation::replace_one)));
  CHECK_THROWS_AS((void)Composition().add(without_replacement(dp, 0.5)), MissingTheorem);
  CHECK_THROWS_AS((void)without_replacement(poisson_sampled(Gaussian{}, 0.5), 0.5), MissingTheorem);
  CHECK_THROWS_AS((void)poisson_sampled(without_replacement(Gaussian{}, 0.5), 0.5), MissingTheorem);
  for (const double bad : {-1e-9, 1.5, std::nan("")})
    CHECK_THROWS_AS((void)without_replacement(Gaussian{}, bad), DomainError);
  CHECK_THROWS_AS((void)Mechanism(DiscreteLaplace{.a = 1, .sensitivity = 6e5}).under(Relation::replace_one),
                  DomainError);
}

TEST_CASE("mechanisms.relations.disjoint_outcomes_tell_neighbours_apart") {
  for (const int k : {1, 2, 1000}) {
    const Composition run = Composition().add(DiscreteLaplace{.a = 1}).add(MassTable{.p = {1, 0}, .q = {0, 1}}, k);
    for (const double epsilon : {-1.0, -1e-3, 0.0, 5.0}) CHECK(delta(run, {.epsilon = epsilon}).lower == 1);
    CHECK(epsilon(run, {.delta = 0.999}).lower == infinity);
    CHECK(epsilon(run, {.delta = 1}).upper == -infinity);
  }
}

TEST_CASE("mechanisms.without_replacement.ends_of_the_rate") {
  for (const Relation relation : relations) {
    Composition never(relation), always(relation), whole(Relation::replace_one);
    never.add(without_replacement(Gaussian{.sigma = 2}, 0), 5);
    always.add(without_replacement(Gaussian{.sigma = 2}, 1), 5);
    whole.add(Gaussian{.sigma = 2}, 5);
    CHECK(delta(never, {.epsilon = 0}).upper == 0);
    if (relation == Relation::zero_out) continue;  // no replacement: sampling.degenerate_ends
    CHECK(epsilon(always, {.delta = 1e-8}).upper == epsilon(whole, {.delta = 1e-8}).upper);
  }
}

}  // namespace
}  // namespace pld::test
