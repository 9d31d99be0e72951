// The bounds know the mechanisms' parameters only, the engines their loss distributions only: agreement means
// something.

#include <cstdlib>
#include <map>
#include <random>

#include "pld/bounds/bound.hpp"
#include "pld/bounds/dp_guarantee.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace b = pld::bounds;

namespace {

class RandomQueries {
 public:
  explicit RandomQueries(std::uint64_t seed) : random_(seed) {}

  /// One to four kinds of step, of any mechanism, a third of them sampled; delta from 1e-30 to 1e-1.
  b::BoundQuery next() {
    b::BoundQuery query;
    const std::size_t kinds = 1 + random_() % 4;
    for (std::size_t i = 0; i < kinds; ++i) query.steps.push_back(step());
    query.delta = log_uniform(1e-30, 1e-1);
    return query;
  }

 private:
  double log_uniform(double low, double high) {
    return low * std::pow(high / low, std::uniform_real_distribution<double>(0, 1)(random_));
  }

  double sensitivity() { return 1 + static_cast<double>(random_() % 3); }

  b::Step step() {
    b::Step step;
    switch (random_() % 6) {
      case 0:
        step.mechanism = pld::Gaussian{.sigma = log_uniform(0.5, 100)};
        break;
      case 1:
        step.mechanism = pld::Laplace{.scale = log_uniform(0.5, 100)};
        break;
      case 2: {
        const double k = 1 + sensitivity();
        step.mechanism = pld::RandomizedResponse{.p = 1 / (1 + (k - 1) * std::exp(-log_uniform(0.01, 2))), .k = k};
        break;
      }
      case 3:
        step.mechanism = pld::ApproximateDp{.epsilon = log_uniform(0.01, 2), .delta = log_uniform(1e-40, 1e-8)};
        break;
      case 4:
        step.mechanism = pld::DiscreteLaplace{.a = log_uniform(0.01, 1), .sensitivity = sensitivity()};
        break;
      default:
        step.mechanism = pld::DiscreteGaussian{.sigma = log_uniform(0.7, 50), .sensitivity = sensitivity()};
    }
    if (random_() % 3 == 0) step.q = log_uniform(1e-3, 0.9);
    step.count = static_cast<std::int64_t>(log_uniform(1, 300));
    return step;
  }

  std::mt19937_64 random_;
};

pld::Composition composition(const b::Steps& steps) {
  pld::Composition run;
  for (const b::Step& step : steps) {
    const auto base = std::visit([](const auto& parameters) { return pld::Mechanism(parameters); }, step.mechanism);
    run.add(step.q < 1 ? pld::poisson_sampled(base, step.q) : base, step.count);
  }
  return run;
}

std::string text(const b::BoundQuery& query) {
  std::string out = "delta=" + pld::test::digits(query.delta);
  const pld::Composition run = composition(query.steps);
  for (const auto& release : run.releases()) {
    out += " " + release.mechanism.text() + ",count=" + std::to_string(release.count);
  }
  return out;
}

/// Where both answer, `smaller` is not above `larger` (both carry an evaluation error of 1e-11 on top).
void check_order(const std::map<std::string, double>& answers, const char* smaller, const char* larger) {
  const auto low = answers.find(smaller), high = answers.find(larger);
  if (low == answers.end() || high == answers.end()) return;
  CHECK_MESSAGE(low->second <= high->second * (1 + 3e-11), std::string(smaller), " ", low->second, " > ",
                std::string(larger), " ", high->second);
}

void check_compositions(int count, std::uint64_t seed) {
  RandomQueries queries(seed);
  int answered = 0;
  for (int i = 0; i < count; ++i) {
    const b::BoundQuery query = queries.next();
    INFO(text(query));
    const pld::Answer exact = pld::epsilon(composition(query.steps), {.delta = query.delta, .tolerance = 1e-3});
    std::map<std::string, double> answers;
    for (const auto& bound : b::all_bounds()) {
      const auto answer = b::ask(bound, query);
      if (!answer.answered()) continue;
      answers[bound.name] = answer.epsilon;
      if (bound.claim != b::Claim::upper_bound) continue;
      ++answered;
      CHECK_MESSAGE(answer.epsilon >= exact.lower, bound.name, " ", answer.epsilon, " below the certified ",
                    exact.lower);
    }
    // With a Gaussian the theorems start from different shares of delta and need not be ordered.
    if (b::gaussian_releases(query.steps) == 0) {
      check_order(answers, "Kairouz-Oh-Viswanath, explicit", "basic composition");
      check_order(answers, "Kairouz-Oh-Viswanath, optimal", "Kairouz-Oh-Viswanath, explicit");
    }
    check_order(answers, "Kairouz-Oh-Viswanath, optimal", "basic composition");
    check_order(answers, "Kairouz-Oh-Viswanath, optimal", "advanced composition");
    check_order(answers, "Kairouz-Oh-Viswanath, optimal", "heterogeneous advanced composition");
    check_order(answers, "Renyi DP, tight conversion", "Renyi DP");
    check_order(answers, "zCDP, tight conversion", "zCDP");
    check_order(answers, "Renyi DP", "zCDP");
    check_order(answers, "Renyi DP", "alpha-divergence DP, as printed");
    check_order(answers, "heterogeneous advanced composition", "advanced composition");
    const auto proved = answers.find("alpha-divergence DP, as proved"), renyi = answers.find("Renyi DP");
    REQUIRE((proved == answers.end()) == (renyi == answers.end()));
    if (renyi != answers.end()) CHECK_REL(proved->second, renyi->second, 1e-12);
  }
  CHECK(answered > 2 * count);  // the bounds that refuse must not be all there is
}

}  // namespace

TEST_CASE("validation.bounds.sound_and_ordered_on_random_compositions") { check_compositions(40, 20261121); }

TEST_SUITE("slow") {
  TEST_CASE("validation.bounds.sound_and_ordered_on_500_random_compositions") { check_compositions(500, 7); }
}

TEST_CASE("validation.bounds.optimal_composition_is_exact_for_the_mechanisms_it_is_about") {
  for (const double delta : {1e-3, 1e-7, 1e-20}) {
    const b::BoundQuery query{
        {{pld::ApproximateDp{.epsilon = 0.2, .delta = 1e-25}, 1, 40}, {pld::RandomizedResponse{.p = 0.6}, 1, 25}},
        delta};
    const pld::Answer exact = pld::epsilon(composition(query.steps), {.delta = delta, .tolerance = 1e-6});
    for (const auto& bound : b::all_bounds()) {
      if (bound.name != "Kairouz-Oh-Viswanath, optimal") continue;
      const double optimal = b::ask(bound, query).epsilon;
      CHECK(exact.lower <= optimal);
      CHECK(optimal <= exact.upper * (1 + 1e-10));
    }
  }
}
