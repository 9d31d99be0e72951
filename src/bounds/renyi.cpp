#include "pld/bounds/renyi.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>

#include "bounds/outer_root.hpp"
#include "core/standard_arithmetic.hpp"
#include "pairs/renyi_conversion.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld::bounds {
namespace {

void require_order(double alpha) {
  require(alpha > 1 && std::isfinite(alpha), "renyi", "alpha", alpha, "alpha > 1 and finite");
}
void require_delta(double delta) { require(delta > 0 && delta < 1, "renyi", "delta", delta, "0 < delta < 1"); }
void require_divergence(double rdp) { require(rdp >= 0, "renyi", "divergence", rdp, "divergence >= 0"); }
void require_epsilon(double epsilon) {
  require(std::isfinite(epsilon), "renyi", "epsilon", epsilon, "a finite number");
}

}  // namespace

double renyi_randomized_response(double alpha, double p) {
  const StandardArithmetic arithmetic;
  require(p > 0 && p < 1, "renyi", "p", p, "0 < p < 1");
  return renyi_of_pure_dp(alpha, std::fabs(std::log(p) - std::log1p(-p)));
}

double renyi_of_pure_dp(double alpha, double epsilon) {
  const StandardArithmetic arithmetic;
  require_order(alpha);
  require(epsilon >= 0, "renyi", "epsilon", epsilon, "epsilon >= 0");
  return log_moment({ApproximateDp{.epsilon = epsilon, .delta = 0}}, alpha, Direction::remove) / (alpha - 1);
}

RenyiCurve renyi_curve(const Steps& steps, Direction direction) {
  const StandardArithmetic arithmetic;
  require_valid(steps);
  return [steps, direction](double alpha) {
    double total = 0;
    for (const Step& step : steps) {
      total += static_cast<double>(step.count) * log_moment(step, alpha, direction);
      if (total == infinity) break;
    }
    return std::fmax(0, total / (alpha - 1));
  };
}

double epsilon_from_renyi_basic(double alpha, double rdp, double delta) {
  const StandardArithmetic arithmetic;
  require_order(alpha);
  require_divergence(rdp);
  require_delta(delta);
  return rdp - std::log(delta) / (alpha - 1);
}

double delta_from_renyi_basic(double alpha, double rdp, double epsilon) {
  const StandardArithmetic arithmetic;
  require_order(alpha);
  require_divergence(rdp);
  require_epsilon(epsilon);
  return std::min(1.0, std::exp((alpha - 1) * (rdp - epsilon)));
}

double epsilon_from_renyi_tight(double alpha, double rdp, double delta) {
  const StandardArithmetic arithmetic;
  require_order(alpha);
  require_divergence(rdp);
  require_delta(delta);
  return rdp + std::log1p(-1 / alpha) - (std::log(delta) + std::log(alpha)) / (alpha - 1);
}

double delta_from_renyi_tight(double alpha, double rdp, double epsilon) {
  const StandardArithmetic arithmetic;
  require_order(alpha);
  require_divergence(rdp);
  require_epsilon(epsilon);
  const double log_factor = (alpha - 1) * std::log1p(-1 / alpha) - std::log(alpha);
  return std::min(1.0, std::exp((alpha - 1) * (rdp - epsilon) + log_factor));
}

double epsilon_from_renyi_optimal(double alpha, double rdp, double delta) {
  const StandardArithmetic arithmetic;
  const double tight = epsilon_from_renyi_tight(alpha, rdp, delta), log_delta = std::log(delta);
  if (!(tight > 0) || std::isinf(tight)) return tight;
  const auto excess = [&](double epsilon) { return log_delta_of_order(alpha, rdp, epsilon) - log_delta; };
  if (excess(0) <= 0) return 0;
  return std::min(tight, root_from_above(excess, tight, 1e-3 * tight));
}

BestOrder best_order(const std::function<double(double)>& epsilon_at) {
  const StandardArithmetic arithmetic;
  const auto at = [&](double x) { return epsilon_at(1 + std::exp(x)); };
  const double last = std::log(1e7), spacing = 0.7;
  double best_x = -7, best = infinity;
  // The curve falls, then rises for good; orders past the minimum cost the most to evaluate, so stop well up its far
  // side.
  for (double x = -7; x <= last; x += spacing) {
    const double epsilon = at(x);
    if (epsilon < best) best = epsilon, best_x = x;
    if (x > best_x + 2 * spacing) break;
  }
  constexpr int bits = 26;  // of the place: twice as many of the value, which is flat there
  const auto [x, polished] =
      boost::math::tools::brent_find_minima(at, best_x - spacing, std::min(best_x + spacing, last), bits);
  return polished < best ? BestOrder{polished, 1 + std::exp(x)} : BestOrder{best, 1 + std::exp(best_x)};
}

BestOrder best_whole_order(const std::function<double(double)>& epsilon_at, int last) {
  const StandardArithmetic arithmetic;
  BestOrder best{infinity, 2};
  for (int alpha = 2; alpha <= last; ++alpha) {
    const double epsilon = epsilon_at(alpha);
    if (epsilon < best.epsilon) best = {epsilon, static_cast<double>(alpha)};
  }
  return best;
}

}  // namespace pld::bounds
