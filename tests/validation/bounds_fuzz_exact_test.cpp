// No function of `bounds` promises less than the truth: compositions whose exact epsilon takes microseconds, and none
// of the library. Releases of two or three outcomes are multinomial sums; Gaussian ones are one, whose mu^2 is the sum.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "pld/bounds/bound.hpp"
#include "pld/core/rounding.hpp"
#include "support/checks.hpp"
#include "support/random_draws.hpp"

namespace b = pld::bounds;

namespace {

using pld::infinity;
using pld::test::Random;
using Real = long double;  // deltas to 1e-300 and powers of them stay within its range

/// An outcome of a release, or of several: its probability under either data set.
struct Outcome {
  Real p, q;
};
using Outcomes = std::vector<Outcome>;

/// (1 - Phi(x)) / phi(x), x >= 0: the continued fraction of Laplace beyond 8.
Real mills_ratio(Real x) {
  if (x < 8) return std::exp(x * x / 2) * std::sqrt(std::numbers::pi_v<Real> / 2) * std::erfc(x / std::sqrt(Real(2)));
  Real tail = x;
  for (int i = 60; i > 0; --i) tail = x + i / tail;
  return 1 / tail;
}

/// Phi(-a) - e^epsilon Phi(-b), a = epsilon / mu - mu / 2 and b = a + mu, where e^epsilon phi(b) = phi(a).
Real gaussian_delta(Real mu, Real epsilon) {
  const Real a = epsilon / mu - mu / 2, b = epsilon / mu + mu / 2;
  const auto tail = [](Real x) { return std::erfc(x / std::sqrt(Real(2))) / 2; };
  if (b < 0) return tail(a) - std::exp(epsilon) * tail(b);
  return tail(a) - std::exp(-a * a / 2) / std::sqrt(2 * std::numbers::pi_v<Real>) * mills_ratio(b);
}

/// A composition: outcomes of finite losses, P's mass at infinite ones, and a Gaussian beside them.
struct Law {
  Outcomes outcomes{{1, 1}};
  Real log_all_finite = 0, mu_squared = 0;

  [[nodiscard]] Real some_infinite() const { return -std::expm1(log_all_finite); }

  [[nodiscard]] Real delta(Real epsilon) const {
    const Real mu = std::sqrt(mu_squared), factor = std::exp(epsilon);
    Real sum = some_infinite();
    for (const Outcome& o : outcomes) {
      if (o.p == 0) continue;
      if (mu == 0)
        sum += std::max(Real(0), o.p - factor * o.q);
      else
        sum += o.p * gaussian_delta(mu, epsilon - std::log(o.p / o.q));
    }
    return sum;
  }

  /// The smallest epsilon whose delta is at most this one, a little less where round-off may have raised it.
  [[nodiscard]] double epsilon(double delta_allowed) const {
    if (some_infinite() * (1 - 1e-12L) > delta_allowed) return infinity;
    Real low = std::log1p(-static_cast<Real>(delta_allowed)),
         high = std::max(low, Real(0)) + 1;  // delta >= 1 - e^epsilon
    const auto exceeds = [&](Real x) { return delta(x) * (1 - 1e-12L) > delta_allowed; };
    for (Real step = 1; exceeds(high); step *= 2) {
      if (high > 11000) return -infinity;  // e^epsilon leaves the range of Real: nothing is said
      low = high;
      high += step;
    }
    while (high - low > 1e-12L * (1 + std::fabs(low))) {
      const Real middle = low + (high - low) / 2;
      (exceeds(middle) ? low : high) = middle;
    }
    return static_cast<double>(low - 1e-12L * (1 + std::fabs(low)));
  }

  [[nodiscard]] std::size_t size() const { return outcomes.size(); }

