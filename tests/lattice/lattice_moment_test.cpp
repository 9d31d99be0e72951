// Moments of laws on lattices at complex t: against 50 digits, against the contour engine's, and put through the
// contour engine's integral in place of the lattice engine's sums.
#include "support/lattice_moment.hpp"

#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

#include "engines/contour/ratio_moments.hpp"
#include "engines/contour/rotation_sums.hpp"
#include "lattice/convolve.hpp"
#include "lattice/cumulant.hpp"
#include "lattice/discretise.hpp"
#include "lattice/lattice_profile.hpp"
#include "pld/core/rounding.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

using Real = boost::multiprecision::cpp_bin_float_50;
using Complex = std::complex<double>;

/// A bell of 60 losses about `centre`, of total P mass about one.
LatticeMeasure bell(std::mt19937_64& random, double tilt, double centre, double spacing) {
  std::uniform_real_distribution<double> uniform(0.2, 1);
  LatticeMeasure m;
  m.tilt = tilt;
  m.spacing = spacing;
  m.origin = centre;
  m.first = -30;
  double mass = 0;
  for (int i = 0; i < 60; ++i) {
    const double x = (i - 30) / 8.0;
    m.weights.push_back(std::exp(-x * x / 2) * uniform(random));
    mass += m.weights.back() * std::exp(-tilt * (m.position(m.first + i) - centre));
  }
  m.log_scale = tilt * centre - std::log(mass);
  return m;
}

struct Exact {
  Real real, imaginary;
};
Exact exact_excess(const LatticeMeasure& m, Complex t) {
  Exact sum{0, 0};
  for (std::size_t i = 0; i < m.weights.size(); ++i) {
    const Real z = Real(m.origin) + Real(m.first + static_cast<std::int64_t>(i)) * Real(m.spacing);
    const Real mass = Real(m.weights[i]) * exp(Real(m.log_scale) - Real(m.tilt) * z);
    const Real size = exp(Real(t.real()) * z), angle = Real(t.imag()) * z;
    sum.real += mass * (size * cos(angle) - 1);
    sum.imaginary += mass * size * sin(angle);
  }
  return sum;
}

TEST_CASE("compose.lattice_moment.error_bound") {
  std::mt19937_64 random(11);
  double worst = 0;
  for (const double tilt : {0.0, 2.0, 40.0})
    for (const double centre : {0.0, -0.7, 3.0})
      for (const double spacing : {1e-4, 0.03})
        for (const Complex t :
             {Complex(1e-9, 0), Complex(0, 1e-7), Complex(2, 0), Complex(2, 3), Complex(-1, 50), Complex(40, 1e4)}) {
          const LatticeMeasure m = bell(random, tilt, centre, spacing);
          CAPTURE(tilt);
          CAPTURE(t);
          const ComplexEstimate got = moment_excess(m, t);
          const Exact want = exact_excess(m, t);
          const double off = static_cast<double>(
              sqrt(pow(want.real - Real(got.value.real()), 2) + pow(want.imaginary - Real(got.value.imag()), 2)));
          CHECK(off <= got.error);
          worst = std::max(worst, off / got.error);
        }
  CHECK(worst > 0.01);  // the bound is not idle
}

TEST_CASE("compose.lattice_moment.no_number_out_of_range") {
  std::mt19937_64 random(12);
  const ComplexEstimate far = moment_excess(bell(random, 1, 3, 0.1), {1e4, 2});
  CHECK(far.error == infinity);
  CHECK(!std::isnan(far.value.real()));
}

