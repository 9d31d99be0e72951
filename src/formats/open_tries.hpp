#pragma once

#include <string>

#include "pld/formats/open_entry.hpp"

namespace pld {

/// Private selections from an unknown's compositions where there are tries, as selected().
[[nodiscard]] NamedUnknown with_tries(NamedUnknown base, const std::string& tries, const std::string& where);

}  // namespace pld
