// The two bounds of a composition on lattices of spacing h and h/2.
#include <cmath>
#include <string>
#include <vector>

#include "engines/tilted_lattice/lattice_query.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

/// Both bounds of log delta, on a lattice that a width of them asks for.
struct Both {
  double lower = 0, upper = 0;
};
Both bounds_of_width(const Terms& terms, double epsilon, double log_width) {
  LatticeQuery query(terms);
  query.cut_above(query.at_epsilon(epsilon).log_delta - 40, epsilon);
  query.tilt_to(query.at_epsilon(epsilon), 40);
  LatticeBudget budget{.log_width = log_width};
  const LatticeProfile upper = query.profile(Side::upper, budget), lower = query.profile(Side::lower, budget);
  CHECK_FALSE(budget.at_limit);
  return {lower.log_delta(epsilon), upper.log_delta(epsilon)};
}

// The spacing is the square root of the width asked for, times what the composition asks for.
TEST_CASE("compose.lattice_composer.half_the_spacing_a_quarter_of_the_width") {
  struct Case {
    Composition composition;
    double epsilon;
  };
  const std::vector<Case> cases = {
      {Composition().add(Gaussian{.sigma = 20}, 100), 1.5},
      {Composition().add(poisson_sampled(Gaussian{.sigma = 0.8}, 0.05), 100), 4},
      {Composition().add(Laplace{.scale = 10}, 200), 3},
      {Composition().add(poisson_sampled(Logistic{.scale = 2}, 0.3), 50).add(Gaussian{.sigma = 7}, 10), 3},
  };
  for (const Case& c : cases)
    for (const Direction direction : {Direction::remove, Direction::add}) {
      Terms terms;
      for (const Release& r : c.composition.releases()) terms.push_back({r.mechanism.pair(direction), r.count});
      CAPTURE(c.composition.releases()[0].mechanism.text());
      CAPTURE(std::string(name(direction)));
      Both wide = bounds_of_width(terms, c.epsilon, 1e-2);
      for (const double log_width : {2.5e-3, 6.25e-4, 1.5625e-4}) {
        const Both narrow = bounds_of_width(terms, c.epsilon, log_width);
        CHECK(wide.lower <= narrow.lower);
        CHECK(narrow.lower <= narrow.upper);
        CHECK(narrow.upper <= wide.upper);
        const double ratio = (wide.upper - wide.lower) / (narrow.upper - narrow.lower);
        CAPTURE(log_width);
        CHECK(ratio > 3.2);
        CHECK(ratio < 4.8);
        wide = narrow;
      }
    }
}

/// The composition's lower bounds at an epsilon, less the upper one, and whether atoms were split for the first.
struct Below {
  double as_composed = 0, lowered = 0;
  bool split = false;
};
Below below(const Mechanism& mechanism, std::int64_t count, double epsilon, double log_width) {
  const Terms terms{{mechanism.pair(Direction::remove), count}};
  LatticeQuery query(terms);
  query.cut_above(query.at_epsilon(epsilon).log_delta - 20, epsilon);
  query.tilt_to(query.at_epsilon(epsilon), 30);
  LatticeBudget budget{.log_width = log_width, .points = 1e9};
  const double upper = query.profile(Side::upper, budget).log_delta(epsilon);
  const LatticeProfile as_composed = query.profile(Side::lower, budget);
  return {as_composed.log_delta(epsilon) - upper, query.lowered_profile(budget)->log_delta(epsilon) - upper,
          as_composed.usual_split_loss() > 0};
}

TEST_CASE("compose.lattice_composer.atoms_that_miss_the_lattice_are_split_where_that_loses_less") {
  const Below sparse = below(poisson_sampled(DiscreteGaussian{.sigma = 5}, 0.01), 1000, 2, 1e-3);
  CHECK(sparse.split);
  CHECK(sparse.as_composed < 0);
  CHECK(sparse.as_composed > sparse.lowered / 3);
  // They fit the lattice, are many to an interval, or have a density between them; blocks go to other lattices.
  CHECK_FALSE(below(DiscreteLaplace{.a = 0.1}, 100, 2, 1e-3).split);
  CHECK_FALSE(below(poisson_sampled(DiscreteGaussian{.sigma = 1000}, 0.3), 100, 0.05, 1).split);
  CHECK_FALSE(below(poisson_sampled(Laplace{.scale = 3}, 0.1), 100, 2, 1e-3).split);
  CHECK_FALSE(below(poisson_sampled(DiscreteGaussian{.sigma = 5}, 0.01), 10'000'000, 20, 1e-3).split);
}

}  // namespace
}  // namespace pld::test
