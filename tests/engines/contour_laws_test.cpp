// Laws of points in the contour engine: boxes, quadrature and decay against the complex functions themselves, answers
// against tests/data/contour_laws_truth.txt (written by contour_laws.py there) and the lattice engine.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <fstream>
#include <functional>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "core/work.hpp"
#include "engines/contour/contour.hpp"
#include "engines/contour/known_law.hpp"
#include "engines/contour/law_part.hpp"
#include "engines/question.hpp"
#include "pairs/analytic_law.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/rounding.hpp"
#include "pld/formats/mechanism_text.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/sinh_normal.hpp"
#include "sampling/group_pair.hpp"
#include "sampling/opposite_pair.hpp"
#include "sampling/zeroed_pair.hpp"
#include "support/checks.hpp"
#include "support/contour_profile.hpp"
#include "support/epsilon_of.hpp"
#include "support/lattice_log_delta.hpp"
#include "support/location_law.hpp"

namespace {
using pld::AnalyticDensity;
using pld::Direction;
using pld::PairPtr;
using pld::contour::KnownLaw;
using pld::contour::LawDecay;
using pld::contour::LawPart;
using Complex = std::complex<double>;

PairPtr pair_of(const std::string& text, Direction direction = Direction::remove) {
  return pld::release_of(pld::entry_from_text(text)).mechanism.pair(direction);
}

pld::Terms terms_of(const std::vector<std::string>& texts, Direction direction) {
  pld::Terms terms;
  for (const std::string& text : texts) {
    const pld::Release release = pld::release_of(pld::entry_from_text(text));
    terms.push_back({release.mechanism.pair(direction), release.count});
  }
  return terms;
}

const std::vector<std::string> laws{"laplace:scale=.8",
                                    "laplace:scale=5",
                                    "logistic:scale=1.5",
                                    "truncated-laplace:scale=1,bound=12",
                                    "truncated-laplace:scale=2,bound=1.5",
                                    "generalized:shape=1.5,scale=3",
                                    "generalized:shape=3.5,scale=2",
                                    "sinh-normal:sigma=1,a=3",
                                    "sinh-normal:sigma=2,a=2",
                                    "gaussian-mixture:sigma=1.5,shifts=0/1/2,weights=.5/.3/.2",
                                    "discrete-gaussian:sigma=4",
                                    "dp:epsilon=.5,delta=1e-3",
                                    "gaussian:sigma=1.2"};

pld::LocationFamily family_of(const pld::Mechanism& noise) { return *noise.pair(Direction::remove)->location_family(); }

/// What a replaced record of a Poisson sample makes of noise.
PairPtr opposite_of(const pld::Mechanism& noise, double q) { return pld::opposite_pair(family_of(noise), q); }
PairPtr opposite_of(const std::string& text, double q) {
  return opposite_of(pld::release_of(pld::entry_from_text(text)).mechanism, q);
}

/// The gains over a record that is zeroed in a batch of fixed size.
PairPtr zeroed_of(const pld::Mechanism& noise, double q) {
  return std::make_shared<pld::ZeroedPair>(family_of(noise), q);
}

/// All that such a record loses, so that the masses sum to 1.
PairPtr batch_of(const pld::Mechanism& noise, double q, Direction direction) {
  return pld::zeroed_pair(family_of(noise), q, direction);
}

/// What a group of records does to Gaussian noise on a Poisson sample, removed or replaced.
PairPtr group_of(double sigma, int group, double q, bool replaced) {
  const auto family = pair_of("gaussian:sigma=" + std::to_string(sigma))->location_family();
  return std::make_shared<pld::GroupPair>(*family, group, q, replaced);
}

/// Each law, its samples, and both with P and Q swapped; opposite samples, groups, and batches.
std::vector<PairPtr> all_pairs() {
  std::vector<PairPtr> pairs{opposite_of("gaussian:sigma=1.2", 0.3),
                             opposite_of("gaussian:sigma=.4", 0.01),
                             opposite_of("sinh-normal:sigma=1,a=3", 0.1),
                             group_of(1.2, 3, 0.2, false),
                             group_of(4, 4, 0.01, false),
                             group_of(2, 2, 0.2, true),
                             batch_of(pld::Gaussian{.sigma = 1.2}, 0.3, Direction::remove),
                             batch_of(pld::Gaussian{.sigma = 4}, 0.01, Direction::add),
                             batch_of(pld::SinhNormal{.sigma = 1, .a = 3}, 0.1, Direction::remove),
                             pld::zeroed_among_opposite(family_of(pld::Gaussian{.sigma = 4}), 0.01, Direction::remove)};
  for (const std::string& text : laws)
    for (const std::string rate : {"", ",q=.3", ",q=.01"})
      for (const Direction direction : {Direction::remove, Direction::add})
        pairs.push_back(pair_of(text + rate, direction));
  return pairs;
}

/// The value at a + iy of the analytic function that has these values on the line: Newton's interpolation at points
/// about a, in long doubles. What the interpolation is off is told by a second one.
struct Continued {
  Complex value;
  double doubt;
};
Continued continued(const std::function<long double(long double)>& f, double a, double y, double spread) {
  const auto interpolated = [&](int n) {
    using Wide = std::complex<long double>;
    std::vector<long double> x, c;
    for (int i = 0; i < n; ++i) x.push_back(a + spread * std::cos(3.14159265358979L * (i + 0.5L) / n));
    for (const long double at : x) c.push_back(f(at));
    for (int j = 1; j < n; ++j)
      for (int i = n - 1; i >= j; --i) c[i] = (c[i] - c[i - 1]) / (x[i] - x[i - j]);
    Wide sum = c[n - 1];
    for (int i = n - 2; i >= 0; --i) sum = sum * (Wide(a, y) - x[i]) + c[i];
    return Complex(static_cast<double>(sum.real()), static_cast<double>(sum.imag()));
  };
  const Complex value = interpolated(13), other = interpolated(11);
  return {value, 4 * std::abs(value - other) + 1e-9};
}

/// The size of the tilted law's sum at s over that at 0. Nothing where it takes too many points.
std::optional<double> size_at(const LawPart& part, double rho, double s, double log_moment) {
  const auto rule = part.rule(rho, s, log_moment - 25);
  if (!rule) return std::nullopt;
  const auto grid = part.grid<long double>(rule->panels);
  long double re = 0, im = 0, sum = 0;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const long double w = std::exp(grid.log_weight[i] + rho * grid.log_ratio[i]), angle = s * grid.log_ratio[i];
    re += w * std::cos(angle), im += w * std::sin(angle), sum += w;
  }
  return static_cast<double>(std::hypot(re, im) / sum);
}

