#include "engines/contour/rotation_sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace pld::contour {
namespace {

// From node to node every point turns by its own fixed half angle, a complex multiplication instead of a sine and a
// cosine. With half angles 1 - cos = 2 sin^2 and sin = 2 sin cos, whose small values are products, not differences;
// the state carries the root of the weight, so that the products carry the weight.
//
// Error. One turn in the form S += (sin d) C - (1 - cos d) S, C -= (sin d) S + (1 - cos d) C rounds S by
// u|S| + 8u d and C by u + 8u d. After 32 turns from an exact start, with theta = n d the half angle reached, that
// is up to 61 u theta in S (the error of C, up to 35u, enters S through another factor d) and 35 u in C. So
// 2 S C and 2 S^2 are within 2 (61 + 35) u theta + 6u theta <= 200 u theta = 100 u |angle|. The start itself costs 6u.
constexpr std::size_t run = 32;
constexpr std::size_t lanes = 8;
template <class Real>
using Lanes = std::array<Real, lanes>;

template <class Real>
struct Turn {
  Lanes<Real> c, s, one_less_cos, sin;
};

/// Adds the points of one block to the sums of the nodes of a run, the first of which is the start itself; plain loops
/// over lanes that the compiler turns into packed multiplications and additions.
template <class Real>
void add_run(Turn<Real>& turn, std::size_t steps, std::array<Lanes<Real>, run>& square,
             std::array<Lanes<Real>, run>& product) {
  Lanes<Real> c = turn.c, s = turn.s;
  const Lanes<Real> one_less_cos = turn.one_less_cos, sin = turn.sin;
  for (std::size_t n = 0; n < steps; ++n) {
    for (std::size_t j = 0; j < lanes; ++j) {
      square[n][j] += s[j] * s[j];
      product[n][j] += s[j] * c[j];
      const Real ds = sin[j] * c[j] - one_less_cos[j] * s[j];
      const Real dc = sin[j] * s[j] + one_less_cos[j] * c[j];
      s[j] += ds;
      c[j] -= dc;
    }
  }
}

template <class Real>
double total(const Lanes<Real>& x) {
  return static_cast<double>(((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7])));
}

}  // namespace

template <class Real>
RotationSums rotation_sums(std::span<const Real> weights, std::span<const Real> angles, std::size_t first,
                           std::size_t last) {
  const std::size_t blocks = (weights.size() + lanes - 1) / lanes;
  std::vector<Turn<Real>> turns(blocks);
  std::vector<Real> half(blocks * lanes, 0), root(blocks * lanes, 0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    half[i] = angles[i] / 2;
    root[i] = std::sqrt(weights[i]);
    Turn<Real>& turn = turns[i / lanes];
    const Real quarter = std::sin(half[i] / 2);
    turn.one_less_cos[i % lanes] = 2 * quarter * quarter;
    turn.sin[i % lanes] = 2 * quarter * std::cos(half[i] / 2);
  }

  RotationSums sums{std::vector<double>(last - first + 1), std::vector<double>(last - first + 1)};
  for (std::size_t start = first; start <= last; start += run) {
    const std::size_t steps = std::min(run, last + 1 - start);
    std::array<Lanes<Real>, run> square{}, product{};
    for (std::size_t block = 0; block < blocks; ++block) {
      for (std::size_t j = 0; j < lanes; ++j) {
        const std::size_t i = block * lanes + j;
        const Real angle = static_cast<Real>(start) * half[i];
        turns[block].c[j] = root[i] * std::cos(angle);
        turns[block].s[j] = root[i] * std::sin(angle);
      }
      add_run(turns[block], steps, square, product);
    }
    for (std::size_t n = 0; n < steps; ++n) {
      sums.one_less_cosine[start - first + n] = 2 * total(square[n]);
      sums.sine[start - first + n] = 2 * total(product[n]);
    }
  }
  return sums;
}
template RotationSums rotation_sums(std::span<const double>, std::span<const double>, std::size_t, std::size_t);
template RotationSums rotation_sums(std::span<const long double>, std::span<const long double>, std::size_t,
                                    std::size_t);

}  // namespace pld::contour
