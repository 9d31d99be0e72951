// The bounds the contour engine's brackets are made of, each against what it bounds.
#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <complex>
#include <numeric>
#include <random>

#include "engines/contour/path_bound.hpp"
#include "engines/contour/ratio_moments.hpp"
#include "engines/contour/rotation_sums.hpp"
#include "pld/core/rounding.hpp"
#include "support/checks.hpp"

namespace {
using namespace pld::contour;
using Real = boost::multiprecision::cpp_bin_float_50;
using Complex = std::complex<long double>;

struct Case {
  SampledRatio ratio;
  double rho, highest;
  bool one_hump = true;  ///< the tilted law is not split between plain outcomes and hits
};
const std::vector<Case> cases = {{{1.25, 0.005}, 6.1, 20, false},
                                 {{1.25, 0.005}, -10, 12},
                                 {{0.25, 0.00033}, 100, 12},
                                 {{0.5, 0.02}, 30, 28, false},
                                 {{1, 0.05}, 6, 20, false},
                                 {{2, 0.5}, 5, 22},
                                 {{0.1, 0.1}, 15, 12},
                                 {{5, 0.3}, 0.4, 16, false},
                                 {{1.4, 1e-4}, 11, 26},
                                 {{1, 0.999}, 3, 14},
                                 {{3, 1e-10}, 1.5, 16, false}};

/// E[r^{rho + is}] / E[r^rho] on a grid far finer than any bound asks for.
Complex fine_moment(const Case& c, const Body& body, double s) {
  const RatioGrid grid = make_grid(c.ratio, body, 240);
  std::vector<double> weights;
  (void)tilt(grid, c.rho, &weights);
  Complex sum = 0;
  for (std::size_t i = 0; i < grid.size(); ++i)
    sum += static_cast<long double>(weights[i]) *
           std::polar(1.0L, static_cast<long double>(s) * static_cast<long double>(grid.log_ratio[i]));
  return sum;
}
}  // namespace

TEST_CASE_TEMPLATE("contour.rotation_sums.error_bound", Number, double, long double) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (const double scale : {1e-9, 1e-3, 1.0, 40.0}) {
    std::vector<Number> weights(61), angles(61);
    for (Number& w : weights) w = Number(uniform(random)) / 61;
    for (Number& a : angles) a = Number(scale) * (Number(uniform(random)) - Number(0.3));
    const RotationSums sums = rotation_sums<Number>(weights, angles, 5, 9000);
    REQUIRE(sums.sine.size() == 8996);
    for (std::size_t n = 5; n <= 9000; n = n * 5 / 4 + 1) {
      Real sine = 0, versine = 0, size = 0, sine_size = 0;
      for (std::size_t i = 0; i < weights.size(); ++i) {
        const Real angle = Real(angles[i]) * n, half = sin(Real(angle / 2));
        sine += weights[i] * sin(angle);
        versine += weights[i] * 2 * half * half;
        size += weights[i] * abs(angle);
        sine_size += weights[i] * abs(sin(angle));
      }
      const Real u = round_off<Number>, result = pld::unit_roundoff;
      CHECK(abs(sums.sine[n - 5] - sine) <= 130 * u * size + 20 * u * sine_size + result * abs(sine));
      CHECK(abs(sums.one_less_cosine[n - 5] - versine) <= 130 * u * size + 20 * u * versine + result * versine);
    }
  }
}

// The sums over the grid in 50 digits: the rounding bound holds and is not idle.
TEST_CASE_TEMPLATE("contour.tilt.rounding_bound", Number, double, long double) {
  for (const Case& c : cases) {
    CAPTURE(c.ratio.mu);
    CAPTURE(c.rho);
    const Body body = make_body(c.ratio, -12, c.highest);
    const auto grid = make_grid<Number>(c.ratio, body, 1);
    const double centre = 0.01;
    std::vector<Number> weights;
    const TiltedMoment moment = tilt(grid, c.rho, &weights, centre);
    const Real mu = c.ratio.mu, q = c.ratio.q, rho = c.rho, step = grid.step;
    const Real norm = step / sqrt(2 * boost::math::constants::pi<Real>());
    Real sum = 0, linear = 0;
    std::vector<Real> exact_weight, exact_log;
    for (std::size_t i = 0; i < grid.size(); ++i) {
      const Real x = grid.x[i], weight = norm * exp(-x * x / 2), ratio = 1 - q + q * exp(mu * x - mu * mu / 2);
      exact_log.push_back(log(ratio));
      exact_weight.push_back(weight * exp(rho * exact_log.back()));
      sum += exact_weight.back();
      linear += weight * (1 + rho * (ratio - 1));
    }
    // Where G - 1 is summed, E[1] and E[r - 1] are taken at their exact values.
    const Real log_moment = log(moment.as_excess ? sum - linear + 1 : sum);
    CHECK(abs(log_moment - moment.log_moment) <= moment.rounding);
    CHECK(moment.rounding <= 1e-12 * (1e-12 + std::fabs(moment.log_moment) + std::fabs(c.rho) * moment.variance) +
                                 (moment.as_excess ? 0 : 1e-12));

    const double s = 0.3 / std::sqrt(moment.variance);
    Real re = 0, im = 0, exact_re = 0, exact_im = 0;
    for (std::size_t i = 0; i < grid.size(); ++i) {
      const Real angle = Real(s) * (Real(grid.log_ratio[i]) - centre), exact = Real(s) * (exact_log[i] - centre);
      re += weights[i] * (cos(angle) - 1);
      im += weights[i] * sin(angle);
      exact_re += exact_weight[i] / sum * (cos(exact) - 1);
      exact_im += exact_weight[i] / sum * sin(exact);
    }
    CHECK(abs(re - exact_re) <= s * moment.phase_rounding);
    CHECK(abs(im - exact_im) <= s * moment.phase_rounding);
  }
}

