#include "pld/bounds/dp_guarantee.hpp"

#include <cmath>

#include "bounds/overloaded.hpp"
#include "bounds/sum_up.hpp"
#include "core/standard_arithmetic.hpp"
#include "pld/bounds/gaussian_dp.hpp"
#include "pld/core/errors.hpp"

namespace pld::bounds {

void require_valid(const RepeatedGuarantee& part) {
  const auto& [guarantee, count] = part;
  require(guarantee.epsilon >= 0 && std::isfinite(guarantee.epsilon), "dp composition", "epsilon of a release",
          guarantee.epsilon, "epsilon >= 0 and finite");
  require(guarantee.delta >= 0 && guarantee.delta <= 1, "dp composition", "delta of a release", guarantee.delta,
          "0 <= delta <= 1");
  require(count >= 1 && std::isfinite(count) && count == std::floor(count), "dp composition", "count", count,
          "a whole number from 1 on");
}

DpGuarantee amplify_by_sampling(const DpGuarantee& guarantee, double q) {
  const StandardArithmetic arithmetic;
  require(guarantee.epsilon >= 0, "sampling", "epsilon", guarantee.epsilon, "epsilon >= 0");
  require(guarantee.delta >= 0 && guarantee.delta <= 1, "sampling", "delta", guarantee.delta, "0 <= delta <= 1");
  require(q >= 0 && q <= 1, "sampling", "q", q, "0 <= q <= 1");
  if (q == 1) return guarantee;
  if (q == 0) return {};
  // Beyond 1 without e^epsilon, which may overflow.
  const double epsilon = guarantee.epsilon;
  const double sampled =
      epsilon < 1 ? std::log1p(q * std::expm1(epsilon)) : epsilon + std::log(q + (1 - q) * std::exp(-epsilon));
  return {sampled, product_up(q, guarantee.delta)};
}

namespace {

/// The guarantee of one unsampled release; `gaussian_delta` is what a Gaussian one may spend.
DpGuarantee unsampled(const Parameters& mechanism, double gaussian_delta) {
  return std::visit(Overloaded{[&](const Gaussian& m) {
                                 const double mu = m.sensitivity / m.sigma;
                                 return DpGuarantee{std::fmax(0, gdp_epsilon(mu, gaussian_delta)), gaussian_delta};
                               },
                               [](const Laplace& m) {
                                 return DpGuarantee{m.sensitivity / m.scale, 0};
                               },
                               [](const RandomizedResponse& m) {
                                 require(m.p > 0 && m.p < 1, "dp composition", "p", m.p,
                                         "0 < p < 1: the loss is infinite");
                                 return DpGuarantee{std::fabs(std::log(m.p) - std::log1p(-m.p) + std::log(m.k - 1)), 0};
                               },
                               [](const ApproximateDp& m) {
                                 return DpGuarantee{m.epsilon, m.delta};
                               },
                               [](const DiscreteLaplace& m) {
                                 return DpGuarantee{m.a * m.sensitivity, 0};
                               },
                               [](const ExponentialMechanism& m) {
                                 return DpGuarantee{m.epsilon, 0};
                               },
                               [](const OtherMechanism& m) {
                                 return DpGuarantee{m.largest_loss(), 0};
                               },
                               [&](const auto&) -> DpGuarantee {
                                 throw DomainError("dp composition", "mechanism", describe({mechanism}),
                                                   "a mechanism whose own (epsilon, delta) has a closed form");
                               }},
                    mechanism);
}

bool is_gaussian(const Step& step) { return std::holds_alternative<Gaussian>(step.mechanism); }

}  // namespace

std::vector<RepeatedGuarantee> guarantees(const Steps& steps, double gaussian_delta) {
  const StandardArithmetic arithmetic;
  require_valid(steps);
  std::vector<RepeatedGuarantee> parts;
  for (const Step& step : steps) {
    if (step.q == 0) continue;
    // A sampled release pays q times its delta, so it may take 1/q as much (below 1).
    const double own_delta = std::fmin(gaussian_delta / step.q, 0.5);
    parts.push_back(
        {amplify_by_sampling(unsampled(step.mechanism, own_delta), step.q), static_cast<double>(step.count)});
  }
  return parts;
}

double gaussian_releases(const Steps& steps) {
  const StandardArithmetic arithmetic;
  double releases = 0;
  for (const Step& step : steps)
    if (is_gaussian(step) && step.q > 0) releases += static_cast<double>(step.count);
  return releases;
}

}  // namespace pld::bounds
