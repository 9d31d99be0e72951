#include "engines/contour/ratio_moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/work.hpp"
#include "pld/core/rounding.hpp"

// Floating-point error. u is the unit round-off. The elementary functions are taken to be within 2 ulp = 4u (glibc's
// manual lists 1 ulp for all used here; up to 3 for those of long doubles, whose u is taken twice as large for it).
// With x exact, y = mu (x - mu/2) has relative error 2u, so e^y has 2|y|u + 4u. log r then is within u (13 |log r| + 2
// |y| slope): the first term from the last rounding steps of whichever formula is used, the second because d log r / dy
// = slope. The sums below accumulate these bounds point by point.

namespace pld::contour {
namespace {

constexpr long double log_of_root_two_pi = 0.918938533204672741780329736406L;

/// Terms that leave less than a rounding of the series below.
template <class Real>
constexpr int series_terms = std::is_same_v<Real, double> ? 6 : 9;

/// log(1 + v) - v, relative error <= 40u. |v| > 0.1: at most 20-fold cancellation. Below, with t = v / (2 + v),
/// log(1+v) = 2 atanh t and 2t - v = -t v.
template <class Real>
Real log1p_less(Real v) {
  if (std::fabs(v) > Real(0.1)) return std::log1p(v) - v;
  const Real t = v / (2 + v), t2 = t * t;
  Real series = 0;
  for (int n = series_terms<Real>; n >= 1; --n) series = t2 * series + 1 / Real(2 * n + 1);
  return t * (2 * t2 * series - v);
}

/// Past this y, e^y is not formed.
constexpr double largest_exponent = 700;

template <class Real>
struct Ratio {
  Real excess, log_ratio, log_less_excess, slope;
};

template <class Real>
Ratio<Real> ratio_at(Real q, Real y) {
  if (y > largest_exponent) {
    const Real rest = (1 - q) / q * std::exp(-y);
    const Real log_ratio = y + std::log(q) + std::log1p(rest);
    return {infinity, log_ratio, -infinity, 1 / (1 + rest)};
  }
  const Real excess = q * std::expm1(y), scaled = q * std::exp(y);
  const Real r = (1 - q) + scaled;
  // Below r = 1/2 the sum of positive terms is accurate, and 1 + excess would not be.
  if (excess < Real(-0.5)) return {excess, std::log(r), std::log(r) - excess, scaled / r};
  return {excess, std::log1p(excess), log1p_less(excess), scaled / r};
}

/// Whether r^rho - 1 - rho (r - 1) is formed of a = rho log r and r - 1, and not of what it is a difference of.
template <class Real>
bool is_small(Real a, Real excess) {
  return std::fabs(a) < Real(0.5) && Real(-0.99) < excess && excess < 1;
}

}  // namespace

template <class Real>
Real expm1_less(Real a) {
  if (std::fabs(a) > Real(0.1)) return std::expm1(a) - a;
  Real sum = 1;
  for (int n = series_terms<Real> + 4; n >= 3; --n) sum = 1 + sum * (a * (1 / Real(n)));
  return a * a * sum / 2;
}

Body make_body(const SampledRatio& ratio, double lowest, double highest, double widest) {
  Body body{.cell_width = 15.0 / 64};
  while (ratio.mu * body.cell_width > 0.5 || body.cell_width > widest) body.cell_width /= 2;
  body.first_cell = static_cast<long>(std::floor(lowest / body.cell_width));
  body.last_cell = static_cast<long>(std::ceil(highest / body.cell_width));
  return body;
}

double tilted_width(const SampledRatio& ratio, double rho) {
  // The mode: x = rho mu slope(x), whose right side decreases.
  double low = rho * ratio.mu, high = 0;
  const double log_odds = std::log(ratio.q) - std::log1p(-ratio.q) - ratio.mu * ratio.mu / 2;
  const auto slope = [&](double x) { return 1 / (1 + std::exp(-log_odds - ratio.mu * x)); };
  for (int i = 0; i < 60 && high - low > 1e-3 * (1 - low); ++i) {
    const double x = (low + high) / 2;
    (x > rho * ratio.mu * slope(x) ? high : low) = x;
  }
  const double at = slope((low + high) / 2);
  return 1 / std::sqrt(1 - rho * ratio.mu * ratio.mu * at * (1 - at));
}

long admissible_refinement(double wanted) {
  constexpr double most = 1e12;  // beyond any budget of work, which the caller compares with
  if (!(wanted < most)) wanted = most;
  // 15 * 2^n divided by one of these is a short dyadic number again.
  constexpr std::array<long, 4> odd = {1, 3, 5, 15};
  long best = 1;
  while (static_cast<double>(best) < wanted) best *= 2;
  for (const long start : odd) {
    long candidate = start;
    while (static_cast<double>(candidate) < wanted) candidate *= 2;
    best = std::min(best, candidate);
  }
  return best;
}

template <class Real>
RatioGridOf<Real> make_grid(const SampledRatio& ratio, const Body& body, long per_cell) {
  const double step = body.cell_width / static_cast<double>(per_cell);
  const std::size_t size = body.cells() * static_cast<std::size_t>(per_cell);
  RatioGridOf<Real> grid;
  grid.step = step;
  for (auto* column : {&grid.x, &grid.log_weight, &grid.weight, &grid.excess, &grid.weighted_excess, &grid.log_ratio,
                       &grid.log_less_excess, &grid.slope, &grid.weight_units, &grid.log_units, &grid.excess_units})
    column->resize(size);
  const Real mu = ratio.mu, half_mu = mu / 2, q = ratio.q;
  const Real log_step = std::log(Real(step)) - static_cast<Real>(log_of_root_two_pi), log_q = std::log(q);
  const double first = static_cast<double>(body.first_cell) * static_cast<double>(per_cell) + 0.5;
  for (std::size_t i = 0; i < size; ++i) {
    const Real x = (first + static_cast<double>(i)) * step;
    const Real y = mu * (x - half_mu);
    const Ratio<Real> at = ratio_at(q, y);
    grid.x[i] = x;
    grid.log_weight[i] = log_step - x * x / 2;
    grid.weight[i] = std::exp(grid.log_weight[i]);
    grid.excess[i] = at.excess;
    grid.weighted_excess[i] =
        y > largest_exponent ? std::exp(grid.log_weight[i] + log_q + y) : grid.weight[i] * at.excess;
    grid.log_ratio[i] = at.log_ratio;
    grid.log_less_excess[i] = at.log_less_excess;
    grid.slope[i] = at.slope;
    grid.weight_units[i] = x * x;
    grid.log_units[i] = 13 * std::fabs(at.log_ratio) + 2 * std::fabs(y) * at.slope;
    grid.excess_units[i] = 2 * std::fabs(y);
  }
  return grid;
}

template <class Real>
TiltedMoment tilt(const RatioGridOf<Real>& grid, double rho, std::vector<Real>* weights, double centre) {
  // Sums are taken in long doubles: roundings do not count where these have more digits than their terms.
  constexpr bool wider = std::numeric_limits<long double>::digits > std::numeric_limits<Real>::digits;
  const std::size_t size = grid.size();
  const double summing = wider ? 0 : static_cast<double>(size), unit = round_off<Real>;
  Real top = -infinity;
  for (std::size_t i = 0; i < size; ++i) top = std::max(top, grid.log_weight[i] + rho * grid.log_ratio[i]);
  constexpr double safe_exponent = 600;
  const Real scale = top < safe_exponent ? std::exp(top) : Real(infinity);

  if (weights) weights->resize(size);
  long double sum = 0, sum_log = 0, sum_log2 = 0;  // of the weights e^{-top} phi r^rho
  // G - 1 = E[r^rho - 1 - rho (r - 1)], since E[r] = 1, less what is missing of E[1] and of E[r].
  const double missing = grid.missing * (rho - 1), missing_ratio = grid.missing_ratio * rho;
  long double excess = static_cast<long double>(missing) - missing_ratio;
  double sum_error = 0, excess_error = 40 * (std::fabs(missing) + std::fabs(missing_ratio)), phase_error = 0,
         size_sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const Real log_ratio = grid.log_ratio[i], a = rho * log_ratio, exponent = grid.log_weight[i] + a;
    const Real w = std::exp(exponent - top);
    if (weights) (*weights)[i] = w;
    sum += w;
    sum_log += w * log_ratio;
    sum_log2 += w * log_ratio * log_ratio;

    const Real own_error = grid.weight_units[i], log_error = grid.log_units[i], size_a = std::fabs(a);
    const Real a_error = std::fabs(rho) * log_error + 2 * size_a;
    const Real weight_error = own_error + std::fabs(exponent) + a_error + std::fabs(top) + 12 + summing;
    sum_error += static_cast<double>(w * weight_error);
    const Real size_phase = std::fabs(log_ratio - centre);
    phase_error += static_cast<double>(w * (size_phase * (weight_error + 130) + log_error));
    size_sum += static_cast<double>(w * size_phase);

    const Real p = grid.weight[i], v = grid.excess[i];
    if (is_small(a, v)) {
      const Real bend = expm1_less(a), sag = rho * grid.log_less_excess[i];
      excess += p * (bend + sag);
      // v's own error enters log r - v through its derivative -v / (1 + v).
      const Real sag_error = std::fabs(rho * v) * (log_error + 8 * std::fabs(v) / (1 + v));
      excess_error += static_cast<double>(
          p * ((own_error + 50 + summing) * (bend + std::fabs(sag)) + std::fabs(a + bend) * a_error + sag_error));
    } else if (scale < infinity) {
      const Real linear = rho * grid.weighted_excess[i];
      excess += static_cast<long double>(w * scale) - p - linear;
      excess_error += static_cast<double>(w * scale * weight_error +
                                          (p + std::fabs(linear)) * (own_error + grid.excess_units[i] + 16 + summing));
    }
  }

