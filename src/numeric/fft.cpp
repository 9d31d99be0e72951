#include "numeric/fft.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace pld {
namespace {

struct DoubleApi {
  using Plan = fftw_plan;
  using Complex = fftw_complex;
  static void* allocate(std::size_t bytes) { return fftw_malloc(bytes); }
  static void release(void* memory) { fftw_free(memory); }
  static Plan plan_forward(int n, double* in, Complex* out) { return fftw_plan_dft_r2c_1d(n, in, out, FFTW_ESTIMATE); }
  static Plan plan_backward(int n, Complex* in, double* out) { return fftw_plan_dft_c2r_1d(n, in, out, FFTW_ESTIMATE); }
  static void execute(Plan plan) { fftw_execute(plan); }
  static void destroy(Plan plan) { fftw_destroy_plan(plan); }
};

struct LongDoubleApi {
  using Plan = fftwl_plan;
  using Complex = fftwl_complex;
  static void* allocate(std::size_t bytes) { return fftwl_malloc(bytes); }
  static void release(void* memory) { fftwl_free(memory); }
  static Plan plan_forward(int n, long double* in, Complex* out) {
    return fftwl_plan_dft_r2c_1d(n, in, out, FFTW_ESTIMATE);
  }
  static Plan plan_backward(int n, Complex* in, long double* out) {
    return fftwl_plan_dft_c2r_1d(n, in, out, FFTW_ESTIMATE);
  }
  static void execute(Plan plan) { fftwl_execute(plan); }
  static void destroy(Plan plan) { fftwl_destroy_plan(plan); }
};

template <class Real>
using Api = std::conditional_t<std::is_same_v<Real, double>, DoubleApi, LongDoubleApi>;

/// FFTW's planner keeps tables for the whole process. Its own lock is the only one that a host who plans takes too; it
/// is put on before main(), when no plan is under way.
[[maybe_unused]] const bool planner_is_locked = [] {
  fftw_make_planner_thread_safe();
  fftwl_make_planner_thread_safe();
  return true;
}();

}  // namespace

template <class Real>
struct RealFft<Real>::State {
  using Fftw = Api<Real>;

  explicit State(std::size_t n)
      : length(n),
        values(static_cast<Real*>(Fftw::allocate(n * sizeof(Real)))),
        spectrum(static_cast<std::complex<Real>*>(Fftw::allocate((n / 2 + 1) * sizeof(std::complex<Real>)))) {
    if (values == nullptr || spectrum == nullptr) {
      release();
      throw std::bad_alloc();
    }
    // std::complex<Real> has the layout of Real[2] ([complex.numbers]), which is FFTW's complex type.
    auto* bins = reinterpret_cast<typename Fftw::Complex*>(spectrum);
    forward = Fftw::plan_forward(static_cast<int>(n), values, bins);
    backward = Fftw::plan_backward(static_cast<int>(n), bins, values);
  }
  ~State() {
    Fftw::destroy(forward);
    Fftw::destroy(backward);
    release();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void release() {
    Fftw::release(values);
    Fftw::release(spectrum);
  }

  std::size_t length;
  Real* values;
  std::complex<Real>* spectrum;
  typename Fftw::Plan forward{}, backward{};
};

namespace {

/// How many objects that keep transforms this thread has.
thread_local int keepers = 0;

}  // namespace

/// Those that were given back, the last one last.
template <class Real>
struct RealFft<Real>::Kept {
  static constexpr std::size_t most_entries = (1 << 23) / sizeof(Real);

  [[nodiscard]] std::unique_ptr<State> take(std::size_t length) {
    const auto found =
        std::find_if(states.begin(), states.end(), [&](const auto& state) { return state->length == length; });
    if (found == states.end()) return std::make_unique<State>(length);
    std::unique_ptr<State> state = std::move(*found);
    states.erase(found);
    entries -= length;
    return state;
  }
  /// Called by a destructor: what there is no memory for is not kept.
  void give(std::unique_ptr<State> state) noexcept {
    if (keepers == 0 || state->length > most_entries) return;
    const std::size_t length = state->length;
    try {
      states.push_back(std::move(state));
    } catch (const std::bad_alloc&) {
      return;
    }
    entries += length;
    while (entries > most_entries) {
      entries -= states.front()->length;
      states.erase(states.begin());
    }
  }
  void forget() {
    states.clear();
    entries = 0;
  }

  std::vector<std::unique_ptr<State>> states;
  std::size_t entries = 0;
  static thread_local Kept here;
};

template <class Real>
thread_local typename RealFft<Real>::Kept RealFft<Real>::Kept::here;

KeptTransforms::KeptTransforms() { ++keepers; }
KeptTransforms::~KeptTransforms() {
  if (--keepers > 0) return;
  RealFft<double>::forget_kept();
  RealFft<long double>::forget_kept();
}

template <class Real>
RealFft<Real>::RealFft(std::size_t length) : state_(Kept::here.take(length)) {}
template <class Real>
RealFft<Real>::~RealFft() {
  Kept::here.give(std::move(state_));
}
template <class Real>
void RealFft<Real>::forget_kept() {
  Kept::here.forget();
}

template <class Real>
std::span<Real> RealFft<Real>::values() {
  return {state_->values, state_->length};
}
template <class Real>
std::span<std::complex<Real>> RealFft<Real>::spectrum() {
  return {state_->spectrum, state_->length / 2 + 1};
}
template <class Real>
void RealFft<Real>::forward() {
  Api<Real>::execute(state_->forward);
}
template <class Real>
void RealFft<Real>::backward() {
  Api<Real>::execute(state_->backward);
}

template class RealFft<double>;
template class RealFft<long double>;

std::size_t fast_length(std::size_t at_least) {
  std::size_t power = 16;  // all lengths are even
  while (power < at_least) power *= 2;
  for (const std::size_t eighths : {std::size_t{5}, std::size_t{6}})
    if (const std::size_t length = power / 8 * eighths; length >= at_least) return length;
  return power;
}

template <class Real>
double fft_error(std::size_t length) {
  const double unit = static_cast<double>(std::numeric_limits<Real>::epsilon()) / 2;
  return 4.5 * unit * (std::log2(static_cast<double>(length)) + 3);
}
template double fft_error<double>(std::size_t);
template double fft_error<long double>(std::size_t);

}  // namespace pld
