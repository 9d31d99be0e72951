#include "account/kept_chords.hpp"

#include <cmath>
#include <functional>
#include <vector>

#include "pld/core/rounding.hpp"
#include "support/checks.hpp"

namespace pld {
namespace {

/// The order's divergence of randomized response with log odds 1, by its definition.
double of_randomized_response(double order) {
  const double p = 1 / (1 + std::exp(-1.0));
  return std::log(std::pow(p, order) * std::pow(1 - p, 1 - order) + std::pow(1 - p, order) * std::pow(p, 1 - order)) /
         (order - 1);
}

TEST_CASE("account.kept_chords.are_above_the_curve_and_next_to_it") {
  const std::vector<std::function<double(double)>> curves{[](double order) { return 0.3 * order; },
                                                          of_randomized_response};
  struct Case {
    double parts, width;
  };
  for (const auto& [parts, width] : {Case{100, 1e-7}, Case{1e5, 7e-5}})
    for (const auto& curve : curves) {
      const RenyiCurve chords = on_kept_chords({.at = curve}, parts);
      for (double t = 1e-3; t < 300; t *= 1.037) {
        const double order = 1 + t, exact = curve(order);
        CHECK(chords.at(order) >= exact * (1 - 1e-12));
        CHECK(chords.at(order) <= exact * (1 + width));
      }
    }
}

TEST_CASE("account.kept_chords.ask_the_curve_once_for_orders_near_each_other") {
  int asked = 0;
  const RenyiCurve chords = on_kept_chords({.at = [&](double order) { return ++asked, order; }}, 100);
  for (int i = 0; i < 1000; ++i) CHECK(chords.at(2 + 1e-4 * i / 1000) < 2.1);
  CHECK(asked <= 3);
}

/// Next to 1 orders have no doubles on both sides, and none beyond the highest may be asked for.
TEST_CASE("account.kept_chords.are_the_curve_itself_at_the_ends") {
  const auto curve = [](double order) {
    CHECK(order <= 40);
    return 0.5 * order;
  };
  const RenyiCurve chords = on_kept_chords({.at = curve, .highest_order = 40}, 100);
  CHECK(chords.highest_order == 40);
  CHECK(chords.at(40) >= 20);
  CHECK_REL(chords.at(40), 20, 1e-7);
  CHECK_REL(chords.at(1 + 1e-15), 0.5, 1e-7);
  CHECK_REL(chords.at(std::nextafter(1.0, 2.0)), 0.5, 1e-7);
}

}  // namespace
}  // namespace pld
