#include "engines/contour/discrete_gaussian_part.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "pairs/discrete_gaussian_pair.hpp"
#include "pld/core/rounding.hpp"

namespace pld::contour {
namespace {
using std::numbers::pi;
}

std::optional<DiscreteGaussianPart> DiscreteGaussianPart::of(const DominatingPair& pair, double count) {
  constexpr double least_sigma = 2;
  const auto* noise = dynamic_cast<const DiscreteGaussianPair*>(&pair);
  if (!noise || noise->sigma() < least_sigma) return std::nullopt;
  return DiscreteGaussianPart(noise->sigma(), noise->shift(), count);
}

DiscreteGaussianPart::DiscreteGaussianPart(double sigma, double shift, double count)
    : sigma_(sigma),
      shift_(shift),
      count_(count),
      square_((shift / sigma) * (shift / sigma)),
      period_(2 * pi * sigma * (sigma / shift)),
      curvature_(2 * (pi * sigma) * (pi * sigma)) {}

DiscreteGaussianPart::Ratio DiscreteGaussianPart::at(double lambda, double s) const {
  // With b = s / period the ratio is e^{i (lambda + 1/2) square s} times the sum over n of
  // e^{-curvature (b - n)^2 - 2 pi i n shift (1 + lambda)}. Beside the nearest n the next one may count, others hold
  // less than e^-curvature of it.
  const double b = s / period_, nearest = std::nearbyint(b), r = b - nearest, side = r < 0 ? -1 : 1;
  const double power = shift_ * (1 + lambda), turn = 2 * pi * power;
  const double next_nats = curvature_ * (1 - 2 * std::fabs(r)), next = std::exp(-next_nats);
  const double angle = 2 * pi * (power - std::nearbyint(power));
  const double x = next * std::cos(angle), y = -side * next * std::sin(angle);
  const double excess = x * (2 + x) + y * y, least = std::numeric_limits<double>::min();
  const double square = std::max(least, (1 + x) * (1 + x) + y * y);
  const double log_size = 0.5 * (excess > -0.5 ? std::log1p(excess) : std::log(square));
  const double own = (lambda + 0.5) * square_ * s, turned = turn * nearest;
  Ratio ratio{.log_size = log_size - curvature_ * r * r, .phase = own - turned + std::atan2(y, 1 + x)};
  // b is off by 4 u of itself.
  const double of_b = 4 * unit_roundoff * std::fabs(b) * curvature_;
  ratio.rounding = 2 * of_b * std::fabs(r) +
                   unit_roundoff * (8 * curvature_ * r * r + 8 * std::fabs(own) + 8 * std::fabs(turned) + 8);
  ratio.error =
      next * (2 * of_b + unit_roundoff * (8 * next_nats + 4 * std::fabs(turn) + 8)) + 8 * std::exp(-curvature_);
  ratio.error /= std::exp(log_size);
  return ratio;
}

double DiscreteGaussianPart::log_decay(double s, double until) const {
  const double from = s / period_ * (1 - 8 * unit_roundoff), to = until / period_ * (1 + 8 * unit_roundoff);
  if (!(to < 1)) return 0;
  const double sum =
      std::exp(-curvature_ * from * from) + std::exp(-curvature_ * (1 - to) * (1 - to)) + 4 * std::exp(-curvature_);
  return std::min(0.0, std::log(sum) + 1e-9);
}

}  // namespace pld::contour
