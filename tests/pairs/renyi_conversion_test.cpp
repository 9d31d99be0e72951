#include "pairs/renyi_conversion.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "pairs/renyi_pair.hpp"
#include "pld/core/rounding.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

/// What a pair of coins with heads a and b has at order A = 1 + t: t D_A, above by rounding at most.
long double cumulant(long double a, long double b, long double t) {
  const long double heads = (1 + t) * std::log(a) - t * std::log(b),
                    tails = (1 + t) * std::log1p(-a) - t * std::log1p(-b), top = std::max(heads, tails);
  return top + std::log1p(std::exp(std::min(heads, tails) - top));
}

/// The least b that leaves the cumulant of (a, b) below `most(t)` at all of some orders, by bisection on the log scale.
template <class Most>
long double least_tails(long double a, const std::vector<double>& orders, const Most& most) {
  long double low = std::log(a) - 2000, high = std::log(a);
  for (int step = 0; step < 70; ++step) {
    const long double middle = (low + high) / 2;
    const bool kept = std::all_of(orders.begin(), orders.end(),
                                  [&](double t) { return cumulant(a, std::exp(middle), t) <= most(t) * (1 - 1e-15L); });
    (kept ? high : low) = middle;
  }
  return std::exp(high);
}

// A coin is a mechanism: none that keeps the curve may have a larger delta, and the best of them comes close.
TEST_CASE("pairs.renyi_conversion.one_order_is_what_the_worst_coin_attains") {
  for (const double order : {1.3, 2.0, 7.0}) {
    for (const double divergence : {0.02, 0.4, 3.0}) {
      for (const double epsilon : {0.0, 0.2, 1.0, 3.0}) {
        const double bound = log_delta_of_order(order, divergence, epsilon);
        const auto most = [&](long double t) { return t * divergence; };
        long double best = 0;
        for (int i = 1; i < 400; ++i) {
          // In logarithms: where delta is small, so is the best a.
          const long double a =
              i < 200 ? std::exp(static_cast<long double>(bound) * (200 - i) / 100) / 2 : (i - 199) / 201.0L;
          best = std::max(best, a - std::exp(static_cast<long double>(epsilon)) * least_tails(a, {order - 1}, most));
        }
        CAPTURE(order);
        CAPTURE(divergence);
        CAPTURE(epsilon);
        CHECK(bound >= std::log(best) - 1e-15);
        CHECK(bound <= std::log(best) + 0.01);
      }
    }
  }
}

TEST_CASE("pairs.renyi_conversion.all_orders_of_zcdp_are_what_the_worst_coin_attains") {
  std::vector<double> orders;
  for (double x = -5; x < 5; x += 0.05) orders.push_back(std::exp(x));
  for (const double rho : {0.05, 0.8}) {
    const RenyiCurve curve{.at = [rho](double order) { return rho * order; }};
    for (const double epsilon : {0.3, 1.0, 2.5}) {
      const double bound = log_delta_of_renyi(curve, epsilon);
      const auto most = [&](long double t) { return rho * t * (1 + t); };
      long double best = 0;
      for (int i = 1; i < 60; ++i) {
        const long double a = std::exp(static_cast<long double>(bound) * (60 - i) / 40);
        best = std::max(best, a - std::exp(static_cast<long double>(epsilon)) * least_tails(a, orders, most));
      }
      CAPTURE(rho);
      CAPTURE(epsilon);
      CHECK(bound >= std::log(best) - 1e-3);  // orders between those tried may forbid the coin
      CHECK(bound <= std::log(best) + 0.02);
    }
  }
}

/// The header's bound of delta at one order and share, as it is written there.
long double bound_at(long double order, long double divergence, long double epsilon, long double share) {
  const long double b = order - 1, u = share * std::exp(-epsilon),
                    c = order * (1 - std::pow(u, b)) / (b * (1 - std::pow(u, order))), t = std::exp(epsilon) * c,
                    r = share * c;
  return (std::exp(b * divergence) - order * std::pow(r, b) + b * std::pow(r, order)) /
         (order * (std::pow(t, b) - std::pow(r, b)));
}

/// Divergences slope * order at some orders, and (order - 1) D straight between them.
RenyiCurve chords(std::vector<double> orders, double slope) {
  const double highest = orders.back();
  const auto at = [orders = std::move(orders), slope](double order) {
    if (order <= orders.front()) return slope * orders.front();
    const auto next = std::lower_bound(orders.begin(), orders.end() - 1, order);
    const double a = *(next - 1), b = *next, share = (order - a) / (b - a);
    return slope * ((1 - share) * (a - 1) * a + share * (b - 1) * b) / (order - 1);
  };
  return {.at = at, .highest_order = highest};
}

