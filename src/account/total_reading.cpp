#include "account/total_reading.hpp"

#include <algorithm>
#include <cmath>

#include "core/intersection.hpp"
#include "engines/inverse.hpp"
#include "numeric/log_doubt.hpp"
#include "numeric/log_range.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

TotalReading::TotalReading(LatticeTotal& total) : TotalReading(total.collapse(), total) {}

TotalReading::TotalReading(const TotalBlock& block, const LatticeTotal& total)
    : upper_(block.upper, Side::upper),
      lower_(block.lower, Side::lower),
      near_(block.upper.position(block.upper.first + static_cast<std::int64_t>(block.upper.weights.size() / 2))) {
  const double mass = -std::expm1(total.log_finite);
  if (mass > 0) {
    least_beyond_ = std::max(0.0, round_down(mass, total.log_finite_roundings));
    most_beyond_ = round_up(mass, total.log_finite_roundings);
  }
  most_beyond_ = round_up(most_beyond_ + total.cut_mass);
}

Bracket TotalReading::log_delta(double epsilon) const {
  const double log_lower = log_sum(lower_.log_delta(epsilon), std::log(least_beyond_));
  const double log_upper = log_sum(upper_.log_delta(epsilon), std::log(most_beyond_));
  const double least = log_lower - doubt(log_lower, 8);
  const double most = std::min(0.0, log_upper + doubt(log_upper, 8));
  Bracket out = intersection({least, least, 0}, at_most(most));
  out.estimate = estimate_between(out.lower, out.upper);
  return out;
}

ProfileBracket TotalReading::at(double epsilon) const {
  const Bracket value = log_delta(epsilon);
  return {value, contour::one_minus({value.lower, value.estimate, value.upper}).bracket()};
}

Bracket TotalReading::epsilon(double delta) const {
  if (delta < least_beyond_) return {infinity, infinity, infinity};
  return epsilon_where([this](double epsilon) { return at(epsilon); }, std::log(delta), near_);
}

}  // namespace pld
