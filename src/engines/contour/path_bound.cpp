#include "engines/contour/path_bound.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "numeric/log_sum.hpp"
#include "pld/core/rounding.hpp"

namespace pld::contour {
namespace {
using std::numbers::pi;
constexpr double log_of_root_two_pi = 0.91893853320467274178;

/// A bound on the average of e^{b t^2} over |t| <= 1 with weight e^{ct}; the average of e^{ct} itself is sinh(c)/c <=
/// e^{min(c^2/6, |c|)}. The weighted average of t^2 lies between 1/3 and 1/3 + 2 c^2/45.
double parabola_share(double c, double b) {
  if (b > 0) return 1 + std::min(1.0, 1.0 / 3 + 2 * c * c / 45) * std::expm1(b);  // below the chord in t^2
  return std::min(1.0, 1 + b / 3 + b * b / 2);                                    // e^{-x} <= 1 - x + x^2/2
}
}  // namespace

PathBound::PathBound(const SampledRatio& ratio, const Body& body, const RatioGrid& cells, double rho,
                     double log_negligible)
    : ratio_(ratio), body_(body), cells_(cells), rho_(rho), cell_growth_(std::exp(ratio.mu * cells.step / 2)) {
  moment_ = tilt(cells, rho, &weights_);
  const std::vector<double>& weights = weights_;
  const std::size_t n = cells.size();

  const double negligible = std::exp(log_negligible);
  first_ = 0, last_ = n;
  for (double mass = weights[first_]; first_ + 2 < last_ && mass < negligible; mass += weights[first_]) ++first_;
  for (double mass = weights[last_ - 1]; last_ > first_ + 2 && mass < negligible; mass += weights[last_ - 1]) --last_;
  double outside = 0;
  const Segment on_axis(0, 0, cells.step, ratio.mu);
  for (std::size_t i = 0; i < n; ++i) {
    if (i == first_) i = last_;
    if (i == n) break;
    const Term term = cell_bound(i, 0, on_axis);
    outside += std::exp(term.exponent - moment_.log_moment) * term.factor;
  }
  log_outside_ = std::log(outside) + 1e-9;

  // Left of r's zeros nothing is won past a quarter turn. Right of them the path may climb.
  ceiling_.resize(n + 1);
  const double log_odds = std::log(ratio.q) - std::log1p(-ratio.q) - ratio.mu * ratio.mu / 2;
  for (std::size_t i = 0; i <= n; ++i) {
    const double edge = i < n ? cells.x[i] - cells.step / 2 : body.highest();
    ceiling_[i] = (0.55 * pi + std::max(0.0, log_odds + ratio.mu * edge - 2)) / ratio.mu;
  }
}

const PathBound::Humps& PathBound::humps() const {
  if (!humps_) humps_ = found_humps();
  return *humps_;
}

PathBound::Humps PathBound::found_humps() const {
  const std::vector<double>& weights = weights_;
  // The tilted law has at most two humps: outcomes near 0, and hits near rho mu. Split where a valley is clear.
  std::size_t valley = first_;
  double depth = 1;
  std::vector<double> right(last_ + 1, 0.0);
  for (std::size_t i = last_; i-- > first_;) right[i] = std::max(right[i + 1], weights[i]);
  double left = 0;
  for (std::size_t i = first_; i < last_; ++i) {
    left = std::max(left, weights[i]);
    const double here = weights[i] / std::min(left, right[i]);
    if (here < depth) {
      depth = here;
      valley = i;
    }
  }
  Humps found{measured_hump(first_, last_), {}};
  constexpr double clear = 0.5;
  if (depth < clear) found.apart = {measured_hump(first_, valley), measured_hump(valley, last_)};
  return found;
}

PathBound::Hump PathBound::measured_hump(std::size_t first, std::size_t last) const {
  const std::vector<double>& weights = weights_;
  Hump hump;
  hump.first = first;
  hump.last = last;
  double mass = 0, mean = 0, square = 0, top = 0;
  for (std::size_t i = first; i < last; ++i) {
    mass += weights[i];
    mean += weights[i] * cells_.log_ratio[i];
    hump.least_mass += weights[i] * std::exp(log_least_share(i));
    if (weights[i] > top) {
      top = weights[i];
      const double slope = cells_.slope[i], mu = ratio_.mu;
      hump.narrowest = mu * slope / std::sqrt(std::max(0.3, 1 - rho_ * mu * mu * slope * (1 - slope)));
    }
  }
  mean /= mass;
  // To second order in s the sharpest path rises by s u'(x), where u solves Stein's equation
  // (W u')' = -(log r - mean) W for the tilted density W: it attains the true decay e^{-s^2 variance / 2}.
  const std::size_t n = last - first;
  std::vector<double> above(n + 1, 0.0);
  for (std::size_t i = n; i-- > 0;) {
    const double deviation = cells_.log_ratio[first + i] - mean;
    above[i] = above[i + 1] + weights[first + i] * deviation;
    square += weights[first + i] * deviation * deviation;
  }
  hump.deviation = std::sqrt(square / mass);
  hump.direction.assign(n + 1, 0.0);
  double below = 0;
  for (std::size_t i = 1; i < n; ++i) {
    const double left = weights[first + i - 1], right = weights[first + i];
    below += left * (mean - cells_.log_ratio[first + i - 1]);
    const double density = std::sqrt(left) * std::sqrt(right) / cells_.step;
    const double flux = cells_.log_ratio[first + i] < mean ? below : above[i];
    if (density > 1e-250) hump.direction[i] = std::max(0.0, flux) / density;
  }
  hump.direction.front() = hump.direction[1];
  hump.direction.back() = hump.direction[n - 1];
  return hump;
}

double PathBound::log_least_share(std::size_t i) const {
  // The cubic bound of cell_bound from below, and Jensen's inequality; log(sinh(c)/c) >= c^2/6 - c^4/180.
  const double width = cells_.step, slope = cells_.slope[i], mu = ratio_.mu;
  const double c = (rho_ * mu * slope - cells_.x[i]) * width / 2;
  const double b = (rho_ * mu * mu * slope * (1 - slope) - 1) * width * width / 8;
  const double third = std::fabs(rho_) * mu * mu * mu * std::min(0.25, slope * (1 - slope) * cell_growth_);
  const double line = std::fabs(c) < 1 ? c * c / 6 - std::pow(c, 4) / 180 : 0;
  const double parabola = b > 0 ? b / 3 : b * std::min(1.0, 1.0 / 3 + 2 * c * c / 45);
  return line + parabola - third * width * width * width / 48 - 1e-9;
}

PathBound::Segment::Segment(double from, double to, double width, double mu) {
  height = (from + to) / 2, rise = (to - from) / width;
  const double half = std::sin(mu * height / 2);
  half2 = half * half, sine = 2 * half * std::cos(mu * height / 2), cosine = 1 - 2 * half2;
  const double tallest = std::min(mu * std::max(std::fabs(from), std::fabs(to)), pi) / 2;
  cosine_bound = from == to && tallest < pi / 2 ? std::sqrt(1 - half2) : std::cos(tallest);
  stretch = std::sqrt(1 + rise * rise);
}

PathBound::Term PathBound::cell_bound(std::size_t i, double s, const Segment& segment) const {
  // The integrand is e^Phi, Phi(z) = -z^2/2 + p log r(z), on the straight segment z = x + i height, of direction
  // dz/dx = 1 + i rise: a cubic Taylor bound on Re Phi about the middle, integrated over |t| <= width / 2.
  const double width = cells_.step, x = cells_.x[i], slope = cells_.slope[i], mu = ratio_.mu;
  const double height = segment.height, rise = segment.rise;
  const double half2 = segment.half2, sine = segment.sine, cosine = segment.cosine;
  // r / |r at Im z = 0| = 1 - slope + slope e^{i theta}
  const double re = 1 - 2 * slope * half2, im = slope * sine, size2 = re * re + im * im;
  const double log_size = cells_.log_ratio[i] + 0.5 * std::log1p(-4 * slope * (1 - slope) * half2);
  // Right of r's zeros (slope > 1/2) arg r winds with theta, so heights are not limited there: r = e^{i theta} times
  // something that never turns by more than a quarter. At s = 0 no turn counts.
  const auto turned = [&] {
    return slope > 0.5 ? mu * height + std::atan2(-(1 - slope) * sine, slope + (1 - slope) * cosine)
                       : std::atan2(im, re);
  };
  const double arg = s == 0 ? 0 : turned();
  const double phi = (height * height - x * x) / 2 + rho_ * log_size - s * arg;
  // First derivative: -z + p mu S, S = slope e^{i theta} / (1 - slope + slope e^{i theta}).
  const double dr = slope * (cosine * re + sine * im) / size2, di = slope * (sine * re - cosine * im) / size2;
  const double first_re = -x + mu * (rho_ * dr - s * di), first_im = -height + mu * (rho_ * di + s * dr);
  const double tangent = std::fabs(first_re - rise * first_im) * width / 2;
  // Second derivative: -1 + p mu^2 S (1 - S).
  const double tr = dr * (1 - dr) + di * di, ti = di * (1 - 2 * dr);
  const double second_re = mu * mu * (rho_ * tr - s * ti) - 1, second_im = mu * mu * (rho_ * ti + s * tr);
  const double curvature = second_re * (1 - rise * rise) - 2 * second_im * rise;
  // Third derivative: at most |p| mu^3 slope (1 - slope) / |.|^3, with |.| >= cos(theta / 2) and >= 2 slope - 1. Within
  // the cell slope (1 - slope) grows, and slope / (1 - slope) falls, at most by e^{|dy|}.
  const double bend = std::min(0.25, slope * (1 - slope) * cell_growth_);
  const double least_slope = slope / (slope + (1 - slope) * cell_growth_);
  const double closest = std::max(segment.cosine_bound, 2 * least_slope - 1);
  const double ratio3 = segment.stretch / closest;
  const double third = std::sqrt(rho_ * rho_ + s * s) * mu * mu * mu * bend * ratio3 * ratio3 * ratio3;
  return {phi - log_of_root_two_pi + third * width * width * width / 48 + std::min(tangent * tangent / 6, tangent),
          width * segment.stretch * parabola_share(tangent, curvature * width * width / 8),
          std::fabs(rho_ * log_size) + std::fabs(s * arg) + x * x + height * height};
}

template <class SegmentOver>
double PathBound::log_integral(double s, std::size_t first, std::size_t last, const SegmentOver& segment_over) const {
  double top = -infinity, sum = 0, size = 0;
  for (std::size_t i = first; i < last; ++i) {
    const Term term = cell_bound(i, s, segment_over(i));
    if (term.exponent > top) {
      sum *= std::exp(top - term.exponent);
      top = term.exponent;
    }
    sum += std::exp(term.exponent - top) * term.factor;
    size = std::max(size, term.size);
  }
  const double slack = 1e-10 + 64 * unit_roundoff * size;  // the exponents' rounding
  return top + std::log(sum) - moment_.log_moment + slack;
}

PathBound::Edge PathBound::edge_at(double x, double height) const {
  const double mu = ratio_.mu, theta = mu * height, half2 = std::pow(std::sin(theta / 2), 2);
  const double log_rest = std::log1p(-ratio_.q), log_odds = std::log(ratio_.q) - log_rest + mu * (x - mu / 2);
  const double slope = 1 / (1 + std::exp(-log_odds));
  const double log_ratio =
      log_rest + (log_odds > 0 ? log_odds + std::log1p(std::exp(-log_odds)) : std::log1p(std::exp(log_odds)));
  // |r|^2 shrinks as the height y grows, by 1 - u with u = 4 slope (1 - slope) sin^2(mu y / 2) <= slope (1 - slope)
  // mu^2 y^2, which |r|^rho feels for rho < 0; -log(1 - u) <= u times its value per u at the largest u.
  const double largest = 4 * slope * (1 - slope) * (theta < pi ? half2 : 1);
  const double per_u = largest > 0 ? -std::log1p(-largest) / largest : 1;
  const double spread = 0.5 + (rho_ < 0 ? -0.5 * rho_ * per_u * slope * (1 - slope) * mu * mu : 0);
  const double turn = std::atan2(slope * std::sin(theta), 1 - 2 * slope * half2) / height;
  return {.log_size = rho_ * log_ratio - x * x / 2 - log_of_root_two_pi - moment_.log_moment + 1e-9,
          .spread = spread,
          .least_turn = slope > 0.5 ? mu * slope : std::min(mu * slope, turn),
          .most_turn = std::max(mu * slope, turn)};
}

double PathBound::log_path_integral(double s, const Hump& hump, double steepness) const {
  // Any path below r's zeros, or right of them, is a valid bound. Either Stein's path, or (steepness > 0) one that
  // climbs where the loss varies: better where the law is far from normal. Between two humps it comes down to the axis.
  const auto height = [&](std::size_t edge) {
    double wanted = hump.direction[edge - hump.first], ceiling = ceiling_[edge];
    if (steepness > 0) wanted = steepness * ratio_.mu * cells_.slope[std::min(edge, cells_.size() - 1)];
    if (hump.first != first_) ceiling = std::min(ceiling, static_cast<double>(edge - hump.first) * cells_.step);
    if (hump.last != last_) ceiling = std::min(ceiling, static_cast<double>(hump.last - edge) * cells_.step);
    return ceiling > 0 ? ceiling * std::tanh(s * wanted / ceiling) : 0;
  };
  double next = height(hump.first);
  double total = log_integral(s, hump.first, hump.last, [&](std::size_t cell) {
    const double from = std::exchange(next, height(cell + 1));
    return Segment(from, next, cells_.step, ratio_.mu);
  });
  // Up and down at the ends: arg r >= least_turn y, and a convex function of y is largest at an end.
  const auto side = [&](double x, double up) {
    if (up <= 0) return;
    const Edge edge = edge_at(x, up);
    total = log_sum(total, edge.log_size + std::log(up) + std::max(0.0, up * (edge.spread * up - s * edge.least_turn)));
  };
  if (hump.first == first_) side(lowest(), height(first_));
  if (hump.last == last_) side(highest(), height(last_));
  return total;
}

double PathBound::size_on_cells(double s, const Hump& hump) const {
  double re = 0, im = 0;
  for (std::size_t i = hump.first; i < hump.last; ++i) {
    // Where the phase turns by a radian a cell and more, the hump's share has all but decayed.
    if (s * ratio_.mu * cells_.slope[i] * cells_.step > 1) break;
    const double angle = s * cells_.log_ratio[i];
    re += weights_[i] * std::cos(angle);
    im += weights_[i] * std::sin(angle);
  }
  return std::hypot(re, im);
}

PathBound::Decay PathBound::hump_decay(double s, const Hump& hump) const {
  // A hump of mass w has |g(s)| <= B by its path. For any positive measure w^2 - |g(s)|^2 >= (w^2 - |g(ns)|^2) / n^2,
  // since sin^2(nx) <= n^2 sin^2(x), so that w - |g(s)| >= (w^2 - B(ns)^2) / (2 w n^2): a path at a frequency ns that
  // resolves the hump serves lower ones too, where |g| is too close to w to be bounded directly. Both sides grow with
  // w.
  Decay best{.size = infinity};
  const double mass = hump.least_mass, true_gain = mass - size_on_cells(s, hump);
  const auto serves = [&](double n, double steepness) {
    const double integral = std::exp(log_path_integral(n * s, hump, steepness));
    if (n == 1) best.size = std::min(best.size, integral);
    if (integral < mass) {
      const double gain = n == 1 ? mass - integral : (mass - integral) * (mass + integral) / (2 * mass * n * n);
      best.gain = std::max(best.gain, gain);
    }
    if (n > 1) return best.gain > 0.75 * true_gain;
    return std::log(best.size / mass) < 0.75 * std::log1p(-true_gain / mass);
  };
  const auto dilation = [&](double deviation) { return std::max(1.0, std::floor(0.5 / (s * deviation))); };
  const double wide = dilation(hump.deviation), fine = dilation(hump.narrowest);
  if (serves(wide, 0) || serves(1, 0.5) || serves(1, 1.0)) return best;
  if (fine > 1 && serves(fine, 0.5)) return best;
  if (fine > 1) serves(fine, 1.0);
  return best;
}

double PathBound::log_decay(double s) const {
  const Humps& found = humps();
  const Decay whole = hump_decay(s, found.whole);
  double size = whole.size, gain = whole.gain;
  const double estimate = std::log(size_on_cells(s, found.whole));
  const bool sharp = std::min(std::log1p(-gain), std::log(size)) < 0.75 * estimate;
  if (!found.apart.empty() && !sharp) {
    const Decay left = hump_decay(s, found.apart.front()), right = hump_decay(s, found.apart.back());
    size = std::min(size, left.size + right.size);
    gain = std::max(gain, left.gain + right.gain);
  }
  return std::min(std::log1p(-gain), std::log(size + std::exp(log_outside_)) + 1e-12);
}

double PathBound::log_decay_estimate(double s) const { return std::log(size_on_cells(s, humps().whole)); }

PathBound::Strip PathBound::strip_at(double s, double height, double log_error) const {
  const Segment level(-height, -height, cells_.step, ratio_.mu);
  Strip strip{.height = height,
              .log_integral = log_integral(s, first_, last_, [&](std::size_t) -> const Segment& { return level; })};
  const double constant = moment_.as_excess ? height * height / 2 - moment_.log_moment : -infinity;
  double rate = (std::max(strip.log_integral, constant) - log_error + 1.5) / height;
  for (const double x : {lowest(), highest()}) {
    const Edge edge = edge_at(x, height);
    const double excess = edge.log_size + std::log(2 * height) - log_error + 1.5;
    rate = std::max(rate, edge.spread * height + s * edge.most_turn + excess / height);
  }
  strip.step = 2 * pi / rate;
  return strip;
}

PathBound::Strip PathBound::best_strip(double s, double log_error) const {
  const double tallest = std::min(0.85 * pi / ratio_.mu, std::sqrt(-2 * log_error) * 1.1);
  Strip best = strip_at(s, tallest, log_error);
  for (double height = 0.6 * tallest; height > tallest * 1e-4; height *= 0.6) {
    const Strip strip = strip_at(s, height, log_error);
    if (strip.step <= best.step) break;
    best = strip;
  }
  return best;
}

double PathBound::log_quadrature_error(const Strip& strip, double step, double s) const {
  // Moving the integrals of f (1/2 +- kernel) to heights +-a: the two horizontal sides give at most
  // 2 int |f(x - ia)| dx / (e^{2 pi a / step} - 1). On the vertical sides, half a step from a grid point, the kernel is
  // 1 / (1 + e^{2 pi |y| / step}). Outside, sum and integral are each at most the tilted mass.
  const double a = strip.height, mu = ratio_.mu, q = ratio_.q, rate = 2 * pi / step;
  const double log_two_a = std::log(2 * a), kernel = -rate * a - std::log(-std::expm1(-rate * a));
  double total = log_sum(std::log(2.0) + strip.log_integral + kernel, std::log(2.0) + log_outside_);
  for (const double x : {lowest(), highest()}) {
    const Edge edge = edge_at(x, a);
    total =
        log_sum(total, edge.log_size + log_two_a + std::max(0.0, a * (edge.spread * a + s * edge.most_turn - rate)));
  }
  if (!moment_.as_excess) return total;

  // Where G - 1 is summed, the same errors for the functions 1 and rho (r - 1), |r - 1| <= q (e^y + 1) at any height,
  // come on top, and so does what they have outside the body (normal tails <= e^{-x^2/2}).
  const double linear = std::log1p(std::fabs(rho_) * q), hit = std::log(std::fabs(rho_) * q);
  double constant = std::log(2 + 4 * q * std::fabs(rho_)) + a * a / 2 + kernel;
  for (const double x : {body_.lowest(), body_.highest()}) {
    const double sides = log_sum(std::max(0.0, a * (a / 2 - rate)) + log_two_a - log_of_root_two_pi, 0.0);
    constant = log_sum(constant, linear - x * x / 2 + sides);
    constant = log_sum(constant, hit - (x - mu) * (x - mu) / 2 + sides);
  }
  return log_sum(total, constant - moment_.log_moment);
}

double PathBound::log_cell_error(double enough) const {
  const double tallest = std::min(0.9 * pi / ratio_.mu, 2 * pi / cells_.step);
  double best = infinity;
  for (double height = tallest; height > tallest * 1e-4 && best > enough; height *= 0.6) {
    const double error = log_quadrature_error(strip_at(0, height, -30), cells_.step, 0);
    if (error >= best) break;
    best = error;
  }
  return best;
}

}  // namespace pld::contour