struct Row {
  std::string text;
  Direction direction = Direction::remove;
  double epsilon = 0, delta = 0, claim = 0;
  std::vector<std::string> mechanisms;
};

std::vector<Row> rows() {
  std::ifstream file(PLD_TEST_DATA "/contour_laws_truth.txt");
  std::vector<Row> result;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    Row row;
    row.text = line;
    std::string direction;
    words >> direction >> row.epsilon >> row.delta >> row.claim;
    row.direction = direction == "add" ? Direction::add : Direction::remove;
    for (std::string word; words >> word;) row.mechanisms.push_back(word);
    result.push_back(row);
  }
  return result;
}
}  // namespace

TEST_CASE("contour.laws.boxes_hold_the_continuation") {
  std::mt19937 random(27);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  int checked = 0;
  for (const PairPtr& pair : all_pairs()) {
    const auto law = pld::analytic_law(*pair, -30);
    REQUIRE(law);
    for (const auto& density : law->densities) {
      for (int i = 0; i < 12; ++i) {
        const double length = density->to() - density->from();
        const double a = density->from() + between(0.05, 0.9) * length, b = a + between(0, 0.1) * length;
        const double height = between(0.01, 0.5) * std::min(1.0, length);
        const auto box = density->box(a, b, height);
        if (!box) continue;
        // Interpolated well within where the function is analytic.
        const double x = between(a, b), y = between(0, std::min(height, 0.06 * length)), spread = std::max(2 * y, 1e-2);
        if (!density->box(x - 2 * spread, x + 2 * spread, 2 * spread)) continue;
        CAPTURE(x);
        CAPTURE(y);
        const auto loss = continued([&](long double at) { return density->at(at).loss; }, x, y, spread);
        const auto log_q = continued([&](long double at) { return density->at(at).log_q; }, x, y, spread);
        if (!(loss.doubt < 1e-4 && log_q.doubt < 1e-4)) continue;
        CHECK(log_q.value.real() <= box->log_q + log_q.doubt);
        CHECK(loss.value.real() <= box->most_loss + loss.doubt);
        CHECK(loss.value.real() >= box->least_loss - loss.doubt);
        CHECK(loss.value.imag() <= box->most_turn * y + loss.doubt);
        CHECK(loss.value.imag() >= box->least_turn * y - loss.doubt);
        ++checked;
      }
    }
  }
  CHECK(checked > 400);
}

