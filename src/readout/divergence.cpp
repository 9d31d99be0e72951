#include "pld/readout/divergence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "account/all_neighbours.hpp"
#include "account/largest_of_neighbours.hpp"
#include "engines/question.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "readout/composition_divergence.hpp"

namespace pld {
namespace {

void require_tolerance(double tolerance) {
  require(tolerance > 0 && tolerance < infinity, "divergence", "tolerance", tolerance, "tolerance > 0 and finite");
}

}  // namespace

Bracket renyi_divergence(const Composition& composition, double order, DirectionChoice direction, double tolerance) {
  const Question question;
  require(order >= 1e-3, "divergence", "order", order, "order >= 0.001, or inf");
  require_tolerance(tolerance);
  if (order == infinity) return max_divergence(composition, direction);
  return rising_over_neighbours(
      composition, [&](const Composition& c) { return CompositionDivergence(c, direction).renyi(order, tolerance); });
}

Bracket kl_divergence(const Composition& composition, DirectionChoice direction, double tolerance) {
  const Question question;
  return renyi_divergence(composition, 1, direction, tolerance);
}

Bracket max_divergence(const Composition& composition, DirectionChoice direction) {
  const Question question;
  return largest_of_neighbours(composition, direction);
}

Bracket alpha_divergence(const Composition& composition, double alpha, DirectionChoice direction, double tolerance) {
  const Question question;
  require(alpha >= 1e-3 && alpha < infinity, "divergence", "alpha", alpha, "0.001 <= alpha < inf");
  const Bracket renyi = renyi_divergence(composition, alpha, direction, tolerance);
  if (alpha == 1) return renyi;
  // One after the other: the product of both factors overflows where the quotient need not. So does e^x.
  constexpr double largest_exponent = 700;
  const double log_weight = std::log(alpha) + std::log(std::fabs(alpha - 1));
  const auto value = [&](double d) {
    const double x = (alpha - 1) * d;
    return x > largest_exponent ? std::exp(x - log_weight) : std::expm1(x) / alpha / (alpha - 1);
  };
  const auto units = [&](double d) {
    const double x = std::fabs((alpha - 1) * d);
    return std::isfinite(x) ? 8 + 4 * (x + (x > largest_exponent ? std::fabs(log_weight) : 0)) : 8;
  };
  const double least = value(renyi.lower);
  const bool finite = std::isfinite(renyi.lower);  // then so is the value, though no double may be as large
  return {std::max(0.0, round_down(finite ? std::min(least, std::numeric_limits<double>::max()) : least,
                                   units(renyi.lower))),
          value(renyi.estimate), round_up(value(renyi.upper), units(renyi.upper))};
}

Bracket hellinger_distance(const Composition& composition, double tolerance) {
  const Question question;
  const Bracket renyi = renyi_divergence(composition, 0.5, DirectionChoice::remove, tolerance);
  const auto value = [](double d) { return std::sqrt(-std::expm1(-d / 2)); };
  return {std::max(0.0, round_down(value(renyi.lower), 8)), value(renyi.estimate),
          std::min(1.0, round_up(value(renyi.upper), 8))};
}

}  // namespace pld
