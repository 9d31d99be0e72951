#include "pld/mechanisms/renyi_guarantees.hpp"

#include <algorithm>
#include <cmath>

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "pairs/renyi_pair.hpp"
#include "pld/core/doubles_around.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// t = order - 1 and t D.
struct Knot {
  double t = 0, cumulant = 0;
};

/// t D is convex and 0 at t = 0 (van Erven, Harremoes 2014, corollary 2), and D does not fall: the convex minorant of
/// the orders' bounds, each no larger than the next one's.
std::vector<Knot> convex_minorant(const RenyiDp& mechanism) {
  const auto slope = [](const Knot& a, const Knot& b) { return (b.cumulant - a.cumulant) / (b.t - a.t); };
  std::vector<Knot> knots;  // from the right, slopes falling
  const auto add = [&](const Knot& here) {
    while (knots.size() > 1 && slope(here, knots.back()) >= slope(knots.back(), knots[knots.size() - 2]))
      knots.pop_back();
    knots.push_back(here);
  };
  double least = infinity;
  for (std::size_t i = mechanism.orders.size(); i-- > 0;) {
    least = std::min(least, mechanism.epsilons[i]);
    add({mechanism.orders[i] - 1, (mechanism.orders[i] - 1) * least});
  }
  add({});
  std::reverse(knots.begin(), knots.end());
  return knots;
}

/// Below the first knot the chord from 0, which is the divergence there.
RenyiCurve curve_of(const RenyiDp& mechanism) {
  const auto at = [knots = convex_minorant(mechanism)](double order) {
    const double t = order - 1;
    const auto next = std::lower_bound(knots.begin() + 1, knots.end() - 1, t,
                                       [](const Knot& k, double sought) { return k.t < sought; });
    const Knot &a = *(next - 1), &b = *next;
    if (a.t == 0) return round_up(b.cumulant / b.t, 4);
    const double share = (t - a.t) / (b.t - a.t);
    return round_up(((1 - share) * a.cumulant + share * b.cumulant) / t, 8);
  };
  return {.at = at, .highest_order = mechanism.orders.back()};
}

}  // namespace

std::string describe(const ConcentratedDp& mechanism) {
  return mechanism_text("zcdp", {{"rho", mechanism.rho}, {"xi", mechanism.xi}});
}

std::string describe(const TruncatedConcentratedDp& mechanism) {
  return mechanism_text("tcdp", {{"rho", mechanism.rho}, {"omega", mechanism.omega}});
}

std::string describe(const RenyiDp& mechanism) {
  return "rdp:orders=" + listed(mechanism.orders) + ",epsilons=" + listed(mechanism.epsilons);
}

ConcentratedDp grouped(const ConcentratedDp& mechanism, int group) {
  double harmonic = 0;
  for (int i = 1; i <= group; ++i) harmonic += 1.0 / i;
  const double k = group;
  return {.rho = doubles_around_product(mechanism.rho, k * k).above,
          .xi = mechanism.xi > 0 ? round_up(mechanism.xi * k * harmonic, 4 + k) : 0};
}

PairPtr dominating_pair(const ConcentratedDp& mechanism, Direction) {
  const double rho = mechanism.rho, xi = mechanism.xi;
  require_in(ranges::concentrated_rho, "zcdp", "rho", rho);
  require_in(ranges::concentrated_xi, "zcdp", "xi", xi);
  RenyiCurve curve{.at = [rho, xi](double order) { return xi + rho * order; }, .slope = round_up(xi + rho)};
  if (xi == 0) curve.exact_slope = ExactSlope{.a = rho};
  return pair_of_renyi_curve(curve);
}

PairPtr dominating_pair(const TruncatedConcentratedDp& mechanism, Direction) {
  const double rho = mechanism.rho, omega = mechanism.omega;
  require_in(ranges::concentrated_rho, "tcdp", "rho", rho);
  require_in(ranges::renyi_order, "tcdp", "omega", omega);
  return pair_of_renyi_curve(
      {.at = [rho](double order) { return rho * order; }, .highest_order = std::nextafter(omega, 1.0)});
}

PairPtr dominating_pair(const RenyiDp& mechanism, Direction) {
  const auto& [orders, epsilons] = mechanism;
  require(!orders.empty() && orders.size() <= 1000, "rdp", "number of orders", static_cast<double>(orders.size()),
          "1 to 1000 orders");
  require(epsilons.size() == orders.size(), "rdp", "number of epsilons", static_cast<double>(epsilons.size()),
          "one epsilon an order");
  for (std::size_t i = 0; i < orders.size(); ++i) {
    require_in(ranges::renyi_order, "rdp", "orders", orders[i]);
    if (i > 0) require(orders[i] > orders[i - 1], "rdp", "orders", orders[i], "increasing orders");
    require_in(ranges::guarantee_epsilon, "rdp", "epsilons", epsilons[i]);
  }
  return pair_of_renyi_curve(curve_of(mechanism));
}

namespace {

/// Noise of standard deviation 1 has D_a = a sensitivity^2 / 2.
std::optional<Gaussian> gaussian_of_slope(double rho) {
  if (!(rho > 0)) return std::nullopt;
  return Gaussian{.sigma = 1, .sensitivity = round_down(std::sqrt(2 * rho), 4)};
}

}  // namespace

std::optional<Gaussian> witness(const ConcentratedDp& mechanism) { return gaussian_of_slope(mechanism.rho); }
std::optional<Gaussian> witness(const TruncatedConcentratedDp& mechanism) { return gaussian_of_slope(mechanism.rho); }

std::optional<Gaussian> witness(const RenyiDp& mechanism) {
  double slope = infinity;
  for (std::size_t i = 0; i < mechanism.orders.size(); ++i)
    slope = std::min(slope, mechanism.epsilons[i] / mechanism.orders[i]);
  return gaussian_of_slope(slope);
}

}  // namespace pld
