#include "pairs/ordered_law.hpp"

#include <cmath>
#include <vector>

#include "pld/account/query.hpp"
#include "pld/mechanisms/approximate_dp.hpp"
#include "pld/mechanisms/discrete_laplace.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/generalized_gaussian.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/mechanisms/logistic.hpp"
#include "pld/mechanisms/randomized_response.hpp"
#include "pld/mechanisms/selection.hpp"
#include "pld/mechanisms/sinh_normal.hpp"
#include "pld/mechanisms/truncated_laplace.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/checks.hpp"

namespace pld {
namespace {

Bracket delta_of(const PairPtr& pair, double epsilon) {
  const Mechanism one("one", [pair](Relation) { return Law{"one", pair, pair, {}}; });
  return delta(Composition().add(one), {.epsilon = epsilon, .tolerance = 1e-10});
}

/// By the closed form of one release, whose tails are held against 50 digits elsewhere.
TEST_CASE("mechanisms.ordered_law.delta rises with every size at every epsilon") {
  const Neighbours group_of_3(Relation::add_remove, 3), replaced_group(Relation::replace_one, 2);
  const std::vector<Mechanism> members{Gaussian{.sigma = 0.7},
                                       Laplace{.scale = 1.3},
                                       ApproximateDp{.epsilon = 0.4, .delta = 1e-6},
                                       RandomizedResponse{.p = 0.7},
                                       poisson_sampled(Gaussian{.sigma = 1.1}, 0.03),
                                       poisson_sampled(Laplace{.scale = 0.6}, 0.2),
                                       poisson_sampled(RandomizedResponse{.p = 0.8}, 0.4),
                                       DiscreteLaplace{.a = 0.7},
                                       DiscreteLaplace{.a = 0.2, .sensitivity = 7},
                                       ExponentialMechanism{.epsilon = 1.5},
                                       poisson_sampled(DiscreteLaplace{.a = 0.7, .sensitivity = 2}, 0.3),
                                       Logistic{.scale = 1.2},
                                       GeneralizedGaussian{.shape = 3, .scale = 1.5},
                                       SinhNormal{.sigma = 1, .a = 3},
                                       poisson_sampled(Logistic{.scale = 0.9}, 0.1),
                                       poisson_sampled(Gaussian{.sigma = 1.3}, 0.1).under(Relation::replace_one),
                                       poisson_sampled(Laplace{.scale = 1.3}, 0.2).under(Relation::replace_one),
                                       poisson_sampled(Gaussian{.sigma = 2}, 0.1).under(group_of_3),
                                       poisson_sampled(Laplace{.scale = 2}, 0.1).under(group_of_3),
                                       poisson_sampled(Gaussian{.sigma = 3}, 0.2).under(replaced_group)};
  for (const Mechanism& member : members) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      CAPTURE(member.text());
      const auto law = ordered_law(*member.pair(direction));
      REQUIRE(law.has_value());
      for (std::size_t grown = 0; grown < law->sizes.size(); ++grown) {
        std::vector<double> larger = law->sizes;
        larger[grown] *= 1.1;
        bool strictly = false;
        for (double epsilon = -3; epsilon <= 6; epsilon += 0.125) {
          const Bracket here = delta_of(member.pair(direction), epsilon);
          const Bracket same = delta_of(law->of_sizes(law->sizes), epsilon),
                        more = delta_of(law->of_sizes(larger), epsilon);
          CHECK(same.lower <= here.upper);
          CHECK(same.upper >= here.lower);
          CHECK(more.upper >= here.lower);
          strictly = strictly || more.lower > here.upper;
        }
        CHECK(strictly);
      }
    }
  }
}

TEST_CASE("mechanisms.ordered_law.only where the sizes are all that differ") {
  const auto family = [](const Mechanism& mechanism) { return ordered_law(*mechanism.pair(Direction::remove)); };
  CHECK(family(ApproximateDp{.epsilon = 1, .delta = 1e-6})->family !=
        family(ApproximateDp{.epsilon = 1, .delta = 1e-7})->family);
  CHECK(family(Gaussian{1})->family == family(Gaussian{2})->family);
  CHECK(family(Gaussian{1})->family != family(poisson_sampled(Gaussian{1}, 0.1))->family);
  const Mechanism sampled = poisson_sampled(Gaussian{1}, 0.1);
  CHECK(ordered_law(*sampled.pair(Direction::add))->family != family(sampled)->family);
  CHECK(family(DiscreteLaplace{.a = 1})->family != family(DiscreteLaplace{.a = 1, .sensitivity = 2})->family);
  CHECK(family(SinhNormal{.sigma = 1, .a = 3})->family == family(SinhNormal{.sigma = 2, .a = 6})->family);
  CHECK(family(SinhNormal{.sigma = 1, .a = 3})->family != family(SinhNormal{.sigma = 2, .a = 3})->family);
  CHECK(family(GeneralizedGaussian{.shape = 3, .scale = 1})->family !=
        family(GeneralizedGaussian{.shape = 2.5, .scale = 1})->family);
  const Mechanism replaced = sampled.under(Relation::replace_one);
  const auto in_groups = [&](int records) { return sampled.under(Neighbours(Relation::add_remove, records)); };
  CHECK(family(replaced)->family != family(in_groups(2))->family);
  CHECK(family(in_groups(2))->family != family(in_groups(3))->family);
  CHECK(ordered_law(*in_groups(2).pair(Direction::add))->family != family(in_groups(2))->family);
  // The mass at infinity would change with the shift, or with the rate.
  CHECK_FALSE(family(TruncatedLaplace{.scale = 1, .bound = 5}).has_value());
  CHECK_FALSE(family(poisson_sampled(ApproximateDp{.epsilon = 1, .delta = 1e-6}, 0.1)).has_value());
}

}  // namespace
}  // namespace pld
