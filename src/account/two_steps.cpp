#include "account/two_steps.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <cstdint>

#include "account/mirrored_profile.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

constexpr int bits = 12;  // of the place of a minimum: its value is then good to 24
constexpr std::uintmax_t most_looks = 24;

/// The least of `bound` that is met on the way to its minimum between `low` and `high`, from `found` on.
template <class Bound>
double least_between(double low, double high, double found, const Bound& bound) {
  std::uintmax_t looks = most_looks;
  const auto look = [&](double place) {
    const double value = bound(place);
    found = std::min(found, value);
    return std::min(value, 1e300);  // the search takes finite values
  };
  boost::math::tools::brent_find_minima(look, low, high, bits, looks);
  return found;
}

ProfileBracket bound_of(double log_delta) {
  const double log_rest = std::min(0.0, round_down(log_one_minus_exp(log_delta), 8));
  return {{log_delta, log_delta, log_delta}, {log_rest, log_rest, log_rest}};
}

}  // namespace

std::optional<Composition> steps_of(const Composition& composition) {
  if (composition.relation() != Relation::replace_one || composition.is_exact()) return std::nullopt;
  Composition steps(Relation::add_remove);
  try {
    for (const Release& release : composition.releases()) {
      if (release.mechanism.law().kind.guarantee) return std::nullopt;
      steps.add(release.mechanism, release.count);
    }
  } catch (const MissingTheorem&) {
    return std::nullopt;
  }
  return steps;
}

/// Domain: a finite epsilon >= 0.
double TwoSteps::log_delta_of_both(double epsilon, double known) const {
  const auto bound = [&](double a) {
    const double removal = log_delta_(a, DirectionChoice::remove);
    const double addition = a + log_delta_(round_down(epsilon - a, 1), DirectionChoice::add);
    const double sum = log_sum(removal, addition);
    return sum + 16 * unit_roundoff * (1 + std::fabs(a) + std::fabs(sum));
  };
  constexpr double far = 3;
  const double found = bound(epsilon / 2);
  // Removal's term falls with a and addition's rises: the least sum lies where they are about equal.
  return std::min(0.0, found < known + far ? least_between(0, epsilon, found, bound) : found);
}

ProfileBracket TwoSteps::at(double epsilon, double known_log_delta) const {
  if (std::isinf(epsilon)) return {{-infinity, 0, 0}, {-infinity, 0, 0}};
  if (epsilon < 0) {  // one replacement undoes another: both directions have one profile
    const double opposite = log_one_minus_exp(std::min(0.0, log_one_minus_exp(known_log_delta) - epsilon));
    return mirrored_profile(bound_of(log_delta_of_both(-epsilon, opposite)), -epsilon);
  }
  return bound_of(log_delta_of_both(epsilon, known_log_delta));
}

Bracket TwoSteps::epsilon(double delta, double known) const {
  if (delta == 1) return {-infinity, -infinity, -infinity};
  const auto bound = [&](double share) {
    const double first = share * delta;
    const double a = epsilon_(first, DirectionChoice::remove);
    const double second = round_down(round_down(delta - first, 1) * std::exp(-a), 8);
    if (!(second >= 0 && second < 1)) return infinity;
    return round_up(a + epsilon_(second, DirectionChoice::add), 1);
  };
  constexpr double far = 1.25;
  double found = bound(0.5);
  if (found < far * known) found = least_between(0.01, 0.99, found, bound);
  return {found, found, found};
}

}  // namespace pld
