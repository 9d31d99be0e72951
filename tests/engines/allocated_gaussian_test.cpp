// The mean of Gaussian ratios, of which a random allocation is made: its moments at complex powers against integrals
// and exact sums in 50 digits, and profiles against those.
#include "engines/contour/allocated_gaussian.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "core/work.hpp"
#include "engines/contour/allocated_part.hpp"
#include "engines/contour/composed_moment.hpp"
#include "engines/contour/contour.hpp"
#include "engines/contour/contour_curve.hpp"
#include "engines/question.hpp"
#include "numeric/log_gamma.hpp"
#include "pld/account/query.hpp"
#include "pld/core/contradictions.hpp"
#include "pld/core/rounding.hpp"
#include "support/composition_of.hpp"
#include "support/mean_moments.hpp"

namespace {
using pld::contour::allocated_parts;
using pld::contour::AllocatedGaussian;
using pld::contour::AllocatedPart;
using pld::contour::ContourCurve;
using pld::test::composition_of;

// Two steps: R is e^{mu m - mu^2/2} cosh(mu d) with m and d normal of variance 1/2, so that a moment is one integral;
// by mpmath 1.2.1 in 50 digits.
TEST_CASE("contour.allocation.moments_at_complex_powers_match_50_digits") {
  const std::vector<pld::test::ComplexPower> rows = {
      {1.0, 2.5, 3.0, 1.18996253476113444636505L, -3.19701784608142807748409L, -2.99050579536567724682154L},
      {1.0, 0.5, 4.0, -0.0735591812388802129641887L, -4.44107392333165852916696L, -0.360360793162342625770157L},

      {0.5, 12.75, 6.0, 11.4693234934800818725834L, -6.24049841405727468776041L, 2.30835064703323217212519L},
      {0.25, -8.5, 10.0, 1.27801125341083481910202L, -1.57685340880061161399232L, -2.84842096522118643299575L},
      {3.0, 1.75, 1.5, 5.38694884402192360686917L, -10.2104959434537237830418L, -3.00278083973408658745201L},
  };
  for (const pld::test::ComplexPower& row : rows) check_power(*AllocatedGaussian::of(row.mu, 2), row, 1e-9, 1e-7);
}

TEST_CASE("contour.allocation.moments_at_whole_powers_match_50_digits") {
  const std::vector<pld::test::WholePower> rows = {
      {1, 1000, 3, 0.00515546390562779102581759L},    {1, 1000, 12, 0.114552274193715146959785L},
      {0.5, 10000, 30, 0.0123558610985761171296557L}, {2, 50, 4, 12.265184266505078038541L},
      {0.125, 100, 60, 0.278725813579669388508436L},  {3.25, 1000000, 2, 0.0379281968384016832148145L},
  };
  for (const pld::test::WholePower& row : rows) {
    const auto law = AllocatedGaussian::of(row.mu, row.steps);
    check_power(*law, row, 1e-12);
    CHECK(std::fabs(law->cumulant(row.rho).value - static_cast<double>(row.log_moment)) <=
          1e-8 * (1 + std::fabs(static_cast<double>(row.log_moment))));
  }
}

// The sum over places below, of moments of two steps that are sums of few terms, place by place.
TEST_CASE("contour.allocation.sums_of_the_series_match_those_place_by_place") {
  constexpr long double mu = 0.75L;
  constexpr int most_terms = 14;  // the series does not converge, it is as good as its last term
  const pld::contour::MeanSeries series(0.75, 2, 6);
  const auto moment = [](int k) {  // E R^k
    long double sum = 0, ways = 1;
    for (int i = 0; i <= k; ++i) {
      const long double a = i, b = k - i;
      sum += ways * std::exp(mu * mu * (a * (a - 1) + b * (b - 1)) / 2 - k * std::log(2.0L));
      ways *= b / (a + 1);
    }
    return sum;
  };
  struct Row {
    int k;
    double angle, step, c, s;
  };
  for (const Row& row : std::vector<Row>{{0, 0, 0.125, 1, 0},
                                         {3, 0, 0.0625, 1.75, 0},
                                         {6, 1.25, 0.125, 1.5, 12},
                                         {2, 1.5625, 0.015625, 2, 300},
                                         {0, 0.5, 0.25, 30.5, 20}}) {
    CAPTURE(row.k);
    CAPTURE(row.s);
    const auto last = static_cast<long>(std::floor(series.end() / row.step));
    const auto found = series.sum(static_cast<std::size_t>(row.k), {row.angle, row.step, last}, row.c, row.s);
    long double re = 0, im = 0, unit = 1;  // 6^k / k!
    for (int i = 1; i <= row.k; ++i) unit *= 6.0L / i;
    for (int n = 0; n * row.step * row.c < 60; ++n) {
      const long double below = n * static_cast<long double>(row.step),
                        y = static_cast<double>(last) * row.step - below;
      long double term = unit * std::exp(-row.c * below);
      for (int j = 0; j < most_terms; ++j) {
        const long double turn = j * (row.angle - std::numbers::pi_v<long double>)-row.s * below;
        re += term * moment(row.k + j) * std::cos(turn), im += term * moment(row.k + j) * std::sin(turn);
        term *= std::exp(y) / (j + 1);
      }
    }
    CHECK(std::hypot(static_cast<double>(found.re - re), static_cast<double>(found.im - im)) <=
          found.error + 1e-17 * found.size);
    CHECK(found.error < 3e-16 * found.size);
    CHECK(found.size >= static_cast<double>(std::hypot(re, im)));
  }
}

// What is kept spares time but no points, so that an answer does not depend on what a process was asked before.
TEST_CASE("contour.allocation.each_question_takes_the_same_points") {
  std::vector<double> taken;
  for (int asked = 0; asked < 3; ++asked) {
    const pld::Question question;
    const double whole = pld::Work::left();
    const auto law = AllocatedGaussian::of(1.375, 60);
    REQUIRE(law->ratios(7.25, 0.5, 90));
    taken.push_back(whole - pld::Work::left());
    REQUIRE(law->ratios(7.25, 0.5, 90));
    CHECK(whole - pld::Work::left() == taken.back());
  }
  CHECK(taken[0] > 1e4);
  CHECK(taken[1] == taken[0]);
  CHECK(taken[2] == taken[0]);
}

TEST_CASE("contour.allocation.no_moment_exceeds_the_bound_of_the_tail") {
  for (const double rho : {-7.5, 0.4, 9.0}) {
    const auto law = AllocatedGaussian::of(1.25, 40);
    const auto ratios = law->ratios(rho, 0.5, 60);
    REQUIRE(ratios);
    const AllocatedPart removed(law, pld::Direction::remove, 1), added(law, pld::Direction::add, 1);
    for (std::size_t n = 0; n < ratios->size(); ++n) {
      const double s = 0.5 * static_cast<double>(n);
      const auto& [log_size, phase, error] = (*ratios)[n];
      const double least = error < 1 ? static_cast<double>(log_size) + std::log1p(-error) : -pld::infinity;
      CHECK(least <= removed.log_decay(rho - 1, s) + 1e-12);
      CHECK(least <= added.log_decay(-rho, s) + 1e-12);
      CHECK(static_cast<double>(std::exp(log_size)) * (1 - error) <= std::exp(-s * s * law->decay() / 2) * (1 + 1e-12));
    }
  }
}

// An epoch of two steps, by the same integral.
TEST_CASE("contour.allocation.profiles_of_two_steps_match_50_digits") {
  struct Row {
    double mu, epsilon, log_remove, log_add;
  };
  const std::vector<Row> rows = {
      {1, 0.5, -1.902618251786947093884, -1.94710209837854723396},
      {1, 3, -8.693317363262186685296, -11.04902474447508255436},
      {1, 12, -80.35418628895709256811, -140.4049784427780425367},
      {0.5, 1, -7.344512355681925877044, -7.643796928832889792139},
      {2, 0.25, -0.5954768625244130166755, -0.6045099950291724266985},
      {1, -0.5, -0.733941342549121591986, -0.7257735143426271265253},
  };
  for (const Row& row : rows) {
    for (const bool removes : {true, false}) {
      CAPTURE(row.epsilon);
      CAPTURE(removes);
      const auto direction = removes ? pld::Direction::remove : pld::Direction::add;
      const pld::contour::ComposedMoment epoch({}, {}, {}, allocated_parts({row.mu, {{2, 1}}, direction}, 1));
      const auto curve = ContourCurve::at_epsilon(epoch, row.epsilon, 1e-9, pld::Effort::thorough);
      REQUIRE(curve);
      const auto found = curve->profile(row.epsilon).delta;
      const double truth = removes ? row.log_remove : row.log_add, doubt = 1e-15 * std::fabs(truth);
      CHECK(found.lower <= truth + doubt);
      CHECK(found.upper >= truth - doubt);
      CHECK(found.width() <= 2e-9);
    }
  }
}

// Of few steps, powers of add are means of what hardly any outcome has.
TEST_CASE("contour.allocation.lines_of_few_steps_tell_both_directions") {
  const pld::Composition epoch = composition_of({"gaussian:sigma=1,allocation=12"});
  const auto laws = epoch.at_nodes([](const pld::Release&) { return pld::Nodes{.exact = true}; });
  const pld::Terms adding{{laws.releases().front().mechanism.pair(pld::Direction::add), 1}};
  const double removal = pld::delta(epoch, {.epsilon = 4, .direction = pld::DirectionChoice::remove}).log_delta.lower;
  const auto exact =
      pld::delta(epoch, {.epsilon = 4, .direction = pld::DirectionChoice::add, .engine = pld::Engine::lattice});
  const auto piece = pld::contour_piece(adding, 4, 1e-3, pld::Effort::thorough);
  REQUIRE(piece);
  CHECK(piece->at(4).log_delta.upper >= exact.log_delta.lower);
  CHECK(piece->at(4).log_delta.upper < removal);
  CHECK(piece->at(4).log_delta.width() < 1e-9);

  const auto worst =
      pld::delta(composition_of({"gaussian:sigma=0.52121370347276,allocation=217,count=2"}), {.epsilon = 4.89});
  CHECK(worst.engine == pld::Engine::contour);
  CHECK(worst.log_delta.width() < 1e-10);
}

// Takes a power below -80, whose terms are beyond doubles. The value is that of random_allocation_test.cpp.
TEST_CASE("contour.allocation.a_record_added_far_below_the_one_removed") {
  const auto found = pld::delta(composition_of({"gaussian:sigma=0.5,allocation=1000"}),
                                {.epsilon = 1, .direction = pld::DirectionChoice::add});
  CHECK(found.engine == pld::Engine::contour);
  CHECK(found.lower <= 2.08812271438403935e-18);
  CHECK(found.upper >= 2.08812271438403935e-18);
  CHECK(found.log_delta.width() < 1e-11);
}

TEST_CASE("contour.allocation.agrees_with_nodes") {
  const auto before = pld::contradictions();
  const auto check = [](const char* text, double delta) {
    pld::test::check_line_beside_nodes(text, delta, 1e-6, pld::EpsilonQuery{}.tolerance);
  };
  check("gaussian:sigma=1,allocation=1000,count=10", 1e-5);
  check("gaussian:sigma=2,allocation=100,count=100", 1e-10);
  check("gaussian:sigma=0.3,allocation=10000,count=3", 1e-10);
  check("gaussian:sigma=3,allocation=1000,passes=10", 1e-5);
  CHECK(pld::contradictions() == before);
}

TEST_CASE("numeric.log_gamma_matches_50_digits") {
  // By mpmath 1.2.1's loggamma.
  struct Row {
    double c, s;
    long double size, turn;
  };
  for (const Row& row : std::vector<Row>{{1.5, 0, -0.120782237635245222345518L, 0},
                                         {1, 3, -3.24414429958975619157318L, 1.05335077106861320032379L},
                                         {1.25, 300, -466.04212221524435431354L, 1412.31204103104390662783L},
                                         {80, 40, 259.614941127124648716144L, 176.60350466595622193507L},
                                         {2, 5000, -7840.28690563415406767485L, 37588.3219349047154559802L},
                                         {30, 0.5, 71.2528022873605281281649L, 1.69224299689027243035177L}}) {
    const auto found = pld::log_gamma(row.c, row.s);
    const double far = std::hypot(row.c, row.s), bound = 0x1p-61 * (8 + far) * std::log(30 + far);
    CHECK(std::fabs(static_cast<double>(found.size - row.size)) <= bound);
    CHECK(std::fabs(static_cast<double>(found.turn - row.turn)) <= bound);
  }
}

}  // namespace
