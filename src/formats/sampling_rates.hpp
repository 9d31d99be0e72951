#pragma once

#include <string>

#include "sampling/schemes.hpp"

namespace pld {

/// Throws DomainError where a rate of a mechanism's sampling is none, as where it is a batch's size. `has_q`: a list of
/// the mechanism is called q.
void require_rates(const std::string& type, const SamplingNumbers& sampling, bool has_q);

}  // namespace pld
