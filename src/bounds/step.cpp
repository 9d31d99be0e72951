#include "pld/bounds/step.hpp"

#include <cmath>

#include "bounds/overloaded.hpp"
#include "pld/core/errors.hpp"

namespace pld::bounds {
namespace {

void require_positive(double value, const char* where, const char* argument) {
  require(value > 0 && std::isfinite(value), where, argument, value, "a finite number > 0");
}

void require_valid(const Parameters& mechanism) {
  std::visit(Overloaded{[](const Gaussian& m) {
                          require_positive(m.sigma, "gaussian", "sigma");
                          require_positive(m.sensitivity, "gaussian", "sensitivity");
                        },
                        [](const Laplace& m) {
                          require_positive(m.scale, "laplace", "scale");
                          require_positive(m.sensitivity, "laplace", "sensitivity");
                        },
                        [](const RandomizedResponse& m) {
                          require(m.p >= 0 && m.p <= 1, "randomized-response", "p", m.p, "0 <= p <= 1");
                          require(m.k >= 2 && m.k <= 1e9 && m.k == std::floor(m.k), "randomized-response", "k", m.k,
                                  "a whole number from 2 to 1e9");
                        },
                        [](const ApproximateDp& m) {
                          require(m.epsilon >= 0 && std::isfinite(m.epsilon), "dp", "epsilon", m.epsilon,
                                  "epsilon >= 0");
                          require(m.delta >= 0 && m.delta <= 1, "dp", "delta", m.delta, "0 <= delta <= 1");
                        },
                        [](const DiscreteLaplace& m) {
                          require_positive(m.a, "discrete-laplace", "a");
                          require_positive(m.sensitivity, "discrete-laplace", "sensitivity");
                        },
                        [](const DiscreteGaussian& m) {
                          require_positive(m.sigma, "discrete-gaussian", "sigma");
                          require_positive(m.sensitivity, "discrete-gaussian", "sensitivity");
                        },
                        [](const ExponentialMechanism& m) { require_positive(m.epsilon, "exponential", "epsilon"); },
                        [](const ConcentratedDp& m) {
                          require_positive(m.rho, "zcdp", "rho");
                          require(m.xi >= 0 && std::isfinite(m.xi), "zcdp", "xi", m.xi, "xi >= 0 and finite");
                        },
                        [](const TruncatedConcentratedDp& m) {
                          require_positive(m.rho, "tcdp", "rho");
                          require(m.omega > 1, "tcdp", "omega", m.omega, "omega > 1");
                        },
                        [](const SinhNormal& m) {
                          require_positive(m.sigma, "sinh-normal", "sigma");
                          require_positive(m.a, "sinh-normal", "a");
                          require_positive(m.sensitivity, "sinh-normal", "sensitivity");
                        },
                        [](const OtherMechanism&) {}},
             mechanism);
}

}  // namespace

void require_valid(const Steps& steps) {
  require(!steps.empty(), "bounds", "number of mechanisms", 0, "at least one");
  for (const Step& step : steps) {
    require_valid(step.mechanism);
    require(step.q >= 0 && step.q <= 1, "bounds", "q", step.q, "0 <= q <= 1");
    require(step.count >= 1, "bounds", "count", static_cast<double>(step.count), "count >= 1");
  }
}

void require_poisson(const char* where, const Step& step) {
  if (step.sampled() && step.sample == Sample::fixed_size)
    throw DomainError(where, "sample", "of a fixed size", "Poisson, or all of the data");
}

std::string describe(const Step& step) {
  static constexpr const char* names[] = {
      "gaussian", "laplace", "randomized-response", "dp", "discrete-laplace", "discrete-gaussian", "exponential",
      "zcdp",     "tcdp",    "sinh-normal"};
  const auto* other = std::get_if<OtherMechanism>(&step.mechanism);
  const std::string name = other ? describe(*other) : names[step.mechanism.index()];
  if (!step.sampled()) return name;
  return name + (step.sample == Sample::poisson ? ", Poisson-sampled" : ", on a batch of fixed size");
}

}  // namespace pld::bounds
