#include "engines/contour/power_series.hpp"

#include <algorithm>

namespace pld::contour {
namespace {

/// Sets out's coefficient n to the sum of a_k b_{n-k} from `first` on, times the factor of each k.
template <bool is_real, class Factor>
void set_coefficient(std::size_t n, std::size_t first, const Series& a, const Series& b, const Factor& factor,
                     Series& out) {
  Sharp re = 0, im = 0;
  double size = 0;
  for (std::size_t k = first; k <= n; ++k) {
    const double by = factor(k);
    if constexpr (is_real) {
      re += by * (a.re[k] * b.re[n - k]);
    } else {
      re += by * (a.re[k] * b.re[n - k] - a.im[k] * b.im[n - k]);
      im += by * (a.re[k] * b.im[n - k] + a.im[k] * b.re[n - k]);
    }
    size += by * a.sizes[k] * b.sizes[n - k];
  }
  out.re[n] = re, out.im[n] = im, out.sizes[n] = size;
}

/// As many coefficients of the product as both series have.
template <bool is_real>
Series product_of(const Series& a, const Series& b) {
  Series out(a.re.size());
  for (std::size_t n = 0; n < a.re.size(); ++n)
    set_coefficient<is_real>(
        n, 0, a, b, [](std::size_t) { return 1.0; }, out);
  return out;
}

/// The power of a series that begins with 1. Of many factors by Euler's recurrence n q_n = sum (k (power + 1) - n) b_k
/// q_{n-k}, all of whose terms are positive where those of the series are; of few by products.
template <bool is_real>
Series raised(const Series& base, double power) {
  const std::size_t size = base.re.size();
  Series q(size);
  q.re[0] = 1, q.sizes[0] = 1;
  if (power < static_cast<double>(size)) {
    Series square = base;
    for (auto left = static_cast<std::size_t>(power); left > 0; left /= 2) {
      if (left % 2 == 1) q = product_of<is_real>(q, square);
      if (left > 1) square = product_of<is_real>(square, square);
    }
    return q;
  }
  for (std::size_t n = 1; n < size; ++n) {
    const auto number = static_cast<double>(n);
    const auto factor = [&](std::size_t k) { return static_cast<double>(k) * (power + 1) - number; };  // exact
    set_coefficient<is_real>(n, 1, base, q, factor, q);
    q.re[n] /= number, q.im[n] /= number, q.sizes[n] /= number;
  }
  return q;
}

}  // namespace

Series raised(const Series& base, double power) {
  const bool is_real = std::all_of(base.im.begin(), base.im.end(), [](Sharp im) { return im == 0; });
  return is_real ? raised<true>(base, power) : raised<false>(base, power);
}

}  // namespace pld::contour
