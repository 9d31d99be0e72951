// Corners where round-off once had the last word, against 50 digits: next to the largest loss, a mass at infinity or a
// tie of losses, guarantees next to nothing, deltas next to 1, tails far out, and powers at an atom. Of few outcomes
// the truth is a sum over all of them; of one release with continuous noise it is the noise's own tail.
//   bin/test_validation -tc='validation.corners*' -ts=slow    10,000 compositions

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/exact_laws.hpp"
#include "support/exact_noise.hpp"
#include "support/random_draws.hpp"

namespace {

using namespace pld::test;
using pld::Direction;
using pld::DirectionChoice;

/// delta and 1 - delta, each with some 30 digits of its own.
struct Truth {
  Real delta, rest;
};

struct Corner {
  pld::Composition run;
  Direction direction;
  std::function<Truth(const Real& epsilon)> at;
  std::vector<Real> epsilons;  ///< where something ends or ties
  std::vector<double> deltas;  ///< and what to ask epsilon of
  Outcomes outcomes{};         ///< all of them, where there are few
  Real floor{};                ///< what a sum over these is off by
};

DirectionChoice choice(Direction direction) {
  return direction == Direction::remove ? DirectionChoice::remove : DirectionChoice::add;
}

std::string text(const Corner& corner) {
  std::string out = std::string(pld::name(corner.direction));
  for (const pld::Release& r : corner.run.releases())
    out += " " + r.mechanism.text() + ",count=" + std::to_string(r.count);
  return out;
}

/// The same double, one of its neighbours, or one a little farther off.
double near(Random& random, const Real& x) {
  const auto at = static_cast<double>(x);
  switch (random.whole(0, 4)) {
    case 0:
      return at;
    case 1:
      return std::nextafter(at, pld::infinity);
    case 2:
      return std::nextafter(at, -pld::infinity);
    default:
      return at * (1 + random.log_uniform(1e-16, 1e-2) * (random.whole(0, 1) == 0 ? 1 : -1));
  }
}

double next_to_1(Random& random) { return 1 - random.log_uniform(1e-15, 1e-3); }
double tiny(Random& random) { return random.log_uniform(1e-15, 1e-4); }
double rate(Random& random) { return random.whole(0, 3) == 0 ? next_to_1(random) : random.log_uniform(1e-9, 0.9); }
Direction either(Random& random) { return random.whole(0, 1) == 0 ? Direction::remove : Direction::add; }

// Noise whose losses end

/// One release on all data or on a Poisson sample.
Corner noise_with_a_largest_loss(Random& random) {
  const double width = random.log_uniform(0.3, 900), bound = width * random.log_uniform(1, 40);
  const int kind = random.whole(0, 3);
  const bool leaks = kind < 2;
  const pld::Mechanism base = leaks       ? pld::Mechanism(pld::TruncatedLaplace{.scale = width, .bound = bound})
                              : kind == 2 ? pld::Mechanism(pld::Laplace{.scale = width})
                                          : pld::Mechanism(pld::Logistic{.scale = width});
  Profile profile = leaks       ? truncated_laplace_profile(width, bound)
                    : kind == 2 ? laplace_profile(width)
                                : logistic_profile(width);
  Corner out{.run = {}, .direction = either(random), .at = {}, .epsilons = {}, .deltas = {}};
  Real largest = 1 / Real(width), smallest = -largest;
  const double q = random.whole(0, 2) == 0 ? 1 : rate(random);
  if (q < 1) {
    const Real up = log1p(Real(Real(q) * expm1(largest))), down = log1p(Real(Real(q) * expm1(smallest)));
    largest = out.direction == Direction::remove ? up : -down;
    smallest = out.direction == Direction::remove ? down : -up;
    profile = sampled(profile, q, out.direction);
  }
  out.run.add(q < 1 ? pld::poisson_sampled(base, q) : base, 1);
  out.at = [profile](const Real& epsilon) {
    const Real delta = profile(epsilon);
    return Truth{delta, 1 - delta};
  };
  out.epsilons = {largest, smallest, largest * random.uniform(0, 1)};
  const auto infinite = static_cast<double>(profile(Real(2 * largest)));
  out.deltas = {random.log_uniform(1e-200, 0.3)};
  if (infinite > 0) out.deltas.push_back(std::min(0.9, near(random, infinite)));
  return out;
}

// Few outcomes

Truth of_outcomes(const Outcomes& outcomes, const Real& epsilon) {
  const Real factor = exp(epsilon);
  Truth sum{0, 0};
  for (const auto& [p, q] : outcomes) {
    const Real lost = factor * q;
    if (p > lost) sum.delta += p - lost;
    sum.rest += std::min(p, lost);
  }
  return sum;
}

struct Finite {
  pld::Mechanism mechanism;
  Outcomes pair;
  bool on_lattice = false;  ///< equally spaced losses, those of the outcomes in their order
};

/// A guarantee that allows next to nothing, or an answer that is nearly fair.
Finite next_to_nothing(Random& random) {
  const double small = tiny(random);
  switch (random.whole(0, 4)) {
    case 0: {  // (-log beta, 0)-DP
      const double beta = 1 - small;
      const Real likely = 1 / (1 + Real(beta));
      return {pld::TradeOffPoints{.alphas = {0, 1}, .betas = {beta, 0}},
              {{likely, 1 - likely}, {1 - likely, likely}},
              true};
    }
    case 1: {
      const double delta = random.whole(0, 1) == 0 ? 0 : tiny(random);
      return {pld::ApproximateDp{.epsilon = small, .delta = delta}, leaky(small, delta)};
    }
    case 2: {
      const double delta = tiny(random);
      return {pld::DpPoints{.epsilons = {small}, .deltas = {delta}}, leaky(small, delta)};
    }
    case 3: {
      const double p = 0.5 + small;
      return {pld::RandomizedResponse{.p = p}, randomized_response(p), true};
    }
    default:
      return {pld::DiscreteLaplace{.a = small}, discrete_laplace(small, 1)};
  }
}

Finite of_ties(Random& random) {
  switch (random.whole(0, 3)) {
    case 0: {
      const double a = random.log_uniform(0.02, 3);
      const int shift = random.whole(1, 6);
      return {pld::DiscreteLaplace{.a = a, .sensitivity = static_cast<double>(shift)}, discrete_laplace(a, shift)};
    }
    case 1: {
      const double p = random.whole(0, 1) == 0 ? random.uniform(0.05, 0.95) : next_to_1(random);
      const int k = random.whole(2, 5);
      return {pld::RandomizedResponse{.p = p, .k = static_cast<double>(k)}, randomized_response(p, k)};
    }
    case 2: {
      const int n = random.whole(2, 6);
      const double heads = random.uniform(0.05, 0.95);
      return {pld::Binomial{.n = static_cast<double>(n), .p = heads}, moved(binomial_masses(n, heads), 1)};
    }
    default: {
      // Of 1024 parts: both sums are exact.
      const int i = random.whole(1, 1000), j = random.whole(1, 1000);
      const double p = i / 1024.0, q = j / 1024.0;
      return {pld::MassTable{.p = {p, 1 - p}, .q = {q, 1 - q}}, {{Real(p), Real(q)}, {1 - Real(p), 1 - Real(q)}}, true};
    }
  }
}

Corner of_few_outcomes(Random& random, const Finite& finite, std::int64_t count) {
  Corner out{.run = {}, .direction = either(random), .at = {}, .epsilons = {}, .deltas = {}};
  const double q = random.whole(0, 1) == 0 ? 1 : rate(random);
  out.run.add(q < 1 ? pld::poisson_sampled(finite.mechanism, q) : finite.mechanism, count);
  const Outcomes law = sampled(finite.pair, q, out.direction);
  out.outcomes = finite.on_lattice ? repeated(law, count)
                 : law.size() > 4  ? repeated(law, std::min<std::int64_t>(count, 2))
                                   : repeated(law, count);
  std::erase_if(out.outcomes, [](const Outcome& outcome) { return outcome.p == 0 && outcome.q == 0; });
  out.floor = Real("1e-44");
  out.at = [outcomes = out.outcomes](const Real& epsilon) { return of_outcomes(outcomes, epsilon); };
  Real largest = 0, smallest = 0, infinite = 0;
  std::vector<Real> losses;
  for (const auto& [p_mass, q_mass] : out.outcomes) {
    if (p_mass > 0 && q_mass > 0) losses.push_back(log(p_mass / q_mass));
    if (q_mass == 0) infinite += p_mass;
  }
  if (!losses.empty()) {
    largest = *std::max_element(losses.begin(), losses.end());
    smallest = *std::min_element(losses.begin(), losses.end());
    out.epsilons = {largest, smallest,
                    losses[static_cast<std::size_t>(random.whole(0, static_cast<int>(losses.size()) - 1))]};
  }
  out.epsilons.push_back(random.uniform(-1, 1) * (largest + 1e-3));
  out.deltas = {random.delta(), static_cast<double>(of_outcomes(out.outcomes, out.epsilons.front()).delta)};
  if (infinite > 0) out.deltas.push_back(std::min(0.9, near(random, infinite)));
  return out;
}

Corner guarantee_next_to_nothing(Random& random) {
  return of_few_outcomes(random, next_to_nothing(random), random.whole(1, 6));
}
Corner ties(Random& random) { return of_few_outcomes(random, of_ties(random), random.whole(1, 2)); }

/// So many releases that an adversary is nearly certain: 1 - delta has digits of its own.
Corner delta_next_to_1(Random& random) {
  const double p = random.uniform(0.55, 0.999), q = random.whole(0, 1) == 0 ? 1 - p : random.uniform(0.01, 0.5);
  const Finite finite{pld::MassTable{.p = {p, 1 - p}, .q = {q, 1 - q}}, {}, true};
  const Real p_sum = Real(p) + Real(1 - p), q_sum = Real(q) + Real(1 - q);  // the mechanism divides by them
  Finite exact = finite;
  exact.pair = {{Real(p) / p_sum, Real(q) / q_sum}, {Real(1 - p) / p_sum, Real(1 - q) / q_sum}};
  Corner out = of_few_outcomes(random, exact, static_cast<std::int64_t>(random.log_uniform(20, 3000)));
  Real mean = 0;
  for (const auto& [p_mass, q_mass] : out.outcomes) mean += p_mass * log(p_mass / q_mass);
  out.epsilons = {mean * random.uniform(-0.2, 1), mean * random.uniform(0, 0.5)};
  out.deltas = {next_to_1(random), 0.99};
  return out;
}

// Far out

Corner far_tail_of_a_discrete_gaussian(Random& random) {
  const double sigma = random.log_uniform(0.5, 40);
  const int shift = random.whole(1, 5);
  const auto direction = either(random);
  const double q = random.whole(0, 1) == 0 ? 1 : rate(random);
  const pld::Mechanism base = pld::DiscreteGaussian{.sigma = sigma, .sensitivity = static_cast<double>(shift)};
  // P's noise is about `shift`: losses (shift x - shift^2 / 2) / sigma^2 of the outcomes x.
  const Real scale = 2 * Real(sigma) * Real(sigma);
  Real total = 1;
  for (int x = 1; x <= 20 * sigma + 10; ++x) total += 2 * exp(Real(-Real(x) * x / scale));
  const Profile profile = [=](const Real& epsilon) -> Real {
    const Real edge = (epsilon * scale / 2 + Real(shift) * shift / 2) / shift;
    Real sum = 0;
    for (Real x = floor(edge) + 1;; x += 1) {
      const Real part = exp(Real(-(x - shift) * (x - shift) / scale)) *
                        -expm1(Real(epsilon - (shift * x - Real(shift) * shift / 2) * 2 / scale));
      sum += part;
      if (x > shift && part < sum * Real("1e-40")) return sum / total;
    }
  };
  Corner out{.run = {}, .direction = direction, .at = {}, .epsilons = {}, .deltas = {}};
  out.run.add(q < 1 ? pld::poisson_sampled(base, q) : base, 1);
  out.at = [profile = q < 1 ? sampled(profile, q, direction) : profile](const Real& epsilon) {
    const Real delta = profile(epsilon);
    return Truth{delta, 1 - delta};
  };
  // To log delta of -1e8, which still is a Real.
  const double farthest = std::min(1e3, 1e4 * shift / sigma);
  const Real at = random.log_uniform(1e-3, farthest);
  out.epsilons = {q < 1 && direction == Direction::add ? Real(-log1p(-Real(q)) * (1 - at / (1e3 + at))) : at};
  out.deltas = {random.log_uniform(1e-300, 1e-20)};
  return out;
}

// What is checked

const Real slack("1e-28");  // of what is small: 50 digits less those lost to a rate or a difference of 1e-15

void check_delta(const Corner& corner, double epsilon, double tolerance) {
  CAPTURE(epsilon);
  const Truth truth = corner.at(Real(epsilon));
  const pld::DeltaAnswer found =
      pld::delta(corner.run, {.epsilon = epsilon, .tolerance = tolerance, .direction = choice(corner.direction)});
  CHECK(found.log_delta.lower <= found.log_delta.estimate);
  CHECK(found.log_delta.estimate <= found.log_delta.upper);
  const bool is_small = truth.delta < 0.5;
  const Real delta = is_small ? truth.delta : Real(1 - truth.rest),
             off = slack * std::min(truth.delta, truth.rest) + corner.floor;
  // Above what rounding leaves of the truth, and not above what it may have taken.
  const Real most = delta + off, least = std::max(Real(0), Real(delta - off));
  const auto log_of = [&](const Real& rest_or_delta) -> Real {
    return is_small ? (rest_or_delta > 0 ? Real(log(rest_or_delta)) : Real(-pld::infinity))
                    : Real(log1p(Real(-rest_or_delta)));
  };
  const Real log_most = log_of(is_small ? most : std::max(Real(0), Real(truth.rest - off))),
             log_least = log_of(is_small ? least : Real(truth.rest + off));
  CHECK_MESSAGE(Real(found.log_delta.lower) <= log_most, digits(found.log_delta.lower), " > ", log_most.str(20));
  CHECK_MESSAGE(log_least <= Real(found.log_delta.upper), digits(found.log_delta.upper), " < ", log_least.str(20));
  CHECK_MESSAGE(Real(found.lower) <= most, digits(found.lower), " > ", delta.str(20));
  CHECK_MESSAGE(least <= Real(found.upper), digits(found.upper), " < ", delta.str(20));
}

void check_epsilon(const Corner& corner, double delta, double tolerance) {
  CAPTURE(delta);
  const pld::Answer found =
      pld::epsilon(corner.run, {.delta = delta, .tolerance = tolerance, .direction = choice(corner.direction)});
  CHECK(found.lower <= found.estimate);
  CHECK(found.estimate <= found.upper);
  const auto more_than_asked = [&](double epsilon) -> Real {
    const Truth there = corner.at(Real(epsilon));
    return delta < 0.5 ? Real(there.delta - Real(delta)) : Real(1 - Real(delta) - there.rest);
  };
  const Real off = slack * std::min(Real(delta), Real(1 - Real(delta))) + corner.floor;
  if (std::isfinite(found.lower))
    CHECK_MESSAGE(more_than_asked(found.lower) >= -off, "lower ", digits(found.lower), ": ",
                  more_than_asked(found.lower).str(8));
  if (std::isfinite(found.upper))
    CHECK_MESSAGE(more_than_asked(found.upper) <= off, "upper ", digits(found.upper), ": ",
                  more_than_asked(found.upper).str(8));
  if (found.upper == -pld::infinity) CHECK(delta == 1);
}

/// The most powerful test's power at the false positive rate of all outcomes of a loss above some outcome's.
void check_power_at_an_atom(Random& random, const Corner& corner) {
  Outcomes sorted = corner.outcomes;
  std::sort(sorted.begin(), sorted.end(), [](const Outcome& a, const Outcome& b) { return a.p * b.q > b.p * a.q; });
  Real alpha = 0;
  for (int i = random.whole(1, static_cast<int>(sorted.size())); i > 0; --i)
    alpha += sorted[static_cast<std::size_t>(i - 1)].q;
  const double asked = std::clamp(near(random, alpha), 0.0, 1.0);
  if (!(asked > 1e-300)) return;
  Real power = 0, beta = 0, left = asked;
  for (const auto& [p, q] : sorted) {
    const Real share = q <= left ? Real(1) : Real(left / q);
    power += share * p, beta += (1 - share) * p;
    left -= share * q;
  }
  CAPTURE(asked);
  const pld::OperatingPoint found = pld::trade_off(corner.run, choice(corner.direction)).at(asked);
  const auto check_holds = [&](const pld::Bracket& b, const Real& value) {
    const Real off = slack * value + corner.floor;
    CHECK_MESSAGE(Real(b.lower) <= value + off, digits(b.lower), " > ", value.str(20));
    CHECK_MESSAGE(value - off <= Real(b.upper), digits(b.upper), " < ", value.str(20));
  };
  check_holds(found.beta, beta);
  check_holds(found.power, power);
}

using Draw = Corner (*)(Random&);
constexpr Draw draws[] = {noise_with_a_largest_loss, guarantee_next_to_nothing, ties, delta_next_to_1,
                          far_tail_of_a_discrete_gaussian};

void check_corners(std::uint64_t seed, int count) {
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    const Corner corner = draws[static_cast<std::size_t>(i) % std::size(draws)](random);
    const std::string composition = text(corner);
    CAPTURE(composition);
    const double tolerance = random.whole(0, 2) == 0 ? 1e-12 : 1e-3;
    check_delta(
        corner,
        near(random,
             corner.epsilons[static_cast<std::size_t>(random.whole(0, static_cast<int>(corner.epsilons.size()) - 1))]),
        tolerance);
    check_epsilon(corner,
                  corner.deltas[static_cast<std::size_t>(random.whole(0, static_cast<int>(corner.deltas.size()) - 1))],
                  tolerance);
    if (!corner.outcomes.empty() && corner.outcomes.size() < 200 && random.whole(0, 2) == 0)
      check_power_at_an_atom(random, corner);
  }
}

}  // namespace

TEST_CASE("validation.corners.hold_50_digits") { check_corners(1, 250); }

TEST_CASE("validation.corners.hold_50_digits_10000" * doctest::test_suite("slow")) { check_corners(1000, 10000); }