// A curve of chords has a hollow between any two of its orders: the lowest counts, alone and in a pair's profile.
TEST_CASE("pairs.renyi_conversion.no_order_of_a_curve_of_chords_bounds_delta_better") {
  const std::vector<std::pair<std::vector<double>, double>> guarantees{
      {{1.5, 2, 32}, 0.0042284}, {{2, 4}, 0.0775}, {{1.5, 3, 4, 32}, 0.0748}, {{1.25, 64}, 0.011}};
  for (const auto& [orders, slope] : guarantees) {
    const RenyiCurve curve = chords(orders, slope);
    const PairPtr pair = pair_of_renyi_curve(curve);
    for (const double epsilon : {0.0, 0.01, 0.1, 0.3, 1.0}) {
      long double best = 1;
      for (const double order : orders)
        for (long double share = 0.005L; share < 1; share += 0.005L)
          best = std::min(best, bound_at(order, slope * order, epsilon, share));
      const LossCell above = pair->above(epsilon);
      const double of_pair =
          std::exp(pair->log_mass_at_plus_infinity()) + std::exp(above.log_mass) - std::exp(epsilon + above.log_q_mass);
      CAPTURE(orders.front());
      CAPTURE(epsilon);
      CHECK(std::exp(log_delta_of_renyi(curve, epsilon)) <= best * 1.0001L);
      CHECK(of_pair <= best * 1.02L);  // between points the chord is above
    }
  }
}

// Where the divergence has an end, the best order jumps to the highest there is; it was looked for beside the last one.
TEST_CASE("pairs.renyi_conversion.a_row_of_epsilons_finds_what_single_ones_do") {
  const RenyiCurve zcdp{.at = [](double order) { return 0.3 * order; }};
  const RenyiCurve bounded{.at = [](double order) { return std::min(0.5 * order, 4.0); }};
  const RenyiCurve ended{.at = [](double order) { return 0.1 * order; }, .highest_order = 5};
  for (const RenyiCurve* curve : {&zcdp, &bounded, &ended}) {
    RenyiDelta last = delta_of_renyi(*curve, 0);
    for (int i = 0; i <= 120; ++i) {
      const double epsilon = 0.05 * i, alone = log_delta_of_renyi(*curve, epsilon);
      last = delta_of_renyi_from(last, *curve, epsilon);
      CAPTURE(curve == &bounded);
      CAPTURE(epsilon);
      CHECK(last.log_delta <= alone + 1e-9 * (1 - alone));
      CHECK(last.log_delta >= alone - 1e-6 * (1 - alone));
    }
  }
}

/// min over a fine grid of orders of Canonne, Kamath, Steinke 2020, proposition 12.
double tight(double rho, double epsilon) {
  long double best = 0;
  for (double x = -12; x < 26; x += 1e-3) {
    const long double b = std::exp(static_cast<long double>(x)), a = 1 + b;
    best = std::min(best, b * (rho * a - epsilon) - b * std::log1p(1 / b) - std::log(a));
  }
  return static_cast<double>(best);
}

TEST_CASE("pairs.renyi_conversion.never_above_the_tight_conversion_and_the_same_for_small_deltas") {
  for (const double rho : {1e-9, 1e-3, 0.5, 30.0}) {
    const RenyiCurve curve{.at = [rho](double order) { return rho * order; }};
    for (const double share : {0.0, 1.0, 4.0, 12.0, 30.0}) {
      const double epsilon = rho + share * std::sqrt(2 * rho);
      const double found = log_delta_of_renyi(curve, epsilon);
      const double known = tight(rho, epsilon);
      CHECK(found <= known + 1e-6);
      if (known < -40) CHECK(found >= known * (1 + 1e-6));
    }
  }
}

TEST_CASE("pairs.renyi_conversion.ends") {
  const RenyiCurve none{.at = [](double) { return 0.0; }}, all{.at = [](double) { return infinity; }};
  CHECK(log_delta_of_renyi(none, 0) < -20);
  CHECK(log_delta_of_renyi(none, 1) < -700);
  CHECK(log_delta_of_renyi(all, 5) == 0);
  const RenyiCurve one{.at = [](double order) { return order; }, .highest_order = 3};
  CHECK(log_delta_of_renyi(one, 500) < -900);
  CHECK(log_delta_of_renyi(one, 500) > -1000);
}

}  // namespace
}  // namespace pld::test
