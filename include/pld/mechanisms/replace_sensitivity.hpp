#pragma once

#include "pld/mechanisms/discrete_gaussian.hpp"
#include "pld/mechanisms/mechanism.hpp"

namespace pld {

/// The mechanism, with another one's law where a record is replaced: `replaced` is the mechanism whose pair, as of an
/// added record, is that of a replaced one. Samples of it are refused where a removal and a replacement would mix.
[[nodiscard]] Mechanism with_replacement(const Mechanism& mechanism, const Mechanism& replaced, double sensitivity);

/// Throws DomainError unless sensitivity <= replace_sensitivity <= 2 sensitivity: each of two records is within
/// `sensitivity` of none.
void require_replace_sensitivity(const Mechanism& mechanism, double sensitivity, double replace_sensitivity);

/// Noise on a query that a replaced record moves by at most `replace_sensitivity` (in the norm of its sensitivity),
/// where twice the sensitivity is all that follows: sqrt(2) for a histogram in l2, whose records move one cell by 1
/// each. Throws DomainError out of the range above.
template <class Parameters>
requires requires(Parameters p) { p.sensitivity *= 2; }
[[nodiscard]] Mechanism with_replace_sensitivity(const Parameters& parameters, double replace_sensitivity) {
  require_replace_sensitivity(parameters, parameters.sensitivity, replace_sensitivity);
  Parameters replaced = parameters;
  replaced.sensitivity = replace_sensitivity;
  return with_replacement(parameters, replaced, replace_sensitivity);
}

/// The same of integer noise: a whole number, or (of sensitivity 1) above 1 up to 1.41422, the l2 sensitivity of
/// integer queries of which two cells move by 1. Then sigma must be 2 or more. The loss is a function of the sum s of
/// the two noises. Its masses are proportional to e^{-s^2 / 4 sigma^2} times a weight of even and one of odd s. These
/// differ by 4 e^{-pi^2 sigma^2} of them, less than a unit of round-off.
[[nodiscard]] Mechanism with_replace_sensitivity(const DiscreteGaussian& parameters, double replace_sensitivity);

}  // namespace pld
