#pragma once

#include <string>

#include "pld/mechanisms/registry.hpp"

namespace pld::cli {

/// "sigma > 0", and its default where it has one.
std::string range_of(const ParameterInfo& parameter);

/// A type, its parameters and its source, some lines.
std::string text_of(const MechanismType& type);

/// What every type takes beside its parameters.
std::string how_it_is_written();

}  // namespace pld::cli
