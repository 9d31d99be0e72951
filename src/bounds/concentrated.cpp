#include "pld/bounds/concentrated.hpp"

#include <algorithm>
#include <cmath>

#include "bounds/overloaded.hpp"
#include "core/standard_arithmetic.hpp"
#include "pairs/concentrated_slope.hpp"
#include "pld/bounds/dp_guarantee.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld::bounds {
namespace {

void require_delta(const char* where, double delta) {
  require(delta > 0 && delta < 1, where, "delta", delta, "0 < delta < 1");
}

void require_valid(const ZeroConcentrated& zcdp) {
  require(zcdp.xi >= 0 && std::isfinite(zcdp.xi), "zcdp", "xi", zcdp.xi, "xi >= 0 and finite");
  require(zcdp.rho >= 0 && std::isfinite(zcdp.rho), "zcdp", "rho", zcdp.rho, "rho >= 0 and finite");
}

/// The (xi, rho) of one release, with the rho that `pure(epsilon)` gives pure DP.
template <class Pure>
ZeroConcentrated zcdp_of(const Step& step, const Pure& pure) {
  const auto sampled_pure = [&](double epsilon) {
    return ZeroConcentrated{0, pure(amplify_by_sampling({epsilon, 0}, step.q).epsilon)};
  };
  const auto unsampled = [&](const ZeroConcentrated& known) {
    if (step.q == 0) return ZeroConcentrated{};
    require(step.q == 1, "zcdp", "q", step.q, "q = 1: zCDP has no amplification by sampling");
    return known;
  };
  return std::visit(Overloaded{[&](const Gaussian& m) {
                                 return unsampled({0, zcdp_gaussian_rho(m.sigma, m.sensitivity)});
                               },
                               // Canonne, Kamath, Steinke 2020, theorem 4: never more than the continuous one.
                               [&](const DiscreteGaussian& m) {
                                 return unsampled({0, zcdp_gaussian_rho(m.sigma, m.sensitivity)});
                               },
                               [&](const ConcentratedDp& m) {
                                 return unsampled({m.xi, m.rho});
                               },
                               [&](const ApproximateDp& m) {
                                 require(m.delta == 0, "zcdp", "delta of the dp mechanism", m.delta, "delta = 0");
                                 return sampled_pure(m.epsilon);
                               },
                               [&](const auto&) {
                                 return sampled_pure(guarantees({{step.mechanism}}, 0).front().guarantee.epsilon);
                               }},
                    step.mechanism);
}

/// The least rho that is known of one release.
ZeroConcentrated sharp(const Step& step) {
  if (!step.sampled()) {
    if (const auto* laplace = std::get_if<Laplace>(&step.mechanism))
      return {0, slope_of_laplace(round_up(laplace->sensitivity / laplace->scale))};
    if (const auto* exponential = std::get_if<ExponentialMechanism>(&step.mechanism))
      return {0, slope_of_range(exponential->epsilon)};
  }
  if (const auto* other = std::get_if<OtherMechanism>(&step.mechanism)) {
    require(other->slope() < infinity, "zcdp", "rho", other->slope(), "one that is known");
    return {0, other->slope()};
  }
  return zcdp_of(step, slope_of_pure_dp);
}

template <class One>
ZeroConcentrated sum(const Steps& steps, const One& one) {
  require_valid(steps);
  ZeroConcentrated total;
  for (const Step& step : steps) {
    const ZeroConcentrated each = one(step);
    total.xi += static_cast<double>(step.count) * each.xi, total.rho += static_cast<double>(step.count) * each.rho;
  }
  return total;
}

}  // namespace

double zcdp_gaussian_rho(double sigma, double sensitivity) {
  const StandardArithmetic arithmetic;
  require(sigma > 0, "zcdp", "sigma", sigma, "sigma > 0");
  require(sensitivity >= 0 && std::isfinite(sensitivity), "zcdp", "sensitivity", sensitivity,
          "sensitivity >= 0 and finite");
  return (sensitivity / sigma) * (sensitivity / sigma) / 2;
}

