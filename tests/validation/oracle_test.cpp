// Whole compositions against 50-digit sums that know the mechanisms' definitions and nothing of the engines: any number
// of releases with finitely many outcomes and one with continuous noise, on all data, on Poisson samples or on batches
// without replacement, in either direction, under add-remove or replace-one. With outcomes of probability p_i, q_i and
// a release of profile delta, the composition's is sum p_i delta(eps - log(p_i/q_i)).

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

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
    if (random_() % 4 == 0) run_ = pld::Composition(pld::Relation::replace_one);
    for (auto parts = static_cast<int>(random_() % 3); parts >= 0; --parts) add_finite(most_outcomes);
    if (random_() % 2 == 0) add_noise();
    // Mostly above the mass at infinity, where epsilon is finite.
    const double least = random_() % 4 == 0 ? 0 : std::min(0.4, static_cast<double>(mass_at_infinity()));
    log_delta_ = uniform(std::log(std::max(1e-30, least)), std::log(0.5));
  }

  [[nodiscard]] const pld::Composition& run() const { return run_; }
  [[nodiscard]] pld::DirectionChoice direction() const {
    return direction_ == Direction::remove ? pld::DirectionChoice::remove : pld::DirectionChoice::add;
  }
  [[nodiscard]] double delta() const { return std::exp(log_delta_); }

  /// delta(epsilon) of what the pairs compose to.
  [[nodiscard]] Real profile(const Real& epsilon) const { return profile_of(outcomes_, noise_, epsilon); }

  /// delta(epsilon) of real neighbours: where a sample of replaced records is not attained, those of which one
  /// contributes nothing.
  [[nodiscard]] Real attained(const Real& epsilon) const { return profile_of(real_outcomes_, real_noise_, epsilon); }
  [[nodiscard]] Real mass_at_infinity() const { return profile(2000); }
  [[nodiscard]] std::string text() const {
    std::string out =
        std::string(pld::name(run_.relation())) + " " + pld::name(direction_) + " delta " + digits(delta());
    for (const pld::Release& r : run_.releases()) out += " " + r.mechanism.text() + ",count=" + std::to_string(r.count);
    return out;
  }

 private:
  /// To some 45 digits of the largest term.
  static Real profile_of(const Outcomes& outcomes, const std::optional<Profile>& noise, const Real& epsilon) {
    Real sum = 0;
    for (const auto& [p, q] : outcomes) {
      if (p == 0) continue;
      if (q == 0) {
        sum += p;
      } else {
        const Real left = epsilon - log(p / q);
        sum += p * (noise ? (*noise)(left) : left < 0 ? Real(-expm1(left)) : Real(0));
      }
    }
    return sum > 1e-45 ? sum : Real(0);  // below are the roundings of 50 digits
  }

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  double log_uniform(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  int whole(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool replacing() const { return run_.relation() == pld::Relation::replace_one; }

  struct Sampling {
    double rate = 1;
    bool batch = false;
  };
  /// Batches, and most Poisson samples under replace-one, take what is known of a replaced record in either order.
  Sampling sampling(bool replaceable, bool batches_only = false) {
    if ((replacing() && !replaceable) || random_() % 2 == 0) return {};
    return {log_uniform(1e-4, 0.9), replaceable && (batches_only || random_() % 3 == 0)};
  }
  static pld::Mechanism on(const Sampling& sampling, const pld::Mechanism& mechanism) {
    if (sampling.rate == 1) return mechanism;
    return sampling.batch ? pld::without_replacement(mechanism, sampling.rate)
                          : pld::poisson_sampled(mechanism, sampling.rate);
  }

  /// A mechanism and its pair: of an added record, and of a replaced one where a theorem gives that.
  struct Finite {
    pld::Mechanism mechanism;
    Outcomes added, replaced{};
    bool replaceable = true;                          ///< to a sample: by a theorem, and in either order
    std::function<Outcomes(double rate)> opposite{};  ///< the replaced Poisson sample, where it has a pair of its own
  };
  static Finite integer(const pld::Mechanism& mechanism, const std::vector<Real>& masses, int shift, bool symmetric) {
    return {mechanism, moved(masses, shift), symmetric ? moved(masses, 2 * shift) : Outcomes{}};
  }

  /// Few outcomes, one of them perhaps of the first law alone and one of the second.
  Finite table() {
    const int cells = whole(2, 5);
    std::vector<double> p, q;
    double p_sum = 0, q_sum = 0;
    for (int i = 0; i < cells; ++i) {
      p.push_back(i == 0 && random_() % 3 == 0 ? 0 : log_uniform(1e-3, 1));
      q.push_back(i == 1 && random_() % 3 == 0 ? 0 : log_uniform(1e-3, 1));
      p_sum += p.back();
      q_sum += q.back();
    }
    for (int i = 0; i < cells; ++i) p[i] /= p_sum, q[i] /= q_sum;
    Real p_total = 0, q_total = 0;  // of the rounded ones: the mechanism divides by it
    for (int i = 0; i < cells; ++i) p_total += p[i], q_total += q[i];
    Outcomes pair;
    for (int i = 0; i < cells; ++i) pair.push_back({p[i] / p_total, q[i] / q_total});
    // Replaced it counts in either order, which the enumeration of neighbours tests.
    return {pld::MassTable{.p = p, .q = q}, pair, {}, false};
  }

  /// Poisson differences of variance up to 0.44: beyond there is e^-112, 1e-19 of the smallest delta asked for.
  static constexpr int poisson_reach = 28;

  Finite finite() {
    const int shift = whole(1, 3);
    switch (random_() % 9) {
      case 0: {
        const double p = uniform(0.5, 0.99);
        const Outcomes pair = randomized_response(p);
        return {pld::RandomizedResponse{.p = p}, pair, pair};
      }
      case 1: {
        const double epsilon = log_uniform(0.01, 3), delta = random_() % 3 == 0 ? 0 : log_uniform(1e-25, 1e-3);
        const Outcomes pair = leaky(epsilon, delta);
        return {pld::ApproximateDp{.epsilon = epsilon, .delta = delta}, pair, pair, false};
      }
      case 2: {
        const double a = log_uniform(0.05, 2);
        return {pld::DiscreteLaplace{.a = a, .sensitivity = static_cast<double>(shift)}, discrete_laplace(a, shift),
                discrete_laplace(a, 2 * shift), true,
                [=](double rate) { return opposite_discrete_laplace(a, shift, rate); }};
      }
      case 3: {
        const double p = uniform(0.1, 0.95);
        const int k = whole(3, 6);
        const Outcomes pair = randomized_response(p, k);
        return {pld::RandomizedResponse{.p = p, .k = static_cast<double>(k)}, pair, pair};
      }
      case 4:
        return table();
      case 5: {
        const int n = whole(1, 20);
        const bool fair = random_() % 2 == 0;
        const double p = fair ? 0.5 : uniform(0.1, 0.9);
        const auto masses = binomial_masses(n, p);
        Finite one =
            integer(pld::Binomial{.n = static_cast<double>(n), .sensitivity = static_cast<double>(shift), .p = p},
                    masses, shift, fair);
        if (fair) one.opposite = [=](double rate) { return opposite_bounded_sample(masses, shift, rate); };
        return one;
      }
      case 6: {
        const double variance = log_uniform(0.05, 0.4);
        const auto masses = poisson_difference_masses(variance / 2, variance / 2, poisson_reach);
        Finite one =
            integer(pld::Skellam{.variance = variance, .sensitivity = static_cast<double>(shift)}, masses, shift, true);
        one.opposite = [=](double rate) { return opposite_sample(masses, shift, rate); };
        return one;
      }
      case 7: {
        const double plus = log_uniform(0.05, 0.2), minus = plus * log_uniform(0.2, 1.2);
        return integer(pld::PoissonDifference{.plus = plus, .minus = minus, .sensitivity = static_cast<double>(shift)},
                       poisson_difference_masses(plus, minus, poisson_reach), shift, false);
      }
      default: {
        const double sigma = log_uniform(0.5, 1.5);
        const auto reach = static_cast<int>(std::ceil(14 * sigma)) + 2 * shift;  // what is left out weighs e^-117
        return {pld::DiscreteGaussian{.sigma = sigma, .sensitivity = static_cast<double>(shift)},
                discrete_gaussian(sigma, shift, reach), discrete_gaussian(sigma, 2 * shift, reach), true,
                [=](double rate) { return opposite_sample(discrete_gaussian_masses(sigma, reach), shift, rate); }};
      }
    }
  }

  void add_finite(std::size_t most_outcomes) {
    const Finite one = finite();
    const Sampling how = sampling(one.replaceable && !one.replaced.empty());
    Outcomes law = replacing() || how.batch ? one.replaced : one.added;
    if (law.empty()) return;
    if (replacing() && how.rate < 1) {
      law = one.opposite && !how.batch ? one.opposite(how.rate) : sampled_both_ways(law, how.rate);
    } else {
      if (how.batch && direction_ == Direction::add) law = swapped(law);  // (P, (1-g) P + g Q)
      if (how.rate < 1 || direction_ == Direction::add) law = sampled(law, how.rate, direction_);
    }
    std::int64_t count = 1;
    Outcomes repeats = law;
    while (repeats.size() * outcomes_.size() * law.size() <= 4 * most_outcomes && random_() % 4 != 0)
      repeats = repeated(law, ++count);
    if (repeats.size() * outcomes_.size() > most_outcomes) return;
    outcomes_ = composed(outcomes_, repeats);
    const Outcomes real = replacing() && how.rate < 1 && (how.batch || !one.opposite)
                              ? sampled(one.added, how.batch ? 0 : how.rate, Direction::remove)
                              : law;
    real_outcomes_ = composed(real_outcomes_, repeated(real, count));
    run_.add(on(how, one.mechanism), count);
  }

  /// Noise of this scale and the profile of a query that moves by `sensitivity`, of which there is none where it is
  /// refused.
  struct Noise {
    pld::Mechanism mechanism;
    std::function<Profile(double sensitivity)> profile;
    bool symmetric = true;
  };
  Noise noise() {
    const double scale = log_uniform(0.4, 30);
    // Fewer of those whose losses the library inverts numerically: they take some 0.3 s.
    switch (std::discrete_distribution<int>{8, 6, 1, 1, 1, 5, 1, 5}(random_)) {
      case 0:
        return {pld::Gaussian{.sigma = scale}, [=](double s) { return gaussian_profile(scale / s); }};
      case 1:
        return {pld::Laplace{.scale = scale}, [=](double s) { return laplace_profile(scale / s); }};
      case 2:
        return {pld::Logistic{.scale = scale}, [=](double s) { return logistic_profile(scale / s); }};
      case 3:
        return {pld::GeneralizedGaussian{.shape = 1, .scale = scale},
                [=](double s) { return laplace_profile(scale / s); }};
      case 4:
        return {pld::GeneralizedGaussian{.shape = 4, .scale = scale},
                [=](double s) { return quartic_profile(scale / s); }};
      case 5: {
        const double bound = scale * uniform(2, 40);
        return {pld::TruncatedLaplace{.scale = scale, .bound = bound},
                [=](double s) { return truncated_laplace_profile(scale / s, bound / s); }};
      }
      case 6: {
        const double a = scale * log_uniform(1, 4);
        return {pld::SinhNormal{.sigma = scale, .a = a},
                [=](double s) { return sinh_normal_profile(scale / s, a / s); }};
      }
      default: {
        const std::vector<double> shifts{uniform(0.1, 1), uniform(1, 3)}, weights{0.75, 0.25};
        return {pld::GaussianMixture{.sigma = scale, .shifts = shifts, .weights = weights},
                [=, this](double) { return mixture_profile(scale, shifts, weights, direction_); }, false};
      }
    }
  }

  void add_noise() {
    const Noise one = noise();
    if (replacing() && !one.symmetric) return;
    const Sampling how = sampling(one.symmetric, replacing());
    run_.add(on(how, one.mechanism));
    const Profile base = one.profile(replacing() || how.batch ? 2 : 1);
    if (how.rate == 1) {
      noise_ = real_noise_ = base;
    } else if (replacing()) {
      noise_ = sampled_both_ways(base, how.rate);
    } else {
      noise_ = real_noise_ = sampled(base, how.rate, direction_);
    }
  }

  std::mt19937_64 random_;
  Direction direction_;
  Outcomes outcomes_{{1, 1}}, real_outcomes_{{1, 1}};
  std::optional<Profile> noise_, real_noise_;
  pld::Composition run_;
  double log_delta_;
};

struct Tally {
  int asked = 0, wider = 0, unbounded = 0;
};

/// Returns the engine that told epsilon.
pld::Engine check(const Problem& problem, pld::Engine engine, Tally& tally) {
  INFO(problem.text(), " by ", pld::name(engine));
  ++tally.asked;
  const double tolerance = 1e-4;
  const pld::Answer epsilon = pld::epsilon(
      problem.run(),
      {.delta = problem.delta(), .tolerance = tolerance, .direction = problem.direction(), .engine = engine});
  tally.wider += !epsilon.converged;
  CHECK(epsilon.lower <= epsilon.estimate);
  CHECK(epsilon.estimate <= epsilon.upper);
  if (std::isinf(epsilon.estimate)) {
    CHECK(problem.mass_at_infinity() >= Real(problem.delta()) * (1 - Real(1e-13)));
    ++tally.unbounded;
    return epsilon.engine;
  }
  // delta(lower) >= delta >= delta(upper), which is what being the smallest epsilon means. exp(log delta) is a double.
  if (epsilon.lower > -pld::infinity)
    CHECK_MESSAGE(problem.profile(epsilon.lower) >= Real(problem.delta()), "lower ", digits(epsilon.lower));
  // Of pairs that only dominate another bound may be below theirs, not below real neighbours.
  const auto least = [&](const Real& at) {
    return problem.run().is_exact() ? problem.profile(at) : problem.attained(at);
  };
  CHECK_MESSAGE(least(epsilon.upper) <= Real(problem.delta()), "upper ", digits(epsilon.upper));

  // Further in: at a largest loss no digit of delta is certain.
  const double inside = epsilon.estimate > 0 ? 0.9 * epsilon.estimate : 1.1 * epsilon.estimate;
  const pld::DeltaAnswer delta =
      pld::delta(problem.run(),
                 {.epsilon = inside, .tolerance = 10 * tolerance, .direction = problem.direction(), .engine = engine});
  tally.wider += !delta.converged;
  const Real truth = problem.profile(inside);
  CHECK_MESSAGE(Real(delta.lower) <= truth, "delta ", digits(delta.lower), " at epsilon ", digits(inside));
  CHECK_MESSAGE(least(inside) <= Real(delta.upper), "delta ", digits(delta.upper), " at epsilon ", digits(inside));
  return epsilon.engine;
}

void check_random(std::uint64_t first_seed, int problems, std::size_t most_outcomes) {
  Tally tally;
  for (int i = 0; i < problems; ++i) {
    const Problem problem(first_seed + static_cast<std::uint64_t>(i), most_outcomes);
    if (check(problem, pld::Engine::automatic, tally) == pld::Engine::closed_form)
      check(problem, pld::Engine::lattice, tally);
  }
  MESSAGE("asked ", tally.asked, ", brackets wider than the tolerance (of two each) ", tally.wider,
          ", epsilon infinite ", tally.unbounded);
  CHECK(tally.wider <= problems / 10);  // of two questions each
  CHECK(tally.unbounded <= problems / 4);
}

}  // namespace

TEST_CASE("validation.oracle.brackets_hold_50_digit_sums") { check_random(1, 120, 60); }

TEST_CASE("validation.oracle.brackets_hold_50_digit_sums_10000" * doctest::test_suite("slow")) {
  check_random(1000, 10'000, 200);
}
