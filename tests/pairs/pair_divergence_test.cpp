#include "pairs/pair_divergence.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/math/special_functions/binomial.hpp>
#include <cmath>
#include <vector>

#include "numeric/extended.hpp"
#include "pld/formats/mechanism_text.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/pairs/dominating_pair.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/exact_profile.hpp"

namespace pld::test {
namespace {

/// Of a law of atoms without infinite losses, summed as they are.
double divergence_of_atoms(const DominatingPair& pair, double order) {
  Extended sum = 0;
  for (const LossCell& atom : pair.atoms({-infinity, infinity}))
    sum += exp(static_cast<Extended>(atom.log_q_mass) + static_cast<Extended>(order) * atom.loss);
  return static_cast<double>(log(sum)) / (order - 1);
}

// The divergence near 0 is that of outcomes' masses to 1 and a small sum, but rounded masses do not sum to 1.
TEST_CASE("pairs.divergence.of_rounded_masses_holds_their_own_sum") {
  const Law law = release_of(entry_from_text("logistic:scale=20,allocation=505")).mechanism.law();
  for (const PairPtr& pair : {law.remove, law.add, law.below->remove, law.below->add}) {
    for (const double order : {0.5, 1.5, 4.0, 32.0}) {
      if (order > 1 && pair->log_mass_at_plus_infinity() > -infinity) continue;
      CAPTURE(order);
      const Bracket found = PairDivergence(*pair).renyi(order, 1e-9);
      const double truth = divergence_of_atoms(*pair, order), rounding = 1e-14;
      CHECK(found.lower <= truth + rounding);
      CHECK(found.upper >= truth - rounding);
      CHECK(found.width() < 1e-9);
    }
  }
}

/// E L_a L_b of Laplace noise of scale 1 moved by 0 <= a <= b, L_a the likelihood ratio of the move.
Real moment_of_two_moves(const Real& a, const Real& b) {
  return exp(Real(-a - b)) / 2 + exp(Real(-a - b)) * (exp(Real(3 * a)) - 1) / 6 +
         exp(Real(a - b)) * (exp(b) - exp(a)) / 2 + exp(a) / 2;
}

// A loss that rises by a few units of round-off over a tenth of the law has many outcomes for one edge: intervals that
// are cut anew beside others begin where those end.
TEST_CASE("pairs.divergence.of_a_group_of_samples_in_50_digits") {
  for (const double q : {3e-6, 1e-5, 1e-3}) {
    const Mechanism one = poisson_sampled(Laplace{.scale = 2}, q);
    for (const int records : {2, 3}) {
      CAPTURE(q);
      CAPTURE(records);
      std::vector<Real> weights;
      for (int j = 0; j <= records; ++j)
        weights.push_back(
            boost::math::binomial_coefficient<double>(static_cast<unsigned>(records), static_cast<unsigned>(j)) *
            pow(Real(q), j) * pow(1 - Real(q), records - j));
      Real square = 0;  // of P / Q, less 1
      for (int i = 0; i <= records; ++i)
        for (int j = 0; j <= records; ++j)
          square +=
              weights[i] * weights[j] * (moment_of_two_moves(Real(std::min(i, j)) / 2, Real(std::max(i, j)) / 2) - 1);
      const Real truth = log1p(square);
      const Mechanism under = one.under(Neighbours(Relation::add_remove, static_cast<double>(records)));
      const Bracket found = PairDivergence(*under.pair(Direction::remove)).renyi(2, 1e-6);
      CHECK(found.lower <= truth);
      CHECK(found.upper >= truth);
    }
  }
}

}  // namespace
}  // namespace pld::test
