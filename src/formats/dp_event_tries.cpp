#include "formats/dp_event_tries.hpp"

#include "core/number_text.hpp"
#include "pld/account/private_selection.hpp"
#include "pld/core/rounding.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {

namespace {

/// The largest gamma found whose mean is certain to be no less: mean_of() rounds up by at most 3e-9 of it.
double gamma_of(double mean, double shape) {
  constexpr double least_gamma = 1e-9, rounded_up = 4e-9;
  const auto enough = [&](double gamma) {
    return mean_of({.shape = shape, .gamma = gamma}) >= mean * (1 + rounded_up);
  };
  double low = least_gamma, high = 1;
  for (int halving = 0; halving < 80; ++halving) {
    const double middle = low + (high - low) / 2;
    (enough(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

std::string tries_of_event(double mean, double shape, const std::string& where) {
  constexpr double largest_shape = 100, largest_mean = 1e6;  // of Tries
  if (!((shape >= 0 && shape <= largest_shape) || shape == infinity))
    throw ReadError(where, "shape", number_text(shape), "from 0 to 100, or \"inf\"");
  if (!(mean >= 1 && mean <= largest_mean)) throw ReadError(where, "mean", number_text(mean), "from 1 to 1e6");
  if (shape == infinity) return "poisson:mean=" + number_text(mean);
  if (shape == 1) return "geometric:mean=" + number_text(mean);
  return "negative-binomial:shape=" + number_text(shape) + ",gamma=" + number_text(gamma_of(mean, shape));
}

}  // namespace pld
