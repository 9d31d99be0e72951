#include "pld/readout/divergence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "account/all_neighbours.hpp"
#include "account/boxed_kinds.hpp"
#include "account/largest_of_neighbours.hpp"
#include "core/intersection.hpp"
#include "core/work.hpp"
#include "engines/question.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "readout/composition_divergence.hpp"

namespace pld {
namespace {

void require_tolerance(double tolerance) {
  require(tolerance > 0 && tolerance < infinity, "divergence", "tolerance", tolerance, "tolerance > 0 and finite");
}

/// Costs little more than any tolerance that is coarser.
constexpr double rough = 1e-4;

/// Of more than a few kinds roughly, and as closely as asked where there is work for that: cells that are cut are cut
/// further.
Bracket renyi_in(const Composition& composition, double order, DirectionChoice direction, double tolerance) {
  constexpr std::size_t few = 16;
  constexpr double more = 3;  // times the work of what is rough
  CompositionDivergence divergence(composition, direction);
  if (tolerance >= rough || composition.releases().size() <= few) return divergence.renyi(order, tolerance);
  const double left = Work::left();
  const Bracket roughly = divergence.renyi(order, rough);
  if (more * (left - Work::left()) > Work::left()) return roughly;
  return intersection(divergence.renyi(order, tolerance), roughly);
}

/// Of very many kinds of releases it is known from their boxes, and from all of them where there is work for that.
Bracket renyi_by_kinds(const Composition& all, double order, DirectionChoice direction, double tolerance) {
  const auto of = [&](const Composition& releases, double width) {
    return rising_over_neighbours(releases, [&](const Composition& c) { return renyi_in(c, order, direction, width); });
  };
  constexpr double many = 300, some = 250, of_box = 2;  // two laws bound a box's releases
  const double kinds = kinds_by_work(all);
  if (kinds <= many) return of(all, tolerance);
  Work::allow_for(kinds);
  const double left = Work::left();
  const Composition boxes = with_few_kinds(all, some);
  const Bracket of_boxes = of(boxes, std::max(rough, tolerance));
  const double wanted = (left - Work::left()) * kinds / (of_box * kinds_by_work(boxes));
  return wanted > Work::left() ? of_boxes : intersection(of(all, tolerance), of_boxes);
}

}  // namespace

Bracket renyi_divergence(const Composition& composition, double order, DirectionChoice direction, double tolerance) {
  const Question question;
  require(order >= 1e-3, "divergence", "order", order, "order >= 0.001, or inf");
  require_tolerance(tolerance);
  if (order == infinity) return max_divergence(composition, direction);
  return renyi_by_kinds(composition, order, direction, tolerance);
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
