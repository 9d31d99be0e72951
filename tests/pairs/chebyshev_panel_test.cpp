// What a panel says of functions whose values, integrals and inverses have closed forms.
#include "pairs/chebyshev_panel.hpp"

#include <cmath>

#include "support/checks.hpp"

namespace pld::test {
namespace {

// Of 1 / (r - t) the coefficients fall like the worst that a pole on the ellipse allows.
template <class Cells>
void check_a_pole_on_the_ellipse() {
  using Sum = ChebyshevSum<Cells::terms>;
  constexpr double pole = 1 + 2 * Cells::margin, largest = 1;
  typename Sum::Values values;
  for (std::size_t j = 0; j < Cells::terms; ++j) values[j] = largest / (pole - Sum::node(j));
  const Sum sum(values), slope = sum.slope();
  for (double t = -1; t <= 1; t += 0.125) {
    const double exact = largest / (pole - t);
    CHECK(std::fabs(sum.template at<1>({t})[0] - exact) <= 2 * (Cells::terms + 1) * unit_roundoff * exact);
    CHECK(std::fabs(slope.template at<1>({t})[0] - exact * exact) <= 1e-12 * exact);
  }
}

TEST_CASE("pairs.chebyshev_panel.a_pole_on_the_ellipse_leaves_what_is_claimed") {
  check_a_pole_on_the_ellipse<ManyCells>();
  check_a_pole_on_the_ellipse<FewCells>();
}

// Q = e^-x and the loss 3 x from 0 to `width`.
template <class Cells>
void check_cells_of_exponentials(double width) {
  const ChebyshevPanel<Cells> panel(
      0, width, [](double x) { return -x; }, [](double x) { return 2 * x; }, [](double x) { return 3 * x; });
  const auto mass = [](double rate, double a, double b) {
    return std::exp(rate * a) * std::expm1(rate * (b - a)) / rate;
  };
  for (int i = 0; i < 4; ++i) {
    const double a = width / 8 * i;
    for (const double length : {Cells::largest_part * width, 0.1 * width, 1e-5}) {
      const LossCell cell = panel.between(a, a + length);
      const double p = mass(2, a, a + length), q = mass(-1, a, a + length);
      CHECK(std::fabs(cell.log_mass - std::log(p)) <= 16 * unit_roundoff * (1 - std::log(p)));
      CHECK(std::fabs(cell.log_q_mass - std::log(q)) <= 16 * unit_roundoff * (1 - std::log(q)));
      CHECK(std::fabs(cell.loss - std::log(p / q)) <= 64 * unit_roundoff);
    }
    const double inside = a + 1e-2 * width;
    CHECK(std::fabs(panel.outcome_at(3 * inside, width / 2).value_or(infinity) - inside) <= 4 * unit_roundoff);
  }
  CHECK_FALSE(panel.outcome_at(4 * width, width / 2));
  CHECK_FALSE(panel.outcome_at(-infinity, width / 2));
}

TEST_CASE("pairs.chebyshev_panel.cells_of_exponentials") {
  check_cells_of_exponentials<ManyCells>(0.1);
  check_cells_of_exponentials<FewCells>(0.13);
}

// Q = e^-(5000.1 + x) and the loss 5000.1 + 3 x: their sum has lost 12 binary digits, of which P's own density has all.
template <class Cells>
void check_digits_of_far_cells(double width) {
  const ChebyshevPanel<Cells> panel(
      0, width, [](double x) { return -5000.1 - x; }, [](double x) { return 2 * x; },
      [](double x) { return 5000.1 + 3 * x; });
  const double b = Cells::largest_part * width, log_p = std::log(std::expm1(2 * b) / 2);
  CHECK(std::fabs(panel.between(0, b).log_mass - log_p) <= 16 * unit_roundoff * (1 - log_p));
}

TEST_CASE("pairs.chebyshev_panel.a_mass_has_its_own_digits_where_log_q_and_the_loss_cancel") {
  check_digits_of_far_cells<ManyCells>(0.1);
  check_digits_of_far_cells<FewCells>(0.13);
}

}  // namespace
}  // namespace pld::test
