#pragma once

#include <string>

#include "pld/mechanisms/registry.hpp"

namespace pld::cli {

/// A type, its parameters and its source, some lines.
std::string text_of(const MechanismType& type);

/// What every type takes beside its parameters.
std::string how_it_is_written();

}  // namespace pld::cli
