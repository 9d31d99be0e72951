// What a panel says of functions whose values, integrals and inverses have closed forms.
#include "pairs/chebyshev_panel.hpp"

#include <cmath>

#include "support/checks.hpp"

namespace pld::test {
namespace {

// Of 1 / (r - t) the coefficients fall like the worst that a pole on the ellipse allows.
TEST_CASE("pairs.chebyshev_panel.a_pole_on_the_ellipse_leaves_what_is_claimed") {
  constexpr double r = 38, pole = (r + 1 / r) / 2, largest = 1;
  ChebyshevSum::Values values;
  for (std::size_t j = 0; j < ChebyshevSum::terms; ++j) values[j] = largest / (pole - ChebyshevSum::node(j));
  const ChebyshevSum sum(values), slope = sum.slope();
  for (double t = -1; t <= 1; t += 0.125) {
    const double exact = largest / (pole - t);
    CHECK(std::fabs(sum.at<1>({t})[0] - exact) <= 26 * unit_roundoff * exact);
    CHECK(std::fabs(slope.at<1>({t})[0] - exact * exact) <= 1e-12 * exact);
  }
}

// Q = e^-x and the loss 3 x from 0 to 1/10.
TEST_CASE("pairs.chebyshev_panel.cells_of_exponentials") {
  const ChebyshevPanel panel(
      0, 0.1, [](double x) { return -x; }, [](double x) { return 3 * x; });
  const auto mass = [](double rate, double a, double b) {
    return std::exp(rate * a) * std::expm1(rate * (b - a)) / rate;
  };
  for (int i = 0; i < 8; ++i) {
    const double a = 0.0125 * i;
    for (const double width : {1e-2, 1e-5}) {
      const LossCell cell = panel.between(a, a + width);
      const double p = mass(2, a, a + width), q = mass(-1, a, a + width);
      CHECK(std::fabs(cell.log_mass - std::log(p)) <= 16 * unit_roundoff * (1 - std::log(p)));
      CHECK(std::fabs(cell.log_q_mass - std::log(q)) <= 16 * unit_roundoff * (1 - std::log(q)));
      CHECK(std::fabs(cell.loss - std::log(p / q)) <= 64 * unit_roundoff);
    }
    const double inside = a + 1e-3;
    CHECK(std::fabs(panel.outcome_at(3 * inside, 0.05).value_or(infinity) - inside) <= 4 * unit_roundoff);
  }
  CHECK_FALSE(panel.outcome_at(0.4, 0.05));
  CHECK_FALSE(panel.outcome_at(-infinity, 0.05));
}

}  // namespace
}  // namespace pld::test