  /// Composes with `count` releases of two or three outcomes: how often each came is multinomial.
  void add(const Outcomes& one, std::int64_t count) {
    const auto power = [](Real x, std::int64_t n) { return n == 0 ? Real(1) : std::pow(x, static_cast<Real>(n)); };
    Outcomes next;
    for (std::int64_t i = 0; i <= count; ++i) {
      for (std::int64_t j = one.size() == 2 ? count - i : 0; j <= count - i; ++j) {
        const std::int64_t rest = count - i - j;
        const auto factorial = [](std::int64_t n) { return std::lgamma(static_cast<Real>(n) + 1); };
        const Real ways = std::exp(factorial(count) - factorial(i) - factorial(j) - factorial(rest));
        Outcome all{ways * power(one[0].p, i) * power(one[1].p, j), ways * power(one[0].q, i) * power(one[1].q, j)};
        if (one.size() > 2) all = {all.p * power(one[2].p, rest), all.q * power(one[2].q, rest)};
        for (const Outcome& before : outcomes) next.push_back({before.p * all.p, before.q * all.q});
      }
    }
    outcomes = std::move(next);
  }
};

/// The outcomes of one release with finite losses, and P's mass at an infinite one.
std::pair<Outcomes, Real> outcomes(const b::Step& step, pld::Direction direction) {
  Outcomes all;
  Real leak = 0;
  if (const auto* response = std::get_if<pld::RandomizedResponse>(&step.mechanism)) {
    const Real truth = response->p, lie = (1 - truth) / (response->k - 1);
    all = {{truth, lie}, {lie, truth}};
    if (response->k > 2) all.push_back({lie * (response->k - 2), lie * (response->k - 2)});
  } else {
    const auto& dp = std::get<pld::ApproximateDp>(step.mechanism);
    leak = dp.delta;
    const Real odds = std::exp(static_cast<Real>(dp.epsilon)), lie = (1 - leak) / (1 + odds), truth = lie * odds;
    all = {{truth, lie}, {lie, truth}};
  }
  for (Outcome& o : all) {
    o.p = step.q * o.p + (1 - static_cast<Real>(step.q)) * o.q;
    if (direction == pld::Direction::add) std::swap(o.p, o.q);
  }
  return {all, leak};
}

Law law_of(const b::Steps& steps, pld::Direction direction) {
  Law law;
  for (const b::Step& step : steps) {
    const auto count = static_cast<Real>(step.count);
    if (const auto* gaussian = std::get_if<pld::Gaussian>(&step.mechanism)) {
      const Real mu = static_cast<Real>(gaussian->sensitivity) / gaussian->sigma;
      law.mu_squared += count * mu * mu;
      continue;
    }
    const auto [one, leak] = outcomes(step, direction);
    law.add(one, step.count);
    law.log_all_finite += count * std::log1p(-leak);
  }
  return law;
}

double exact_epsilon(const b::BoundQuery& query) {
  double worst = -infinity;
  for (const auto direction : {pld::Direction::remove, pld::Direction::add})
    if (query.direction == pld::DirectionChoice::worst ||
        (query.direction == pld::DirectionChoice::add) == (direction == pld::Direction::add))
      worst = std::max(worst, law_of(query.steps, direction).epsilon(query.delta));
  return worst;
}

/// Steps of few enough outcomes in all; sampled where that leaves two or three outcomes of finite losses.
b::Steps random_steps(Random& random) {
  b::Steps steps;
  double outcomes = 1;
  bool gaussian = false;
  for (int kinds = random.whole(0, 2) == 0 ? random.whole(2, 4) : 1; kinds > 0; --kinds) {
    const int type = random.whole(0, 3);
    if (type == 0) {
      gaussian = true;
      steps.push_back({pld::Gaussian{.sigma = random.log_uniform(0.05, 1e4), .sensitivity = random.log_uniform(0.1, 3)},
                       1, static_cast<std::int64_t>(random.log_uniform(1, 1e6))});
      continue;
    }
    const double most = (gaussian || kinds > 1 ? 40 : 3000) / outcomes;
    if (most < 2) continue;
    b::Step step{.mechanism = pld::ApproximateDp{.epsilon = random.log_uniform(1e-4, 20), .delta = 0}};
    const bool three = type == 3 && random.whole(0, 1) == 0;
    if (type == 1 && random.whole(0, 1) == 0) {
      std::get<pld::ApproximateDp>(step.mechanism).delta = random.log_uniform(1e-300, 0.1);
    } else {
      if (type > 1) {
        const double k = three ? 2 + std::floor(random.log_uniform(1, 1e6)) : 2;
        const double odds = std::exp(random.log_uniform(1e-4, 20) * (random.whole(0, 4) == 0 ? 1 : -1));
        step.mechanism = pld::RandomizedResponse{.p = 1 / (1 + (k - 1) * odds), .k = k};
      }
      if (random.whole(0, 2) == 0) step.q = random.log_uniform(1e-6, 1);
    }
    const double largest = three ? std::sqrt(2 * most) - 1 : most - 1;
    step.count = static_cast<std::int64_t>(random.log_uniform(1, std::max(1.5, largest)));
    const auto count = static_cast<double>(step.count);
    outcomes *= three ? (count + 1) * (count + 2) / 2 : count + 1;
    steps.push_back(step);
  }
  if (steps.empty()) steps.push_back({pld::Gaussian{.sigma = random.log_uniform(0.05, 1e4)}});
  return steps;
}

std::string text(const b::BoundQuery& query) {
  std::ostringstream out;
  out << "delta=" << pld::test::digits(query.delta) << " direction=" << static_cast<int>(query.direction);
  for (const b::Step& step : query.steps) out << " " << describe(step) << " x" << step.count;
  return out.str();
}

/// The two that take milliseconds, a minimum over orders within one over orders and a sum over very many outcomes, are
/// asked every 32nd time.
bool asked(const b::Bound& bound, const b::BoundQuery& query, int i) {
  const bool many = query.steps.size() > 1 || query.steps.front().count > 1000;
  const bool slow =
      bound.name == "Renyi DP, optimal conversion" || (bound.name == "Kairouz-Oh-Viswanath, optimal" && many);
  return !slow || i % 32 == 0;
}

int check(int count, std::uint64_t seed) {
  Random random(seed);
  int answered = 0;
  for (int i = 0; i < count; ++i) {
    const b::BoundQuery query{random_steps(random), random.delta(),
                              std::vector{pld::DirectionChoice::worst, pld::DirectionChoice::remove,
                                          pld::DirectionChoice::add}[static_cast<std::size_t>(random.whole(0, 2))]};
    const double least = exact_epsilon(query);
    REQUIRE(!std::isnan(least));
    for (const b::Bound& bound : b::all_bounds()) {
      if (!asked(bound, query, i)) continue;
      const b::BoundAnswer answer = b::ask(bound, query);
      if (!answer.answered()) continue;
      ++answered;
      const bool holds = bound.claim == b::Claim::upper_bound ? answer.epsilon >= least : !std::isnan(answer.epsilon);
      if (!holds)
        FAIL_CHECK(bound.name, " ", pld::test::digits(answer.epsilon), " for ", pld::test::digits(least), ", ",
                   text(query));
    }
  }
  return answered;
}

}  // namespace

TEST_CASE("validation.bounds_fuzz.compositions_known_exactly") { CHECK(check(300, 1) > 2500); }

TEST_SUITE("slow") {
  TEST_CASE("validation.bounds_fuzz.100000_compositions_known_exactly") { CHECK(check(100000, 2) > 800000); }
}
