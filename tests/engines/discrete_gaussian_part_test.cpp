// Discrete Gaussian noise in the contour engine: its moments at complex powers against sums over the outcomes in 50
// digits, and profiles of a few releases against all their outcomes.
#include "engines/contour/discrete_gaussian_part.hpp"

#include <doctest/doctest.h>

#include <boost/math/constants/constants.hpp>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "engines/contour/contour.hpp"
#include "engines/contour/grain.hpp"
#include "engines/contour/smoothed.hpp"
#include "pld/core/rounding.hpp"
#include "pld/formats/mechanism_text.hpp"
#include "support/checks.hpp"
#include "support/exact_profile.hpp"

namespace {
using pld::contour::DiscreteGaussianPart;
using pld::contour::SampledRatio;
using pld::test::ExactAtom;
using pld::test::ExactProfile;
using pld::test::Real;

struct Noise {
  double sigma = 0;
  int shift = 0;
  double q = 1;

  [[nodiscard]] std::string text() const {
    return "discrete-gaussian:sigma=" + std::to_string(sigma) + ",sensitivity=" + std::to_string(shift) +
           (q < 1 ? ",q=" + std::to_string(q) : "");
  }
  [[nodiscard]] pld::PairPtr pair() const {
    return pld::release_of(pld::entry_from_text(text())).mechanism.pair(pld::Direction::remove);
  }
  [[nodiscard]] DiscreteGaussianPart part() const { return *DiscreteGaussianPart::of(*pair()); }
  [[nodiscard]] Real loss(int x) const {
    const Real whole = Real(shift) * (2 * x - shift) / (2 * Real(sigma) * Real(sigma));
    return q < 1 ? Real(log(1 - Real(q) + Real(q) * exp(whole))) : whole;
  }
  /// P's mass, not divided by the sum of all.
  [[nodiscard]] Real weight(int x) const { return exp(loss(x) - Real(x) * x / (2 * Real(sigma) * Real(sigma))); }
};

struct Complex {
  Real re = 0, im = 0;

  [[nodiscard]] Real size() const { return sqrt(re * re + im * im); }
};

/// M(lambda + is) / M(lambda), outcome by outcome up to e^-130 of the likeliest.
Complex ratio_of(const Noise& noise, double lambda, double s) {
  const int centre = static_cast<int>(std::lround(noise.shift * (1 + lambda))),
            reach = static_cast<int>(std::ceil(17 * noise.sigma));
  Complex sum;
  Real mass = 0;
  for (int x = centre - reach; x <= centre + reach; ++x) {
    const Real loss = noise.loss(x), here = noise.weight(x) * exp(Real(lambda) * loss);
    mass += here;
    sum.re += here * cos(Real(s) * loss);
    sum.im += here * sin(Real(s) * loss);
  }
  return {sum.re / mass, sum.im / mass};
}

/// How far from the truth a ratio may be.
double allowed(const DiscreteGaussianPart::Ratio& ratio) { return ratio.error + std::expm1(ratio.rounding); }

constexpr double digits = 1e-45;  ///< that sums of 50 do not have

const std::vector<Noise> noises{{2, 1}, {2.25, 3}, {3.5, 1}, {3.5, 9}, {11.5, 2}};
}  // namespace

TEST_CASE("contour.discrete_gaussian.moments_agree_with_50_digits") {
  std::mt19937 random(20261127);
  double widest = 0;
  for (const Noise& noise : noises) {
    const DiscreteGaussianPart part = noise.part();
    for (int draw = 0; draw < 60; ++draw) {
      const double lambda = std::uniform_real_distribution(-3.0, 6.0)(random);
      // Everywhere in three periods, and next to the middles where two terms may cancel.
      double periods = std::uniform_real_distribution(0.0, 3.0)(random);
      if (draw % 3 == 0) periods = std::floor(periods) + 0.5 + std::uniform_real_distribution(-1e-2, 1e-2)(random);
      if (draw % 3 == 1) periods *= 0.1;
      const double s = periods * part.period();
      const auto found = part.at(lambda, s);
      const Complex truth = ratio_of(noise, lambda, s);
      const Real size = exp(Real(found.log_size));
      const Complex off{truth.re / size - cos(Real(found.phase)), truth.im / size - sin(Real(found.phase))};
      CAPTURE(noise.text());
      CAPTURE(lambda);
      CAPTURE(periods);
      CHECK(static_cast<double>(size * off.size()) <= static_cast<double>(size) * allowed(found) + digits);
      if (draw % 3 == 1) widest = std::max(widest, allowed(found));
    }
  }
  CHECK(widest < 1e-12);
}

