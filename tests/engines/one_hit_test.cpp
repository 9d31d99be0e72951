// Rare large losses taken apart from the others, against exact sums and the contour engine.
#include "engines/rare_losses/one_hit.hpp"

#include <cmath>
#include <vector>

#include "engines/contour/contour.hpp"
#include "engines/rare_hits.hpp"
#include "engines/tilted_lattice/lattice_engine.hpp"
#include "engines/tilted_lattice/lattice_query.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/checks.hpp"
#include "support/epsilon_of.hpp"
#include "support/lattice_log_delta.hpp"

namespace {

using namespace pld;
using test::Draw;
using test::FiniteLaw;
using test::Outcomes;
using test::Real;

/// The law without its infinite losses, which the parts leave to whoever asks.
FiniteLaw finite_part(FiniteLaw law) {
  std::erase_if(law.outcomes, [](const auto& outcome) { return outcome.q == 0; });
  return law;
}

TEST_CASE("compose.one_hit.both_sides_hold_exact_sums") {
  Draw draw(29);
  int compared = 0, narrow = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<FiniteLaw> laws;
    std::vector<std::int64_t> counts;
    Terms terms;
    for (int j = draw.whole(1, 2); j > 0; --j) {
      laws.push_back(finite_part(draw.law()));
      counts.push_back(draw.whole(1, 4));
      terms.push_back({laws.back().pair, counts.back()});
    }
    const double epsilon = draw.log_uniform(0.02, 8);
    const Real exact = test::exact_log_delta(laws, counts, epsilon);
    if (!(exact > -200)) continue;
    const auto about = static_cast<double>(exact);
    OneHit apart(terms, LatticeQuery(terms), about + draw.uniform(-20, 4));
    if (!apart.useful()) continue;
    apart.tilt_to(epsilon, 50, about + draw.uniform(-30, 0));
    if (!apart.placed()) continue;
    LatticeBudget budget{.log_width = 1e-4, .longest_transform = 1 << 16};
    CAPTURE(i);
    CAPTURE(epsilon);
    const OneHit::Profile upper = apart.profile(Side::upper, budget), lower = apart.profile(Side::lower, budget);
    for (const double at : {epsilon, epsilon * 0.97, epsilon * 1.2, epsilon + 0.3}) {
      const Real truth = test::exact_log_delta(laws, counts, at);
      CAPTURE(at);
      CHECK(Real(lower.log_delta(at)) <= truth);
      CHECK(truth <= Real(upper.log_delta(at)));
    }
    ++compared;
    narrow += upper.log_delta(epsilon) - lower.log_delta(epsilon) < 1e-2;
  }
  MESSAGE(compared, " compared, within a hundredth of a nat: ", narrow);
  CHECK(narrow > 30);
}

TEST_CASE("compose.one_hit.sampled_gaussians") {
  for (const auto& c : test::rarely_hit_gaussians()) {
    const Terms terms = c.terms();
    CAPTURE(c.sigma);
    CAPTURE(c.epsilon);
    const Bracket truth = c.log_delta();
    // Cells so long that what they leave out, or add, is far more than the contour's width.
    LatticeQuery whole(terms);
    whole.cut_above(truth.estimate - 25, infinity);
    OneHit apart(terms, whole, truth.estimate - 9);
    REQUIRE(apart.useful());
    apart.tilt_to(c.epsilon, 40, truth.estimate - 20);
    for (const double log_width : {3.0, 1.0, 0.1}) {
      LatticeBudget upper_budget{.log_width = log_width}, lower_budget = upper_budget;
      CAPTURE(log_width);
      CHECK(truth.lower <= apart.profile(Side::upper, upper_budget).log_delta(c.epsilon));
      CHECK(apart.profile(Side::lower, lower_budget).log_delta(c.epsilon) <= truth.upper);
    }

    const EngineAnswer found = lattice_log_delta(terms, c.epsilon, 1e-3);
    CHECK(found.converged);
    CHECK(found.value.lower <= truth.upper);
    CHECK(truth.lower <= found.value.upper);
    const Bracket back = lattice_epsilon_of(terms, found.value.estimate, 1e-4).value;
    CHECK(back.lower <= c.epsilon * (1 + 1e-3));
    CHECK(c.epsilon * (1 - 1e-3) <= back.upper);
    CHECK(back.width() <= 1e-4 * back.estimate);
  }
}

// Hits of losses of 1e5: at epsilons far below them they count in full, and nothing of a cell as long as that is lost.
TEST_CASE("compose.one_hit.very_large_losses_count_in_full") {
  const Terms first{{poisson_sampled(Gaussian{.sigma = 1}, 1e-3).pair(Direction::remove), 1000}};
  const auto truth = contour_epsilon(first, std::log(5e-7), 1e-7);
  REQUIRE(truth.has_value());
  for (const double sigma : {0.001, 0.002, 0.0025, 0.003}) {
    Terms both = first;
    both.push_back({poisson_sampled(Gaussian{.sigma = sigma}, 1e-6).pair(Direction::remove), 1});
    CAPTURE(sigma);
    const double log_delta = std::log(1.5e-6);  // 1e-6 of it the second one's
    const Bracket found = lattice_epsilon_of(both, log_delta, 1e-3).value;
    CHECK(found.lower <= truth->upper * (1 + 1e-6));
    CHECK(truth->lower * (1 - 1e-6) <= found.upper);
    const EngineAnswer back = lattice_log_delta(both, truth->estimate, 1e-3);
    CHECK(back.value.lower <= log_delta + 1e-6);
    CHECK(log_delta - 1e-6 <= back.value.upper);
  }
}

}  // namespace
