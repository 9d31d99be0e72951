#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "pld/account/query.hpp"
#include "support/composition_of.hpp"

// Laws of the mean of Gaussian ratios, whichever way their moments are known, against what is known of them to many
// digits.
namespace pld::test {

/// Of a mean of two ratios: log G(rho), and log and phase of G(rho + is) / G(rho).
struct ComplexPower {
  double mu, rho, s;
  long double log_moment, log_size, phase;
};

/// Checks that errors are no larger than told, and those of the moment and of the ratio no larger than given.
template <class Law>
void check_power(const Law& law, const ComplexPower& row, double most_of_moment, double most_of_ratio) {
  CAPTURE(row.mu);
  CAPTURE(row.rho);
  REQUIRE(law.reaches(row.rho));
  const auto moment = law.moment(row.rho);
  CHECK(moment.error < most_of_moment);
  CHECK(std::fabs(moment.log_moment - row.log_moment) <= moment.error + 1e-18L);
  const auto ratios = law.ratios(row.rho, row.s / 4, 4);
  REQUIRE(ratios);
  const auto& [log_size, phase, error] = ratios->back();
  const long double re = std::exp(log_size - row.log_size) * std::cos(phase - row.phase) - 1;
  const long double im = std::exp(log_size - row.log_size) * std::sin(phase - row.phase);
  CHECK(error < most_of_ratio);
  CHECK(std::hypot(re, im) <= 1.0001L * error * std::exp(log_size - row.log_size));
}

/// Of a mean of so many ratios: log G(rho) at a whole power, a sum of products of the ratios' own, e^{mu^2 k (k - 1) /
/// 2}.
struct WholePower {
  double mu, steps, rho;
  long double log_moment;
};

template <class Law>
void check_power(const Law& law, const WholePower& row, double most) {
  CAPTURE(row.steps);
  REQUIRE(law.reaches(row.rho));
  const auto moment = law.moment(row.rho);
  CHECK(moment.error < most);
  CHECK(std::fabs(moment.log_moment - row.log_moment) <= moment.error + 1e-18L);
}

/// Checks that a line answers so narrowly, and what nodes say beside it.
inline void check_line_beside_nodes(const std::string& text, double delta, double width, double tolerance_of_nodes) {
  CAPTURE(text);
  const Composition epochs = composition_of({text});
  const Answer exact = epsilon(epochs, {.delta = delta});
  const Answer on_nodes = epsilon(epochs, {.delta = delta, .tolerance = tolerance_of_nodes, .engine = Engine::lattice});
  CHECK(exact.engine == Engine::contour);
  CHECK(exact.width() <= width * exact.upper);
  CHECK(exact.lower <= on_nodes.upper);
  CHECK(exact.upper >= on_nodes.lower);
}

}  // namespace pld::test
