#pragma once

#include <atomic>
#include <cstdint>

namespace pld::test {

/// Contradictions that a test has caused on purpose: main() fails on any other.
inline std::atomic<std::int64_t> provoked_contradictions{0};

}  // namespace pld::test
