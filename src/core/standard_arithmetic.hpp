#pragma once

#include <cfenv>

namespace pld {

/// While one lives, its thread rounds to nearest, keeps subnormal numbers, lets no operation trap and, on x87, keeps 64
/// bits: what every bound's proof assumes. Its end gives the thread back the host's own settings and flags. The first
/// statement of every public function that computes: a host, or a library linked with -ffast-math beside us, may have
/// set anything. Costs nanoseconds where nothing was set.
class StandardArithmetic {
 public:
  StandardArithmetic() noexcept;
  ~StandardArithmetic();
  StandardArithmetic(const StandardArithmetic&) = delete;
  StandardArithmetic& operator=(const StandardArithmetic&) = delete;

 private:
  bool changed_;
  std::fenv_t host_;
};

}  // namespace pld
