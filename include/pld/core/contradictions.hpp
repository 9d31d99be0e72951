#pragma once

#include <cstdint>

namespace pld {

/// How often in this process two certified bounds of one number have excluded each other. Above 0 there is an error in
/// this library; the answers concerned are as wide as either bound allows. Thread safe, never throws.
[[nodiscard]] std::int64_t contradictions() noexcept;

}  // namespace pld
