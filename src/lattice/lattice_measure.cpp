#include "lattice/lattice_measure.hpp"

#include <array>
#include <cmath>
#include <cstddef>

#include "numeric/compensated_sum.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

double total_weight(const LatticeMeasure& measure) {
  CompensatedSum sum;
  for (const double w : measure.weights) sum.add(w);
  return sum.value();
}

double log_moment_upper(const LatticeMeasure& measure, double s) {
  // Horner's rule from the light end towards the heavy one, so that each factor is at most one and nothing overflows;
  // in four interleaved chains, for speed.
  const auto& w = measure.weights;
  const std::size_t n = w.size();
  if (n == 0) return -infinity;
  const bool rising = s >= 0;
  const auto at = [&](std::size_t i) { return w[rising ? i : n - 1 - i]; };
  const double step = std::exp(-std::fabs(s) * measure.spacing);
  const double step4 = (step * step) * (step * step);
  std::array<double, 4> chain{};
  const std::size_t head = n % 4;
  double sum = 0;
  for (std::size_t i = 0; i < head; ++i) sum = sum * step + at(i);
  if (head > 0) chain[3] = sum;
  for (std::size_t i = head; i < n; i += 4)
    for (std::size_t c = 0; c < 4; ++c) chain[c] = chain[c] * step4 + at(i + c);
  sum = ((chain[0] * step + chain[1]) * step + chain[2]) * step + chain[3];
  // `sum` is the moment over e^{s z} at the heavy end. Each pass rounds twice and `step` itself by 2 u: <= 5 n u.
  if (sum <= 0) return -infinity;
  const double z = measure.position(rising ? measure.first + static_cast<std::int64_t>(n) - 1 : measure.first);
  const double error = (5.0 * static_cast<double>(n) + 8 + 4 * std::fabs(s * z)) * unit_roundoff;
  return std::log(sum) + s * z + error;
}

}  // namespace pld
