#include <cmath>

#include "numeric/exact_fraction.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

Composition of_group(const Mechanism& mechanism, double records, Relation relation = Relation::add_remove) {
  return Composition(Neighbours(relation, records)).add(mechanism);
}

}  // namespace

// At delta 0 the answer is the largest loss, a multiple of what one record loses.
TEST_CASE("mechanisms.groups.largest losses are multiples that need not be doubles") {
  for (const double x : {0.49, 0.7, 0.1, 1.0 / 3, 1.37, 0.5, 2.0}) {
    for (const double k : {1.0, 2.0, 3.0, 7.0, 11.0, 100.0}) {
      for (const Relation relation : {Relation::add_remove, Relation::replace_one}) {
        INFO(digits(x), " ", k);
        const Fraction truth = fraction_of(x) * fraction_of(k) * (relation == Relation::replace_one ? 2 : 1);
        const auto check = [&](const Mechanism& mechanism, bool attained) {
          const Answer answer = epsilon(of_group(mechanism, k, relation), {.delta = 0});
          CHECK(fraction_of(answer.lower) <= truth);
          CHECK(fraction_of(answer.upper) >= truth);
          CHECK(answer.exact == attained);
          CHECK(answer.upper <= std::nextafter(static_cast<double>(truth), INFINITY));
          if (attained) CHECK(answer.lower >= std::nextafter(static_cast<double>(truth), 0));
        };
        check(Laplace{.scale = 1, .sensitivity = x}, true);
        check(ExponentialMechanism{x}, true);
        check(PermuteAndFlip{x}, fraction_of(static_cast<double>(truth)) == truth);  // else known from two sides
        check(ReportNoisyMax{.scale = 2, .sensitivity = x}, false);
      }
    }
  }
}

// Noise of standard deviation 1: as much is lost as by a sensitivity within a part in 1e15 of k times that of one.
TEST_CASE("mechanisms.groups.answers stay as narrow and exact where the sensitivity is no double") {
  const Composition group = of_group(Gaussian{.sigma = 1, .sensitivity = 0.7}, 3);
  CHECK(group.is_exact());
  const Answer found = epsilon(group, {.delta = 1e-6});
  const Answer around = epsilon(Composition().add(Gaussian{.sigma = 1, .sensitivity = 2.1}), {.delta = 1e-6});
  CHECK(found.exact);
  CHECK(found.converged);
  CHECK_REL(found.upper, around.upper, 1e-13);
  CHECK_REL(found.lower, around.lower, 1e-13);
  CHECK(epsilon(of_group(Gaussian{.sigma = 1, .sensitivity = 0.75}, 3), {.delta = 1e-6}).lower ==
        epsilon(Composition().add(Gaussian{.sigma = 1, .sensitivity = 2.25}), {.delta = 1e-6}).lower);
  // Samples of a group have a pair of their own.
  const Answer sampled =
      epsilon(of_group(poisson_sampled(Gaussian{.sigma = 1, .sensitivity = 0.7}, 0.1), 3), {.delta = 1e-6});
  CHECK(sampled.exact);
  CHECK(sampled.width() <= 1e-4 * sampled.upper);
}

// q1 q2 of a sample's sample need be no double either: a larger rate gives away more.
TEST_CASE("sampling.poisson.a sample of a sample has the product of both rates") {
  const auto mass_at_infinity = [](const Mechanism& mechanism) {
    return delta(Composition().add(mechanism), {.epsilon = 50});
  };
  const Mechanism leak = MassTable{.p = {1, 0}, .q = {0, 1}};
  for (const double q : {0.1, 0.3, 0.7, 0.5}) {
    for (const double r : {0.1, 1.0 / 3, 0.9}) {
      const DeltaAnswer found = mass_at_infinity(poisson_sampled(poisson_sampled(leak, q), r));
      CHECK(found.exact);
      CHECK(fraction_of(found.lower) <= fraction_of(q) * fraction_of(r));
      CHECK(fraction_of(found.upper) >= fraction_of(q) * fraction_of(r));
    }
  }
}

}  // namespace pld::test
