#include "pairs/chebyshev_panel.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>

#include "pld/core/rounding.hpp"

namespace pld {
namespace {

constexpr std::size_t terms = ChebyshevSum::terms;

/// cos(k pi (j + 1/2) / terms), the value of the polynomial k at the node j.
const std::array<ChebyshevSum::Values, terms>& polynomials_at_nodes() {
  static const auto all = [] {
    std::array<ChebyshevSum::Values, terms> values{};
    for (std::size_t k = 0; k < terms; ++k)
      for (std::size_t j = 0; j < terms; ++j)
        values[k][j] = std::cos(std::numbers::pi * static_cast<double>(k * (2 * j + 1) % (4 * terms)) / (2.0 * terms));
    return values;
  }();
  return all;
}

}  // namespace

ChebyshevSum::ChebyshevSum(const Values& at_nodes) {
  for (std::size_t k = 0; k < terms; ++k) {
    double sum = 0;
    for (std::size_t j = 0; j < terms; ++j) sum += at_nodes[j] * polynomials_at_nodes()[k][j];
    coefficients_[k] = sum * (k == 0 ? 1.0 : 2.0) / terms;
  }
}

/// By d_{k-1} = d_{k+1} + 2 k c_k.
ChebyshevSum ChebyshevSum::slope() const {
  ChebyshevSum out;
  for (std::size_t k = terms - 1; k > 0; --k)
    out.coefficients_[k - 1] =
        (k + 1 < terms ? out.coefficients_[k + 1] : 0) + 2 * static_cast<double>(k) * coefficients_[k];
  out.coefficients_[0] /= 2;
  return out;
}

// A step that is smaller than round-off moves the loss by ends the search: it doubles the digits each time.
std::optional<double> ChebyshevPanel::outcome_at(double loss, double guess) const {
  constexpr int most_steps = 5;
  if (std::isinf(loss)) return std::nullopt;
  const double wanted = loss - loss_, round_off = 8 * unit_roundoff * (1 + std::fabs(loss));
  double t = (guess - centre_) / half_;
  for (int i = 0; i < most_steps; ++i) {
    if (!(std::fabs(t) <= 1)) return std::nullopt;
    const double missing = wanted - losses_.at<1>({t})[0];
    if (std::fabs(missing) <= round_off) return centre_ + half_ * t;
    t += missing / slope_.at<1>({t})[0];
  }
  return std::nullopt;
}

LossCell ChebyshevPanel::between(double a, double b) const {
  using Gauss = boost::math::quadrature::gauss<double, 4>;
  const double middle = ((a + (b - a) / 2) - centre_) / half_, reach = (b - a) / 2 / half_;
  const double inner = reach * Gauss::abscissa()[0], outer = reach * Gauss::abscissa()[1];
  const std::array<double, 4> places{middle - outer, middle - inner, middle + inner, middle + outer};
  const std::array<double, 4> q = q_.at(places), p = p_.at(places);
  const auto sum = [](const std::array<double, 4>& f) {
    return Gauss::weights()[0] * (f[1] + f[2]) + Gauss::weights()[1] * (f[0] + f[3]);
  };
  const double q_sum = sum(q), log_q_mass = log_q_ + std::log((b - a) / 2 * q_sum);
  const double loss = loss_ + std::log(sum(p) / q_sum);
  return {.loss = loss, .log_mass = log_q_mass + loss, .log_q_mass = log_q_mass};
}

}  // namespace pld
