// What a query's cuts leave to hits and infinite losses, against tables in 50 digits.
#include "engines/tilted_lattice/lattice_query.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "engines/rare_hits.hpp"
#include "pld/mechanisms/discrete_gaussian.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "support/checks.hpp"
#include "support/exact_laws.hpp"

using namespace pld;
using test::Draw;
using test::FiniteLaw;
using test::Real;

namespace {

/// Probabilities of one release, and then of all.
struct Exact {
  Real none_infinite = 1, none_beyond = 1, q_none = 1;
  void add(const FiniteLaw& law, double cut, std::int64_t count) {
    Real infinite = 0, hit = 0, q_hit = 0;
    for (const auto& [p, q] : law.outcomes) {
      if (q == 0)
        infinite += p;
      else if (log(p / q) > cut)
        hit += p, q_hit += q;
    }
    none_infinite *= pow(1 - infinite, count), none_beyond *= pow(1 - infinite - hit, count),
        q_none *= pow(1 - q_hit, count);
  }
};

void check_holds(const Bracket& log_value, const Real& value) {
  if (value < 1e-40) return;  // a difference of two near 1 in fifty digits
  const Real exact = log(value);
  CHECK(Real(log_value.lower) <= exact);
  CHECK(exact <= Real(log_value.upper));
  CHECK(Real(log_value.width()) <= 1e-12 * (1 + abs(exact)));
}

}  // namespace

TEST_CASE("compose.lattice_query.hits_hold_50_digits") {
  Draw draw(14);
  int rare = 0;
  for (int i = 0; i < 3'000; ++i) {
    std::vector<FiniteLaw> laws;
    std::vector<double> cuts;
    Terms terms;
    Exact exact;
    for (int j = draw.whole(1, 3); j > 0; --j) {
      laws.push_back(draw.law());
      terms.push_back({laws.back().pair, draw.whole(1, draw.whole(0, 1) ? 3 : 1000)});
      cuts.push_back(draw.log_uniform(0.05, 10));
      exact.add(laws.back(), cuts.back(), terms.back().count);
    }
    LatticeQuery query(terms);
    query.cut_at(cuts);
    CAPTURE(i);
    check_holds(query.log_infinity(), 1 - exact.none_infinite);
    check_holds(query.log_beyond(), 1 - exact.none_beyond);
    check_holds(query.log_hits(), exact.none_infinite - exact.none_beyond);
    const Real q_hits = 1 - exact.q_none;
    if (q_hits < 1e-40) continue;
    rare += q_hits < 1e-12;
    CHECK(Real(query.hits().gaining.log_q) >= log(q_hits));
    if (q_hits < 1e-12) CHECK(query.hits().gaining.log_q <= log(q_hits) + 1e-11);
  }
  CHECK(rare > 10);
}

// Beside a loud release a quiet one has rare outcomes with more Q mass, times e^epsilon, than P mass: an event that had
// them would gain nothing.
TEST_CASE("compose.lattice_query.hits_that_gain_are_counted_alone") {
  const double epsilon = 30;
  Terms loud{{Mechanism(Gaussian{.sigma = 0.1}).pair(Direction::remove), 1}}, both = loud;
  both.push_back({Mechanism(DiscreteGaussian{.sigma = 3}).pair(Direction::remove), 10});
  const auto gained = [&](const Terms& terms) {
    LatticeQuery query(terms);
    query.cut_above(-20, epsilon);
    CHECK(query.log_hits().lower <= query.log_hits().upper);
    return query.log_hits().lower - (epsilon + query.hits().gaining.log_q);
  };
  CHECK(gained(loud) > 1);
  CHECK(gained(both) > 1);
}