// A coarse rule against a fine one: the difference is within the bounds of both.
TEST_CASE("contour.laws.rule_is_within_its_error") {
  for (const PairPtr& pair : all_pairs()) {
    LawPart part(pair, 1);
    REQUIRE(part.cut(40, 2));
    if (part.law().densities.empty()) continue;
    for (const double rho : {-1.5, 0.4, 2.5}) {
      for (const double s : {0.0, 3.0, 40.0}) {
        const auto moment = [&](double log_error) {
          const auto rule = part.rule(rho, s, log_error);
          REQUIRE(rule);
          const auto grid = part.grid<long double>(rule->panels);
          std::complex<long double> sum = 0;
          double rounding = 0;
          for (std::size_t i = 0; i < grid.size(); ++i) {
            const long double size = std::exp(grid.log_weight[i] + rho * grid.log_ratio[i]);
            sum += size * std::polar(1.0L, static_cast<long double>(s) * grid.log_ratio[i]);
            const double units = static_cast<double>(grid.weight_units[i] + std::hypot(rho, s) * grid.log_units[i]);
            rounding += static_cast<double>(size) * units * pld::contour::round_off<long double>;
          }
          return std::pair(sum, std::exp(rule->log_error) + rounding);
        };
        const auto [coarse, coarse_error] = moment(-2);
        const auto [fine, fine_error] = moment(-42);
        CAPTURE(rho);
        CAPTURE(s);
        CHECK(static_cast<double>(std::abs(coarse - fine)) <= coarse_error + fine_error);
      }
    }
  }
}

TEST_CASE("contour.laws.are_worked_out_once_for_like_questions_while_their_pair_lives") {
  PairPtr pair = pair_of("generalized:shape=1.5,scale=3");
  const std::weak_ptr<const pld::DominatingPair> watched = pair;
  const auto known = KnownLaw::of(pair, 57.6);
  CHECK(KnownLaw::of(pair, 59.9) == known);
  CHECK(KnownLaw::of(pair, 300) != known);
  CHECK(known->law().log_lost <= -57.6);
  CHECK(KnownLaw::of(pair_of("generalized:shape=1.5,scale=3"), 57.6) != known);
  const AnalyticDensity& density = *known->law().densities.front();
  for (const double height : {1e-3, 2e-3, 1e-3}) {
    const double from = density.from() + 0.5 * (density.to() - density.from());
    const auto asked = known->box(density, from, density.to(), height), own = density.box(from, density.to(), height);
    REQUIRE(asked.has_value() == own.has_value());
    if (own) CHECK((asked->log_q == own->log_q && asked->most_turn == own->most_turn));
  }
  pair.reset();
  CHECK(watched.expired());  // what is remembered of a pair does not keep it
}

