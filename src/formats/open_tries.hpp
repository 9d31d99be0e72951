#pragma once

#include <functional>
#include <string>

#include "pld/formats/open_entry.hpp"

namespace pld {

/// Private selections from an unknown's compositions where there are tries, as selected().
/// `base` gives the unknown, after the tries were read: an unknown among them is refused.
[[nodiscard]] NamedUnknown with_tries(const std::function<NamedUnknown()>& base, const std::string& tries,
                                      const std::string& where);

}  // namespace pld
