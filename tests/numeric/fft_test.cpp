#include "numeric/fft.hpp"

#include <fftw3.h>

#include <algorithm>
#include <atomic>
#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <chrono>
#include <cmath>
#include <complex>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "pld/core/rounding.hpp"
#include "support/checks.hpp"

namespace {

using Quad = boost::multiprecision::cpp_bin_float_quad;

struct Spectrum {
  std::vector<Quad> re, im;
};

/// The sums as they are defined, in 113 bits.
Spectrum exact_transform(const std::vector<double>& x) {
  const std::size_t n = x.size();
  std::vector<Quad> cosine(n), sine(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Quad angle = 2 * boost::math::constants::pi<Quad>() * Quad(i) / Quad(n);
    cosine[i] = cos(angle);
    sine[i] = sin(angle);
  }
  Spectrum out{std::vector<Quad>(n / 2 + 1), std::vector<Quad>(n / 2 + 1)};
  for (std::size_t k = 0; k <= n / 2; ++k)
    for (std::size_t j = 0; j < n; ++j) {
      out.re[k] += x[j] * cosine[j * k % n];
      out.im[k] -= x[j] * sine[j * k % n];
    }
  return out;
}

std::vector<double> random_values(std::size_t n, std::mt19937_64& random) {
  std::vector<double> x(n);
  for (double& v : x) v = std::uniform_real_distribution<double>(-1, 1)(random);
  return x;
}

/// The largest error of an entry over what fft_error() allows.
template <class Real>
double used_share(const std::vector<double>& x) {
  const Spectrum exact = exact_transform(x);
  pld::RealFft<Real> fft(x.size());
  std::copy(x.begin(), x.end(), fft.values().begin());
  fft.forward();
  double size = 0, worst = 0;
  for (const double v : x) size += std::fabs(v);
  for (std::size_t k = 0; k < exact.re.size(); ++k) {
    const Quad re = exact.re[k] - Quad(fft.spectrum()[k].real()), im = exact.im[k] - Quad(fft.spectrum()[k].imag());
    worst = std::max(worst, static_cast<double>(sqrt(re * re + im * im)));
  }
  return worst / (size * pld::fft_error<Real>(x.size()));
}

}  // namespace

TEST_CASE("numeric.fft.error_is_within_the_bound") {
  std::mt19937_64 random(7);
  double most = 0;
  for (const std::size_t n : {2u, 6u, 16u, 60u, 250u, 486u, 1024u})
    for (int trial = 0; trial < 3; ++trial) {
      CAPTURE(n);
      const std::vector<double> x = random_values(n, random);
      const double standard = used_share<double>(x), extended = used_share<long double>(x);
      CHECK(standard <= 1);
      CHECK(extended <= 1);
      most = std::max({most, standard, extended});
    }
  CHECK(most > 1e-3);  // a bound a thousand times too wide would be wrong about something
}

// Every level rounds a complex product, a twiddle and a sum; packing real data is worth two levels.
TEST_CASE("numeric.fft.the_bound_is_no_less_than_what_it_stands_on") {
  for (std::size_t n = 2; n <= 1u << 20; n *= 2) {
    const double levels = std::log2(static_cast<double>(n)) + 2, u = pld::unit_roundoff;
    CHECK(pld::fft_error<double>(n) >= (std::sqrt(5.0) + 2) * u * levels);
    CHECK(pld::fft_error<long double>(n) >= (std::sqrt(5.0) + 2) * u / 2048 * levels);
  }
}

TEST_CASE("numeric.fft.backward_undoes_forward_times_length") {
  std::mt19937_64 random(8);
  const std::vector<double> x = random_values(360, random);
  pld::RealFft<double> fft(x.size());
  std::copy(x.begin(), x.end(), fft.values().begin());
  fft.forward();
  fft.backward();
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::fabs(fft.values()[i] / 360 - x[i]) <= 1e-14);
}

// What the last transform of the length left in its arrays is gone.
TEST_CASE("numeric.fft.kept_transforms_are_as_good_as_new") {
  std::mt19937_64 random(9);
  const pld::KeptTransforms kept;
  for (const std::size_t n : {320u, 320u, 512u, 320u, 512u, 1u << 20, 320u}) {
    const std::vector<double> x = random_values(n, random);
    pld::RealFft<double> one(n), other(n);
    std::copy(x.begin(), x.end(), one.values().begin());
    one.forward();
    std::copy(x.begin(), x.end(), other.values().begin());
    other.forward();
    const double sum = std::accumulate(x.begin(), x.end(), 0.0);
    CHECK(std::fabs(one.spectrum()[0].real() - sum) <= 1e-9);
    one.backward();
    for (std::size_t i = 0; i < n; i += 1 + n / 100) {
      CHECK(std::fabs(one.values()[i] / static_cast<double>(n) - x[i]) <= 1e-13);
    }
    CHECK(std::fabs(other.spectrum()[0].real() - sum) <= 1e-9);
  }
}

TEST_CASE("numeric.fft.fast_lengths") {
  for (const std::size_t at_least : {1u, 2u, 3u, 97u, 1000u, 123457u}) {
    const std::size_t length = pld::fast_length(at_least);
    CHECK(length >= at_least);
    CHECK(length % 2 == 0);
    std::size_t rest = length;
    for (const std::size_t prime : {2u, 3u, 5u})
      while (rest % prime == 0) rest /= prime;
    CHECK(rest == 1);
    CHECK(length <= std::max<std::size_t>(10, 4 * at_least / 3 + 1));
  }
}

TEST_CASE("numeric.fft.plans_beside_a_host_that_plans_too") {
  std::atomic<bool> done = false;
  std::thread host([&] {
    for (int n = 16; !done; n = 16 + (n + 1) % 4000) {
      auto* values = fftw_alloc_complex(static_cast<std::size_t>(n));
      fftw_destroy_plan(fftw_plan_dft_1d(n, values, values, FFTW_FORWARD, FFTW_ESTIMATE));
      fftw_free(values);
    }
  });
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(700);
  double worst = 0;
  for (std::size_t n = 64; std::chrono::steady_clock::now() < end; n = n == 4096 ? 64 : 2 * n) {
    pld::RealFft<double> fft(n);
    fft.values()[0] = 1;
    for (std::size_t i = 1; i < n; ++i) fft.values()[i] = 0;
    fft.forward();
    for (std::size_t i = 0; i <= n / 2; ++i) worst = std::max(worst, std::abs(fft.spectrum()[i] - 1.0));
  }
  done = true;
  host.join();
  CHECK(worst == 0);
}