TEST_CASE("contour.laws.decay_bounds_all_higher_nodes") {
  for (const PairPtr& pair : all_pairs()) {
    LawPart part(pair, 1);
    REQUIRE(part.cut(45, 2));
    for (const double rho : {-0.5, 1.3, 4.0}) {
      const auto decay = LawDecay::at(part, rho);
      REQUIRE(decay);
      const double deviation = std::sqrt(decay->moment().variance);
      for (const double spread : {0.1, 1.0, 5.0, 40.0}) {
        const double s = spread / deviation, bound = decay->log_decay(s);
        CAPTURE(rho);
        CAPTURE(s);
        CHECK(bound <= 0);
        for (const double higher : {1.0, 1.3, 2.9}) {
          const auto size = size_at(part, rho, s * higher, decay->moment().log_moment);
          if (size) CHECK(*size <= std::exp(bound) * (1 + 1e-9) + 1e-9);
        }
      }
    }
  }
}

TEST_CASE("contour.laws.densities_are_seen_to_decay") {
  for (const std::string text : {"logistic:scale=1.5", "generalized:shape=1.5,scale=3", "generalized:shape=3.5,scale=2",
                                 "sinh-normal:sigma=1,a=3", "gaussian-mixture:sigma=1.5,shifts=0/1/2,weights=.5/.3/.2",
                                 "truncated-laplace:scale=2,bound=1.5", "gaussian:sigma=1.2"}) {
    CAPTURE(text);
    LawPart part(pair_of(text), 1);
    REQUIRE(part.cut(45, 1));
    const auto decay = LawDecay::at(part, 1.5);
    REQUIRE(decay);
    const double deviation = std::sqrt(decay->moment().variance);
    CHECK(decay->log_decay(0.1 / deviation) < -0.00002);  // about -.005: a hundredth or more
    CHECK(decay->log_decay(10 / deviation) < -0.5);
  }
}

TEST_CASE("contour.laws.contain_truth") {
  int checked = 0;
  for (const Row& row : rows()) {
    CAPTURE(row.text);
    const auto profile = pld::contour_profile(terms_of(row.mechanisms, row.direction), row.epsilon, 1e-6);
    REQUIRE(profile);
    const double truth = std::log(row.delta), slack = row.claim + 4e-16 * (1 + std::fabs(truth));
    CHECK(profile->log_delta.lower <= truth + slack);
    CHECK(truth - slack <= profile->log_delta.upper);
    CHECK(profile->log_delta.width() <= 1e-9);
    ++checked;
  }
  CHECK(checked > 50);
}

TEST_CASE("contour.laws.agree_with_the_lattice") {
  std::mt19937 random(2711);
  const auto any = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  int checked = 0;
  for (int i = 0; i < 24; ++i) {
    std::vector<std::string> texts{"gaussian:sigma=3,count=" + std::to_string(1 + any(9))};
    for (int j = 0; j < 2; ++j)
      texts.push_back(laws[any(laws.size())] + (any(2) ? ",q=.1" : "") + ",count=" + std::to_string(1 + any(20)));
    const Direction direction = any(2) ? Direction::remove : Direction::add;
    const pld::Terms terms = terms_of(texts, direction);
    const double epsilon = static_cast<double>(any(30)) / 10;
    CAPTURE(texts[1]);
    CAPTURE(texts[2]);
    CAPTURE(epsilon);
    const auto profile = pld::contour_profile(terms, epsilon, 1e-6);
    REQUIRE(profile);
    const pld::EngineAnswer lattice = pld::lattice_log_delta(terms, epsilon, 1e-2);
    CHECK(profile->log_delta.lower <= lattice.value.upper);
    CHECK(lattice.value.lower <= profile->log_delta.upper);
    CHECK(profile->log_delta.width() <= 1e-8);
    ++checked;
  }
  CHECK(checked == 24);
}