/// A discretised release against the contour engine's sums over outcomes: off by O(spacing^2), and at real t on its own
/// side.
TEST_CASE("compose.lattice_moment.approaches_the_contour_engines") {
  const double sigma = 0.8, q = 0.005, t = 9, pitch = 0.7;
  const contour::SampledRatio ratio{1 / sigma, q};
  const contour::RatioGrid grid = contour::make_grid(ratio, contour::make_body(ratio, -12, 27), 4);
  std::vector<double> weights;
  const contour::TiltedMoment moment = contour::tilt(grid, 1 + t, &weights);
  std::vector<double> angles;
  for (const double log_ratio : grid.log_ratio) angles.push_back(pitch * log_ratio);
  const contour::RotationSums sums = contour::rotation_sums<double>(weights, angles, 0, 20);

  const PairPtr pair = poisson_sampled(Gaussian{.sigma = sigma}, q).pair(Direction::remove);
  const double highest = pair->outline().back().loss;
  const CutPair release{pair, {pair->range().lowest, highest}, Cumulant(pair->outline(), highest)};
  for (const Side side : {Side::upper, Side::lower}) {
    CAPTURE(static_cast<int>(side));
    for (const std::size_t n : {0UL, 1UL, 5UL, 20UL}) {
      CAPTURE(n);
      const Complex want = std::exp(moment.log_moment) * Complex(1 - sums.one_less_cosine[n], sums.sine[n]);
      std::vector<double> off;
      for (const double spacing : {0.02, 0.01, 0.005}) {
        double points = infinity;
        const LatticeMeasure measure = CutLaw(release, spacing, t, points).on_lattice(side);
        const Complex got = 1.0 + moment_excess(measure, {t, pitch * static_cast<double>(n)}).value;
        off.push_back(std::abs(got - want) / std::exp(moment.log_moment));
        if (n == 0) CHECK((side == Side::upper ? got.real() > want.real() : got.real() < want.real()));
      }
      CAPTURE(off[0]);
      CHECK(off[2] < 2e-4);  // h^2 t (t+1) / 12 at the real t
      if (n > 1) continue;  // little is left of the moment there but what wide intervals where little mass lies are off
      for (const std::size_t i : {1UL, 2UL}) {
        CHECK(off[i] < 0.3 * off[i - 1]);
        CHECK(off[i] > 0.2 * off[i - 1]);
      }
    }
  }
}

/// delta(epsilon) at a node as an integral over one period of Im t: summed over all periods, 1/t - 1/(t+1) is
/// (h/2) (coth(t h/2) - coth((t+1) h/2)). Equal steps alias what lies a whole number of circles away.
double log_delta_by_integral(const LatticeMeasure& m, double count, double tilt, double epsilon) {
  const double h = m.spacing;
  constexpr int steps = 1 << 14;
  const auto coth = [](Complex z) { return 1.0 / std::tanh(z); };
  const double top = count * std::log1p(moment_excess(m, {tilt, 0}).value.real()) - tilt * epsilon;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    const double s = 2 * std::numbers::pi / h * i / steps;
    const Complex t(tilt, s);
    const Complex moments = std::exp(count * std::log(1.0 + moment_excess(m, t).value) - t * epsilon - top);
    sum += (moments * (h / 2) * (coth(t * (h / 2)) - coth((t + 1.0) * (h / 2)))).real();
  }
  return top + std::log(sum / (h * steps));
}

TEST_CASE("compose.lattice_moment.integrated_along_a_line_gives_the_profile") {
  std::mt19937_64 random(13);
  for (const auto& tilt_and_count : {std::pair{3.0, 1}, {0.5, 7}, {8.0, 40}}) {
    const double tilt = tilt_and_count.first;
    const int count = tilt_and_count.second;
    const LatticeMeasure m = bell(random, tilt, 0, 0.0625);
    const Factor factor{&m, count};
    const LatticeMeasure composed = convolve(
        std::span(&factor, 1), {-30 * count - 8, 60UL * static_cast<std::size_t>(count) + 16}, Precision::extended);
    const LatticeProfile profile(composed, Side::upper);
    for (const int node : {2, 9, 17}) {
      CAPTURE(count);
      CAPTURE(node);
      const double epsilon = node * m.spacing;
      CHECK_REL(log_delta_by_integral(m, count, tilt, epsilon), profile.log_delta(epsilon), 1e-11);
    }
  }
}

}  // namespace
}  // namespace pld::test
