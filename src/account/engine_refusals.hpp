#pragma once

#include "pairs/term.hpp"
#include "pld/account/engine.hpp"

namespace pld {

/// Throws DomainError unless the engine asked for takes the composition.
void require_engine(Engine asked, const Terms& terms);

/// Whether the answer is a closed form.
[[nodiscard]] bool by_closed_form(Engine asked, const Terms& terms);

/// The contour engine alone was asked, and cannot.
[[noreturn]] void refuse_slow_decay();

}  // namespace pld
