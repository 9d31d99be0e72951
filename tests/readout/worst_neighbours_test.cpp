// One release of which different neighbours are the worst at different epsilons: what looks at one epsilon is exact,
// what looks at all of them together is what one pair of neighbours has at least.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "pld/pld.hpp"
#include "support/composition_of.hpp"

namespace pld::test {
namespace {

using Masses = std::vector<double>;

double renyi(const Masses& p, const Masses& q, double order) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += q[i] * std::pow(p[i] / q[i], order);
  return std::log(sum) / (order - 1);
}
double rho(const Masses& p, const Masses& q) {
  double most = 0;
  for (double order = 1.001; order < 200; order *= 1.001) most = std::max(most, renyi(p, q, order) / order);
  return most;
}
double kl(const Masses& p, const Masses& q) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += p[i] * std::log(p[i] / q[i]);
  return sum;
}

/// Both orders of a table of two outcomes.
template <class Of>
double worse(const Masses& p, const Masses& q, const Of& of) {
  return std::max(of(p, q), of(q, p));
}

TEST_CASE("readout.worst_neighbours.of_an_asymmetric_table") {
  const Masses p{0.25, 0.75}, q{0.125, 0.875};
  const Composition run = composition_of({"mass-table:p=0.25/0.75,q=0.125/0.875"}, Relation::replace_one);
  CHECK(run.is_exact());
  CHECK_FALSE(run.has_worst_neighbours());
  constexpr double rounding = 1e-9, of_orders = 1e-5;
  const Bracket zcdp = zcdp_rho(run, DirectionChoice::worst, 1e-3);
  const double of_rho = worse(p, q, rho);
  CHECK(zcdp.lower <= of_rho * (1 + of_orders));
  CHECK(zcdp.upper >= of_rho);
  CHECK(zcdp.lower >= of_rho * (1 - 1e-3));
  const Bracket divergence = kl_divergence(run);
  CHECK(divergence.lower <= worse(p, q, kl) + rounding);
  CHECK(divergence.upper >= worse(p, q, kl));
  const Bracket second = renyi_divergence(run, 2);
  CHECK(second.lower <= worse(p, q, [](const Masses& a, const Masses& b) { return renyi(a, b, 2); }) + rounding);
  // The best test at .3: all of the first outcome and a part of the second.
  const double power = 0.25 + 0.75 / 0.875 * (0.3 - 0.125);
  const OperatingPoint point = trade_off(run).at(0.3);
  CHECK(point.power.lower <= power + rounding);
  CHECK(point.power.upper >= power);
}

TEST_CASE("readout.worst_neighbours.of_a_batch_of_fixed_size") {
  const Masses p{0.5, 0.5}, q{0.25, 0.75};
  double most = 0;  // the others of the batch have the one law or the other
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    Masses with, without;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double other = share * p[i] + (1 - share) * q[i];
      with.push_back((p[i] + other) / 2), without.push_back((q[i] + other) / 2);
    }
    most = std::max(most, worse(with, without, rho));
  }
  const Composition run = composition_of({"mass-table:p=0.5/0.5,q=0.25/0.75,wor=0.5"}, Relation::replace_one);
  const Bracket found = zcdp_rho(run, DirectionChoice::worst, 1e-3);
  CHECK(found.lower <= most * (1 + 1e-4));
  CHECK(found.upper >= most);
}

}  // namespace
}  // namespace pld::test