TEST_CASE("contour.discrete_gaussian.decay_bounds_all_nodes_between") {
  std::mt19937 random(5);
  for (const Noise& noise : noises) {
    const DiscreteGaussianPart part = noise.part();
    for (int draw = 0; draw < 20; ++draw) {
      const double lambda = std::uniform_real_distribution(-3.0, 6.0)(random);
      const double until = std::uniform_real_distribution(0.05, 1.1)(random) * part.period(),
                   from = std::uniform_real_distribution(0.0, 1.0)(random) * until, bound = part.log_decay(from, until);
      CAPTURE(noise.text());
      for (const double share : {0.0, 0.3, 0.7, 1.0})
        CHECK(static_cast<double>(ratio_of(noise, lambda, from + share * (until - from)).size()) <=
              std::exp(bound) + digits);
      // A sixth of a period away from where it comes back the bound is next to what is there.
      if (until < 0.5 * part.period() && from > 0.1 * part.period())
        CHECK(bound < std::log(3.0) + part.at(lambda, from).log_size);
    }
    CHECK(part.log_decay(0.2 * part.period(), 1.01 * part.period()) == 0);
  }
}

TEST_CASE("contour.discrete_gaussian.is_taken_from_two_on") {
  CHECK_FALSE(DiscreteGaussianPart::of(*Noise{1.99, 1}.pair()));
  CHECK_FALSE(DiscreteGaussianPart::of(
      *pld::release_of(pld::entry_from_text("gaussian:sigma=5")).mechanism.pair(pld::Direction::remove)));
}

/// E r^{rho + is} of a sampled Gaussian's ratio over the multiples of `grain`, as an integral's rule where that is
/// small.
Complex moment_of(const SampledRatio& ratio, double grain, double rho, double s) {
  Complex sum;
  const int reach = static_cast<int>(18 / grain);
  for (int i = -reach; i <= reach; ++i) {
    const Real x = Real(i) * Real(grain), y = Real(ratio.mu) * (x - Real(ratio.mu) / 2);
    const Real log_r = log(1 - Real(ratio.q) + Real(ratio.q) * exp(y)), size = exp(Real(rho) * log_r - x * x / 2);
    sum.re += size * cos(Real(s) * log_r), sum.im += size * sin(Real(s) * log_r);
  }
  const Real scale = Real(grain) / sqrt(boost::math::constants::two_pi<Real>());
  return {sum.re * scale, sum.im * scale};
}

// Grains so coarse that the difference can be seen, as none that is taken is.
TEST_CASE("contour.discrete_gaussian.samples_are_as_far_off_an_integral_as_is_said") {
  int seen = 0;
  for (const SampledRatio& ratio : {SampledRatio{1, 0.1}, SampledRatio{0.25, 0.01}, SampledRatio{2, 0.5}})
    for (const double grain : {1.0, 0.5, 0.25})
      for (const double rho : {2.5, 0.5, -3.0}) {
        constexpr double fine = 1.0 / 32;
        const Complex real = moment_of(ratio, fine, rho, 0), whole = moment_of({ratio.mu, 0}, grain, 0, 0);
        const pld::contour::Body body{.cell_width = 0.25, .first_cell = -60, .last_cell = 72};
        for (const double s : {0.0, 1.0, 4.0}) {
          const Complex sum = moment_of(ratio, grain, rho, s), integral = moment_of(ratio, fine, rho, s);
          const Complex off{sum.re / whole.re - integral.re, sum.im / whole.re - integral.im};
          const double bound =
                           pld::contour::log_grain_error(ratio, body, grain, rho, s, static_cast<double>(log(real.re))),
                       found = static_cast<double>(log(off.size() / real.re));
          CAPTURE(ratio.mu);
          CAPTURE(grain);
          CAPTURE(rho);
          CAPTURE(s);
          CHECK(found <= bound);
          seen += found > -60 && bound < found + 8 ? 1 : 0;
        }
      }
  CHECK(seen > 25);
  // What a body leaves out counts, on either side: of it half the tilted mass where it ends in its middle.
  const SampledRatio ratio{1, 0.1};
  const double log_moment = static_cast<double>(log(moment_of(ratio, 1.0 / 32, 2.5, 0).re));
  for (const pld::contour::Body& half : {pld::contour::Body{0.25, -60, 0}, pld::contour::Body{0.25, 0, 72}})
    CHECK(pld::contour::log_grain_error(ratio, half, 0.01, 2.5, 0, log_moment) > std::log(0.5));
}

