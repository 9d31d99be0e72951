#include "core/standard_arithmetic.hpp"

#include <cfloat>
#include <limits>

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#endif

namespace pld {

static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<double>::digits == 53);
static_assert(FLT_EVAL_METHOD == 0, "doubles must be rounded to doubles after each operation");

namespace {

/// Whether the thread's settings are the default ones, as far as one register read tells: true may not be said wrongly.
bool is_standard() noexcept {
#if defined(__x86_64__)
  constexpr unsigned settings = 0xffc0, standard = 0x1f80;  // all but the flags; exceptions masked, nothing else
  unsigned short x87 = 0;
  __asm__ volatile("fnstcw %0" : "=m"(x87));
  return (_mm_getcsr() & settings) == standard && (x87 & 0xf3f) == 0x33f;  // masked, 64 bits, to nearest
#else
  return false;
#endif
}

}  // namespace

StandardArithmetic::StandardArithmetic() noexcept : changed_(!is_standard()) {
  if (!changed_) return;
  std::fegetenv(&host_);
  std::fesetenv(FE_DFL_ENV);
}

StandardArithmetic::~StandardArithmetic() {
  if (changed_) std::fesetenv(&host_);
}

}  // namespace pld
