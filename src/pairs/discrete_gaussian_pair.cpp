#include "pairs/discrete_gaussian_pair.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

#include "numeric/compensated_sum.hpp"
#include "numeric/well_above.hpp"
#include "pairs/countable.hpp"
#include "pairs/mirrored.hpp"

namespace pld {
namespace {

/// log sum_x e^{-x^2 / (2 sigma^2)}: the sum itself, or for large sigma its dual by Poisson summation, sigma sqrt(2 pi)
/// sum_n e^{-2 (pi sigma n)^2}. Either way the 6th term is below e^{-60}.
double log_theta(double sigma) {
  const bool dual = sigma > 0.4;
  const double rate = dual ? 2 * std::numbers::pi * std::numbers::pi * sigma * sigma : 0.5 / (sigma * sigma);
  double tail = 0;
  for (int n = 5; n >= 1; --n) tail += 2 * std::exp(-rate * n * n);
  const double log_integral = std::log(sigma) + 0.5 * std::log(2 * std::numbers::pi);
  return std::log1p(tail) + (dual ? log_integral : 0);
}

/// Terms below e^-45 of the first are left out: there are fewer than 10 sigma before, and those after fall off faster
/// than e^{-9 i / sigma}, so they hold less than sigma e^-45 of a sum of more than min(1, sigma / 10).
constexpr double negligible = -45;

}  // namespace

DiscreteGaussianPair::DiscreteGaussianPair(double sigma, double sensitivity)
    : sigma_(sigma),
      sensitivity_(sensitivity),
      spacing_(sensitivity / sigma / sigma),
      log_normaliser_(log_theta(sigma)) {}

/// The first integer with a loss above z.
double DiscreteGaussianPair::first_above(double z) const {
  double x = std::floor(z / spacing_ + 0.5 * sensitivity_);
  if (!(std::fabs(x) < 0x1p52)) return x + 1;  // integers no longer differ by 1: x is as good as any
  while (loss(x - 1) > z) --x;
  while (loss(x) <= z) ++x;
  return x;
}

/// log Q mass at x.
double DiscreteGaussianPair::log_mass(double x) const {
  const double y = x / sigma_;
  return -0.5 * y * y - log_normaliser_;
}

LossCell DiscreteGaussianPair::at(double x) const {
  return {.loss = loss(x), .log_mass = log_mass(x - sensitivity_), .log_q_mass = log_mass(x)};
}

/// Whether the sums from x on are taken by Euler and Maclaurin's formula: their terms would be hundreds, and the mass
/// falls by a rate a = x / sigma^2 <= 0.03 from one outcome to the next, by which each further term of the formula is
/// smaller: the seventh derivatives, over 1209600, are below 1e-16 of the sums.
bool DiscreteGaussianPair::is_dense(double x) const { return sigma_ >= 50 && x <= 0.03 * sigma_ * sigma_; }

/// The integral of e^{-t (x + t/2) / sigma^2} factor(t) over t > 0: next to nothing lies beyond the exponent
/// `negligible`, and up to there 30 nodes leave less than u of a sixth, on which an exponential changes by e^8 at most.
template <class Factor>
double DiscreteGaussianPair::integral_from(double x, const Factor& factor) const {
  const double y = x / sigma_, end = -2 * negligible * sigma_ / (y + std::sqrt(y * y - 2 * negligible));
  const auto term = [&](double t) { return std::exp(-(t / sigma_) * ((x + 0.5 * t) / sigma_)) * factor(t); };
  constexpr int panels = 6, nodes = 30;
  double sum = 0;
  for (int i = 0; i < panels; ++i)
    sum += boost::math::quadrature::gauss<double, nodes>::integrate(term, end * i / panels, end * (i + 1) / panels);
  return sum;
}

/// log of Q's mass at x over that at `reference`.
double DiscreteGaussianPair::log_mass_relative(double x, double reference) const {
  return -0.5 * ((x - reference) / sigma_) * ((x + reference) / sigma_);
}

/// Sums over `count` outcomes from x on: of Q's mass over that at x, and of the same times e^{loss - loss at x} - 1. By
/// Euler and Maclaurin's formula up to third derivatives where they are many: the fifth ones, over 30240, are below
/// 1e-14 of one term of a hundred and more. Domain: masses change by no more than e^8 on the way.
DiscreteGaussianPair::PanelSums DiscreteGaussianPair::panel_sums(double x, double count) const {
  const auto mass = [&](double t) { return std::exp(-(t / sigma_) * ((x + 0.5 * t) / sigma_)); };
  const double w = 1 / (sigma_ * sigma_), a = x * w, b = spacing_;
  PanelSums sums;
  constexpr double few = 100;
  if (count <= few) {
    for (double t = 0; t < count; ++t) {
      const double here = mass(t);
      sums.mass += here;
      sums.growth += here * std::expm1(b * t);
    }
    return sums;
  }
  const auto grown = [&](double t) { return mass(t) * std::expm1(b * t); };
  using Gauss = boost::math::quadrature::gauss<double, 15>;
  // With A = a + w t the mass f has the first derivative -A f and the third c(A) f; e^{b t} f has A - b in place of A.
  const auto c = [w](double slope) { return slope * (3 * w - slope * slope); };
  const double end = mass(count), e = std::expm1(b * count), last = a + w * count;
  sums.mass = Gauss::integrate(mass, 0.0, count) + (1 - end) / 2 + (a - last * end) / 12 - (c(last) * end - c(a)) / 720;
  // c(A - b) - c(A)
  const auto change = [w, b](double slope) { return b * (3 * slope * (slope - b) + b * b - 3 * w); };
  const double first_at_end = end * (b * (1 + e) - last * e), third_at_end = end * (c(last - b) * e + change(last));
  sums.growth =
      Gauss::integrate(grown, 0.0, count) - end * e / 2 + (first_at_end - b) / 12 - (third_at_end - change(a)) / 720;
  return sums;
}

/// The outcomes from `first` to before `last` that hold all but e^-45 of the mass there of a law about `centre`, and
/// the likeliest of them.
DiscreteGaussianPair::Window DiscreteGaussianPair::window_about(double centre, double first, double last) const {
  const double peak = std::clamp(centre, first, last - 1);
  const auto reach = [&](double away) {
    const double y = std::max(0.0, away / sigma_);
    return std::ceil(-2 * negligible * sigma_ / (y + std::sqrt(y * y - 2 * negligible)));
  };
  return {std::max(first, peak - reach(centre - peak)), std::min(last, peak + reach(peak - centre) + 1), peak};
}

/// Panels on which no mass changes by more than e^8, relative to the likeliest outcome of each law.
LossCell DiscreteGaussianPair::between(double first, double last) const {
  if (last == infinity) return from(first);
  if (first == -infinity) return up_to(last - 1);
  const double s = sensitivity_;
  const Window of_q = window_about(0, first, last), of_p = window_about(s, first, last);
  const double low = std::min(of_q.first, of_p.first), high = std::max(of_q.last, of_p.last);
  double q = 0, p = 0, growth = 0;
  for (double x = low; x < high;) {
    const double widest = std::min(2 * sigma_, 4 * sigma_ * sigma_ / std::max({1.0, std::fabs(x), std::fabs(x - s)}));
    const double count = std::min(std::max(1.0, std::floor(widest)), high - x);
    const PanelSums sums = panel_sums(x, count);
    const double share = std::exp(log_mass_relative(x, of_q.peak)), up = spacing_ * (x - low);
    q += share * sums.mass;
    p += std::exp(log_mass_relative(x - s, of_p.peak - s)) * (sums.mass + sums.growth);
    growth += share * (sums.mass * std::expm1(up) + std::exp(up) * sums.growth);
    x += count;
  }
  LossCell cell{.log_mass = log_mass(of_p.peak - s) + std::log(p), .log_q_mass = log_mass(of_q.peak) + std::log(q)};
  cell.loss = s < sigma_ ? loss(low) + std::log1p(growth / q) : cell.log_mass - cell.log_q_mass;
  return cell;
}

void DiscreteGaussianPair::cells(std::span<const double> edges, std::vector<LossCell>& out) const {
  append_outcome_cells(
      edges, [this](double z) { return first_above(z); },
      [this](double first, double last) { return between(first, last); }, out);
}

std::shared_ptr<const WholeOutcomePair> DiscreteGaussianPair::moved(double times) const {
  auto other = std::make_shared<DiscreteGaussianPair>(sigma_, times * sensitivity_);
  other->tails_ = tails_;
  return other;
}

/// Q(outcome >= x) / Q(outcome = x), for x >= 0.
double DiscreteGaussianPair::scaled_tail(double x) const {
  constexpr std::size_t most = 1 << 17;
  {
    const std::lock_guard lock(tails_->telling);
    if (const auto known = tails_->scaled.find(x); known != tails_->scaled.end()) return known->second;
  }
  const double tail = summed_tail(x);
  const std::lock_guard lock(tails_->telling);
  if (tails_->scaled.size() < most) tails_->scaled.emplace(x, tail);
  return tail;
}

double DiscreteGaussianPair::summed_tail(double x) const {
  if (is_dense(x)) {
    const double w = 1 / (sigma_ * sigma_), a = x * w;
    const double fifth = a * (a * a * (a * a - 10 * w) + 15 * w * w);
    return integral_from(x, [](double) { return 1.0; }) + 0.5 + a / 12 - a * (a * a - 3 * w) / 720 + fifth / 30240;
  }
  CompensatedSum sum;
  for (double i = 0;; ++i) {
    const double log_term = -(i / sigma_) * ((x + 0.5 * i) / sigma_);
    if (log_term < negligible) return sum.value();
    sum.add(std::exp(log_term));
  }
}

/// log Q(outcome >= x).
double DiscreteGaussianPair::log_tail(double x) const {
  if (x <= 0) return std::log1p(-std::exp(log_tail(1 - x)));
  return log_mass(x) + std::log(scaled_tail(x));
}

/// The same sum as scaled_tail, of e^{loss at the outcome - loss at x} - 1, for s < sigma.
double DiscreteGaussianPair::scaled_growth(double x) const {
  if (is_dense(x)) {
    const double w = 1 / (sigma_ * sigma_), a = x * w, b = spacing_, c = a - b;
    const double squares = c * c + c * a + a * a, fourths = squares * squares - c * a * (c + a) * (c + a);
    return integral_from(x, [b](double t) { return std::expm1(b * t); }) - b / 12 +
           b * (3 * a * c + b * b - 3 * w) / 720 - b * (fourths - 10 * w * squares + 15 * w * w) / 30240;
  }
  CompensatedSum growth;
  for (double i = 0;; ++i) {
    const double log_q = -(i / sigma_) * ((x + 0.5 * i) / sigma_);
    if (log_q + i * spacing_ < negligible) break;
    growth.add(std::exp(log_q) * std::expm1(i * spacing_));
  }
  return growth.value();
}

/// log(P/Q) of all outcomes >= x for x > s/2: E_Q e^{loss} as the loss at x and a sum of positive terms beyond.
double DiscreteGaussianPair::loss_from_right(double x) const {
  return loss(x) + std::log1p(scaled_growth(x) / scaled_tail(x));
}

/// log(P/Q) of all outcomes >= x. For s < sigma relative to the losses there, else to u (1 + (s / sigma)^2).
double DiscreteGaussianPair::loss_from(double x) const {
  const double s = sensitivity_;
  if (s >= sigma_) {
    if (x >= s) return loss(x) + std::log(scaled_tail(x - s) / scaled_tail(x));
    return log_tail(x - s) - log_tail(x);
  }
  if (x > 0.5 * s) return loss_from_right(x);
  // log((1 - P') / (1 - Q')), P' and Q' the masses below x: those of the mirror image, all outcomes >= s - x + 1,
  // swapped.
  const double log_q_below = log_tail(1 - x), loss_below = -loss_from_right(s - x + 1);
  return std::log1p(-std::exp(log_q_below - log_tail(x)) * std::expm1(loss_below));
}

/// All outcomes >= x.
LossCell DiscreteGaussianPair::from(double x) const {
  if (x == infinity) return {};
  if (x == -infinity) return {.loss = 0, .log_mass = 0, .log_q_mass = 0};
  return {.loss = loss_from(x), .log_mass = log_tail(x - sensitivity_), .log_q_mass = log_tail(x)};
}

LossCell DiscreteGaussianPair::up_to(double x) const { return mirrored(from(sensitivity_ - x)); }

LossCell DiscreteGaussianPair::below(double z) const { return up_to(first_above(z) - 1); }

std::vector<LossCell> DiscreteGaussianPair::atoms(LossRange within) const {
  if (has_density()) return {};
  take_points_of_atoms((within.highest - within.lowest) / spacing_);
  std::vector<LossCell> inside;
  const double end = first_above(within.highest);
  for (double x = first_above(std::nextafter(within.lowest, -infinity)); x < end; ++x) inside.push_back(at(x));
  return inside;
}

// Four roundings in an atom's loss; a fused cell's, where it is a sum of positive terms, has a few more. Where s >=
// sigma that loss comes from a quotient of sums, or of masses counted from either mean.
double DiscreteGaussianPair::loss_error(LossRange within) const {
  const double reach = std::max(std::fabs(within.lowest), std::fabs(within.highest));
  const double shift = sensitivity_ / sigma_;
  return unit_roundoff * (10 * reach + (shift < 1 ? 0 : 12 + 8 * shift * shift));
}

namespace {

/// The continuous law's masses at points up to 39 deviations from either mean: sums over them, at distances below 0.16,
/// are its moments to the last digit.
std::vector<LossCell> normal_outline(double mu) {
  constexpr double extent = 39;
  constexpr int points = 980;
  std::vector<LossCell> all;
  const auto add_points = [&](double from, double to, int count) {
    const double step = (to - from) / count, log_step = std::log(step / std::sqrt(2 * std::numbers::pi));
    for (int i = 0; i <= count; ++i) {
      const double x = from + i * step, loss = mu * (x - mu / 2), log_mass = log_step - (x - mu) * (x - mu) / 2;
      all.push_back({.loss = loss, .log_mass = log_mass, .log_q_mass = log_mass - loss});
    }
  };
  if (mu < 2 * extent) {
    add_points(-extent, mu + extent, points);
  } else {
    add_points(-extent, extent, points / 2);
    add_points(mu - extent, mu + extent, points / 2);
  }
  return all;
}

}  // namespace

std::vector<LossCell> DiscreteGaussianPair::outline() const {
  // By Poisson summation the moments are those of the continuous law to e^{-2 (pi sigma)^2}, below 1e-300 from here on.
  if (sigma_ >= 6) return normal_outline(sensitivity_ / sigma_);
  const double reach = std::ceil(39 * sigma_), s = sensitivity_;
  std::vector<LossCell> all{mirrored(from(s + reach + 1))};
  const bool apart = s > 2 * reach + 1;
  for (double x = -reach; x <= (apart ? reach : s + reach); ++x) all.push_back(at(x));
  if (apart) {
    // Between, both have one tail's mass (and the other tail's, e^-760 of it or less).
    const double log_between = log_tail(reach + 1);
    all.push_back({.loss = 0, .log_mass = log_between, .log_q_mass = log_between});
    for (double x = s - reach; x <= s + reach; ++x) all.push_back(at(x));
  }
  all.push_back(from(s + reach + 1));
  return all;
}

// The masses under e^{order z} are those of a discrete Gaussian about order s, times e^{order (order - 1) s^2 / 2
// sigma^2}. About no centre is the sum of all of them more than about a whole number, so that D_order is at most the
// continuous law's (Canonne, Kamath, Steinke 2020); from d deviations out they are at most e^{-d^2 / 2} (1 + int_0^inf
// e^{-y^2 / 2 sigma^2} dy).
double DiscreteGaussianPair::log_tail_moment(double order, double from) const {
  if (order < 0) return log_tail_moment(1 - order, -from);
  const double whole = order * (order - 1) * sensitivity_ * spacing_ / 2;
  const double d = (first_above(from) - order * sensitivity_) / sigma_;
  double log_share = 0;
  if (!(whole < 1e300)) return infinity;
  if (d > 1e150) return -infinity;
  if (d > 0) log_share = std::min(0.0, std::log1p(1.2534 * sigma_) - 0.5 * d * d - log_normaliser_);
  return well_above(whole + log_share, whole + std::fabs(log_share));
}

// E_Q e^{order z} is e^{order (order - 1) s^2 / 2 sigma^2} theta(order s) / theta(0), with theta(c) the sum of the
// masses e^{-(x - c)^2 / 2 sigma^2}. By Poisson summation it is sigma sqrt(2 pi) (1 + 2 sum_n cos(2 pi n c) q^(n^2)), q
// = e^{-2 (pi sigma)^2}: for q < 0.01 the log of the quotient is -5 q at least; for a whole order it is 0, s being
// whole. No order has less than 1, by symmetry E_P z = s^2 / 2 sigma^2.
double DiscreteGaussianPair::least_renyi(double order) const {
  const double slope = sensitivity_ * spacing_ / 2, q = std::exp(-2 * std::pow(std::numbers::pi * sigma_, 2));
  const bool exact = order == std::floor(order);
  const double whole = exact ? order * slope : q < 0.01 ? order * slope - 5 * q / (order - 1) : 0;
  return round_down(std::max(whole, slope), 16);
}

double DiscreteGaussianPair::renyi_slope() const { return round_up(sensitivity_ * spacing_ / 2, 8); }

}  // namespace pld
