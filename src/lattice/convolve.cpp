#include "lattice/convolve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <vector>

#include "numeric/fft.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// Spectral entries below this are set to zero on the way (they would become slow subnormals); the error made is far
/// below any round-off: at most `negligible` each.
constexpr double negligible = 1e-100;

std::size_t wrapped(std::int64_t index, std::size_t size) {
  const auto n = static_cast<std::int64_t>(size);
  return static_cast<std::size_t>(((index % n) + n) % n);
}

template <class Real>
void load_folded(const LatticeMeasure& measure, std::span<Real> values) {
  std::fill(values.begin(), values.end(), Real(0));
  std::size_t at = wrapped(measure.first, values.size());
  for (const double w : measure.weights) {
    values[at] += static_cast<Real>(w);
    if (++at == values.size()) at = 0;
  }
}

template <class Real>
std::complex<Real> times(std::complex<Real> a,
                         std::complex<Real> b) {  // no NaN recovery of operator*, so it vectorises
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Nothing, of a number that is negligible.
template <class Real>
std::complex<Real> unless_negligible(std::complex<Real> z) {
  constexpr Real floor = static_cast<Real>(negligible) * static_cast<Real>(negligible);
  return std::norm(z) < floor ? std::complex<Real>(0) : z;
}

template <class Real>
void multiply(std::span<std::complex<Real>> into, std::span<const std::complex<Real>> by) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = unless_negligible(times(into[i], by[i]));
}

/// So many bins are raised to a power at once: few enough to stay in a cache.
constexpr std::size_t bins_at_once = 1024;

/// bins^count, by repeated squaring.
template <class Real>
void raise(std::span<std::complex<Real>> bins, std::int64_t count) {
  std::array<std::complex<Real>, bins_at_once> copy;
  const std::span<std::complex<Real>> base(copy.data(), bins.size());
  std::copy(bins.begin(), bins.end(), base.begin());
  const auto square = [&] { multiply<Real>(base, base); };
  for (; (count & 1) == 0; count >>= 1) square();
  std::copy(base.begin(), base.end(), bins.begin());
  while ((count >>= 1) > 0) {
    square();
    if (count & 1) multiply<Real>(bins, base);
  }
}

template <class Real>
double modulus(std::complex<Real> z) {
  return static_cast<double>(std::sqrt(std::norm(z)));
}

/// Bounds what powers of spectral bins are off by, of which each is right to within `noise`.
template <class Real>
class PowerError {
 public:
  PowerError(double noise, std::int64_t count)
      : noise_(noise),
        count_(static_cast<double>(count)),
        round_off_(2.3 * static_cast<double>(std::numeric_limits<Real>::epsilon()) / 2 * count_),
        next_to_nothing_(std::exp(std::log(negligible) / count_)) {}

  /// Whether a bin of that modulus has a power next to nothing, rounding or not.
  [[nodiscard]] bool vanishes(double bin) const { return bin + noise_ <= next_to_nothing_; }

  /// bin^count has `raised`, of which `bin` is the modulus before.
  [[nodiscard]] double of(double bin, double raised) const {
    if (count_ == 1) return noise_;
    if (count_ * noise_ < 0.5 * bin) {
      // (1 + r)^k - 1 <= expm1(k r), and k complex products' worth of round-off, sqrt(5) u each.
      const double relative = count_ * noise_ / bin + round_off_;
      constexpr double small = 1e-3;  // e^x - 1 <= x + x^2 up to 1
      return raised * (relative < small ? relative * (1 + relative) : std::expm1(relative));
    }
    const double most = bin + noise_;
    return raised + (most <= next_to_nothing_ ? 2 * negligible : std::exp(count_ * std::log(most)) * (1 + 1e-3));
  }

 private:
  double noise_, count_, round_off_, next_to_nothing_;
};

