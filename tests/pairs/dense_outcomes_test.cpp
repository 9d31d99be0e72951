// Noise on the whole numbers so wide that its outcomes are told by cells: each cell against the sum of its outcomes.

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "pld/mechanisms/discrete_gaussian.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/location_law.hpp"
#include "support/pair_checks.hpp"

namespace pld::test {
namespace {

/// A mixture of discrete Gaussian noise about some places.
struct ShiftedNoise {
  double sigma = 1;
  std::vector<std::pair<Real, double>> weights_and_places;

  [[nodiscard]] Real normaliser() const { return sigma * sqrt(2 * boost::math::constants::pi<Real>()); }
  [[nodiscard]] Real mass(double x) const {
    Real sum = 0;
    for (const auto& [weight, place] : weights_and_places) sum += weight * exp(-pow((x - place) / Real(sigma), 2) / 2);
    return sum / normaliser();
  }
  /// Of all x from first to before last: each term is the one before times a factor that itself falls by one factor.
  [[nodiscard]] Real sum(double first, double last) const {
    Real sum = 0;
    const Real rate = 1 / (Real(sigma) * Real(sigma)), fall = exp(-rate);
    for (const auto& [weight, place] : weights_and_places) {
      const Real y = first - place;
      Real term = weight * exp(-y * y * rate / 2), factor = exp(-(y + 0.5) * rate);
      for (double x = first; x < last; ++x) sum += term, term *= factor, factor *= fall;
    }
    return sum / normaliser();
  }
};

/// The law of two such mixtures, whose loss grows with the outcome.
Law law_of(const ShiftedNoise& p, const ShiftedNoise& q) {
  const auto first_above = [p, q](const Real& loss) {
    double low = -1e9, high = 1e9;
    while (high - low > 1) {
      const double middle = std::floor((low + high) / 2);
      (log(p.mass(middle) / q.mass(middle)) > loss ? high : low) = middle;
    }
    return high;
  };
  return [=](const Real& low, const Real& high) {
    const double first = first_above(low), last = first_above(high);
    return Masses{p.sum(first, last), q.sum(first, last)};
  };
}

struct Subject {
  PairPtr pair;
  ShiftedNoise p, q;
};

std::vector<Subject> subjects(double sigma, double s) {
  const double rate = 0.01;
  const Mechanism noise = DiscreteGaussian{.sigma = sigma, .sensitivity = s}, sample = poisson_sampled(noise, rate);
  const Real drawn(rate), left = 1 - drawn;
  const ShiftedNoise alone{sigma, {{1, 0}}}, mixed{sigma, {{left, 0}, {drawn, s}}},
      opposite{sigma, {{left, 0}, {drawn, -s}}},
      of_two{sigma, {{left * left, 0}, {2 * left * drawn, s}, {drawn * drawn, 2 * s}}};
  const Neighbours two(Relation::add_remove, 2);
  return {{noise.pair(Direction::remove), {sigma, {{1, s}}}, alone},
          {sample.pair(Direction::remove), mixed, alone},
          {sample.under(Relation::replace_one).pair(Direction::remove), mixed, opposite},
          {sample.under(two).pair(Direction::remove), of_two, alone}};
}

TEST_CASE("pairs.dense_outcomes.cells_are_the_sums_of_their_outcomes") {
  std::mt19937_64 random(7);
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  struct Case {
    double sigma, s, farthest;
  };
  for (const auto& [sigma, s, farthest] :
       {Case{1e4, 1, 6}, {1e4, 3e4, 6}, {4e4, 7, 6}, {1e6, 1, 6}, {1e4, 5e5, 150}, {1e4, 1, 150}}) {
    const std::vector<Subject> all = subjects(sigma, s);
    for (const Subject& subject : all) {
      if (farthest > 6 && &subject != &all.front()) break;  // samples' losses are flat so far out
      CAPTURE(sigma);
      CAPTURE(s);
      const Law law = law_of(subject.p, subject.q);
      REQUIRE(subject.pair->has_density());
      CHECK(subject.pair->atoms({}).empty());
      CHECK_FALSE(subject.pair->spacing().has_value());
      std::vector<double> edges;
      const double start = std::round(uniform(-farthest, farthest) * sigma);
      // Few outcomes, none, one, a hundred or so about where sums give way to integrals, and many.
      for (const double x : {0.0, 0.4, 0.7, 1.6, 30.6, 130.5, 231.5, 232.5, 4000.5, 30000.5}) {
        const double at = start + x;
        const double low = std::floor(at);
        const Real below = log(subject.p.mass(low) / subject.q.mass(low)),
                   above = log(subject.p.mass(low + 1) / subject.q.mass(low + 1));
        edges.push_back(static_cast<double>(below + (above - below) * (at - low)));
      }
      check_density(*subject.pair, law, edges);
    }
  }
}

// Of hundreds of outcomes tails are taken by integrals and what corrects them.
TEST_CASE("pairs.dense_outcomes.tails_are_the_sums_of_their_outcomes") {
  for (const double sigma : {49.5, 50.0, 77.7, 200.0, 999.0, 1000.0})
    for (const double s : {1.0, 9.0, std::floor(0.9 * sigma), std::ceil(1.5 * sigma)}) {
      const PairPtr pair = Mechanism(DiscreteGaussian{.sigma = sigma, .sensitivity = s}).pair(Direction::remove);
      const ShiftedNoise p{sigma, {{1, s}}}, q{sigma, {{1, 0}}};
      for (const double share : {0.51, 0.6, 1.3, 4.0, 0.029 * sigma, 0.031 * sigma}) {
        const double x = std::round(std::max(share * s, share * sigma));
        CAPTURE(sigma);
        CAPTURE(s);
        CAPTURE(x);
        const LossCell tail = pair->above(s / (sigma * sigma) * (x - 0.5 - 0.5 * s));
        const Real of_p = p.sum(x, x + s + 60 * sigma), of_q = q.sum(x, x + s + 60 * sigma);
        const auto close = [](double got, const Real& truth, double unit) {
          return static_cast<double>(abs(Real(got) - truth)) <= 16 * 0x1p-53 * unit;
        };
        const double reach = 1 + x * x / (2 * sigma * sigma) + s * s / (sigma * sigma);
        CHECK(close(tail.log_mass, log(of_p), reach));
        CHECK(close(tail.log_q_mass, log(of_q), reach));
        CHECK(close(tail.loss, log(of_p / of_q), s < sigma ? std::fabs(tail.loss) : reach));
      }
    }
}

}  // namespace
}  // namespace pld::test
