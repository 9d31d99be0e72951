#include "pld/compose/closed_form.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "log_doubt.hpp"
#include "pld/core/rounding.hpp"
#include "pld/lattice/lattice_measure.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/numeric/log_sum.hpp"

namespace pld {
namespace {

/// How far a tail's edge and barycentre may be off.
double doubt(const DominatingPair& pair, double epsilon, const LossCell& tail) {
  return 2 * pair.loss_error({std::min(epsilon, tail.loss), std::max(epsilon, tail.loss)}) +
         4 * unit_roundoff * (std::fabs(epsilon) + std::fabs(tail.loss));
}

/// What is there of a tail too light for a double.
constexpr double next_to_nothing = -std::numeric_limits<double>::max();

double outward(double log_value, double sign) {
  if (log_value <= next_to_nothing) return log_value;
  return std::min(0.0, log_value + sign * 8 * unit_roundoff * std::max(1.0, std::fabs(log_value)));
}

/// log delta(epsilon) of one pair's finite losses, moved to `side`.
double log_finite_delta_of(const DominatingPair& pair, double epsilon, Side side) {
  const double sign = side == Side::upper ? 1 : -1;
  LossCell tail = pair.above(epsilon);
  // An atom's loss, or the largest of all, may be a little above what the pair has. A density has no more there than `doubt` allows for.
  if (side == Side::upper && (!pair.has_density() || tail.log_mass == -infinity))
    tail = pair.above(epsilon - pair.loss_error({epsilon, epsilon}));
  double log_delta = -infinity;
  if (tail.log_mass > -infinity) {
    const double excess = tail.loss - epsilon + sign * doubt(pair, epsilon, tail);
    if (excess > 0) log_delta = tail.log_mass + std::log(-std::expm1(-excess)) + sign * mass_error(tail.log_mass);
  }
  return log_delta == -infinity && side == Side::upper && epsilon < pair.range().highest ? next_to_nothing : log_delta;
}

/// log delta(epsilon) of one pair, moved to `side`.
double log_delta_of(const DominatingPair& pair, double epsilon, Side side) {
  const double total = log_sum(log_finite_delta_of(pair, epsilon, side), pair.log_mass_at_plus_infinity());
  return outward(total, side == Side::upper ? 1 : -1);
}

/// log(1 - delta(epsilon)) = log(P(z <= epsilon) + e^epsilon Q(z > epsilon)), moved to `side`.
double log_complement_of(const DominatingPair& pair, double epsilon, Side side) {
  const double sign = side == Side::upper ? 1 : -1;
  const LossCell below = pair.below(epsilon), above = pair.above(epsilon);
  double sum = -infinity;
  if (below.log_mass > -infinity) sum = below.log_mass + sign * (mass_error(below.log_mass) + doubt(pair, epsilon, below));
  if (above.log_mass > -infinity) {
    const double excess = above.loss - epsilon - sign * doubt(pair, epsilon, above);
    sum = log_sum(sum, above.log_mass - std::max(0.0, excess) + sign * mass_error(above.log_mass));
  }
  return outward(sum, sign);
}

/// Whether the bound of delta(epsilon) from `side` is at least delta; asked of whichever of delta and 1 - delta is small.
bool at_least(const DominatingPair& pair, double epsilon, double log_delta, Side side) {
  if (log_delta < -1) return log_delta_of(pair, epsilon, side) >= log_delta;
  const double log_complement = std::log(-std::expm1(log_delta)), error = 4 * unit_roundoff * (1 + std::fabs(log_complement));
  return side == Side::upper ? log_complement_of(pair, epsilon, Side::lower) <= log_complement + error
                             : log_complement_of(pair, epsilon, Side::upper) <= log_complement - error;
}

/// Among all doubles from a to b the middle one: every bisection then ends within 64 steps, also next to 0.
double middle_double(double a, double b) {
  const auto place = [](double x) {
    const auto bits = std::bit_cast<std::int64_t>(x);
    return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
  };
  const std::int64_t low = place(a), high = place(b), middle = (low >> 1) + (high >> 1) + (low & high & 1);
  return std::bit_cast<double>(middle >= 0 ? middle : std::numeric_limits<std::int64_t>::min() - middle);
}

/// The last epsilon (to one unit of round-off) whose bound is at least delta, or the first whose is not.
double epsilon_of(const DominatingPair& pair, double log_delta, Side side) {
  double below = 0, above = 0;
  double step = 1e-6;
  if (at_least(pair, 0, log_delta, side)) {
    for (; at_least(pair, above, log_delta, side); step *= 4) {
      if (above == infinity) return infinity;
      below = above;
      above += step;
    }
  } else {
    for (; !at_least(pair, below, log_delta, side); step *= 4) {
      if (below < -1e6) return side == Side::upper ? above : -infinity;
      above = below;
      below -= step;
    }
  }
  while (true) {
    const double middle = middle_double(below, above);
    if (middle <= below || middle >= above) break;
    (at_least(pair, middle, log_delta, side) ? below : above) = middle;
  }
  return side == Side::upper ? above : below;
}

EngineAnswer bracket(double lower, double upper) {
  const double middle = lower == upper || !(upper - lower < infinity) ? upper : lower + (upper - lower) / 2;
  return {{lower, middle, upper}, true};
}

}  // namespace

Terms join_gaussians(const Terms& terms) {
  Terms joined;
  // In long double, so that mu is off by one rounding only, which the joined pair's loss_error() has room for.
  long double mu_squared = 0;
  int gaussians = 0;
  Term only;
  for (const Term& term : terms) {
    const auto law = term.pair->sampled_gaussian();
    if (!law || law->q != 1) {
      joined.push_back(term);
      continue;
    }
    const auto mu = static_cast<long double>(law->mu);
    mu_squared += static_cast<long double>(term.count) * mu * mu;
    only = term;
    ++gaussians;
  }
  if (gaussians == 1 && only.count == 1) {
    joined.push_back(only);
  } else if (gaussians > 0) {
    const auto mu = static_cast<double>(std::sqrt(mu_squared));
    joined.push_back({dominating_pair(Gaussian{.sigma = 1, .sensitivity = mu}, Direction::remove), 1});
  }
  return joined;
}

bool closed_form_takes(const Terms& joined) { return joined.size() == 1 && joined.front().count == 1; }

EngineAnswer closed_form_log_delta(const Terms& joined, double epsilon) {
  const DominatingPair& pair = *joined.front().pair;
  return bracket(log_delta_of(pair, epsilon, Side::lower), log_delta_of(pair, epsilon, Side::upper));
}

double closed_form_log_finite_delta_upper(const DominatingPair& pair, double epsilon) {
  return outward(log_finite_delta_of(pair, epsilon, Side::upper), 1);
}

ProfileBracket closed_form_profile(const Terms& joined, double epsilon) {
  const DominatingPair& pair = *joined.front().pair;
  return {closed_form_log_delta(joined, epsilon).value,
          bracket(log_complement_of(pair, epsilon, Side::lower), log_complement_of(pair, epsilon, Side::upper)).value};
}

EngineAnswer closed_form_epsilon(const Terms& joined, double log_delta) {
  const DominatingPair& pair = *joined.front().pair;
  return bracket(epsilon_of(pair, log_delta, Side::lower), epsilon_of(pair, log_delta, Side::upper));
}

}  // namespace pld
