#include "report/bound_steps.hpp"

#include <optional>
#include <type_traits>

#include "pld/core/errors.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "pld/mechanisms/registry.hpp"

namespace pld {
namespace {

/// A parameter as given, or the default of its type.
double parameter(const Entry& entry, const std::string& name) {
  const auto given = entry.parameters.find(name);
  if (given != entry.parameters.end()) return given->second;
  for (const MechanismType& type : mechanism_types()) {
    for (const ParameterInfo& info : type.parameters)
      if (type.name == entry.type && info.name == name && info.default_value) return *info.default_value;
  }
  throw DomainError(entry.type, name, "missing", "given");
}

/// The parameters of the types that theorems know by them; none for others, nor where replacing a record is given
/// apart.
std::optional<bounds::Parameters> parameters(const Entry& entry) {
  const auto replaced = entry.parameters.find("replace_sensitivity");
  if (replaced != entry.parameters.end() && replaced->second != 0) return std::nullopt;
  const auto of = [&](const char* name) { return parameter(entry, name); };
  if (entry.type == "gaussian") return Gaussian{.sigma = of("sigma"), .sensitivity = of("sensitivity")};
  if (entry.type == "laplace") return Laplace{.scale = of("scale"), .sensitivity = of("sensitivity")};
  if (entry.type == "randomized-response") return RandomizedResponse{.p = of("p"), .k = of("k")};
  if (entry.type == "dp") return ApproximateDp{.epsilon = of("epsilon"), .delta = of("delta")};
  if (entry.type == "discrete-laplace") return DiscreteLaplace{.a = of("a"), .sensitivity = of("sensitivity")};
  if (entry.type == "discrete-gaussian")
    return DiscreteGaussian{.sigma = of("sigma"), .sensitivity = of("sensitivity")};
  if (entry.type == "exponential") return ExponentialMechanism{.epsilon = of("epsilon")};
  if (entry.type == "zcdp") return ConcentratedDp{.rho = of("rho"), .xi = of("xi")};
  if (entry.type == "tcdp") return TruncatedConcentratedDp{.rho = of("rho"), .omega = of("omega")};
  if (entry.type == "sinh-normal")
    return SinhNormal{.sigma = of("sigma"), .a = of("a"), .sensitivity = of("sensitivity")};
  // These two are no worse than Laplace noise of their epsilon (docs/selection.md).
  if (entry.type == "permute-and-flip") return Laplace{.scale = 1, .sensitivity = of("epsilon")};
  if (entry.type == "report-noisy-max") return Laplace{.scale = of("scale"), .sensitivity = 2 * of("sensitivity")};
  return std::nullopt;
}

/// Under replace-one a record moves a query by up to twice its sensitivity.
bounds::Parameters under(const bounds::Parameters& parameters, Relation relation) {
  if (relation != Relation::replace_one) return parameters;
  return std::visit(
      [&](const auto& known) -> bounds::Parameters {
        if constexpr (requires { replacing(known); })
          return replacing(known);
        else
          return known;  // another mechanism, which has its relation already
      },
      parameters);
}

/// Whether theorems on samples know the type: those whose ratio of densities they integrate, and pure DP.
bool by_parameters_when_sampled(const bounds::Parameters& parameters) {
  return std::visit(
      [](const auto& known) {
        using Type = std::decay_t<decltype(known)>;
        return !std::is_same_v<Type, ExponentialMechanism> && !std::is_same_v<Type, ConcentratedDp> &&
               !std::is_same_v<Type, TruncatedConcentratedDp> && !std::is_same_v<Type, SinhNormal>;
      },
      parameters);
}

bounds::Step step_of(const Entry& entry, const Neighbours& neighbours) {
  const Release release = release_of(entry);
  const bounds::Step as_mechanism{bounds::OtherMechanism(release.mechanism.under(neighbours)), 1, release.count};
  const auto& [relation, group] = neighbours;
  const auto known = parameters(entry);
  const auto rate_of = [&](const char* field) {
    const auto found = entry.sampling.find(field);
    return found == entry.sampling.end() ? std::nullopt : std::optional(found->second);
  };
  const std::optional<double> poisson = rate_of("poisson"), batch = rate_of("without_replacement");
  if (group > 1 || !known || (!entry.sampling.empty() && !by_parameters_when_sampled(*known))) return as_mechanism;
  // The bounds know Poisson samples where records are added and removed, and batches of fixed size where they are
  // replaced; of the other two they see the pair.
  if (poisson && relation == Relation::replace_one) return as_mechanism;
  if (batch && relation != Relation::replace_one) return as_mechanism;
  if (entry.sampling.size() != (poisson || batch ? 1 : 0)) return as_mechanism;  // another scheme
  return {under(*known, relation), poisson.value_or(batch.value_or(1)), release.count,
          batch ? bounds::Sample::fixed_size : bounds::Sample::poisson};
}

}  // namespace

bounds::Steps bound_steps(const std::vector<Entry>& entries, const Neighbours& neighbours) {
  bounds::Steps steps;
  for (const Entry& entry : entries)
    if (entry.count > 0) steps.push_back(step_of(entry, neighbours));
  return steps;
}

}  // namespace pld
