#include "lattice/convolve.hpp"

#include <algorithm>
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

template <class Real>
void multiply(std::span<std::complex<Real>> into, std::span<const std::complex<Real>> by) {
  constexpr Real floor = static_cast<Real>(negligible) * static_cast<Real>(negligible);
  for (std::size_t i = 0; i < into.size(); ++i) {
    const std::complex<Real> product = times(into[i], by[i]);
    into[i] = std::norm(product) < floor ? std::complex<Real>(0) : product;
  }
}

/// product *= base^count, by repeated squaring; base is used up.
template <class Real>
void multiply_power(std::span<std::complex<Real>> product, std::span<std::complex<Real>> base, std::int64_t count) {
  while (true) {
    if (count & 1) multiply<Real>(product, base);
    count >>= 1;
    if (count == 0) return;
    multiply<Real>(base, base);
  }
}

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

/// Product of the factors' masses to the power of their counts.
double combined_mass(std::span<const Factor> factors) {
  double log_mass = 0;
  for (const Factor& f : factors) log_mass += static_cast<double>(f.count) * std::log(total_weight(*f.measure));
  return std::exp(log_mass) * (1 + 1e-3);
}

/// Positions, log scales and slack of the convolution; weights empty.
LatticeMeasure combined_frame(std::span<const Factor> factors, IndexWindow window) {
  LatticeMeasure out;
  out.tilt = factors.front().measure->tilt;
  out.spacing = factors.front().measure->spacing;
  out.first = window.first;
  double mean = 0, log_growth = 0, log_grown = 0;
  for (const Factor& f : factors) {
    const auto k = static_cast<double>(f.count);
    const LatticeMeasure& m = *f.measure;
    out.origin += k * m.origin;
    out.log_scale += k * m.log_scale;
    out.position_error += k * m.position_error + 2 * unit_roundoff * std::fabs(k * m.origin);
    out.log_scale_error += k * m.log_scale_error + 2 * unit_roundoff * std::fabs(k * m.log_scale);
    mean += k * mean_position(m);
    const double mass = total_weight(m), extra = m.slack + m.pointwise * static_cast<double>(m.weights.size());
    log_growth += k * std::log1p(extra / mass);
    log_grown += k * std::log(mass + extra);
  }
  const auto factor_count = static_cast<double>(factors.size());
  out.position_error += factor_count * unit_roundoff * std::fabs(out.origin);
  out.log_scale_error += factor_count * unit_roundoff * std::fabs(out.log_scale);
  // Each factor may miss or have too much of its slack and noise: product of (mass + slack) less product of masses.
  const double mass = combined_mass(factors);
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

template <class Real>
LatticeMeasure convolve_in(std::span<const Factor> factors, IndexWindow window) {
  LatticeMeasure out = combined_frame(factors, window);
  const double unit = static_cast<double>(std::numeric_limits<Real>::epsilon()) / 2;
  RealFft<Real> fft(window.size);
  const std::size_t bins = fft.spectrum().size();
  std::vector<std::complex<Real>> product(bins, std::complex<Real>(1));
  std::vector<double> relative(bins, 0.0);  // error of `product`, relative
  // Where a factor's own round-off reaches its modulus: a bound on the product with the other factors at their masses.
  std::vector<double> ceiling(bins, infinity);
  const double mass = combined_mass(factors);

  for (const Factor& f : factors) {
    load_folded(*f.measure, fft.values());
    fft.forward();
    const auto k = static_cast<double>(f.count);
    const double factor_mass = total_weight(*f.measure);
    const double folds = static_cast<double>(f.measure->weights.size()) / static_cast<double>(window.size);
    const double noise = (fft_error<Real>(window.size) + folds * unit) * factor_mass * 1.01;
    const double powers = 2.3 * unit * k;  // k complex products' worth of round-off, sqrt(5) u each
    for (std::size_t i = 0; i < bins; ++i) {
      const double modulus = static_cast<double>(std::sqrt(std::norm(fft.spectrum()[i])));
      if (k * noise < 0.5 * modulus)
        relative[i] += k * noise / modulus + powers;  // (1 + r)^k - 1 <= expm1(k r)
      else
        ceiling[i] = std::min(ceiling[i], mass * std::exp(k * std::log((modulus + noise) / factor_mass)));
    }
    multiply_power<Real>(product, fft.spectrum(), f.count);
  }

  double spectral_error = 0, spectral_sum = 0;
  for (std::size_t i = 0; i < bins; ++i) {
    const double copies = i == 0 || 2 * i == window.size ? 1 : 2;  // of the conjugate half
    const double modulus = static_cast<double>(std::sqrt(std::norm(product[i])));
    spectral_sum += copies * modulus;
    spectral_error += copies * (ceiling[i] < infinity ? modulus + ceiling[i] : modulus * std::expm1(relative[i]));
  }
  for (std::size_t i = 0; i < bins; ++i) fft.spectrum()[i] = product[i];
  fft.backward();
  const auto n = static_cast<double>(window.size);
  out.pointwise = (spectral_error + fft_error<Real>(window.size) * spectral_sum) / n * 1.01 + 2 * negligible;
  out.weights.resize(window.size);
  std::size_t at = wrapped(window.first, window.size);
  for (double& w : out.weights) {
    w = std::max(0.0, static_cast<double>(fft.values()[at]) / n);  // exact weights are not negative
    if (++at == window.size) at = 0;
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
