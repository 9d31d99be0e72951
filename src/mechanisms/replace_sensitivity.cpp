#include "pld/mechanisms/replace_sensitivity.hpp"

#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "core/number_text.hpp"
#include "core/standard_arithmetic.hpp"
#include "pld/core/errors.hpp"

namespace pld {

void require_replace_sensitivity(const Mechanism& mechanism, double sensitivity, double replace_sensitivity) {
  if (replace_sensitivity >= sensitivity && replace_sensitivity <= 2 * sensitivity) return;
  throw DomainError(mechanism.text(), "replace_sensitivity", number_text(replace_sensitivity),
                    "0, or between sensitivity and twice that");
}

Mechanism with_replacement(const Mechanism& mechanism, const Mechanism& replaced, double sensitivity) {
  const StandardArithmetic arithmetic;
  const auto as_given = [](Law law) {
    law.kind.guarantee = true;  // of a removal, twice it says more
    return law;
  };
  const auto laws = [mechanism, replaced, as_given](Relation relation) {
    const Law law = mechanism.under(relation).law();  // which refuses noise that replaced records may move either way
    return relation == Relation::replace_one ? as_given(replaced.law()) : law;
  };
  const auto of_groups = [mechanism, replaced, as_given](const Neighbours& neighbours) -> std::optional<Law> {
    if (neighbours.relation != Relation::replace_one) return mechanism.under(neighbours).law();
    return as_given(replaced.under(Neighbours(Relation::add_remove, neighbours.group)).law());
  };
  const std::string separator = mechanism.text().find(':') == std::string::npos ? ":" : ",";
  return {mechanism.text() + separator + "replace_sensitivity=" + number_text(sensitivity), laws, of_groups};
}

Mechanism with_replace_sensitivity(const DiscreteGaussian& parameters, double replace_sensitivity) {
  const StandardArithmetic arithmetic;
  if (replace_sensitivity == std::floor(replace_sensitivity))
    return with_replace_sensitivity<DiscreteGaussian>(parameters, replace_sensitivity);
  require_replace_sensitivity(parameters, parameters.sensitivity, replace_sensitivity);
  const Mechanism one = parameters;
  if (!(parameters.sensitivity == 1 && replace_sensitivity <= 1.41422))
    throw DomainError(one.text(), "replace_sensitivity", number_text(replace_sensitivity),
                      "a whole number, or sqrt(2) where the sensitivity is 1");
  if (!(parameters.sigma >= 2))
    throw DomainError(one.text(), "sigma", number_text(parameters.sigma),
                      ">= 2 with a replace_sensitivity of sqrt(2); below, ask under add-remove with twice the count");
  // Without the law of a group, of which more cells may move.
  const Mechanism two_cells = DiscreteGaussian{parameters.sigma * std::numbers::sqrt2, 2};
  const Law law = two_cells.law();
  return with_replacement(one, {law.text, [law](Relation) { return law; }}, replace_sensitivity);
}

}  // namespace pld
