#pragma once

#include <string>

#include "pld/core/neighbours.hpp"

namespace pld {

/// Throws DomainError, with what differs, unless both are the same; `whose` the required ones are: "as in the budget".
void require_same(const Neighbours& given, const Neighbours& required, const std::string& where,
                  const std::string& whose);

}  // namespace pld