/// Upper bound on the log of the tilted mass beyond a position (above it for direction +1, below for -1) by Chernoff's
/// bound; all of the mass where the mean lies beyond.
double log_tail_beyond(std::span<const Factor> factors, double position, double mean, double direction) {
  const auto log_bound = [&](double s) {
    double log_moment = -s * position;
    for (const Factor& f : factors) log_moment += static_cast<double>(f.count) * log_moment_upper(*f.measure, s);
    return log_moment + 1e-9 + 4 * unit_roundoff * std::fabs(s * position);
  };
  const double all = log_bound(0), distance = direction * (position - mean);
  if (!(distance > 0)) return all;
  // From the exponent that is right for a normal law at 40 nats, downhill: the bound is convex. Slower decays want
  // less, edges of the support more.
  constexpr double enough = 42;
  double s = 80 / distance, best = log_bound(direction * s);
  const auto downhill = [&](double factor) {
    while (best > all - enough && s * distance > 1e-4 && s * distance < 1e9) {
      const double now = log_bound(direction * s * factor);
      if (!(now < best)) return;
      best = now;
      s *= factor;
    }
  };
  downhill(0.6);
  downhill(2);
  return std::min(best, all);
}

/// Where the composed mass begins and ends, in positions; nothing lies outside.
struct Support {
  double lowest = 0, highest = 0;
};
Support support_of(std::span<const Factor> factors) {
  Support s;
  for (const Factor& f : factors) {
    const LatticeMeasure& m = *f.measure;
    s.lowest += static_cast<double>(f.count) * m.position(m.first);
    s.highest += static_cast<double>(f.count) * m.position(m.first + static_cast<std::int64_t>(m.weights.size()) - 1);
  }
  return s;
}

/// Mean of the normalised tilted law.
double mean_position(const LatticeMeasure& m) {
  double mass = 0, moment = 0;
  for (std::size_t i = 0; i < m.weights.size(); ++i) {
    mass += m.weights[i];
    moment += m.weights[i] * static_cast<double>(i);
  }
  return mass > 0 ? m.position(m.first) + m.spacing * (moment / mass) : 0;
}

/// Positions, log scales and slack of the convolution of factors with these masses; weights empty.
LatticeMeasure combined_frame(std::span<const Factor> factors, const std::vector<double>& masses, IndexWindow window) {
  LatticeMeasure out;
  out.tilt = factors.front().measure->tilt;
  out.spacing = factors.front().measure->spacing;
  out.first = window.first;
  double mean = 0, log_mass = 0, log_growth = 0, log_grown = 0;
  for (std::size_t j = 0; j < factors.size(); ++j) {
    const Factor& f = factors[j];
    const auto k = static_cast<double>(f.count);
    const LatticeMeasure& m = *f.measure;
    out.origin += k * m.origin;
    out.log_scale += k * m.log_scale;
    out.split_variance += k * m.split_variance * (1 + 4 * unit_roundoff);
    out.position_error += k * m.position_error + 2 * unit_roundoff * std::fabs(k * m.origin);
    out.log_scale_error += k * m.log_scale_error + 2 * unit_roundoff * std::fabs(k * m.log_scale);
    mean += k * mean_position(m);
    const double extra = m.slack + m.pointwise * static_cast<double>(m.weights.size());
    log_mass += k * std::log(masses[j]);
    log_growth += k * std::log1p(extra / masses[j]);
    log_grown += k * std::log(masses[j] + extra);
  }
  const auto factor_count = static_cast<double>(factors.size());
  out.position_error += factor_count * unit_roundoff * std::fabs(out.origin);
  out.log_scale_error += factor_count * unit_roundoff * std::fabs(out.log_scale);
  // Each factor may miss or have too much of its slack and noise: product of (mass + slack) less product of masses.
  const double mass = std::exp(log_mass) * (1 + 1e-3);
  out.slack = mass > 0 ? mass * std::expm1(log_growth * (1 + 1e-9)) : std::exp(log_grown) * (1 + 1e-3);
  const Support support = support_of(factors);
  const double first = out.position(window.first);
  const double last = out.position(window.first + static_cast<std::int64_t>(window.size) - 1);
  const double reach = std::fabs(first) + std::fabs(last) + std::fabs(support.lowest) + std::fabs(support.highest);
  const double margin = out.spacing + 8 * (1 + factor_count) * unit_roundoff * reach;
  const double low = first < support.lowest - margin ? -infinity : log_tail_beyond(factors, first, mean, -1);
  const double high = last > support.highest + margin ? -infinity : log_tail_beyond(factors, last, mean, +1);
  out.slack += std::exp(low) + std::exp(high);
  return out;
}

/// A product of powers of spectra, bin by bin.
template <class Real>
struct Product {
  std::vector<std::complex<Real>> bins;
  std::vector<double> error;  ///< each bin is within this
};

