// Values published in the tests of google/differential-privacy, python/dp_accounting,
// pld/privacy_loss_mechanism_test.py (get_delta_for_epsilon), within its own tolerance, 7 decimals. ADD and REM there
// are add and remove here.

#include <cmath>

#include "pld/account/query.hpp"
#include "pld/mechanisms/discrete_laplace.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/integer_noise.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

constexpr auto add = DirectionChoice::add, remove = DirectionChoice::remove;

struct Row {
  double scale, sensitivity, q;
  DirectionChoice direction;
  double epsilon, delta;
};

template <class Make>
void check_rows(std::initializer_list<Row> rows, const Make& make) {
  for (const Row& row : rows) {
    const Composition run = Composition().add(poisson_sampled(make(row), row.q));
    CAPTURE(run.releases()[0].mechanism.text());
    CAPTURE(row.epsilon);
    const DeltaAnswer got = delta(run, {.epsilon = row.epsilon, .direction = row.direction});
    CHECK(std::fabs(got.estimate - row.delta) < 5e-8);
    CHECK(got.width() < 1e-9);
  }
}

TEST_CASE("mechanisms.published.laplace") {
  check_rows({{1, 1, 1, add, 1, 0},
              {2, 4, 1, add, 0.5, 0.52763345},
              {1, 1, 1, add, 0, 0.39346934},
              {1, 1, 1, add, -2, 0.86466472},
              {1, 1, 0.8, add, 1, 0},
              {2, 4, 0.8, add, 0.5, 0.3243606497234246},
              {1, 1, 0.6, add, 0.2, 0.1401134521354217},
              {2, 2, 0.3, add, 0, 0.1180408020862099},
              {2, 4, 1, remove, 2, 0},
              {2, 4, 0.8, remove, 0.5, 0.4039564635032081},
              {1, 1, 0.6, remove, 0.2, 0.1741992102060086},
              {2, 2, 0.3, remove, 0, 0.1180408020862099},
              {5, 5, 0.2, remove, -0.25, 0.2211992169285951}},
             [](const Row& row) { return Laplace{.scale = row.scale, .sensitivity = row.sensitivity}; });
}

TEST_CASE("mechanisms.published.gaussian") {
  check_rows({{1, 1, 0.8, add, 1, 0.0231362104090899},
              {1, 3, 0.7, add, 1, 0.1195051215523554},
              {2, 6, 0.4, add, 1, 0},
              {1, 1, 1, remove, 1, 0.12693674},
              {2, 6, 1, remove, 1, 0.78760074},
              {5, 5, 1, remove, 2, 0.02092364},
              {1, 1, 0.8, remove, 1, 0.0816951786585355},
              {1, 3, 0.7, remove, 1, 0.5356298793262404},
              {2, 6, 0.4, remove, 1, 0.2888308005139968},
              {1, 1, 0.3, remove, 2, 0.0003341102928869332},
              {5, 5, 0.2, remove, -0.25, 0.2211992169285951},
              {1, 1, 0.2, add, 0.2, 0.00020196},
              {1, 1, 0.2, add, -0.3, 0.27768558}},
             [](const Row& row) { return Gaussian{.sigma = row.scale, .sensitivity = row.sensitivity}; });
}

TEST_CASE("mechanisms.published.discrete_laplace") {
  check_rows({{0.5, 4, 1, add, 1, 0.39346934},
              {0.5, 4, 1, add, -0.5, 0.72222110},
              {0.5, 4, 0.7, add, 0.5, 0.2293628348747755},
              {0.5, 4, 0.6, add, 0.6, 0.07668344250639381},
              {0.5, 4, 0.3, add, 0.5, 0},
              {0.5, 4, 1, remove, 0.5, 0.54202002},
              {0.5, 4, 0.7, remove, 0.5, 0.3523838505224567},
              {0.5, 4, 0.6, remove, 1, 0.178181891763215},
              {0.5, 4, 0.3, remove, 0.5, 0.1068168460276349},
              {1, 1, 0.2, remove, -0.25, 0.2211992169285951}},
             [](const Row& row) { return DiscreteLaplace{.a = row.scale, .sensitivity = row.sensitivity}; });
}

/// Theirs is cut off at a bound, 2 for sigma 1 and 5 else.
TEST_CASE("mechanisms.published.truncated_discrete_gaussian") {
  check_rows({{1, 1, 1, add, 1, 0.150574425},
              {10, 3, 1, add, 1, 0.263672394},
              {1, 1, 0.8, add, 1, 0.024865564},
              {5, 3, 0.4, add, 0.1, 0.085584980},
              {1, 1, 1, remove, 1, 0.150574425},
              {1, 1, 0.8, remove, 1, 0.101734157},
              {5, 3, 0.4, remove, 0.1, 0.104486937},
              {1, 1, 1, add, -2, 0.872038958},
              {10, 3, 1, add, 0, 0.285480872}},
             [](const Row& row) {
               const int bound = row.scale == 1 ? 2 : 5;
               std::vector<double> masses;
               double sum = 0;
               for (int x = -bound; x <= bound; ++x)
                 sum += masses.emplace_back(std::exp(-0.5 * x * x / row.scale / row.scale));
               for (double& mass : masses) mass /= sum;
               return IntegerNoise{.masses = masses, .sensitivity = row.sensitivity};
             });
}

}  // namespace
}  // namespace pld::test