TEST_CASE("contour.laws.of_replaced_records_and_groups_have_their_densities") {
  using pld::test::Real;
  for (const double q : {0.5, 0.01, 1e-9}) {
    const Real s = 1 / Real(0.7);
    const auto law = pld::analytic_law(*opposite_of("gaussian:sigma=.7", q), -60);
    REQUIRE(law);
    REQUIRE(law->densities.size() == 1);
    CHECK(law->densities.front()->to() > 1 / 0.7 + 10.9);
    for (const double x : {-12.0, -3.1, -0.7, -1e-3, 0.0, 0.2, 1.0, 2.5, 9.0}) {
      CAPTURE(x);
      const auto mixed = [&](double way) { return Real(log(1 - Real(q) + q * exp(way * s * x - s * s / 2))); };
      const auto at = law->densities.front()->at(x);
      const Real loss = mixed(1) - mixed(-1), log_q = mixed(-1) - Real(x) * x / 2 - log(2 * acos(Real(-1))) / 2;
      CHECK(abs(Real(at.loss) - loss) <= at.loss_error);
      CHECK(abs(Real(at.log_q) - log_q) <= at.log_q_error);
      CHECK(at.loss_error < 1e-13 * (std::fabs(at.loss) + q));
    }
  }
  for (const auto& [replaced, q] :
       std::vector<std::pair<bool, double>>{{false, 0.01}, {true, 0.01}, {false, 1e-9}, {true, 1e-9}}) {
    const auto law = pld::analytic_law(*group_of(2, 3, q, replaced), -60);
    REQUIRE(law);
    for (const double x : {-12.0, -0.7, -1e-3, 0.0, 0.2, 1.0, 9.0}) {
      CAPTURE(x);
      const auto mixed = [q = q](Real at) {  // by definition: each of three records is drawn or not
        Real sum = 0;
        for (int drawn = 0; drawn < 8; ++drawn) {
          const int j = std::popcount(static_cast<unsigned>(drawn));
          sum += pow(Real(q), j) * pow(1 - Real(q), 3 - j) * exp(Real(j) / 2 * (at - Real(j) / 4));
        }
        return Real(log(sum));
      };
      const auto at = law->densities.front()->at(x);
      const Real still = -Real(x) * x / 2 - log(2 * acos(Real(-1))) / 2;
      CHECK(abs(Real(at.loss) - (mixed(x) - (replaced ? mixed(-Real(x)) : Real(0)))) <= at.loss_error);
      CHECK(abs(Real(at.log_q) - (still + (replaced ? mixed(-Real(x)) : Real(0)))) <= at.log_q_error);
      CHECK(at.loss_error < 1e-13 * (std::fabs(at.loss) + q));
    }
  }
  const auto mixture = pld::analytic_law(*pair_of("gaussian-mixture:sigma=2,shifts=0/1/3,weights=.7/.2/.1"), -60);
  REQUIRE(mixture);
  for (const double x : {-12.0, -0.7, -1e-3, 0.0, 0.2, 1.0, 9.0}) {
    CAPTURE(x);
    const auto at = mixture->densities.front()->at(x);
    const auto part = [&](double weight, const Real& shift) { return Real(weight * exp(shift * (x - shift / 2))); };
    const Real sum = Real(.7) + .2 + .1, ratio = (part(.7, 0) + part(.2, .5) + part(.1, 1.5)) / sum;
    CHECK(abs(Real(at.loss) - log(ratio)) <= at.loss_error);
    CHECK(at.loss_error < 1e-14 * (1 + std::fabs(x)));
  }
  // Noise whose densities are pieces, or over losses, has no such law.
  CHECK_FALSE(pld::has_analytic_law(*opposite_of("laplace:scale=2", 0.1)));
  CHECK_FALSE(pld::has_analytic_law(*opposite_of("generalized:shape=1.5,scale=3", 0.1)));
  CHECK_FALSE(pld::has_analytic_law(*opposite_of("logistic:scale=2", 0.1)));
}