double zcdp_rho_of_pure_dp(double epsilon) {
  const StandardArithmetic arithmetic;
  require(epsilon >= 0, "zcdp", "epsilon", epsilon, "epsilon >= 0");
  return epsilon * epsilon / 2;
}

ZeroConcentrated zcdp(const Steps& steps) {
  const StandardArithmetic arithmetic;
  return sum(steps, [](const Step& step) { return zcdp_of(step, zcdp_rho_of_pure_dp); });
}

ZeroConcentrated zcdp_sharp(const Steps& steps) {
  const StandardArithmetic arithmetic;
  return sum(steps, sharp);
}

ZeroConcentrated zcdp_of_bounded_range(const Steps& steps) {
  const StandardArithmetic arithmetic;
  return sum(steps, [](const Step& step) {
    const auto* exponential = std::get_if<ExponentialMechanism>(&step.mechanism);
    if (exponential == nullptr || step.sampled())
      throw DomainError("bounded range", "mechanism", describe(step), "every one an unsampled exponential mechanism");
    return ZeroConcentrated{0, exponential->epsilon * exponential->epsilon / 8};
  });
}

double epsilon_from_zcdp(const ZeroConcentrated& zcdp, double delta) {
  const StandardArithmetic arithmetic;
  require_delta("zcdp", delta);
  require_valid(zcdp);
  return zcdp.xi + zcdp.rho + 2 * std::sqrt(-zcdp.rho * std::log(delta));
}

double epsilon_from_zcdp_tight(const ZeroConcentrated& zcdp, double delta) {
  const StandardArithmetic arithmetic;
  require_delta("zcdp", delta);
  require_valid(zcdp);
  const auto at = [&](double alpha) { return epsilon_from_renyi_tight(alpha, zcdp.xi + zcdp.rho * alpha, delta); };
  // Beside the order of the conversion above, which may lie nearer to 1 than best_order looks.
  const double order = 1 + std::clamp(std::sqrt(-std::log(delta)) / std::sqrt(zcdp.rho), 2 * unit_roundoff, 1e300);
  return std::min(best_order(at).epsilon, at(order));
}

ApproximateRenyi approximate_renyi_of_dp(double epsilon, double delta, double alpha) {
  const StandardArithmetic arithmetic;
  require(delta >= 0 && delta < 1, "approximate rdp", "delta", delta, "0 <= delta < 1");
  return {alpha, renyi_of_pure_dp(alpha, epsilon), delta};
}

ApproximateRenyi compose(const ApproximateRenyi& first, const ApproximateRenyi& second) {
  const StandardArithmetic arithmetic;
  require(first.alpha == second.alpha, "approximate rdp", "second alpha", second.alpha, "that of the first");
  return {first.alpha, first.epsilon + second.epsilon, first.delta + second.delta};
}

double delta_from_approximate_renyi(const ApproximateRenyi& guarantee, double epsilon_hat) {
  const StandardArithmetic arithmetic;
  return std::min(1.0, guarantee.delta + delta_from_renyi_tight(guarantee.alpha, guarantee.epsilon, epsilon_hat));
}

double epsilon_from_approximate_renyi(const ApproximateRenyi& guarantee, double delta_hat) {
  const StandardArithmetic arithmetic;
  require(delta_hat > guarantee.delta && delta_hat < 1, "approximate rdp", "delta", delta_hat,
          "above the sum of the parts' deltas, below 1");
  return epsilon_from_renyi_tight(guarantee.alpha, guarantee.epsilon, delta_hat - guarantee.delta);
}

double delta_from_approximate_renyi_as_printed(const ApproximateRenyi& guarantee, double epsilon_hat) {
  const StandardArithmetic arithmetic;
  const double alpha = guarantee.alpha;
  return guarantee.delta +
         std::exp((alpha - 1) * (epsilon_hat - guarantee.epsilon)) / alpha * std::pow(1 - 1 / alpha, alpha - 1);
}

