// Whole compositions against 50-digit sums that know the mechanisms' definitions and nothing of the engines: any number of
// releases with finitely many outcomes and one with continuous noise, sampled or not, in either direction. With outcomes of
// probability p_i, q_i and a release of profile delta, the composition's is sum p_i delta(eps - log(p_i/q_i)).

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <string>

#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/exact_laws.hpp"
#include "support/exact_noise.hpp"

namespace {

using namespace pld::test;
using pld::Direction;

class Problem {
 public:
  Problem(std::uint64_t seed, std::size_t most_outcomes) : random_(seed) {
    direction_ = random_() % 2 == 0 ? Direction::remove : Direction::add;
    for (auto parts = static_cast<int>(random_() % 3); parts >= 0; --parts) add_finite(most_outcomes);
    if (random_() % 2 == 0) add_noise();
    log_delta_ = uniform(std::log(1e-30), std::log(0.5));
  }

  [[nodiscard]] const pld::Composition& run() const { return run_; }
  [[nodiscard]] pld::DirectionChoice direction() const {
    return direction_ == Direction::remove ? pld::DirectionChoice::remove : pld::DirectionChoice::add;
  }
  [[nodiscard]] double delta() const { return std::exp(log_delta_); }

  /// delta(epsilon), to some 45 digits of the largest term.
  [[nodiscard]] Real profile(const Real& epsilon) const {
    Real sum = 0;
    for (const auto& [p, q] : outcomes_) {
      if (p == 0) continue;
      if (q == 0) {
        sum += p;
      } else {
        const Real left = epsilon - log(p / q);
        sum += p * (noise_ ? (*noise_)(left) : left < 0 ? Real(-expm1(left)) : Real(0));
      }
    }
    return sum > 1e-45 ? sum : Real(0);  // below are the roundings of 50 digits
  }
  [[nodiscard]] Real mass_at_infinity() const {
    Real mass = 0;
    for (const auto& [p, q] : outcomes_) mass += q == 0 ? p : Real(0);
    return mass;
  }
  [[nodiscard]] std::string text() const {
    std::string out = std::string(pld::name(direction_)) + " delta " + digits(delta());
    for (const pld::Release& r : run_.releases()) out += " " + r.mechanism.text() + ",count=" + std::to_string(r.count);
    return out;
  }

