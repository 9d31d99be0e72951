#include "pld/bounds/composition_theorems.hpp"

#include <algorithm>
#include <cmath>

#include "bounds/sum_up.hpp"
#include "core/standard_arithmetic.hpp"
#include "pld/core/errors.hpp"

namespace pld::bounds {
namespace {

void require_slack(double slack) {
  require(slack > 0 && slack < 1, "advanced composition", "delta left for the slack", slack, "0 < slack < 1");
}

}  // namespace

DpGuarantee basic_composition(const std::vector<RepeatedGuarantee>& parts) {
  const StandardArithmetic arithmetic;
  DpGuarantee total;
  for (const auto& part : parts) {
    require_valid(part);
    total.epsilon += part.count * part.guarantee.epsilon;
    total.delta = sum_up(total.delta, product_up(part.count, part.guarantee.delta));
  }
  return total;
}

DpGuarantee advanced_composition(const DpGuarantee& each, double k, double slack) {
  const StandardArithmetic arithmetic;
  require_slack(slack);
  require_valid({each, k});
  const double deviation = each.epsilon * std::sqrt(-2 * k * std::log(slack));
  return {deviation + k * each.epsilon * std::expm1(each.epsilon), k * each.delta + slack};
}

DpGuarantee advanced_composition_short_unchecked(const DpGuarantee& each, double k, double slack) {
  const StandardArithmetic arithmetic;
  require_slack(slack);
  require_valid({each, k});
  return {2 * each.epsilon * std::sqrt(-2 * k * std::log(slack)), k * each.delta + slack};
}

DpGuarantee advanced_composition_short(const DpGuarantee& each, double k, double slack) {
  const StandardArithmetic arithmetic;
  const DpGuarantee total = advanced_composition_short_unchecked(each, k, slack);
  require(total.epsilon <= 1, "short advanced composition", "composed epsilon", total.epsilon,
          "a composed epsilon <= 1");
  const double drift = k * each.epsilon * std::expm1(each.epsilon);
  require(drift <= total.epsilon / 2, "short advanced composition", "k epsilon (e^epsilon - 1)", drift,
          "at most half of the composed epsilon, which it stands for");
  return total;
}

DpGuarantee heterogeneous_advanced_composition(const std::vector<RepeatedGuarantee>& parts, double slack) {
  const StandardArithmetic arithmetic;
  require_slack(slack);
  const DpGuarantee basic = basic_composition(parts);
  double squares = 0;
  for (const auto& part : parts) squares += part.count * part.guarantee.epsilon * part.guarantee.epsilon;
  return {std::min(basic.epsilon, squares / 2 + std::sqrt(-2 * std::log(slack) * squares)), basic.delta + slack};
}

double moments_accountant_epsilon_unchecked(double epsilon, double k, double delta) {
  const StandardArithmetic arithmetic;
  require(delta > 0 && delta < 1, "moments accountant row", "delta", delta, "0 < delta < 1");
  require_valid({{epsilon, delta}, k});
  return 4 * epsilon * std::sqrt(-2 * k * std::log(delta));
}

double moments_accountant_epsilon(double epsilon, double k, double delta) {
  const StandardArithmetic arithmetic;
  require(delta > 0 && delta < 1, "moments accountant row", "delta", delta, "0 < delta < 1");
  require(epsilon > 0 && epsilon < 1, "moments accountant row", "epsilon of a release", epsilon, "0 < epsilon < 1");
  const double log_inverse = -std::log(delta);
  const double most = 4 * log_inverse * (4 * std::sqrt(2 * log_inverse) - 1);
  require(epsilon * std::sqrt(k) <= most, "moments accountant row", "epsilon sqrt(k)", epsilon * std::sqrt(k),
          "at most 4 L (4 sqrt(2 L) - 1), L = log(1/delta)");
  return moments_accountant_epsilon_unchecked(epsilon, k, delta);
}

double slack_left(const std::vector<RepeatedGuarantee>& parts, double delta) {
  return std::max(0.0, delta - basic_composition(parts).delta);
}

}  // namespace pld::bounds
