// The same integral in 50-digit arithmetic, by another route: another tilt, nodes half a step off the real axis, a
// finer and shifted grid in x, plain e^{p log r} without any of the engine's differences.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "engines/contour/composed_moment.hpp"
#include "engines/contour/contour.hpp"
#include "engines/contour/saddle_point.hpp"
#include "engines/tilted_lattice/lattice_engine.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/checks.hpp"
#include "support/contour_profile.hpp"
#include "support/epsilon_of.hpp"
#include "support/lattice_log_delta.hpp"
#include "support/sampled_gaussian_pair.hpp"

namespace {
using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;
using pld::Direction;

/// A law, its count, and the |x| beyond which its outcomes are left out: their mass is below e^-45 of delta, and rare
/// hits among them would spoil any tilt.
struct CountedLaw : pld::contour::CountedLaw {
  double farthest = 0;
};

struct Complex {
  Real re = 0, im = 0;
};
Complex operator*(const Complex& a, const Complex& b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
Complex turn(const Real& angle) { return {cos(angle), sin(angle)}; }

const Real two_pi = 2 * boost::math::constants::pi<Real>();

/// The outcomes of one law with their tilted weights, and the phase each gains from node to node.
struct Points {
  std::vector<Complex> state, step;
  Real mass = 0;
};

struct Extent {
  double low = 0, high = 0, eta = 0;
  [[nodiscard]] double size() const { return (high - low) / eta + 2; }
};

/// Where phi r^rho is above e^-60 of its top, found by scanning; eta fine enough for 20 digits at frequency `fastest`.
Extent extent_of(const CountedLaw& law, const Real& lambda, double fastest) {
  const double mu = law.law.mu, q = law.law.q;
  const bool remove = law.law.direction == Direction::remove;
  const Real rho = remove ? Real(1 + lambda) : Real(-lambda);
  const double rho_d = static_cast<double>(rho);
  const auto exponent = [&](double x) {
    const double y = mu * x - mu * mu / 2;
    const double log_ratio =
        y > 30 ? y + std::log(q) + std::log1p((1 - q) / q * std::exp(-y)) : std::log1p(q * std::expm1(y));
    return -x * x / 2 + rho_d * log_ratio;
  };
  const double far = std::min(law.farthest, 16 + std::fabs(rho_d) * mu + mu);
  double top = -1e300;
  for (double x = -far; x < far; x += 0.05) top = std::max(top, exponent(x));
  double low = far, high = -far;
  for (double x = -far; x < far; x += 0.05)
    if (exponent(x) > top - 60 - std::log(law.count)) {
      low = std::min(low, x);
      high = std::max(high, x);
    }
  // A strip of height a and the growth of |r^{is}| there; 60 + log k nats.
  const double a = std::min(2.2 / mu, 6.0);
  const double slope = 1 / (1 + (1 - q) / q * std::exp(-mu * high + mu * mu / 2));
  const double spread = rho_d < 0 ? -rho_d * mu * mu / 4 : 0;
  double eta = 1;
  for (const double height : {a, a / 2, a / 4, a / 8, a / 16, a / 32, a / 64}) {
    const double nats = 60 + std::log(law.count) + height * height * (0.5 + spread) + fastest * slope * mu * height;
    const double candidate = 6.28 * height / nats;
    eta = height == a ? candidate : std::max(eta, candidate);
  }
  return {low, high, eta};
}

Points points_of(const CountedLaw& law, const Real& lambda, const Real& node_step, const Extent& extent) {
  const bool remove = law.law.direction == Direction::remove;
  const Real rho = remove ? Real(1 + lambda) : Real(-lambda);
  const Real sign = remove ? 1 : -1, mu_r = law.law.mu, q_r = law.law.q, eta = extent.eta;
  Points points;
  for (int i = 0; extent.low + (i - 1) * extent.eta <= extent.high; ++i) {
    const Real x = extent.low + (i - Real(0.37)) * eta, ratio = 1 - q_r + q_r * exp(mu_r * x - mu_r * mu_r / 2),
               log_ratio = log(ratio);
    const Real weight = exp(-x * x / 2 + rho * log_ratio) * eta / sqrt(two_pi);
    points.mass += weight;
    const Complex half = turn(sign * node_step * log_ratio / 2);
    points.state.push_back({weight * half.re, weight * half.im});
    points.step.push_back(half * half);
  }
  return points;
}

/// K(lambda), real.
Real cumulant(const std::vector<CountedLaw>& laws, const Real& lambda) {
  Real sum = 0;
  for (const CountedLaw& law : laws) {
    if (law.law.q == 1)
      sum += law.count * Real(law.law.mu) * law.law.mu * lambda * (lambda + 1) / 2;
    else
      sum += law.count * log(points_of(law, lambda, 0, extent_of(law, lambda, 0)).mass);
  }
  return sum;
}

using Ends = std::array<Real, 2>;

/// A vertical line Re t = lambda > 0 and the step on it with which aliases are below e^-45 of the value.
struct Line {
  std::vector<CountedLaw> laws;
  Real lambda, log_size, step;

  Line(const std::vector<CountedLaw>& all, const Real& at, const Real& epsilon)
      : laws(all), lambda(at), log_size(cumulant(laws, lambda)) {
    const double guess = static_cast<double>(log_size - lambda * epsilon) - 14;
    const Real left = (45 - guess) / lambda;
    Real right = 1e300;
    for (const double factor : {1.02, 1.05, 1.1, 1.2, 1.4, 2.0, 3.0}) {
      const Real other = lambda * factor;
      const Real chernoff = (cumulant(laws, other) - other * epsilon - guess + 45) / (other - lambda);
      if (chernoff > 0 && chernoff < right) right = chernoff;
    }
    step = two_pi / std::max(left, right);
  }
};

/// log delta at two epsilons >= 0, the integrand followed up to Im t = reach at most: nothing where it has not decayed
/// by then, or where that takes more than `most_work`.
std::optional<Ends> log_delta(const Line& line, const Ends& epsilon, double reach, double most_work) {
  const std::vector<CountedLaw>& laws = line.laws;
  const Real lambda = line.lambda, step = line.step;
  const int nodes = static_cast<int>(reach / static_cast<double>(step)) + 1;
  Real gaussian = 0;
  double work = 0;
  for (const CountedLaw& law : laws)
    if (law.law.q != 1) work += (nodes + 100) * extent_of(law, lambda, reach).size();
  if (work > most_work) return std::nullopt;
  std::vector<Points> points;
  for (const CountedLaw& law : laws) {
    if (law.law.q == 1)
      gaussian += law.count * Real(law.law.mu) * law.law.mu;
    else
      points.push_back(points_of(law, lambda, step, extent_of(law, lambda, reach)));
  }
  Ends sum = {0, 0};
  int quiet = 0;
  for (int n = 0; n < nodes && quiet < 8; ++n) {
    const Real s = step * (n + Real(0.5));
    Real log_size = -gaussian * s * s / 2, phase = gaussian * (lambda + Real(0.5)) * s;
    std::size_t sampled = 0;
    for (const CountedLaw& law : laws) {
      if (law.law.q == 1) continue;
      Points& p = points[sampled++];
      Complex moment;
      for (std::size_t i = 0; i < p.state.size(); ++i) {
        moment.re += p.state[i].re;
        moment.im += p.state[i].im;
        p.state[i] = p.state[i] * p.step[i];
      }
      log_size += law.count * (log(moment.re * moment.re + moment.im * moment.im) / 2 - log(p.mass));
      phase += law.count * atan2(moment.im, moment.re);
    }
    const Complex kernel = {lambda * (lambda + 1) - s * s, s * (2 * lambda + 1)};
    const Real size2 = kernel.re * kernel.re + kernel.im * kernel.im;
    const Complex inverse = {kernel.re / size2, -kernel.im / size2};
    const Real amplitude = exp(log_size);
    for (int end = 0; end < 2; ++end) sum[end] += amplitude * (turn(phase - epsilon[end] * s) * inverse).re;
    quiet = amplitude / sqrt(size2) < 1e-22 * abs(sum[0]) ? quiet + 1 : 0;
  }
  if (quiet < 8) return std::nullopt;
  Ends result;
  for (int end = 0; end < 2; ++end)
    result[end] = line.log_size - lambda * epsilon[end] + log(sum[end] * step * 2 / two_pi);
  return result;
}

struct Outcome {
  bool answered = false, skipped = false;
};

/// Asks the engine for epsilon and checks, in 50 digits, that the profile crosses delta inside its bracket.
Outcome check_epsilon(std::vector<CountedLaw> laws, double log_target, const std::string& text) {
  CAPTURE(text);
  pld::Terms terms;
  for (const CountedLaw& law : laws)
    terms.push_back({std::make_shared<pld::test::SampledGaussianPair>(law.law), static_cast<std::int64_t>(law.count)});
  const auto bracket = pld::contour_epsilon(terms, log_target, 1e-7);
  if (!bracket) return {};
  if (bracket->lower < 0) return {true, true};
  // The saddle is only a place to integrate through: any lambda gives the same number.
  pld::contour::ComposedMoment moment({laws.begin(), laws.end()});
  if (!moment.cut(60 - log_target)) return {true, true};
  const auto near = saddle_for_value(moment, pld::contour::Quantity::delta, log_target);
  if (!near) return {true, true};
  const double deviation = std::sqrt(moment.cumulant(near->lambda).variance);
  // Twice, with another tilt and other outcomes left out: the reference has to agree with itself first.
  std::array<std::optional<Ends>, 2> runs;
  const std::array<double, 2> tilts = {0.9, 0.84}, nats = {60, 90};
  for (int run = 0; run < 2; ++run) {
    for (CountedLaw& law : laws)
      law.farthest = std::sqrt(2 * (nats[run] - log_target + std::log(law.count))) + law.law.mu;
    const Line line(laws, near->lambda * tilts[run], bracket->lower);
    for (double reach = 12 / deviation; reach < 3000 / deviation && !runs[run]; reach *= 2)
      runs[run] = log_delta(line, {bracket->lower, bracket->upper}, reach, 3e5);
    if (!runs[run]) return {true, true};
  }
  if (!(abs((*runs[0])[0] - (*runs[1])[0]) <= 1e-13)) return {true, true};
  const auto& ends = runs[1];
  CHECK((*ends)[0] >= log_target);
  CHECK((*ends)[1] <= log_target);
  return {true, false};
}

/// log delta between the regimes, twice, with another tilt and other outcomes left out: the two must agree.
Real log_delta_by_two_tilts(CountedLaw law, double epsilon, double reach, double most_work, double agreement) {
  std::array<std::optional<Ends>, 2> runs;
  const std::array<double, 2> tilts = {12, 14.5}, nats = {90, 120};
  for (std::size_t run = 0; run < 2; ++run) {
    law.farthest = std::sqrt(2 * (nats[run] + 60 + std::log(law.count))) + law.law.mu;
    runs[run] = log_delta(Line({law}, tilts[run], epsilon), {epsilon, epsilon}, reach, most_work);
    REQUIRE(runs[run].has_value());
  }
  REQUIRE(abs((*runs[0])[0] - (*runs[1])[0]) < agreement);
  return (*runs[0])[0];
}
}  // namespace

TEST_CASE("contour.epsilon.agrees_with_50_digits") {
  const auto law = [](double sigma, double q, double k, Direction d) { return CountedLaw{{{1 / sigma, q, d}, k}}; };
  const std::vector<std::pair<std::vector<CountedLaw>, double>> cases = {
      {{law(1, 0.01, 10000, Direction::remove)}, std::log(1e-6)},
      {{law(2, 0.3, 50, Direction::add), law(30, 1, 40, Direction::add)}, std::log(1e-12)},
      {{law(1.5, 0.001, 1e6, Direction::remove), law(5, 0.2, 300, Direction::remove)}, std::log(1e-30)}};
  for (const auto& [laws, log_target] : cases) {
    const Outcome outcome = check_epsilon(laws, log_target, pld::test::digits(log_target));
    CHECK(outcome.answered);
    CHECK_FALSE(outcome.skipped);
  }
}

// A million steps at q = 1e-4, between what ordinary steps add up to and a rare one: delta is 1e-12 of what is summed
// at any tilt. Long doubles stand that, and 50 digits at other tilts do.
TEST_CASE("contour.profile.between_regimes_agrees_with_50_digits") {
  const CountedLaw law{{{1, 1e-4, Direction::remove}, 1e6}};
  const pld::Terms terms{{std::make_shared<pld::test::SampledGaussianPair>(law.law), 1'000'000}};
  const pld::Terms sampled{{poisson_sampled(pld::Gaussian{.sigma = 1}, 1e-4).pair(Direction::remove), 1'000'000}};
  for (const double epsilon : {1.1, 1.3, 1.7, 2.5}) {
    CAPTURE(epsilon);
    const Real truth = log_delta_by_two_tilts(law, epsilon, 400, 3e7, 1e-13);
    const auto found = pld::contour_profile(terms, epsilon, 1e-3);
    REQUIRE(found.has_value());
    CHECK(Real(found->log_delta.lower) <= truth);
    CHECK(truth <= Real(found->log_delta.upper));
    CHECK(found->log_delta.width() < 1e-3);
    const pld::EngineAnswer on_lattice = pld::lattice_log_delta(sampled, epsilon, 1e-3);
    CHECK(Real(on_lattice.value.lower) <= truth);
    CHECK(truth <= Real(on_lattice.value.upper));
  }
}

TEST_SUITE("slow") {
  // Rarer ones still, where no integral in doubles or long doubles is any good, and hits are taken apart.
  TEST_CASE("compose.one_hit.between_regimes_agrees_with_50_digits") {
    const CountedLaw law{{{1, 1e-5, Direction::remove}, 1e6}};
    const pld::Terms terms{{poisson_sampled(pld::Gaussian{.sigma = 1}, 1e-5).pair(Direction::remove), 1'000'000}};
    for (const double epsilon : {0.06, 0.0807, 0.0982, 0.1656, 0.37}) {
      CAPTURE(epsilon);
      const Real truth = log_delta_by_two_tilts(law, epsilon, 3000, 1e9, 1e-10);
      const pld::EngineAnswer found = pld::lattice_log_delta(terms, epsilon, 1e-3);
      CHECK(Real(found.value.lower) <= truth);
      CHECK(truth <= Real(found.value.upper));
      CHECK(found.value.width() < 0.01);
    }
  }

  // 200 random compositions. Those whose integral takes too long at 50 digits are drawn again.
  TEST_CASE("contour.epsilon.agrees_with_50_digits.random") {
    std::mt19937_64 random(4242);
    const auto uniform = [&](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(random);
    };
    const auto log_uniform = [&](double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); };
    int checked = 0, handed_over = 0, drawn = 0;
    for (; checked < 200 && drawn < 600; ++drawn) {
      std::vector<CountedLaw> laws;
      const Direction direction = uniform(0, 1) < 0.5 ? Direction::remove : Direction::add;
      std::ostringstream text;
      text.precision(17);
      text << pld::name(direction);
      const int mechanisms = 1 + static_cast<int>(uniform(0, 5));
      for (int j = 0; j < mechanisms; ++j) {
        const double sigma = log_uniform(0.3, 100), q = log_uniform(1e-5, 1);
        const double k = std::floor(log_uniform(1, 1e7));
        laws.push_back({{{1 / sigma, q, direction}, k}});
        text << ' ' << sigma << ',' << q << ',' << k;
      }
      const double log_target = std::log(log_uniform(1e-200, 0.1));
      text << " log delta " << log_target;
      const Outcome outcome = check_epsilon(laws, log_target, text.str());
      checked += outcome.answered && !outcome.skipped;
      handed_over += !outcome.answered;
    }
    MESSAGE("compositions drawn: " << drawn << ", checked: " << checked << ", handed over: " << handed_over);
    CHECK(checked == 200);
    CHECK(handed_over < drawn / 10);
  }
}
