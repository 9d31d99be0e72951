#include "account/total_reading.hpp"

#include <algorithm>
#include <cmath>

#include "core/intersection.hpp"
#include "engines/inverse.hpp"
#include "numeric/log_bound.hpp"
#include "numeric/log_range.hpp"
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
  const auto log_beyond = [](double mass, Side side) { return LogBound(0, side).times(std::log(mass)).log(); };
  const double least =
      LogBound(lower_.log_delta(epsilon), Side::lower).plus(log_beyond(least_beyond_, Side::lower)).log();
  const double most =
      LogBound(upper_.log_delta(epsilon), Side::upper).plus(log_beyond(most_beyond_, Side::upper)).log_probability();
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
