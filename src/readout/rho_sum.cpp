#include "readout/rho_sum.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "numeric/exact_fraction.hpp"
#include "pairs/renyi_curve.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

std::optional<ExactSlope> exact_slope_of(const Mechanism& mechanism) {
  const DominatingPair& pair = *mechanism.pair(Direction::remove);
  return pair.renyi_curve() ? pair.renyi_curve()->exact_slope : pair.exact_slope();
}

Fraction exactly(const ExactSlope& slope) {
  return fraction_of(slope.a) * fraction_of(slope.b) / (fraction_of(slope.c) * fraction_of(slope.d));
}

double sum_upwards(const Composition& composition) {
  double sum = 0;
  for (const Release& release : composition.releases()) {
    sum += static_cast<double>(release.count) * rho_bound(release.mechanism);
    if (sum == infinity) return sum;  // without making the pairs of more guarantees
  }
  return sum > 0 ? round_up(sum, 4 + 2 * static_cast<double>(composition.releases().size())) : 0;
}

/// The doubles around the sum of the releases' exact slopes: each number of theirs is the double it is, as in ledgers.
/// The fractions of long sums are kept short on either side of the sum.
std::optional<DoublesAround> exact_sum(const Composition& composition) {
  Fraction below = 0, above = 0;
  for (const Release& release : composition.releases()) {
    const auto slope = exact_slope_of(release.mechanism);
    if (!slope) return std::nullopt;
    const Fraction all = release.count * exactly(*slope);
    below = shortened_down(below + all);
    above = shortened_up(above + all);
  }
  return DoublesAround{double_below(below), double_above(above)};
}

}  // namespace

bool is_linear(const Composition& composition) {
  return std::all_of(composition.releases().begin(), composition.releases().end(), [](const Release& release) {
    const DominatingPair& pair = *release.mechanism.pair(Direction::remove);
    if (const RenyiCurve* curve = pair.renyi_curve()) return curve->exact_slope.has_value();
    const auto law = pair.sampled_gaussian();
    return law && law->q == 1 && pair.exact_slope();
  });
}

DoublesAround linear_rho(const Composition& composition) { return exact_sum(composition).value(); }

Bracket mu_of_rho(const DoublesAround& rho) {
  const auto excess = [](double root, double square) { return std::fma(root, root, -square); };
  const double below = std::sqrt(2 * rho.below), above = std::sqrt(2 * rho.above);
  const double lower = excess(below, 2 * rho.below) > 0 ? std::nextafter(below, 0) : below;
  const double upper = excess(above, 2 * rho.above) < 0 ? std::nextafter(above, infinity) : above;
  return {lower, lower, upper};
}

std::optional<Bracket> mu_of_gaussians(const Composition& composition) {
  const std::vector<Release>& releases = composition.releases();
  const bool are_gaussians = std::all_of(releases.begin(), releases.end(), [](const Release& release) {
    return release.mechanism.pair(Direction::remove)->sampled_gaussian().has_value();
  });
  if (!are_gaussians || !is_linear(composition) || !composition.is_one_law()) return std::nullopt;
  return mu_of_rho(linear_rho(composition));
}

double rho_bound(const Mechanism& mechanism) {
  const DominatingPair &remove = *mechanism.pair(Direction::remove), &add = *mechanism.pair(Direction::add);
  const RenyiCurve* curve = remove.renyi_curve();
  return std::min(curve ? curve->slope : infinity, std::max(remove.renyi_slope(), add.renyi_slope()));
}

RenyiLine rho_line(const Mechanism& mechanism) {
  const RenyiLine remove = renyi_line(*mechanism.pair(Direction::remove)),
                  add = renyi_line(*mechanism.pair(Direction::add));
  const RenyiLine line{std::max(remove.constant, add.constant), std::max(remove.slope, add.slope)};
  const double bound = rho_bound(mechanism);
  return line.slope < bound ? line : RenyiLine{0, bound};
}

double rho_bound(const Composition& composition) {
  const auto exact = exact_sum(composition);
  return exact ? exact->above : sum_upwards(composition);
}

}  // namespace pld
