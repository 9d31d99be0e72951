#include "pairs/renyi_conversion.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

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