// At outcomes from X's own middle s matters, a rounded quotient: at s/2, far from X of many deviations a shift, most.
TEST_CASE("contour.laws.of_replaced_records_of_sinh_normal_noise_have_their_densities") {
  using pld::test::Real;
  struct Place {
    double sigma, a, q, x;
  };
  for (const Place& place : std::vector<Place>{{.0138022654719946669, 1.3365217, 3.6254556617e-5, 36.22594},
                                               {.0850738039801124, .10709869909660689, 4.8006e-5, 5.87717413572151685},
                                               {.003721769974611701, .0754106, 1.4066e-5, 1.242},
                                               {.0033647580591, .307046, .0326, 1.7368},
                                               {1, 3, 1e-3, 0.3},
                                               {1, 3, 1e-3, -4}}) {
    CAPTURE(place.x);
    const auto law =
        pld::analytic_law(*opposite_of(pld::SinhNormal{.sigma = place.sigma, .a = place.a}, place.q), -700);
    if (!law) continue;
    const Real sigma = place.sigma, s = 1 / sigma, a = Real(place.a) / sigma;
    const auto log_density = [&](const Real& x) {
      return Real(log(cosh(x / a)) - pow(a * sinh(x / a), 2) / 2 - log(2 * acos(Real(-1))) / 2);
    };
    const auto mixed = [&](const Real& x) {
      return Real(log(1 - Real(place.q) + place.q * exp(log_density(x - s) - log_density(x))));
    };
    const auto at = law->densities.front()->at(place.x);
    CHECK(abs(Real(at.loss) - (mixed(place.x) - mixed(-Real(place.x)))) <= at.loss_error);
    CHECK(abs(Real(at.log_q) - (log_density(place.x) + mixed(-Real(place.x)))) <= at.log_q_error);
  }
}

TEST_CASE("contour.laws.of_zeroed_records_have_their_densities") {
  using pld::test::Real;
  for (const auto& [sigma, a, q] :
       std::vector<std::tuple<double, double, double>>{{.7, 0, 0.5},
                                                       {.0138022654719946669, 0, 3.6254556617e-5},
                                                       {35.1, 0, 1e-9},
                                                       {1, 3, 1e-3},
                                                       {.0033647580591, .307046, .0326}}) {
    CAPTURE(sigma);
    CAPTURE(a);
    const auto law = a > 0 ? pld::analytic_law(*zeroed_of(pld::SinhNormal{.sigma = sigma, .a = a}, q), -700)
                           : pld::analytic_law(*zeroed_of(pld::Gaussian{.sigma = sigma}, q), -700);
    if (!law) continue;
    const Real s = 1 / Real(sigma), length = Real(a) / sigma;
    const auto log_density = [&, a = a](const Real& x) {
      const Real y = a > 0 ? Real(length * sinh(x / length)) : x;
      return Real((a > 0 ? log(cosh(x / length)) : Real(0)) - y * y / 2 - log(2 * acos(Real(-1))) / 2);
    };
    const auto mixed = [&, q = q](const Real& x, const Real& d) {
      return Real(log(1 - Real(q) + q * exp(log_density(x - d) - log_density(x))));
    };
    const auto& density = *law->densities.front();
    for (const double share : {0.0, 1e-9, 0.01, 0.1, 0.4, 0.8, 1.0}) {
      CAPTURE(share);
      const double x = density.from() + share * (density.to() - density.from());
      const auto at = density.at(x);
      CHECK(abs(Real(at.loss) - (mixed(x, 2 * s) - mixed(x, s))) <= at.loss_error);
      CHECK(abs(Real(at.log_q) - (log_density(x) + mixed(x, s))) <= at.log_q_error);
      CHECK(at.loss_error < 1e-12 * static_cast<double>(mixed(x, 2 * s)));
    }
  }
}

