#include "pld/bounds/fixed_size_sampling.hpp"

#include <algorithm>
#include <cmath>

#include "bounds/log_scale.hpp"
#include "bounds/ratio_nodes.hpp"
#include "core/standard_arithmetic.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld::bounds {
namespace {

void require_arguments(double s, int alpha) {
  require(s >= 0 && s <= 1, "fixed-size sampling", "s", s, "0 <= s <= 1");
  require(alpha >= 2, "fixed-size sampling", "alpha", alpha, "a whole order >= 2");
}

/// log(1 + sum_{j=2..alpha} s^j C(alpha, j) e^{log_term(j)}) / (alpha - 1).
template <class LogTerm>
double binomial_bound(double s, int alpha, const LogTerm& log_term) {
  if (s == 0) return 0;
  LogSum sum;
  double log_choose = 0;
  for (int j = 1; j <= alpha; ++j) {
    log_choose += std::log(static_cast<double>(alpha - j + 1) / j);
    if (j >= 2) sum.add(log_choose + j * std::log(s) + log_term(j));
  }
  const double log_sum = sum.value();
  return (log_sum < 0 ? std::log1p(std::exp(log_sum)) : log_sum + std::log1p(std::exp(-log_sum))) / (alpha - 1);
}

/// log of the j = 2 term: min(4 (e^d - 1), e^d min(2, (e^top - 1)^2)), d = D_2.
double log_second_term(double d, double top) {
  const double first = std::log(4) + (d < 30 ? std::log(std::expm1(d)) : d);
  const double pure = std::isinf(top) || top > 30 ? infinity : 2 * std::log(std::expm1(top));
  return std::min(first, d + std::min(std::log(2), pure));
}

/// log E_Q[(dP/dQ - 1)^l] for the Gaussian pair, l even.
double log_central_moment(double mu, int l) {
  LogSum sum;
  for (const auto& node : ratio_nodes(Gaussian{.sigma = 1, .sensitivity = mu}, l, 1)) {
    const double z = node.log_ratio;
    const double log_distance = z > 0 ? z + log_one_minus_exp(-z) : (z < 0 ? log_one_minus_exp(z) : -infinity);
    sum.add(node.log_weight + l * log_distance);
  }
  return sum.value();
}

}  // namespace

double fixed_size_renyi_loose(const RenyiCurve& rdp, double s, int alpha) {
  const StandardArithmetic arithmetic;
  require_arguments(s, alpha);
  return binomial_bound(s, alpha, [&](int j) { return std::log(2) + (j - 1) * rdp(j); });
}

double fixed_size_renyi_one_order(double rdp_at_alpha, double s, int alpha) {
  const StandardArithmetic arithmetic;
  require_arguments(s, alpha);
  return binomial_bound(s, alpha, [&](int j) { return std::log(2) + (j - 1) * rdp_at_alpha; });
}

double fixed_size_renyi(const RenyiCurve& rdp, double rdp_infinity, double s, int alpha) {
  const StandardArithmetic arithmetic;
  require_arguments(s, alpha);
  require(rdp_infinity >= 0, "fixed-size sampling", "largest loss", rdp_infinity, ">= 0");
  return binomial_bound(s, alpha, [&](int j) {
    if (j == 2) return log_second_term(rdp(2), rdp_infinity);
    const double pure = rdp_infinity > 30 ? infinity : j * std::log(std::expm1(rdp_infinity));
    return (j - 1) * rdp(j) + std::min(std::log(2), pure);
  });
}

double fixed_size_renyi_gaussian(double sigma, double sensitivity, double s, int alpha) {
  const StandardArithmetic arithmetic;
  require_arguments(s, alpha);
  require(alpha <= 4096, "fixed-size sampling", "alpha", alpha, "alpha <= 4096");
  require(sigma > 0, "fixed-size sampling", "sigma", sigma, "sigma > 0");
  require(sensitivity > 0, "fixed-size sampling", "sensitivity", sensitivity, "sensitivity > 0");
  const double mu = sensitivity / sigma;
  std::vector<double> log_b(static_cast<std::size_t>(alpha) / 2 + 2);
  for (int l = 2; l / 2 < static_cast<int>(log_b.size()); l += 2) log_b[l / 2] = log_central_moment(mu, l);
  return binomial_bound(s, alpha, [&](int j) {
    const double loose = std::log(2) + (j - 1) * renyi_gaussian(j, sigma, sensitivity);
    if (j == 2) return log_second_term(renyi_gaussian(2, sigma, sensitivity), infinity);
    return std::min(loose, std::log(4) + (log_b[j / 2] + log_b[(j + 1) / 2]) / 2);
  });
}

}  // namespace pld::bounds