TEST_CASE("contour.discrete_gaussian.samples_are_taken_where_the_grain_is_fine") {
  const auto grained = [](const std::string& text) {
    return pld::contour::grained_law(*pld::release_of(pld::entry_from_text(text)).mechanism.pair(pld::Direction::add));
  };
  CHECK_FALSE(grained("discrete-gaussian:sigma=6,q=.1"));
  CHECK_FALSE(grained("discrete-gaussian:sigma=100"));
  CHECK_FALSE(grained("gaussian:sigma=100,q=.1"));
  const auto law = grained("discrete-gaussian:sigma=80,sensitivity=20,q=.1");
  REQUIRE(law);
  CHECK(law->grain == 1.0 / 80);
  CHECK(law->law.mu == 0.25);
  CHECK(law->law.q == 0.1);
  CHECK(law->law.direction == pld::Direction::add);
}

// Beside a small Gaussian release, two kinds and two of one, on no common lattice.
TEST_CASE("contour.discrete_gaussian.profiles_agree_with_all_outcomes") {
  const std::vector<std::vector<Noise>> compositions{
      {{2, 1}, {2.25, 1}},           {{3.5, 2}, {2.75, 1}},   {{2, 5}, {4.5, 3}}, {{2.5, 1}, {2.5, 1}, {3.25, 1}},
      {{20, 1, 0.25}, {19, 1, 0.5}}, {{20, 1, 0.125}, {4, 1}}};
  int narrow = 0, all = 0;
  for (const std::vector<Noise>& composition : compositions) {
    std::vector<ExactAtom> atoms{{0, 1}};
    pld::Terms terms;
    for (const Noise& noise : composition) {
      terms.push_back({noise.pair(), 1});
      const double deviations = composition.size() > 2 ? 7.5 : 12;
      const int reach = static_cast<int>(std::ceil(deviations * noise.sigma));
      Real mass = 0;
      for (int x = -reach; x <= reach; ++x) mass += noise.weight(noise.shift + x);
      std::vector<ExactAtom> next;
      for (const ExactAtom& atom : atoms)
        for (int x = noise.shift - reach; x <= noise.shift + reach; ++x)
          next.push_back({atom.loss + noise.loss(x), atom.mass * noise.weight(x) / mass});
      atoms = std::move(next);
    }
    const ExactProfile exact(std::move(atoms));
    for (const double epsilon : {-0.7, 0.0, 0.31, 1.0, 2.2}) {
      const auto piece = pld::smoothed_piece(terms, {.epsilon = epsilon, .width = 1e-4}, pld::Effort::thorough);
      REQUIRE(piece);
      const pld::Bracket found = piece->at(epsilon).log_delta;
      CAPTURE(composition.front().text());
      CAPTURE(epsilon);
      // What is left out beyond 7.5 deviations of three is 1e-12 of all.
      const double truth = static_cast<double>(log(exact(epsilon))), cut = composition.size() > 2 ? 1e-8 : 1e-14;
      if (truth < -60) continue;  // beyond what is enumerated
      CHECK(found.lower <= truth + cut);
      CHECK(truth - cut <= found.upper);
      ++all;
      narrow += found.width() <= 1e-4 ? 1 : 0;
    }
  }
  CHECK(all > 20);
  CHECK(narrow >= all - 2);
}
