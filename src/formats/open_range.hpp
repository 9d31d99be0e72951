#pragma once

#include <functional>
#include <string>

#include "pld/calibrate/calibrate.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {

/// Where an open number is searched, and which end is the safe one.
struct OpenRange {
  Unknown::Safer safer = Unknown::Safer::larger;
  Unknown::Scale scale = Unknown::Scale::logarithmic;
  double lowest = 1e-9, highest = 1e12;
};

/// Finds the range by asking a mechanism which values it accepts, and the safe end by what its privacy profile does
/// over that range. `at` gives the mechanism with the unknown at a value, or throws DomainError. Throws ReadError,
/// naming `what`, where no value is accepted or where privacy is not monotone in it.
[[nodiscard]] OpenRange probed_range(const std::function<Mechanism(double)>& at, const std::string& what);

/// Throws ReadError, naming `what`, where the profile is not seen to rise over the range, nor to fall.
void require_order(const OpenRange& range, const std::function<Mechanism(double)>& at, const std::string& what);

/// The refusal of an unknown called `what` in which privacy is not monotone.
[[nodiscard]] ReadError not_ordered(const std::string& what);

/// Whether a release is near nothing: total variation below 1e-4, and no mass at infinity.
[[nodiscard]] bool is_near_nothing(const Mechanism& mechanism);

}  // namespace pld