/// What is off in all bins of a spectrum and its conjugate half together, and how large they are.
struct SpectralSums {
  double error = 0, modulus = 0;
};

/// Raises the bins to a power of `error` and multiplies them by what `product` has there, if anything; it has them then
/// unless they are the `last` factor's.
template <class Real>
SpectralSums multiply_in(std::span<std::complex<Real>> bins, const PowerError<Real>& error, std::int64_t count,
                         Product<Real>& product, bool last) {
  const bool first = product.bins.empty();
  if (first && !last) product = {std::vector<std::complex<Real>>(bins.size()), std::vector<double>(bins.size())};
  SpectralSums sums;
  std::array<double, bins_at_once> before;
  for (std::size_t begin = 0; begin < bins.size(); begin += bins_at_once) {
    const auto here = bins.subspan(begin, std::min(bins_at_once, bins.size() - begin));
    double largest = 0;
    for (std::size_t i = 0; i < here.size(); ++i) largest = std::max(largest, before[i] = modulus(here[i]));
    if (error.vanishes(largest))
      std::fill(here.begin(), here.end(), std::complex<Real>(0));
    else
      raise(here, count);
    for (std::size_t i = 0; i < here.size(); ++i) {
      const double raised = count == 1 ? before[i] : modulus(here[i]), own = error.of(before[i], raised);
      double off = own, size = raised;
      if (!first) {
        const std::complex<Real> others = product.bins[begin + i];
        const double off_others = product.error[begin + i], size_others = modulus(others);
        here[i] = unless_negligible(times(here[i], others));
        off = raised * off_others + own * (size_others + off_others) + negligible;
        size = raised * size_others;
      }
      if (!last) product.bins[begin + i] = here[i], product.error[begin + i] = off;
      const double copies = begin + i == 0 ? 1 : 2;
      sums.error += copies * off;
      sums.modulus += copies * size;
    }
  }
  return sums;
}

template <class Real>
LatticeMeasure convolve_in(std::span<const Factor> factors, IndexWindow window) {
  std::vector<double> masses;
  for (const Factor& f : factors) masses.push_back(total_weight(*f.measure));
  LatticeMeasure out = combined_frame(factors, masses, window);
  const double unit = static_cast<double>(std::numeric_limits<Real>::epsilon()) / 2;
  RealFft<Real> fft(window.size);
  Product<Real> product;
  SpectralSums sums;
  for (std::size_t j = 0; j < factors.size(); ++j) {
    const Factor& f = factors[j];
    load_folded(*f.measure, fft.values());
    fft.forward();
    const double folds = static_cast<double>(f.measure->weights.size()) / static_cast<double>(window.size);
    const double noise = (fft_error<Real>(window.size) + folds * unit) * masses[j] * 1.01;
    sums = multiply_in(fft.spectrum(), PowerError<Real>(noise, f.count), f.count, product, j + 1 == factors.size());
  }
  fft.backward();
  const auto n = static_cast<double>(window.size);
  out.pointwise = (sums.error + fft_error<Real>(window.size) * sums.modulus) / n * 1.01 + 2 * negligible;
  out.weights.resize(window.size);
  std::size_t at = wrapped(window.first, window.size);
  for (double& w : out.weights) {
    w = std::max(0.0, static_cast<double>(fft.values()[at]) / n);  // exact weights are not negative
    if (++at == window.size) at = 0;
  }
  if (!(out.slack + out.pointwise < infinity)) {  // beyond the range of doubles: anything may lie anywhere
    std::fill(out.weights.begin(), out.weights.end(), 0.0);
    out.slack = infinity;
    out.pointwise = 0;
  }
  return out;
}

}  // namespace

IndexWindow window_over(double low, double high, double origin, double spacing) {
  constexpr double farthest = 0x1p62;
  const double first = std::clamp(std::floor((low - origin) / spacing), -farthest, farthest);
  const double length = std::max(0.0, (high - low) / spacing);
  return {static_cast<std::int64_t>(first) - 4, fast_length(static_cast<std::size_t>(length) + 12)};
}

LatticeMeasure convolve(std::span<const Factor> factors, IndexWindow window, Precision precision) {
  return precision == Precision::extended ? convolve_in<long double>(factors, window)
                                          : convolve_in<double>(factors, window);
}

}  // namespace pld