TEST_CASE("contour.laws.of_replaced_records_and_groups_agree_with_the_lattice") {
  struct Steps {
    PairPtr pair;
    std::int64_t count;
    double log_delta;
  };
  for (const Steps& steps : std::vector<Steps>{{opposite_of("gaussian:sigma=1", 0.01), 1000, -13.8},
                                               {opposite_of("gaussian:sigma=.7", 2e-4), 100'000, -12},
                                               {opposite_of("gaussian:sigma=3", 0.3), 50, -40},
                                               {opposite_of("sinh-normal:sigma=1,a=3", 0.05), 200, -10},
                                               {group_of(7, 3, 5e-4, false), 100'000, -12},
                                               {group_of(7, 3, 5e-4, true), 100'000, -12},
                                               {group_of(2, 2, 0.1, false), 100, -25}}) {
    CAPTURE(steps.count);
    const pld::Terms terms{{steps.pair, steps.count}};
    const auto found = pld::contour_epsilon(terms, steps.log_delta, 1e-6);
    REQUIRE(found);
    CHECK(found->width() < 1e-8 * found->upper);
    const auto on_lattice = [&](double epsilon) { return pld::lattice_log_delta(terms, epsilon, 1e-3).value; };
    CHECK(on_lattice(found->lower).upper >= steps.log_delta);
    CHECK(on_lattice(found->upper).lower <= steps.log_delta);
  }
}

TEST_CASE("contour.laws.epsilon_and_delta_are_inverse") {
  for (const auto& texts :
       std::vector<std::vector<std::string>>{{"gaussian:sigma=1.1,q=.01,count=1000", "laplace:scale=20,count=200"},
                                             {"logistic:scale=20,count=200"},
                                             {"laplace:scale=1,q=.01,count=100000"},
                                             {"gaussian:sigma=10", "dp:epsilon=.1,delta=1e-8,count=10"}}) {
    CAPTURE(texts[0]);
    const pld::Terms terms = terms_of(texts, Direction::remove);
    const double log_delta = std::log(1e-6);
    const auto epsilon = pld::contour_epsilon(terms, log_delta, 1e-10);
    REQUIRE(epsilon);
    CHECK(epsilon->width() <= 1e-9 * epsilon->upper);
    const auto above = pld::contour_profile(terms, epsilon->upper, 1e-9),
               below = pld::contour_profile(terms, epsilon->lower, 1e-9);
    REQUIRE(above);
    REQUIRE(below);
    CHECK(above->log_delta.lower <= log_delta);
    CHECK(below->log_delta.upper >= log_delta);
  }
}

// Laplace's two atoms hold e^-5 of all that is composed, at any height.
TEST_CASE("contour.laws.atoms_are_handed_over") {
  const pld::Terms laplace = terms_of({"laplace:scale=20,count=200"}, Direction::remove);
  CHECK(pld::contour_takes(laplace));
  CHECK_FALSE(pld::contour_profile(laplace, 1, 1e-4));
  CHECK_FALSE(pld::contour_epsilon(laplace, -10, 1e-4));
  CHECK_FALSE(pld::contour_takes(terms_of({"randomized-response:p=.6,count=50"}, Direction::remove)));
  // More of them than are worth it, as soon as the first look.
  const pld::Terms many = terms_of(
      {"gaussian:sigma=10", "discrete-gaussian:sigma=5664.6,sensitivity=1000000,q=.9,count=7"}, Direction::remove);
  CHECK(pld::contour_takes(many));
  CHECK_FALSE(pld::contour_profile(many, 1, 1e-4));
  CHECK_FALSE(pld::contour_epsilon(many, -10, 1e-4));
}

// What decays is asked unasked, what does not is left to the lattice engine, without a look at a fine tolerance only.
TEST_CASE("contour.laws.are_asked_where_that_pays") {
  const auto pays = [](const std::string& text, double tolerance = 1e-4) {
    return pld::contour_decays_soon(terms_of({text}, Direction::remove), tolerance);
  };
  for (const char* text :
       {"gaussian-mixture:sigma=1,shifts=0/1,weights=.5/.5,count=10000", "logistic:scale=2,count=200",
        "laplace:scale=200,count=100000", "laplace:scale=1,q=.01,count=100000", "generalized:shape=4,scale=3,count=100",
        "sinh-normal:sigma=1,a=3,count=10"}) {
    CAPTURE(text);
    CHECK(pays(text));
  }
  for (const char* text : {"laplace:scale=1,count=3", "laplace:scale=20,count=200", "logistic:scale=2,count=2",
                           "laplace:scale=1,q=.001,count=10", "truncated-laplace:scale=1,bound=12,count=4"}) {
    CAPTURE(text);
    CHECK_FALSE(pays(text));
    CHECK(pays(text, 1e-9));
  }
  for (const double tolerance : {1e-4, 1e-9}) CHECK_FALSE(pays("randomized-response:p=.6,count=50", tolerance));
  // A hit or two in all are enough beside atoms: 3 ms, and 160 on a lattice.
  const pld::Terms with_counts = terms_of(
      {"gaussian:sigma=5.048,q=0.000232,count=6603", "discrete-gaussian:sigma=3.131,count=6"}, Direction::remove);
  CHECK(pld::contour_decays_soon(with_counts, 1e-4));
}

// Moments near 1 are 1 and a small sum only where all masses sum to 1: rounded ones, 505 a release, do not.
TEST_CASE("engines.contour_laws.lines_through_rounded_masses_agree") {
  const pld::Law law =
      pld::release_of(pld::entry_from_text("logistic:scale=0.77159,sensitivity=2,allocation=505")).mechanism.law();
  for (const PairPtr& pair : {law.remove, law.add, law.below->remove}) {
    const pld::Terms terms{{pair, 29}, {pair_of("logistic:scale=30.866,sensitivity=0.62324"), 1182}};
    const auto read = [&](double centre) {
      const pld::PiecePtr piece = pld::contour_piece(terms, centre, 1e-3, pld::Effort::thorough);
      REQUIRE(piece);
      return piece->at(2.354).log_delta;
    };
    const pld::Bracket far = read(1), near = read(2.378);
    CHECK(far.width() < 1e-8);
    CHECK(near.width() < 1e-9);
    CHECK(far.lower <= near.upper);
    CHECK(near.lower <= far.upper);
  }
}

// 1 - delta is summed of outcomes, while P's whole mass is known to be near 1 only: delta is what that leaves.
TEST_CASE("engines.contour_laws.know_1_less_delta_no_better_than_whole_masses") {
  const pld::Law law = pld::release_of(pld::entry_from_text("logistic:scale=0.3,allocation=5")).mechanism.law();
  for (const PairPtr& pair : {law.remove, law.below->remove}) {
    const pld::Terms terms{{pair, 10}, {pair_of("gaussian:sigma=0.05"), 1}};
    const double spread = pld::total_spread(terms).p;
    REQUIRE(spread > 0);
    const pld::PiecePtr piece = pld::contour_piece(terms, 0.1, 1e-3, pld::Effort::thorough);
    REQUIRE(piece);
    CHECK(piece->at(0.1).log_complement.upper >= std::log(spread));
  }
}

TEST_CASE("engines.contour_laws.are_cut_into_no_more_panels_than_there_is_work_for") {
  LawPart part(pair_of("laplace:scale=0.026"), 1);
  const pld::Question question;
  const double whole = pld::Work::left();
  {
    const pld::PartOfQuestion little(150);
    CHECK_FALSE(part.cut(37, 1e6));
  }
  CHECK(whole - pld::Work::left() <= 150);
  CHECK(part.cut(37, 1));
}
