#include "engines/closed_form/composed_atoms.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// Of outcomes, and of releases: some ten microseconds a reading.
constexpr double most = 1000;

/// In how many ways a release's losses may occur in `count` of them: C(count + losses - 1, count).
double ways(std::size_t losses, std::int64_t count) {
  double product = 1;
  for (std::size_t i = 1; i < losses && product <= most; ++i) {
    const auto n = static_cast<double>(i);
    product *= (static_cast<double>(count) + n) / n;
  }
  return product;
}

}  // namespace

bool ComposedAtoms::takes(const Terms& terms) {
  if (!have_outcomes(terms, most)) return false;
  double outlined = 1, outcomes = 1;
  for (const Term& t : terms) {
    outlined *= ways(t.pair->outline().size(), t.count);  // tells quickly where atoms are far too many
    if (!(outlined <= most)) return false;
    outcomes *= ways(t.pair->atoms({-infinity, infinity}).size(), t.count);
    if (!(outcomes <= most)) return false;
  }
  return true;
}

ComposedAtoms::ComposedAtoms(const Terms& terms)
    : outcomes_(list_outcomes(terms, -infinity, static_cast<std::size_t>(most)).value().outcomes),
      log_infinity_(log_infinity_of(terms)) {}

template <class Contribution>
LogBound ComposedAtoms::total(Side side, const Contribution& contribution) const {
  std::vector<double> logs;
  logs.reserve(outcomes_.size());
  double largest = -infinity;
  for (const Outcome& outcome : outcomes_) {
    const LogBound mass = LogBound(static_cast<double>(outcome.log_mass), side).widened(outcome.mass_doubt);
    logs.push_back(contribution(mass, outcome).log());
    largest = std::max(largest, logs.back());
  }
  if (largest == -infinity) return {largest, side};
  Extended sum = 0;
  for (const double log : logs) sum += static_cast<Extended>(std::exp(log - largest));
  constexpr double exponentials = 8 * unit_roundoff;
  return LogBound(largest, side).times(static_cast<double>(log(sum))).widened(exponentials);
}

double ComposedAtoms::log_delta(double epsilon, Side side) const {
  const bool upper = side == Side::upper;
  const LogBound finite = total(side, [&](const LogBound& mass, const Outcome& o) {
    const double excess =
        static_cast<double>(o.loss - static_cast<Extended>(epsilon)) + (upper ? 1 : -1) * o.loss_doubt;
    return mass.times(LogBound(-excess, opposite(side)).one_less().log());
  });
  return finite.plus(upper ? log_infinity_.upper : log_infinity_.lower).log_probability();
}

double ComposedAtoms::log_complement(double epsilon, Side side) const {
  const LogBound all = total(side, [&](const LogBound& mass, const Outcome& o) {
    const double excess =
        static_cast<double>(o.loss - static_cast<Extended>(epsilon)) - (side == Side::upper ? 1 : -1) * o.loss_doubt;
    return mass.times(-std::max(0.0, excess));
  });
  return all.log_probability();
}

}  // namespace pld