// What searches take, at the counts that need most of its digits.
TEST_CASE("contour.tilted_cumulant.is_what_tilt_sums") {
  auto all = cases;
  for (const double rho : {1 + 1e-6, 0.5, -0.5, 2.0}) all.push_back({{0.1, 1e-6}, rho, 12});
  for (const Case& c : all) {
    CAPTURE(c.ratio.q);
    CAPTURE(c.rho);
    const auto grid = make_grid(c.ratio, make_body(c.ratio, -12, c.highest), 1);
    const TiltedMoment moment = tilt(grid, c.rho);
    const Cumulant sum = tilted_cumulant(grid, c.rho);
    const auto near = [](double x, double y, double scale) { return std::fabs(x - y) <= 1e-12 * scale; };
    CHECK(near(sum.value, moment.log_moment, std::fabs(moment.log_moment)));
    CHECK(near(sum.mean, moment.mean, std::fabs(moment.mean) + std::sqrt(moment.variance)));
    CHECK(near(sum.variance, moment.variance, moment.variance + moment.mean * moment.mean));
  }
}

TEST_CASE("contour.path.bounds_decay") {
  for (const Case& c : cases) {
    const Body body = make_body(c.ratio, -12, c.highest);
    const RatioGrid cells = make_grid(c.ratio, body, 1);
    const PathBound bound(c.ratio, body, cells, c.rho, -45);
    const double deviation = std::sqrt(bound.moment().variance);
    for (const double spread : {0.01, 0.1, 0.5, 1.0, 2.0, 4.0}) {
      CAPTURE(c.ratio.mu);
      CAPTURE(c.rho);
      CAPTURE(spread);
      const double s = spread / deviation, log_decay = bound.log_decay(s);
      const double real_size = static_cast<double>(std::abs(fine_moment(c, body, s)));
      CHECK(log_decay <= 0);
      CHECK(real_size <= std::exp(log_decay) * (1 + 1e-13));
      // Sharp enough to be of use.
      if (c.one_hump && spread <= 1) CHECK(log_decay <= 0.4 * std::log(real_size));
      // It holds for every frequency above s too.
      for (const double further : {1.1, 1.7, 3.0})
        CHECK(static_cast<double>(std::abs(fine_moment(c, body, s * further))) <= std::exp(log_decay) * (1 + 1e-13));
    }
  }
}

TEST_CASE("contour.path.bounds_quadrature_error") {
  for (const Case& c : cases) {
    CAPTURE(c.ratio.mu);
    CAPTURE(c.rho);
    const Body body = make_body(c.ratio, -12, c.highest);
    const RatioGrid cells = make_grid(c.ratio, body, 1);
    const PathBound bound(c.ratio, body, cells, c.rho, -45);
    for (const double spread : {0.0, 1.0, 6.0}) {
      const double s = spread / std::sqrt(bound.moment().variance);
      const Complex truth = fine_moment(c, body, s);
      // Coarse on purpose, so that there is an error to bound: the first grids that are too fine are passed over.
      for (const long per_cell : {1L, 2L, 4L}) {
        const RatioGrid grid = make_grid(c.ratio, body, per_cell);
        const auto strip = bound.best_strip(s, -5);
        const double log_error = bound.log_quadrature_error(strip, grid.step, s);
        std::vector<double> weights;
        const TiltedMoment moment = tilt(grid, c.rho, &weights);
        Complex sum = 0;
        for (std::size_t i = 0; i < grid.size(); ++i)
          sum +=
              static_cast<long double>(weights[i]) * std::polar(1.0L, static_cast<long double>(s * grid.log_ratio[i]));
        const double scale = std::exp(moment.log_moment - bound.moment().log_moment);
        const double error = static_cast<double>(std::abs(sum * static_cast<long double>(scale) - truth));
        CHECK(error <= std::exp(log_error) + 1e-12);
      }
      const auto strip = bound.best_strip(s, -30);
      CHECK(bound.log_quadrature_error(strip, strip.step, s) < -25);
    }
  }
}
