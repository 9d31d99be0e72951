// What hits add to a body's profile, from the same doubles in 50 digits.
#include "engines/rare_losses/hits.hpp"

#include "engines/rare_hits.hpp"
#include "engines/tilted_lattice/lattice_query.hpp"
#include "pld/core/direction.hpp"
#include "pld/mechanisms/approximate_dp.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "support/checks.hpp"
#include "support/exact_profile.hpp"

using namespace pld;
using test::Draw;
using test::FiniteLaw;
using test::Real;

TEST_CASE("compose.hits.hold_50_digits") {
  Draw draw(12);
  int gain = 0;
  for (int i = 0; i < 2'000; ++i) {
    const double leak = draw.whole(0, 1) * draw.log_uniform(1e-30, 1e-3);
    const Terms terms{
        {Mechanism(Laplace{.scale = draw.log_uniform(0.05, 5)}).pair(Direction::remove), draw.whole(1, 20)},
        {Mechanism(ApproximateDp{.epsilon = draw.log_uniform(0.1, 30), .delta = leak}).pair(Direction::remove),
         draw.whole(1, 5)}};
    LatticeQuery query(terms);
    query.cut_at({draw.uniform(-1, 3), draw.uniform(-1, 30)});
    const double epsilon = draw.log_uniform(0.01, 30), log_lower = -draw.log_uniform(1e-6, 700),
                 log_upper = log_lower + draw.uniform(0, 1);
    const Real p_hits = exp(Real(query.log_beyond().lower)),
               q_hits = exp(Real(epsilon) + Real(query.hits().gaining.log_q));
    if (abs(p_hits - q_hits) < p_hits / 100) continue;  // log Q has the round-off of its place beside epsilon
    gain += p_hits > q_hits;
    const Real gained = p_hits > q_hits ? p_hits - q_hits : Real(0), leaked = exp(Real(query.log_infinity().lower));
    const Real lower = log(exp(Real(log_lower)) + (gained > leaked ? gained : leaked));
    if (lower > 0) continue;  // no body has as much beside these hits
    const Real upper = log(exp(Real(log_upper)) + exp(Real(query.log_beyond().upper)));
    CAPTURE(i);
    const Bracket with_hits = query.hits().with_body(log_lower, log_upper, epsilon);
    CHECK(Real(with_hits.lower) <= lower);
    CHECK((Real(with_hits.upper) >= upper || with_hits.upper == 0));
    CHECK(lower - with_hits.lower <= 1e-14 * (1 - lower));
    CHECK(with_hits.upper - upper <= 1e-14 * (1 - upper));
  }
  CHECK(gain > 200);
}

TEST_CASE("compose.hits.event_above_a_border_holds_50_digits") {
  Draw draw(15);
  for (int i = 0; i < 500; ++i) {
    const double border = draw.log_uniform(0.05, 10);
    Terms terms;
    Real no_p = 1, no_q = 1;
    for (int j = draw.whole(1, 3); j > 0; --j) {
      const FiniteLaw law = draw.law();
      terms.push_back({law.pair, draw.whole(1, 1000)});
      Real p_hit = 0, q_hit = 0;
      for (const auto& [p, q] : law.outcomes)
        if (q == 0 || log(p / q) > border) p_hit += p, q_hit += q;
      no_p *= pow(1 - p_hit, terms.back().count), no_q *= pow(1 - q_hit, terms.back().count);
    }
    if (1 - no_q < 1e-40) continue;  // a difference of two near 1 in fifty digits
    const Real log_p = log(1 - no_p), log_q = log(1 - no_q);
    const HitEvent event = hits_above(terms, border);
    CAPTURE(i);
    CHECK(Real(event.log_p) <= log_p);
    CHECK(Real(event.log_p) >= log_p - 1e-12 * (1 - log_p));
    CHECK(Real(event.log_q) >= log_q);
    if (log_q < -30) CHECK(Real(event.log_q) <= log_q + 1e-11);
  }
}

TEST_CASE("compose.hits.at_their_border_are_expected") {
  Draw draw(16);
  for (int i = 0; i < 200; ++i) {
    const FiniteLaw law = draw.law();
    const int count = draw.whole(1, 1000);
    for (const auto& [at_p, at_q] : law.outcomes) {
      if (at_q == 0) continue;
      Real expected = 0;
      for (const auto& [p, q] : law.outcomes)
        if (q > 0 && p / q >= at_p / at_q) expected += count * p;
      CHECK(Real(log_expected_hits({law.pair, count}, static_cast<double>(log(at_p / at_q)))) >= log(expected));
    }
  }
}
