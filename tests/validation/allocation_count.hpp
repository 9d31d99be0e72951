#pragma once

#include <cstddef>

namespace pld::test {

/// Bytes that this thread has asked operator new for so far.
std::size_t bytes_allocated();

}  // namespace pld::test
