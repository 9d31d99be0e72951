#include "gaussian_releases.hpp"

#include "pld/bounds/composition_theorems.hpp"
#include "pld/bounds/concentrated.hpp"
#include "pld/bounds/gaussian_dp.hpp"
#include "pld/bounds/renyi.hpp"

namespace pld::validation {

namespace b = bounds;

namespace {

b::BestOrder best_renyi(double sigma, double k, double delta) {
  return b::best_whole_order([&](double order) { return renyi_epsilon(order, sigma, k, delta); }, 3000);
}

}  // namespace

double advanced_composition_epsilon(double sigma, double k, double delta) {
  const double each = delta / (2 * k);
  return b::advanced_composition({b::gdp_epsilon(1 / sigma, each), each}, k, delta / 2).epsilon;
}

double renyi_epsilon(double order, double sigma, double k, double delta) {
  return b::epsilon_from_renyi_basic(order, k * b::renyi_gaussian(order, sigma, 1), delta);
}

double best_renyi_order(double sigma, double k, double delta) { return best_renyi(sigma, k, delta).alpha; }
double best_renyi_epsilon(double sigma, double k, double delta) { return best_renyi(sigma, k, delta).epsilon; }

double zcdp_epsilon(double sigma, double k, double delta) {
  return b::epsilon_from_zcdp({0, k * b::zcdp_gaussian_rho(sigma, 1)}, delta);
}

}  // namespace pld::validation