  TiltedMoment result;
  const double total = static_cast<double>(sum), inverse = 1 / total;
  if (weights) {
    const Real normaliser = 1 / static_cast<Real>(sum);
    for (Real& w : *weights) w *= normaliser;
  }
  result.mean = static_cast<double>(sum_log / sum);
  result.variance = std::max(0.0, static_cast<double>(sum_log2 / sum - (sum_log / sum) * (sum_log / sum)));
  result.spread = size_sum * inverse;
  // Weights are normalised by their own sum: its relative error is a common factor.
  result.phase_rounding = unit * (phase_error + size_sum * sum_error * inverse) * inverse;
  const double small = static_cast<double>(excess);
  if (grid.sums_to_one && scale < infinity && std::fabs(small) < 0.5) {
    result.as_excess = true;
    result.log_moment = std::log1p(small);
    result.rounding = unit * 2 * excess_error / (1 + small) + unit_roundoff * 6 * std::fabs(result.log_moment);
  } else {
    result.log_moment = static_cast<double>(top) + std::log(total);
    result.rounding = unit * sum_error * inverse +
                      unit_roundoff * (32 + 2 * std::fabs(static_cast<double>(top)) + std::fabs(result.log_moment));
  }
  return result;
}

Cumulant tilted_cumulant(const RatioGrid& grid, double rho) {
  constexpr double points_a_cell = 3;
  const std::size_t size = grid.size();
  Work::note(points_a_cell * static_cast<double>(size));
  double top = -infinity;
  for (std::size_t i = 0; i < size; ++i) top = std::max(top, grid.log_weight[i] + rho * grid.log_ratio[i]);
  const double scale = std::exp(top);
  double sum = 0, mean = 0, square = 0;
  // As tilt() has it, G - 1 = E[r^rho - 1 - rho (r - 1)]: with many releases all digits of a small one count.
  double excess = grid.missing * (rho - 1) - grid.missing_ratio * rho;
  for (std::size_t i = 0; i < size; ++i) {
    const double log_ratio = grid.log_ratio[i], a = rho * log_ratio, w = std::exp(grid.log_weight[i] + a - top);
    sum += w;
    mean += w * log_ratio;
    square += w * log_ratio * log_ratio;
    excess += is_small(a, grid.excess[i]) ? grid.weight[i] * (expm1_less(a) + rho * grid.log_less_excess[i])
                                          : w * scale - grid.weight[i] - rho * grid.weighted_excess[i];
  }
  mean /= sum;
  return {std::fabs(excess) < 0.5 ? std::log1p(excess) : top + std::log(sum), mean,
          std::max(0.0, square / sum - mean * mean)};
}

bool has_subnormal_losses(const RatioGrid& grid) {
  return std::any_of(grid.log_ratio.begin(), grid.log_ratio.end(),
                     [](double loss) { return std::fpclassify(loss) == FP_SUBNORMAL; });
}

template double expm1_less(double);
template long double expm1_less(long double);
template RatioGridOf<double> make_grid(const SampledRatio&, const Body&, long);
template RatioGridOf<long double> make_grid(const SampledRatio&, const Body&, long);
template TiltedMoment tilt(const RatioGridOf<double>&, double, std::vector<double>*, double);
template TiltedMoment tilt(const RatioGridOf<long double>&, double, std::vector<long double>*, double);

}  // namespace pld::contour
