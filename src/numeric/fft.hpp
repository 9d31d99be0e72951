#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>

namespace pld {

/// While one lives, its thread keeps the transforms it is done with, up to a million doubles, and the next one of the
/// same length takes them over: tables and fresh memory cost as much as a transform. The outermost one forgets
/// them. Values of a new transform are then whatever the last one left.
class KeptTransforms {
 public:
  KeptTransforms();
  ~KeptTransforms();
  KeptTransforms(const KeptTransforms&) = delete;
  KeptTransforms& operator=(const KeptTransforms&) = delete;
};

/// Forward and backward real Fourier transform of one length (FFTW), owning its two arrays. Neither is scaled:
/// backward(forward(x)) is length * x. Safe to create and use in several threads, each with its own object. Real is
/// double or long double.
template <class Real>
class RealFft {
 public:
  explicit RealFft(std::size_t length);
  ~RealFft();
  RealFft(const RealFft&) = delete;
  RealFft& operator=(const RealFft&) = delete;

  [[nodiscard]] std::span<Real> values();                  ///< length entries, not set at first
  [[nodiscard]] std::span<std::complex<Real>> spectrum();  ///< length / 2 + 1 entries
  void forward();                                          ///< values -> spectrum; values are lost
  void backward();                                         ///< spectrum -> values; the spectrum is lost

 private:
  friend class KeptTransforms;
  struct State;
  struct Kept;
  static void forget_kept();  ///< of this thread
  std::unique_ptr<State> state_;
};

extern template class RealFft<double>;
extern template class RealFft<long double>;

/// The smallest length >= `at_least` that is 2^k, 5/4 or 3/2 of it, even and at least 10: fast ones, and so few that
/// one transform's tables often serve the next.
[[nodiscard]] std::size_t fast_length(std::size_t at_least);

/// A bound e such that every entry a transform of this length computes is within e * sum |input| of exact.
///
/// An output is a sum of the inputs over a tree of at most log2(length) butterflies, each of which multiplies by a
/// twiddle factor (complex product: sqrt(5) u, Brent, Percival, Zimmermann 2007; the factor itself: u) and adds (u): a
/// relative (4.3 u) of the sum of moduli a level. Two levels more for the step that packs real data. Larger radices
/// have fewer products for the same depth.
template <class Real>
[[nodiscard]] double fft_error(std::size_t length);

}  // namespace pld
