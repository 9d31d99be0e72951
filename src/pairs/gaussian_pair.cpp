#include "pairs/gaussian_pair.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "numeric/normal_tail.hpp"
#include "numeric/well_above.hpp"
#include "pairs/mirrored.hpp"
#include "pairs/normal_noise.hpp"

namespace pld {
// P mass: the series of normal_series_terms about the middle's distance p from P's mean; Q mass: the same about q. The
// recurrence of He is run on half the sum and half the difference of the two: the difference, which gives the
// barycentre's distance from the middle, then keeps its relative accuracy as mu -> 0. What the difference loses by
// leaving out the terms from N + 1 on is c_N reach^{2N} h^2 |loss| at most (it is odd in the loss; He_2n'' = 2n (2n-1)
// He_{2n-2}): below 4 u |loss|.
LossCell GaussianPair::narrow_cell(double middle, double width, int terms) const {
  // h^k He_k instead of He_k, h half the width: far out the polynomials alone would overflow.
  const double h = 0.5 * width, h2 = h * h, far = h * middle, apart = h * half_;
  double sum0 = 1, sum1 = far;       // h^k (He_k(p) + He_k(q)) / 2 for k = 2n - 2, 2n - 1
  double diff0 = 0, diff1 = -apart;  // h^k (He_k(p) - He_k(q)) / 2
  double sum = 0, diff = 0, scale = 1;
  for (int n = 1; n <= terms; ++n) {
    const double even_sum = far * sum1 - apart * diff1 - (2 * n - 1) * h2 * sum0;
    const double even_diff = far * diff1 - apart * sum1 - (2 * n - 1) * h2 * diff0;
    scale /= 2 * n * (2 * n + 1);
    sum += scale * even_sum;
    diff += scale * even_diff;
    const double odd_sum = far * even_sum - apart * even_diff - 2 * n * h2 * sum1;
    const double odd_diff = far * even_diff - apart * even_sum - 2 * n * h2 * diff1;
    sum0 = even_sum, sum1 = odd_sum;
    diff0 = even_diff, diff1 = odd_diff;
  }
  const double p = middle - half_, q = middle + half_;
  const double log_width = std::log(width * (1 + (sum + diff)));
  const double shift = std::log1p(2 * diff / (1 + (sum - diff)));
  return {.loss = mu_ * middle + shift,
          .log_mass = log_width + log_normal_density(p),
          .log_q_mass = (log_width - shift) + log_normal_density(q)};
}

// For left + right >= 0. log(P/Q) is the integral of the truncated mean over all shifts in [-mu/2, mu/2], which keeps
// the relative accuracy for small mu. The mean is analytic but for zeros of the interval's mass, which lie 2 or more
// off the real line (2.8 for a half line): on a half-length of 1/4 or less 8 Gauss nodes err by about (2 * 2 /
// 0.25)^-16 = 5e-20.
LossCell GaussianPair::wide_cell(double left, double width) const {
  const double p = left - half_, q = left + half_;
  LossCell cell{.log_mass = log_normal_interval(p, width), .log_q_mass = log_normal_interval(q, width)};
  if (mu_ <= 0.5) {  // then the interval is 1 wide or |left +- mu/2| width is 1/2 or more
    const auto mean = [&](double shift) { return truncated_normal_mean(left + half_ * shift, width); };
    cell.loss = half_ * boost::math::quadrature::gauss<double, 8>::integrate(mean, -1.0, 1.0);
  } else if (p >= 0) {
    cell.loss = mu_ * left + std::log(scaled_normal_interval(p, width) / scaled_normal_interval(q, width));
  } else {
    cell.loss = cell.log_mass - cell.log_q_mass;
  }
  return cell;
}

LossCell GaussianPair::cell(double left, double right) const {
  if (!(left < right)) return {};
  if (left == -infinity && right == infinity) return {.loss = 0, .log_mass = 0, .log_q_mass = 0};
  const double width = right - left;
  const double middle = 0.5 * (left + right);
  const int terms = normal_series_terms(0.5 * width * std::max(1.0, std::fabs(middle) + half_));
  if (terms > 0) return narrow_cell(middle, width, terms);
  return middle < 0 ? mirrored(wide_cell(-right, width)) : wide_cell(left, width);
}

void GaussianPair::cells(std::span<const double> edges, std::vector<LossCell>& out) const {
  if (edges.empty()) return;
  double left = edges[0] / mu_;
  for (const double edge : edges.subspan(1)) {
    const double right = edge / mu_;
    out.push_back(cell(left, right));
    left = right;
  }
}

// In mu t: the roundings of mu, of the edges and of the product, 5 u |loss|, and mu's once more through mu^2 / 2 where
// a cell's place is counted from either mean; the shift to the barycentre, 5 u |loss| at most. For mu > 1/2 a wide
// cell's loss comes from a quotient of masses, each within 6 u and, where it is counted from zero, 4 u (1 + mu^2 / 2).
double GaussianPair::loss_error(LossRange within) const {
  const double reach = std::max(std::fabs(within.lowest), std::fabs(within.highest));
  return unit_roundoff * (10 * reach + (mu_ <= 0.5 ? 4 * mu_ * mu_ : 12 + 8 * mu_ * mu_));
}

std::vector<LossCell> GaussianPair::outline() const {
  // Up to 39 standard deviations from either mean, in steps of 0.08 (means together) to 0.16 (far apart).
  constexpr double extent = 39;
  constexpr int steps = 980;
  std::vector<double> edges{-infinity};
  const auto add_steps = [&](double from, double to, int count) {
    for (int i = 0; i <= count; ++i) edges.push_back(from + (to - from) * i / count);
  };
  if (half_ < extent) {
    add_steps(-half_ - extent, half_ + extent, steps);
  } else {
    add_steps(-half_ - extent, -half_ + extent, steps / 2);
    add_steps(half_ - extent, half_ + extent, steps / 2);
  }
  edges.push_back(infinity);
  std::vector<LossCell> cells;
  for (std::size_t i = 1; i < edges.size(); ++i)
    if (edges[i - 1] < edges[i]) cells.push_back(cell(edges[i - 1], edges[i]));
  return cells;
}

std::optional<AnalyticLaw> GaussianPair::analytic_law(double log_negligible) const {
  return NormalNoise().law_of_shift(mu_, log_negligible);
}

// Under Q the loss is N(-mu^2/2, mu^2); e^{order z} moves its mean by order mu^2.
double GaussianPair::log_tail_moment(double order, double from) const {
  const double whole = order * (order - 1) * mu_ * half_, away = from / mu_ + half_ - order * mu_;
  if (!(whole < 1e300)) return infinity;
  const double tail = log_normal_tail(order > 1 ? away : -away);
  return well_above(whole + tail, whole + std::fabs(tail));
}

std::optional<LocationFamily> GaussianPair::location_family() const {
  return LocationFamily{std::make_shared<NormalNoise>(), mu_};
}

double GaussianPair::least_renyi(double order) const { return round_down(order * mu_ * half_, 4); }
// Halved or doubled, whichever neither overflows nor loses a digit: the two are within 1e100 of each other.
std::optional<ExactSlope> GaussianPair::exact_slope() const {
  if (sigma_ > 1) return ExactSlope{.a = sensitivity_, .b = sensitivity_ / 2, .c = sigma_, .d = sigma_};
  return ExactSlope{.a = sensitivity_, .b = sensitivity_, .c = sigma_, .d = 2 * sigma_};
}

// mu is rounded once and counts twice, and so is the product.
double GaussianPair::renyi_slope() const { return round_up(mu_ * half_, 3); }

}  // namespace pld
