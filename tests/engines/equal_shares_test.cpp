// Basic composition at equal shares, against 50-digit sums of the same parts.
#include "engines/moments/equal_shares.hpp"

#include <cmath>

#include "engines/closed_form/closed_form.hpp"
#include "engines/rare_hits.hpp"
#include "pld/core/direction.hpp"
#include "pld/core/rounding.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "support/checks.hpp"
#include "support/exact_profile.hpp"

using namespace pld;
using test::Draw;
using test::Real;

TEST_CASE("compose.equal_shares.hold_50_digit_sums") {
  Draw draw(13);
  int tiny = 0;
  for (int i = 0; i < 2'000; ++i) {
    Terms terms;
    double releases = 0;
    for (int j = draw.whole(1, 3); j > 0; --j) {
      const Mechanism noise = draw.whole(0, 1) ? Mechanism(Gaussian{.sigma = draw.log_uniform(0.1, 100)})
                                               : Mechanism(Laplace{.scale = draw.log_uniform(0.1, 100)});
      terms.push_back({noise.pair(Direction::remove), draw.whole(1, 1000)});
      releases += static_cast<double>(terms.back().count);
    }
    const double share = draw.log_uniform(1e-3, 50) * draw.whole(-1, 3), total = share * releases;
    const double log_infinity = draw.whole(0, 1) ? -INFINITY : -draw.log_uniform(1, 1e5);
    Real sum = exp(Real(log_infinity));
    for (const Term& t : terms)
      sum += Real(t.count) * exp(Real(closed_form_log_finite_delta_upper(*t.pair, round_down(total / releases, 4))));
    const double upper = log_delta_of_equal_shares(terms, total, log_infinity);
    CAPTURE(i);
    if (sum == 0) {
      CHECK(upper == -INFINITY);
      continue;
    }
    tiny += sum < 1e-20;
    CHECK((upper == 0 || Real(upper) >= log(sum)));
    CHECK(upper <= log(sum) + 1e-14 * (1 + abs(log(sum))));
  }
  CHECK(tiny > 100);
}
