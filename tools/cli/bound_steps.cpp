#include "bound_steps.hpp"

#include "pld/core/errors.hpp"
#include "pld/mechanisms/registry.hpp"

namespace pld::cli {

namespace {

/// A parameter as given, or the default of its type.
double parameter(const Entry& entry, const std::string& name) {
  const auto given = entry.parameters.find(name);
  if (given != entry.parameters.end()) return given->second;
  for (const MechanismType& type : mechanism_types()) {
    for (const ParameterInfo& info : type.parameters) {
      if (type.name == entry.type && info.name == name && info.default_value) return *info.default_value;
    }
  }
  throw DomainError(entry.type, name, "missing", "given");
}

bounds::Parameters parameters(const Entry& entry) {
  const auto of = [&](const char* name) { return parameter(entry, name); };
  if (entry.type == "gaussian") return Gaussian{.sigma = of("sigma"), .sensitivity = of("sensitivity")};
  if (entry.type == "laplace") return Laplace{.scale = of("scale"), .sensitivity = of("sensitivity")};
  if (entry.type == "randomized-response") return RandomizedResponse{.p = of("p"), .k = of("k")};
  if (entry.type == "dp") return ApproximateDp{.epsilon = of("epsilon"), .delta = of("delta")};
  if (entry.type == "discrete-laplace") return DiscreteLaplace{.a = of("a"), .sensitivity = of("sensitivity")};
  if (entry.type == "discrete-gaussian") return DiscreteGaussian{.sigma = of("sigma"), .sensitivity = of("sensitivity")};
  // Of the selection mechanisms the theorems know that they are pure DP.
  if (entry.type == "exponential" || entry.type == "permute-and-flip") return ApproximateDp{.epsilon = of("epsilon"), .delta = 0};
  if (entry.type == "report-noisy-max") return ApproximateDp{.epsilon = 2 * of("sensitivity") / of("scale"), .delta = 0};
  throw DomainError("compare", "mechanism", entry.type,
                    "one that bounds are known for: gaussian, laplace, randomized-response, dp, discrete-laplace, "
                    "discrete-gaussian, exponential, permute-and-flip, report-noisy-max");
}

}  // namespace

bounds::Steps bound_steps(const std::vector<Entry>& entries) {
  bounds::Steps steps;
  for (const Entry& entry : entries) {
    if (entry.count > 0) steps.push_back({parameters(entry), entry.poisson_rate.value_or(1), entry.count});
  }
  return steps;
}

}  // namespace pld::cli
