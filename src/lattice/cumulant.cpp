#include "lattice/cumulant.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <numbers>

#include "core/work.hpp"
#include "numeric/log_sum.hpp"

namespace pld {
namespace {

/// Root of a function that falls with t, on the log scale of t; the nearer end where there is no sign change. Bracketed
/// outward from 1: very far out, differences of huge terms have no sign to speak of.
template <class F>
double falling_root(const F& f, double lowest, double highest) {
  if (!(lowest < highest)) return lowest;
  const auto on_log = [&](double log_t) { return f(std::exp(log_t)); };
  constexpr double step = 3;
  const double first = std::log(lowest), last = std::log(highest);
  double a = std::min(0.0, last), b = a, fa = on_log(a), fb = fa;
  while (!(fa > 0)) {
    if (a == first) return lowest;
    b = a, fb = fa;
    a = std::max(first, a - step);
    fa = on_log(a);
  }
  while (!(fb < 0)) {
    if (b == last) return highest;
    a = b, fa = fb;
    b = std::min(last, b + step);
    fb = on_log(b);
  }
  boost::uintmax_t iterations = 80;
  const auto close = [](double x, double y) { return std::fabs(x - y) < 1e-6; };
  const auto root = boost::math::tools::toms748_solve(on_log, a, b, fa, fb, close, iterations);
  return std::exp((root.first + root.second) / 2);
}

Eigen::Map<const Eigen::ArrayXd> as_array(const std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

/// A tilt far below any of use: there the kernel 1 / (t (1 + t)) rules.
constexpr double lowest_tilt = 1e-12;

Saddle at_tilt(const std::vector<CountedCumulant>& parts, double t) {
  const CumulantValue k = sum_at(parts, t);
  const double epsilon = k.mean - 1 / t - 1 / (1 + t);
  const double curvature = k.variance + 1 / (t * t) + 1 / ((1 + t) * (1 + t));
  const double log_delta =
      k.value - t * epsilon - std::log(t) - std::log1p(t) - std::log(2 * std::numbers::pi * curvature) / 2;
  return {t, epsilon, log_delta};
}

}  // namespace

Cumulant::Cumulant(const std::vector<LossCell>& outline, double highest_loss, std::size_t together) {
  std::size_t taken = 0;
  for (const LossCell& cell : outline) {
    if (cell.loss > highest_loss || cell.log_mass == -infinity) continue;
    if (taken++ % together == 0) {
      loss_.push_back(cell.loss);
      log_mass_.push_back(cell.log_mass);
    } else {
      const double log_mass = log_sum(log_mass_.back(), cell.log_mass);
      loss_.back() += (cell.loss - loss_.back()) * std::exp(cell.log_mass - log_mass);
      log_mass_.back() = log_mass;
    }
  }
}

CumulantValue Cumulant::at(double t) const {
  if (loss_.empty()) return {-infinity, 0, 0};
  constexpr double points_a_cell = 1.5;
  Work::note(points_a_cell * static_cast<double>(loss_.size()));
  const auto loss = as_array(loss_), log_mass = as_array(log_mass_);
  const Eigen::ArrayXd exponent = log_mass + t * loss;
  Eigen::Index heaviest = 0;
  const double top = exponent.maxCoeff(&heaviest);
  // Beyond these the cells' weights round away.
  constexpr double negligible = 50;
  const auto counts = [&](double value) { return value > top - negligible; };
  const auto first = std::find_if(exponent.begin(), exponent.begin() + heaviest, counts) - exponent.begin();
  auto last = exponent.size();
  while (last > heaviest + 1 && !counts(exponent[last - 1])) --last;
  // Moments about the heaviest cell: tilted far, the law is much narrower than its distance from zero.
  const double centre = loss[heaviest];
  const Eigen::ArrayXd weight = (exponent.segment(first, last - first) - top).exp(),
                       away = loss.segment(first, last - first) - centre;
  const double mass = weight.sum(), shift = (weight * away).sum() / mass;
  const double second = (weight * away * away).sum() / mass;
  return {top + std::log(mass), centre + shift, std::max(0.0, second - shift * shift)};
}

Cumulant::Tails Cumulant::tails(double t) const {
  const double log_total = at(t).value;
  Tails out{loss_, {}, {}};
  double sum = 0;
  for (std::size_t i = 0; i < loss_.size(); ++i) {
    out.above.push_back(std::exp(log_mass_[i] + t * loss_[i] - log_total));
    out.below.push_back(sum += out.above.back());
  }
  for (std::size_t i = out.above.size(); i-- > 1;) out.above[i - 1] += out.above[i];
  return out;
}

CumulantValue sum_at(const std::vector<CountedCumulant>& parts, double t) {
  CumulantValue sum;
  for (const CountedCumulant& part : parts) {
    const CumulantValue one = part.cumulant->at(t);
    const auto k = static_cast<double>(part.count);
    sum.value += k * one.value;
    sum.mean += k * one.mean;
    sum.variance += k * one.variance;
  }
  return sum;
}

Saddle saddle_at_epsilon(const std::vector<CountedCumulant>& parts, double epsilon, double highest_tilt) {
  // The derivative of the exponent rises with t: K is convex.
  const auto slope = [&](double t) { return epsilon + 1 / t + 1 / (1 + t) - sum_at(parts, t).mean; };
  Saddle s = at_tilt(parts, falling_root(slope, lowest_tilt, highest_tilt));
  s.log_delta += s.tilt * (s.epsilon - epsilon);
  s.epsilon = epsilon;
  return s;
}

Saddle saddle_at_log_delta(const std::vector<CountedCumulant>& parts, double log_delta, double highest_tilt) {
  const auto excess = [&](double t) { return at_tilt(parts, t).log_delta - log_delta; };
  return at_tilt(parts, falling_root(excess, lowest_tilt, highest_tilt));
}

LossRange chernoff_window(const std::vector<CountedCumulant>& parts, double t, double nats) {
  const CumulantValue centre = sum_at(parts, t);
  const double spread = std::sqrt(centre.variance);
  if (!(spread < infinity && std::fabs(centre.mean) < infinity)) throw WorkSpent("losses beyond the range of doubles");
  if (spread == 0) return {centre.mean, centre.mean};
  // mass beyond z <= e^{K(t+s) - K(t) - s z}: the best s is near the one for a normal law, or far below it where rare
  // large losses rule.
  const double normal = std::log(std::sqrt(2 * nats) / spread);
  const auto end = [&](double direction) {
    const auto reach = [&](double log_s) {
      const double s = std::exp(log_s);
      return (sum_at(parts, t + direction * s).value - centre.value + nats) / s;
    };
    return boost::math::tools::brent_find_minima(reach, normal - 16, normal + 2, 10).second;
  };
  return {-end(-1), end(+1)};
}

}  // namespace pld
