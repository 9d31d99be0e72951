#include "pairs/chebyshev_panel.hpp"

#include <boost/math/quadrature/gauss.hpp>

#include "numeric/roundings.hpp"

namespace pld {

// A step that is smaller than round-off moves the loss by ends the search: it doubles the digits each time.
template <class Cells>
std::optional<double> ChebyshevPanel<Cells>::outcome_at(double loss, double guess) const {
  constexpr int most_steps = 5;
  if (std::isinf(loss)) return std::nullopt;
  const double wanted = loss - loss_, round_off = roundings(8, loss);
  double t = (guess - centre_) / half_;
  for (int i = 0; i < most_steps; ++i) {
    if (!(std::fabs(t) <= 1)) return std::nullopt;
    const double missing = wanted - losses_.template at<1>({t})[0];
    if (std::fabs(missing) <= round_off) return centre_ + half_ * t;
    t += missing / slope_.template at<1>({t})[0];
  }
  return std::nullopt;
}

template <class Cells>
LossCell ChebyshevPanel<Cells>::between(double a, double b) const {
  using Gauss = boost::math::quadrature::gauss<double, Cells::nodes>;
  const double middle = ((a + (b - a) / 2) - centre_) / half_, reach = (b - a) / 2 / half_;
  std::array<double, Cells::nodes> places;
  for (std::size_t i = 0; i < Cells::nodes / 2; ++i) {
    places[2 * i] = middle - reach * Gauss::abscissa()[i];
    places[2 * i + 1] = middle + reach * Gauss::abscissa()[i];
  }
  const auto q = q_.at(places), p = p_.at(places);
  const auto sum = [](const auto& f) {
    double all = 0;
    for (std::size_t i = 0; i < Cells::nodes / 2; ++i) all += Gauss::weights()[i] * (f[2 * i] + f[2 * i + 1]);
    return all;
  };
  const double q_sum = sum(q), log_q_mass = log_q_ + std::log((b - a) / 2 * q_sum);
  const double loss = loss_ + std::log(sum(p) / q_sum);
  const double log_mass = log_p_ ? *log_p_ + std::log((b - a) / 2 * sum(own_p_.at(places))) : log_q_mass + loss;
  return {.loss = loss, .log_mass = log_mass, .log_q_mass = log_q_mass};
}

template class ChebyshevPanel<ManyCells>;
template class ChebyshevPanel<FewCells>;

}  // namespace pld
