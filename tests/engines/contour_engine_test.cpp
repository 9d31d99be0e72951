// Properties of the contour engine that need no reference values.
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

#include "engines/contour/composed_moment.hpp"
#include "engines/contour/contour.hpp"
#include "engines/contour/saddle_point.hpp"
#include "engines/contour/vertical_line.hpp"
#include "pld/account/query.hpp"
#include "pld/core/errors.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/checks.hpp"
#include "support/contour_profile.hpp"
#include "support/epsilon_of.hpp"
#include "support/lattice_log_delta.hpp"
#include "support/sampled_gaussian_pair.hpp"

namespace {
using pld::Direction;
using pld::test::sampled_gaussian;

double phi(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

bool ordered(const pld::Bracket& b) { return b.lower <= b.estimate && b.estimate <= b.upper; }

/// log of x in [lower, upper] overlaps another.
bool overlap(const pld::Bracket& a, double lower, double upper) { return a.lower <= upper && lower <= a.upper; }
}  // namespace

// 1 + lambda has to be a double: epsilon is 1e15 times what a rounding of lambda = 1e-6 adds to it. The truth by
// Edgeworth's expansion to the third moment, less 1 for delta's second term; what that leaves out is 1e-3.
TEST_CASE("contour.epsilon.tilts_far_below_1") {
  const pld::Terms terms{sampled_gaussian(0.1, 0.5, 1'000'000'000, Direction::remove)};
  const auto found = pld::contour_epsilon(terms, std::log(0.3), 1e-10);
  REQUIRE(found.has_value());
  CHECK_REL(found->estimate, 24307284519.906116, 1e-12);
  CHECK_INSIDE(*found, 24307284519.906116);
}

TEST_CASE("contour.takes.sampled_gaussians_only") {
  struct Other : pld::test::SampledGaussianPair {
    using SampledGaussianPair::SampledGaussianPair;
    [[nodiscard]] std::optional<pld::SampledGaussianLaw> sampled_gaussian() const override { return std::nullopt; }
  };
  pld::Terms terms = {sampled_gaussian(1, 0.1, 3, Direction::remove)};
  CHECK(pld::contour_takes(terms));
  terms.push_back({std::make_shared<Other>(pld::SampledGaussianLaw{}), 1});
  CHECK_FALSE(pld::contour_takes(terms));
  CHECK_THROWS_AS((void)pld::contour_epsilon(terms, -1, 1e-6), pld::DomainError);
  CHECK_THROWS_AS((void)pld::contour_profile({}, NAN, 1e-6), pld::DomainError);
  CHECK_THROWS_AS((void)pld::contour_profile({}, 1, 0), pld::DomainError);
  CHECK_THROWS_AS((void)pld::contour_epsilon({}, 0, 1e-6), pld::DomainError);
}

TEST_CASE("contour.no_loss.is_exact") {
  for (const double q : {0.0, 0.5}) {
    const pld::Terms terms = {sampled_gaussian(q == 0 ? 1 : INFINITY, q, 10, Direction::remove)};
    for (const double epsilon : {0.0, 0.7}) {
      const auto profile = pld::contour_profile(terms, epsilon, 1e-6);
      REQUIRE(profile);
      CHECK(profile->log_delta.upper == -INFINITY);
      CHECK(profile->log_complement.lower == 0);
    }
    const auto negative = pld::contour_profile(terms, -2, 1e-6);
    REQUIRE(negative);
    CHECK_INSIDE(negative->log_delta, std::log(-std::expm1(-2.0)));
    CHECK_INSIDE(negative->log_complement, -2.0);
    const auto inverse = pld::contour_epsilon(terms, std::log(0.3), 1e-6);
    REQUIRE(inverse);
    CHECK_INSIDE(*inverse, std::log(0.7));
  }
}

TEST_CASE("contour.outside_the_support.is_exact") {
  const pld::Terms add = {sampled_gaussian(2, 0.02, 3, Direction::add)};
  const auto above = pld::contour_profile(add, 0.07, 1e-6);  // the loss ends at -3 log(0.98) = 0.0606
  REQUIRE(above);
  CHECK(above->log_delta.upper == -INFINITY);
  const pld::Terms remove = {sampled_gaussian(2, 0.02, 3, Direction::remove)};
  const auto below = pld::contour_profile(remove, -0.07, 1e-6);
  REQUIRE(below);
  CHECK_INSIDE(below->log_delta, std::log(-std::expm1(-0.07)));
}

// k Gaussians of scale sigma are one of mean sqrt(k) / sigma, whose profile is a closed form (Balle and Wang 2018).
TEST_CASE("contour.negative_epsilons.no_delta_is_told_to_be_1") {
  using namespace pld;
  Composition sgd, noise;
  sgd.add(poisson_sampled(Gaussian{.sigma = 1}, 0.01), 1000);
  noise.add(Laplace{.scale = 1}).add(Gaussian{.sigma = 1});
  for (const Composition& run : {sgd, noise}) {
    for (const double epsilon : {-746.0, -1168.0, -2000.0}) {
      CAPTURE(epsilon);
      const DeltaAnswer found = delta(run, {.epsilon = epsilon});
      CHECK(found.log_delta.lower < 0);
      CHECK(found.lower < 1);
      CHECK(found.upper == 1);
    }
  }
}

TEST_CASE("contour.gaussian.agrees_with_closed_form") {
  for (const double mu : {0.03, 0.5, 1.0, 4.0})
    for (const double epsilon : {-3.0, -0.5, 0.0, 0.2, 1.5, 6.0}) {
      CAPTURE(mu);
      CAPTURE(epsilon);
      const double delta = phi(mu / 2 - epsilon / mu) - std::exp(epsilon) * phi(-mu / 2 - epsilon / mu);
      if (!(delta > 1e-200)) continue;
      const pld::Terms terms = {sampled_gaussian(3 / mu, 1, 4, Direction::add),
                                sampled_gaussian(3 / mu, 1, 5, Direction::remove)};
      const auto profile = pld::contour_profile(terms, epsilon, 1e-10);
      REQUIRE(profile);
      // The closed form in double loses what its difference cancels.
      const double lost = 1e-14 * (1 + phi(mu / 2 - epsilon / mu) * (1 + epsilon * epsilon / mu / mu) / delta);
      CHECK(overlap(profile->log_delta, std::log(delta) - lost, std::log(delta) + lost));
      CHECK(profile->log_delta.width() < 1e-11);
    }
}

// H_{e^eps}(P||Q) = 1 - e^eps + e^eps H_{e^-eps}(Q||P).
TEST_CASE("contour.swap_identity") {
  for (const double epsilon : {-2.0, -0.3, 0.0, 0.4, 1.0, 3.0}) {
    CAPTURE(epsilon);
    const pld::Terms remove = {sampled_gaussian(0.8, 0.01, 2000, Direction::remove),
                               sampled_gaussian(2, 0.2, 30, Direction::remove)};
    const pld::Terms add = {sampled_gaussian(0.8, 0.01, 2000, Direction::add),
                            sampled_gaussian(2, 0.2, 30, Direction::add)};
    const auto one = pld::contour_profile(remove, epsilon, 1e-9), other = pld::contour_profile(add, -epsilon, 1e-9);
    REQUIRE(one);
    REQUIRE(other);
    // 1 - delta_remove(eps) = e^eps (1 - delta_add(-eps))
    CHECK(overlap(one->log_complement, epsilon + other->log_complement.lower - 1e-15,
                  epsilon + other->log_complement.upper + 1e-15));
    CHECK(one->log_complement.width() < 1e-10);
  }
}

// A line anywhere right of the poles gives the same number: other aliases, other nodes, another quadrature in x.
TEST_CASE("contour.line.two_tilts_agree") {
  using namespace pld::contour;
  struct Case {
    std::vector<CountedLaw> laws;
    double log_delta;
  };
  const auto law = [](double sigma, double q, double k, Direction d) { return CountedLaw{{1 / sigma, q, d}, k}; };
  const std::vector<Case> cases = {{{law(0.8, 0.005, 1000, Direction::remove)}, -13.8},
                                   {{law(0.8, 0.005, 1000, Direction::add)}, -50},
                                   {{law(4, 0.00033, 10000, Direction::remove)}, -57},
                                   {{law(10, 0.1, 1e6, Direction::remove)}, -200},
                                   {{law(1, 0.05, 40, Direction::remove), law(3, 1, 5, Direction::remove)}, -20},
                                   {{law(0.5, 0.5, 10, Direction::add)}, -20}};
  for (const Case& c : cases) {
    CAPTURE(c.log_delta);
    ComposedMoment moment(c.laws);
    REQUIRE(moment.cut(60 - c.log_delta));
    auto saddle = saddle_for_value(moment, Quantity::delta, c.log_delta);
    REQUIRE(saddle);
    REQUIRE(moment.cut(60 - c.log_delta + 200, saddle->lambda));
    saddle = saddle_for_epsilon(moment, Quantity::delta, saddle->epsilon, saddle->lambda);
    REQUIRE(saddle);
    const auto through = VerticalLine::build(moment, *saddle, 32, 1e8);
    SaddlePoint shifted = *saddle;
    shifted.lambda *= 0.9;
    const auto beside = VerticalLine::build(moment, shifted, 32, 1e8);
    REQUIRE(through);
    REQUIRE(beside);
    const LineValue a = through->value(saddle->epsilon), b = beside->value(saddle->epsilon);
    CHECK(a.log_upper - a.log_lower < 1e-9);
    CHECK(b.log_upper - b.log_lower < 1e-8);
    CHECK((a.log_lower <= b.log_upper && b.log_lower <= a.log_upper));
  }
}

namespace {
struct SampledSteps {
  double sigma, q;
  std::int64_t count;
};
/// At a delta of 1e-6 epsilon lies where ordinary steps hand over to a rare hit.
const std::vector<SampledSteps> between_regimes = {{1.4657, 0.000402, 11341}, {1.7439, 0.000372, 18306},
                                                   {1.6208, 0.000349, 1324},  {1.8695, 0.000583, 2489},
                                                   {1.8735, 0.00244, 9937},   {1.9518, 0.000328, 10629}};
}  // namespace

// The saddle point's own value is off by many nats there, so that the first line lies far from the root; and bodies end
// before the hits of the tilts that bound aliases. The lattice is another route to delta.
TEST_CASE("contour.epsilon.is_found_between_regimes") {
  const double log_delta = std::log(1e-6);
  for (const auto& [sigma, q, count] : between_regimes) {
    CAPTURE(sigma);
    const auto found = pld::contour_epsilon({sampled_gaussian(sigma, q, count, Direction::remove)}, log_delta, 1e-4);
    REQUIRE(found);
    CHECK(found->width() < 1e-8 * found->upper);
    const pld::Terms sampled{{poisson_sampled(pld::Gaussian{.sigma = sigma}, q).pair(Direction::remove), count}};
    const auto at = [&](double epsilon) { return pld::lattice_log_delta(sampled, epsilon, 1e-4).value; };
    CHECK(at(found->lower).upper >= log_delta);
    CHECK(at(found->upper).lower <= log_delta);
  }
}

TEST_CASE("contour.saddle.has_the_value_asked_up_a_wall_of_rare_hits") {
  using namespace pld::contour;
  for (const auto& [sigma, q, count] : between_regimes) {
    CAPTURE(sigma);
    ComposedMoment moment({{{1 / sigma, q, Direction::remove}, static_cast<double>(count)}});
    REQUIRE(moment.cut(400));
    const auto saddle = saddle_for_value(moment, Quantity::delta, -13.8);
    REQUIRE(saddle);
    CHECK(std::fabs(saddle->log_value + 13.8) < 10);
  }
}

// Both lines give the same number, one of them with a fraction of the other's nodes.
TEST_CASE("contour.line.short_of_rare_losses_needs_fewer_nodes") {
  using namespace pld::contour;
  ComposedMoment moment({{{1 / 1.4657, 0.000402, Direction::remove}, 11341}});
  REQUIRE(moment.cut(400));
  for (const double epsilon : {0.11, 0.15, 0.2}) {
    CAPTURE(epsilon);
    const auto saddle = saddle_for_epsilon(moment, Quantity::delta, epsilon);
    REQUIRE(saddle);
    const auto steepest = VerticalLine::build(moment, *saddle, 32, 1e8);
    const auto quick = VerticalLine::build(moment, short_of_rare_losses(moment, *saddle, 20), 32, 1e8);
    REQUIRE(steepest);
    REQUIRE(quick);
    CHECK(4 * quick->nodes() < steepest->nodes());
    const LineValue a = steepest->value(epsilon), b = quick->value(epsilon);
    CHECK((a.log_lower <= b.log_upper && b.log_lower <= a.log_upper));
    CHECK(b.log_upper - b.log_lower < std::exp(1) * (a.log_upper - a.log_lower));
  }
  // A normal law's saddle stays where it is.
  ComposedMoment normal({{{0.5, 1, Direction::remove}, 10}});
  REQUIRE(normal.cut(400));
  const auto saddle = saddle_for_epsilon(normal, Quantity::delta, 5);
  REQUIRE(saddle);
  CHECK(short_of_rare_losses(normal, *saddle, 1.2).lambda == saddle->lambda);
}

// A body cut for the saddle's tilt ends before the hits that a steeper tilt weighs most: Chernoff's bound from there is
// poor, and the period has to know.
TEST_CASE("contour.line.aliases_are_bounded_from_tilts_that_the_body_serves") {
  using namespace pld::contour;
  ComposedMoment moment({{{1 / 1.8735, 0.00244, Direction::remove}, 9937}});
  for (double nats = 53; nats < 400; nats *= 1.1) {
    CAPTURE(nats);
    REQUIRE(moment.cut(nats));
    const auto saddle = saddle_for_value(moment, Quantity::delta, -13.8155);
    REQUIRE(saddle);
    const auto line = VerticalLine::build(moment, *saddle, 32, 1e8);
    REQUIRE(line);
    const LineValue at = line->value(saddle->epsilon);
    CHECK(at.log_upper - at.log_lower < 1e-10);
  }
}

// A count is a count: k terms of one law are one term of count k; a term of q = 1 among others is a Gaussian.
TEST_CASE("contour.terms.merge") {
  pld::Terms apart;
  for (int i = 0; i < 12; ++i) apart.push_back(sampled_gaussian(0.7, 0.1, 10, Direction::remove));
  apart.push_back(sampled_gaussian(3, 1, 2, Direction::remove));
  apart.push_back(sampled_gaussian(6, 1, 4, Direction::add));
  const pld::Terms together = {sampled_gaussian(0.7, 0.1, 120, Direction::remove),
                               sampled_gaussian(std::sqrt(3.0), 1, 1, Direction::remove)};
  for (const double log_delta : {-3.0, -30.0, -300.0}) {
    const auto a = pld::contour_epsilon(apart, log_delta, 1e-6), b = pld::contour_epsilon(together, log_delta, 1e-6);
    REQUIRE(a);
    REQUIRE(b);
    CHECK_REL(a->estimate, b->estimate, 1e-13);
  }
}

// Round trip: delta of both ends of epsilon's bracket lies on either side of the delta asked.
TEST_CASE("contour.epsilon.inverts_profile") {
  for (const double log_delta : {-1e-9, -0.01, -0.69, -0.7, -3.0, -40.0, -700.0, -2000.0})
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const pld::Terms terms = {sampled_gaussian(0.9, 0.03, 900, direction), sampled_gaussian(20, 1, 7, direction)};
      CAPTURE(log_delta);
      const auto epsilon = pld::contour_epsilon(terms, log_delta, 1e-6);
      REQUIRE(epsilon);
      CHECK(ordered(*epsilon));
      CHECK(epsilon->width() <= 1e-10 * (1 + std::fabs(epsilon->estimate)));
      const auto at_lower = pld::contour_profile(terms, epsilon->lower, 1e-6);
      const auto at_upper = pld::contour_profile(terms, epsilon->upper, 1e-6);
      REQUIRE(at_lower);
      REQUIRE(at_upper);
      CHECK(at_lower->log_delta.upper >= log_delta);
      CHECK(at_upper->log_delta.lower <= log_delta);
    }
}

// Anything may be handed over, nothing may fail.
TEST_CASE("contour.extremes.never_fail") {
  std::mt19937_64 random(20240607);
  const auto log_uniform = [&](double low, double high) {
    return std::exp(std::uniform_real_distribution<double>(std::log(low), std::log(high))(random));
  };
  int answered = 0;
  constexpr int cases = 60;
  for (int i = 0; i < cases; ++i) {
    pld::Terms terms;
    const Direction direction = i % 2 == 0 ? Direction::remove : Direction::add;
    for (int j = 0; j <= i % 3; ++j)
      terms.push_back(sampled_gaussian(log_uniform(0.05, 1e6), i % 7 == 0 ? 1 : log_uniform(1e-12, 1),
                                       static_cast<std::int64_t>(log_uniform(1, 1e12)), direction));
    const double log_delta = std::log(log_uniform(1e-300, 0.5));
    CAPTURE(i);
    if (const auto epsilon = pld::contour_epsilon(terms, log_delta, 1e-4)) {
      CHECK(ordered(*epsilon));
      ++answered;
    }
    const double epsilon = i % 4 == 0 ? -log_uniform(1e-3, 700) : log_uniform(1e-3, 1e5);
    if (const auto profile = pld::contour_profile(terms, epsilon, 1e-3)) {
      CHECK(ordered(profile->log_delta));
      CHECK(ordered(profile->log_complement));
      CHECK(profile->log_delta.upper <= 0);
      CHECK(profile->log_complement.upper <= 0);
    }
  }
  CHECK(answered > cases / 2);
}

// All added records lose -log(1 - q) at most. Next to that the tilt is so large that no cell resolves half of it.
TEST_CASE("contour.profile.ends_next_to_the_largest_loss") {
  const double epsilon = 0.3160815469734784;
  for (const double sigma : {0.25, 0.5, 2.0}) {
    CAPTURE(sigma);
    const pld::PiecePtr piece =
        pld::contour_piece({sampled_gaussian(sigma, 0.1, 3, Direction::add)}, epsilon, 1e-2, pld::Effort::quick);
    if (piece != nullptr) CHECK(ordered(piece->at(epsilon).log_delta));
  }
}
