#include "engines/contour/mean_series.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engines/contour/power_series.hpp"
#include "engines/contour/ratio_moments.hpp"
#include "numeric/log_gamma.hpp"
#include "pld/core/rounding.hpp"

namespace pld::contour {
namespace {

double scale_of(std::size_t orders) { return static_cast<double>(std::max<std::size_t>(1, orders)); }

}  // namespace

MeanSeries::MeanSeries(double mu, double steps, std::size_t orders) : scale_(scale_of(orders)) {
  const std::size_t all = orders + terms;
  // E w^k (scale / T)^k / k!, each off by `rounding` of itself.
  Series own(all + 1);
  own.re[0] = own.sizes[0] = 1;
  Sharp log_factor = 0;
  const Sharp square = static_cast<Sharp>(mu) * mu;
  double rounding = 4 * unit_sharp;
  for (std::size_t k = 1; k <= all; ++k) {
    const auto number = static_cast<Sharp>(k);
    log_factor += std::log(static_cast<Sharp>(scale_) / steps) - std::log(number);
    const Sharp log_own = log_factor + square * number * (number - 1) / 2;
    own.re[k] = std::exp(log_own);
    own.sizes[k] = static_cast<double>(own.re[k]);
    const double logs = std::fabs(static_cast<double>(log_factor)) + std::fabs(static_cast<double>(log_own));
    rounding = std::max(rounding, (8 + 4 * static_cast<double>(k) + 4 * logs) * unit_sharp);
  }
  const Series power = raised(own, steps);
  constexpr double least = 1e-280, largest = 1e280;
  for (std::size_t k = 0; k <= all; ++k) {
    moments_.push_back(power.re[k]);
    moment_errors_.push_back(power.sizes[k] * (rounding_of_power(k) + 1.1 * static_cast<double>(k) * rounding));
    usable_ = usable_ && moments_[k] > least && moments_[k] < largest && moment_errors_[k] < 1e-9 * moments_[k];
  }
  if (!usable_) return;
  // Taylor's sum leaves less than |z|^j E R^{k+j} / j!.
  double log_ways = 0;  // (k + j)! / (k! j!)
  for (std::size_t j = 1; j <= terms; ++j)
    log_ways += std::log(static_cast<double>(orders + j) / static_cast<double>(j));
  const double log_last = log_moment(all) + log_ways - static_cast<double>(terms) * std::log(scale_);
  end_ = (log_moment(orders) - log_last - nats_to_nothing) / static_cast<double>(terms);
}

Sharp MeanSeries::log_unit(std::size_t orders, std::size_t k) {
  const auto order = static_cast<double>(k);
  return order * std::log(static_cast<Sharp>(scale_of(orders))) - static_cast<Sharp>(log_gamma(order + 1, 0).size);
}

double MeanSeries::log_moment(std::size_t k) const {
  return std::log(static_cast<double>(moments_[k]) + moment_errors_[k]) + 4 * unit_roundoff;
}

MeanSeries::Sum MeanSeries::sum(std::size_t k, const Places& places, Sharp c, double s) const {
  const auto& [angle, step, last] = places;
  const Sharp size = std::exp(static_cast<Sharp>(last) * step) / scale_;
  const Sharp half = std::sin(static_cast<Sharp>(s) * step / 2), across = std::sin(static_cast<Sharp>(s) * step);
  Sum out;
  Sharp factor = 1;  // (|z| / scale)^j (k + j)! / (k! j!) at the last place
  for (std::size_t j = 0;; ++j) {
    // From a place to the one below, terms fall by e^{-fall} and turn back by s step.
    const Sharp fall = (c + static_cast<Sharp>(j)) * step, less = -std::expm1(-fall), kept = 1 - less;
    if (j == terms) {
      const auto left_out = static_cast<double>(factor * moments_[k + j] / less);
      out.error += 1.01 * left_out, out.size += left_out;
      return out;
    }
    const Sharp term = factor * moments_[k + j], turn = static_cast<Sharp>(j) * (angle - std::numbers::pi_v<Sharp>);
    const Sharp re = less + kept * 2 * half * half, im = kept * across, square = re * re + im * im;
    const Sharp cosine = std::cos(turn), sine = std::sin(turn);
    out.re += term * (cosine * re + sine * im) / square, out.im += term * (sine * re - cosine * im) / square;
    const auto number = static_cast<double>(j), near = static_cast<double>(std::sqrt(square));
    out.error += (static_cast<double>(factor) * moment_errors_[k + j] +
                  unit_sharp * (60 + 8 * number) * static_cast<double>(term)) /
                 near;
    out.size += 1.01 * static_cast<double>(term / less);
    factor *= size * static_cast<Sharp>(k + j + 1) / static_cast<Sharp>(j + 1);
  }
}

MeanSeries::Spread MeanSeries::spread(std::size_t k, const Places& places, double c) const {
  const double step = places.step, y = static_cast<double>(places.last) * step, size = std::exp(y) / scale_;
  Spread out;
  double factor = 1;
  for (std::size_t j = 0; j < terms; ++j) {
    const double ratio = std::exp(-(c + static_cast<double>(j)) * step), sum = 1 / (1 - ratio);
    const double term = (j % 2 == 0 ? factor : -factor) * static_cast<double>(moments_[k + j]) * sum;
    const double mean = ratio * sum, square = mean * (1 + ratio) * sum;  // of the places below the last
    out.total += term;
    out.first += term * (y - step * mean);
    out.second += term * (y * y - 2 * y * step * mean + step * step * square);
    factor *= size * static_cast<double>(k + j + 1) / static_cast<double>(j + 1);
  }
  return out;
}

}  // namespace pld::contour