 private:
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  double log_uniform(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  double rate() { return random_() % 2 == 0 ? 1 : log_uniform(1e-4, 0.9); }

  struct Finite {
    pld::Mechanism mechanism;
    Outcomes outcomes;
  };
  Finite finite() {
    const auto shift = static_cast<int>(1 + random_() % 3);
    switch (random_() % 4) {
      case 0: {
        const double p = uniform(0.5, 0.99);
        return {pld::RandomizedResponse{.p = p}, randomized_response(p)};
      }
      case 1: {
        const double epsilon = log_uniform(0.01, 3), delta = random_() % 3 == 0 ? 0 : log_uniform(1e-25, 1e-3);
        return {pld::ApproximateDp{.epsilon = epsilon, .delta = delta}, leaky(epsilon, delta)};
      }
      case 2: {
        const double a = log_uniform(0.05, 2);
        return {pld::DiscreteLaplace{.a = a, .sensitivity = static_cast<double>(shift)}, discrete_laplace(a, shift)};
      }
      default: {
        const double sigma = log_uniform(0.5, 1.5);
        const auto reach = static_cast<int>(std::ceil(13 * sigma)) + shift;  // what is left out weighs e^-84
        return {pld::DiscreteGaussian{.sigma = sigma, .sensitivity = static_cast<double>(shift)},
                discrete_gaussian(sigma, shift, reach)};
      }
    }
  }

  void add_finite(std::size_t most_outcomes) {
    const Finite one = finite();
    const double q = rate();
    const Outcomes law = q < 1 || direction_ == Direction::add ? sampled(one.outcomes, q, direction_) : one.outcomes;
    std::int64_t count = 1;
    Outcomes repeats = law;
    while (repeats.size() * outcomes_.size() * law.size() <= 4 * most_outcomes && random_() % 4 != 0)
      repeats = repeated(law, ++count);
    if (repeats.size() * outcomes_.size() > most_outcomes) return;
    outcomes_ = composed(outcomes_, repeats);
    run_.add(q < 1 ? pld::poisson_sampled(one.mechanism, q) : one.mechanism, count);
  }

  void add_noise() {
    const double q = rate(), scale = log_uniform(0.4, 30);
    const auto take = [&](const pld::Mechanism& mechanism, const Profile& profile) {
      run_.add(q < 1 ? pld::poisson_sampled(mechanism, q) : mechanism);
      noise_ = sampled(profile, q, direction_);
    };
    switch (random_() % 3) {
      case 0: return take(pld::Gaussian{.sigma = scale}, gaussian_profile(scale));
      case 1: return take(pld::Laplace{.scale = scale}, laplace_profile(scale));
      default: return take(pld::Logistic{.scale = scale}, logistic_profile(scale));
    }
  }

  std::mt19937_64 random_;
  Direction direction_;
  Outcomes outcomes_{{1, 1}};
  std::optional<Profile> noise_;
  pld::Composition run_;
  double log_delta_;
};

struct Tally {
  int asked = 0, wider = 0, unbounded = 0;
};

void check(const Problem& problem, Tally& tally) {
  INFO(problem.text());
  ++tally.asked;
  const double tolerance = 1e-4;
  const pld::Answer epsilon =
      pld::epsilon(problem.run(), {.delta = problem.delta(), .tolerance = tolerance, .direction = problem.direction()});
  tally.wider += !epsilon.converged;
  CHECK(epsilon.lower <= epsilon.estimate);
  CHECK(epsilon.estimate <= epsilon.upper);
  if (std::isinf(epsilon.estimate)) {
    CHECK(problem.mass_at_infinity() >= Real(problem.delta()) * (1 - Real(1e-13)));
    ++tally.unbounded;
    return;
  }
  // delta(lower) >= delta >= delta(upper), which is what being the smallest epsilon means. exp(log delta) is a double.
  if (epsilon.lower > -pld::infinity)
    CHECK_MESSAGE(problem.profile(epsilon.lower) >= Real(problem.delta()), "lower ", digits(epsilon.lower));
  CHECK_MESSAGE(problem.profile(epsilon.upper) <= Real(problem.delta()), "upper ", digits(epsilon.upper));

  // Further in: at a largest loss no digit of delta is certain.
  const double inside = epsilon.estimate > 0 ? 0.9 * epsilon.estimate : 1.1 * epsilon.estimate;
  const pld::DeltaAnswer delta =
      pld::delta(problem.run(), {.epsilon = inside, .tolerance = 10 * tolerance, .direction = problem.direction()});
  tally.wider += !delta.converged;
  const Real truth = problem.profile(inside);
  CHECK_MESSAGE(Real(delta.lower) <= truth, "delta ", digits(delta.lower), " at epsilon ", digits(inside));
  CHECK_MESSAGE(truth <= Real(delta.upper), "delta ", digits(delta.upper), " at epsilon ", digits(inside));
}

void check_random(std::uint64_t first_seed, int problems, std::size_t most_outcomes) {
  Tally tally;
  for (int i = 0; i < problems; ++i) check(Problem(first_seed + static_cast<std::uint64_t>(i), most_outcomes), tally);
  MESSAGE("compositions ", tally.asked, ", brackets wider than the tolerance (of two each) ", tally.wider, ", epsilon infinite ", tally.unbounded);
  CHECK(tally.wider <= problems / 10);  // of two questions each
  CHECK(tally.unbounded <= problems / 4);
}

}  // namespace

TEST_CASE("validation.oracle.brackets_hold_50_digit_sums") { check_random(1, 300, 60); }

TEST_CASE("validation.oracle.brackets_hold_50_digit_sums_10000" * doctest::test_suite("slow")) { check_random(1000, 10'000, 200); }
