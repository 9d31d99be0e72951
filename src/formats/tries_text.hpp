#pragma once

#include <string>

#include "pld/account/private_selection.hpp"

namespace pld {

/// Reads "negative-binomial:shape=1,gamma=0.1", "geometric:mean=10" (shape 1, gamma 1/10) or "poisson:mean=10". Throws
/// ReadError, and DomainError for a number out of range.
[[nodiscard]] Tries tries_from_text(const std::string& text, const std::string& where);

/// The composition, or the private selection from it where there are tries.
[[nodiscard]] Composition selected(Composition base, const std::string& tries, const std::string& where);

}  // namespace pld