TruncatedConcentrated compose(const TruncatedConcentrated& first, const TruncatedConcentrated& second) {
  const StandardArithmetic arithmetic;
  return {first.rho + second.rho, std::min(first.omega, second.omega)};
}

TruncatedConcentrated tcdp_arsinh(double rho, double a, double sensitivity) {
  const StandardArithmetic arithmetic;
  require(rho > 0 && rho < 1, "arsinh mechanism", "rho", rho, "0 < rho < 1");
  require(sensitivity > 0, "arsinh mechanism", "sensitivity", sensitivity, "sensitivity > 0");
  require(a >= sensitivity / std::sqrt(rho), "arsinh mechanism", "A", a, "A >= sensitivity / sqrt(rho)");
  return {16 * rho, a / (8 * sensitivity)};
}

TruncatedConcentrated tcdp_amplify_by_sampling(const TruncatedConcentrated& guarantee, double s) {
  const StandardArithmetic arithmetic;
  const double rho = guarantee.rho;
  require(rho > 0 && rho <= 0.1, "tcdp sampling", "rho", rho, "0 < rho <= 0.1");
  require(s > 0 && s <= 0.1, "tcdp sampling", "s", s, "0 < s <= 0.1");
  const double log_inverse = -std::log(s);
  require(log_inverse >= 3 * rho * (2 + std::log2(1 / rho)), "tcdp sampling", "log(1/s)", log_inverse,
          "at least 3 rho (2 + log2(1/rho))");
  require(log_inverse / (2 * rho) >= 3, "tcdp sampling", "log(1/s) / (2 rho)", log_inverse / (2 * rho), "at least 3");
  require(guarantee.omega >= log_inverse / (2 * rho), "tcdp sampling", "omega", guarantee.omega,
          "at least log(1/s) / (2 rho)");
  return {13 * s * s * rho, log_inverse / (4 * rho)};
}

TruncatedConcentrated tcdp(const Steps& steps) {
  const StandardArithmetic arithmetic;
  require_valid(steps);
  const auto unsampled = [](const Step& step) -> TruncatedConcentrated {
    if (const auto* guarantee = std::get_if<TruncatedConcentratedDp>(&step.mechanism))
      return {guarantee->rho, guarantee->omega};
    if (const auto* noise = std::get_if<SinhNormal>(&step.mechanism))
      return tcdp_arsinh(zcdp_gaussian_rho(noise->sigma, noise->sensitivity), noise->a, noise->sensitivity);
    const ZeroConcentrated zero = zcdp_of({step.mechanism}, zcdp_rho_of_pure_dp);
    require(zero.xi == 0, "tcdp", "xi", zero.xi, "xi = 0");
    return {zero.rho, infinity};
  };
  TruncatedConcentrated total{0, infinity};
  for (const Step& step : steps) {
    TruncatedConcentrated each = unsampled(step);
    if (step.sampled()) {
      if (step.sample == Sample::poisson)
        throw DomainError("tcdp", "sample", "Poisson", "a sample of fixed size, or all of the data");
      each = tcdp_amplify_by_sampling(each, step.q);
    }
    total = compose(total, {static_cast<double>(step.count) * each.rho, each.omega});
  }
  return total;
}

double epsilon_from_tcdp(const TruncatedConcentrated& guarantee, double delta) {
  const StandardArithmetic arithmetic;
  require_delta("tcdp", delta);
  const auto [rho, omega] = guarantee;
  require(omega > 1, "tcdp", "omega", omega, "omega > 1");
  require(rho >= 0, "tcdp", "rho", rho, "rho >= 0");
  const double log_inverse = -std::log(delta);
  if (rho == 0) return log_inverse / (omega - 1);  // beside which 0 times an infinite omega is nothing
  if (std::sqrt(log_inverse) <= (omega - 1) * std::sqrt(rho)) return rho + 2 * std::sqrt(rho) * std::sqrt(log_inverse);
  return rho * omega + log_inverse / (omega - 1);
}

}  // namespace pld::bounds
