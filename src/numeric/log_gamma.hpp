#pragma once

#include <cmath>
#include <numbers>

#include "numeric/extended.hpp"

namespace pld {

/// A complex logarithm, its imaginary part not reduced.
struct ComplexLog {
  Extended size = 0, turn = 0;
};

[[nodiscard]] inline double log_gamma_error(double size) { return 0x1p-61 * (8 + size) * std::log(30 + size); }

/// log Gamma(c + is), continuous in s and real at s = 0. Domain: c > 0, |s| <= 1e15. Error: <= log_gamma_error(|c +
/// is|) in both parts: Stirling's series from a real part of 24 on, where eight terms are off by 1e-21 (DLMF 5.11.ii),
/// and fewer than 26 logarithms.
[[nodiscard]] inline ComplexLog log_gamma(Extended c, double s) {
  using std::atan2;  // software types have their own
  constexpr Extended far = 24;
  ComplexLog below;
  Extended x = c;
  const Extended y = s;
  for (; x < far; x += 1) {
    below.size += log(hypot(x, y));
    below.turn += atan2(y, x);
  }
  const Extended square = x * x + y * y, log_size = log(square) / 2, turn = atan2(y, x);
  ComplexLog out{(x - Extended(0.5)) * log_size - y * turn - x + log(2 * std::numbers::pi_v<Extended>) / 2,
                 (x - Extended(0.5)) * turn + y * log_size - y};
  // Times 1 / z^2 from term to term.
  const Extended re = x / square, im = -y / square, re2 = re * re - im * im, im2 = 2 * re * im;
  Extended power_re = re, power_im = im;
  const Extended numbers[][2] = {{1, 12},   {-1, 360},      {1, 1260}, {-1, 1680},
                                 {1, 1188}, {-691, 360360}, {1, 156},  {-3617, 122400}};
  for (const auto& [over, under] : numbers) {
    out.size += over / under * power_re;
    out.turn += over / under * power_im;
    const Extended next = power_re * re2 - power_im * im2;
    power_im = power_re * im2 + power_im * re2;
    power_re = next;
  }
  return {out.size - below.size, out.turn - below.turn};
}

}  // namespace pld
