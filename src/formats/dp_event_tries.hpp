#pragma once

#include <string>

namespace pld {

/// The tries of a RepeatAndSelectDpEvent in words: geometric for shape 1, Poisson for an infinite one, else negative
/// binomial with a gamma rounded down, which runs more often. Throws ReadError, with the place, for numbers out of
/// range.
[[nodiscard]] std::string tries_of_event(double mean, double shape, const std::string& where);

}  // namespace pld
