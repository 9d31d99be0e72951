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
#include "engines/contour/smoothed.hpp"
#include "pld/core/rounding.hpp"
#include "pld/formats/mechanism_text.hpp"
#include "support/checks.hpp"
#include "support/exact_profile.hpp"

namespace {
using pld::contour::DiscreteGaussianPart;
using pld::test::ExactAtom;
using pld::test::ExactProfile;
using pld::test::Real;

struct Noise {
  double sigma = 0;
  int shift = 0;

  [[nodiscard]] std::string text() const {
    return "discrete-gaussian:sigma=" + std::to_string(sigma) + ",sensitivity=" + std::to_string(shift);
  }
  [[nodiscard]] pld::PairPtr pair() const {
    return pld::release_of(pld::entry_from_text(text())).mechanism.pair(pld::Direction::remove);
  }
  [[nodiscard]] DiscreteGaussianPart part() const { return *DiscreteGaussianPart::of(*pair()); }
  [[nodiscard]] Real loss(int x) const { return Real(shift) * (2 * x - shift) / (2 * Real(sigma) * Real(sigma)); }
  /// P's mass, not divided by the sum of all.
  [[nodiscard]] Real weight(int x) const {
    return exp(-Real(x - shift) * (x - shift) / (2 * Real(sigma) * Real(sigma)));
  }
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

// Beside a small Gaussian release, two kinds and two of one, on no common lattice.
TEST_CASE("contour.discrete_gaussian.profiles_agree_with_all_outcomes") {
  const std::vector<std::vector<Noise>> compositions{
      {{2, 1}, {2.25, 1}}, {{3.5, 2}, {2.75, 1}}, {{2, 5}, {4.5, 3}}, {{2.5, 1}, {2.5, 1}, {3.25, 1}}};
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
      CHECK(found.lower <= truth + cut);
      CHECK(truth - cut <= found.upper);
      ++all;
      narrow += found.width() <= 1e-4 ? 1 : 0;
    }
  }
  CHECK(narrow >= all - 2);
}
