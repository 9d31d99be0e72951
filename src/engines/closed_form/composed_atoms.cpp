#include "engines/closed_form/composed_atoms.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "engines/rare_losses/some_trial.hpp"
#include "numeric/log_doubt.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/rounded_total.hpp"
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

/// Roundings of sums in Extended, at most 4096 of 2^-64 of what they are sums of, and of one to a double.
constexpr double summed = 3 * unit_roundoff;

Extended log_factorial(int n) { return boost::math::lgamma(static_cast<Extended>(n) + 1); }

}  // namespace

bool ComposedAtoms::takes(const Terms& terms) {
  double releases = 0;
  for (const Term& t : terms) {
    releases += static_cast<double>(t.count);
    const LossRange range = t.pair->range();
    if (releases > most || t.pair->has_density() || total_doubt(*t.pair) > 0 ||
        !(range.highest - range.lowest < infinity))
      return false;
  }
  double outlined = 1, outcomes = 1;
  for (const Term& t : terms) {
    outlined *= ways(t.pair->outline().size(), t.count);  // tells quickly where atoms are far too many
    if (!(outlined <= most)) return false;
    outcomes *= ways(t.pair->atoms({-infinity, infinity}).size(), t.count);
    if (!(outcomes <= most)) return false;
  }
  return true;
}

ComposedAtoms::ComposedAtoms(const Terms& terms) {
  SomeTrial infinite;
  for (const Term& t : terms) {
    add(*t.pair, static_cast<int>(t.count));
    infinite.add(t.pair->log_mass_at_plus_infinity(), static_cast<double>(t.count));
  }
  log_infinity_ = infinite.log_some();
}

void ComposedAtoms::add(const DominatingPair& pair, int count) {
  struct Partial {
    Outcome outcome;
    int left = 0;  ///< releases whose loss is still to be said
  };
  std::vector<Extended> log_factorials(static_cast<std::size_t>(count) + 1);
  for (int n = 0; n <= count; ++n) log_factorials[static_cast<std::size_t>(n)] = log_factorial(n);
  const auto with_factorial = [&](Outcome outcome, int n, int sign) {
    outcome.log_mass += sign * log_factorials[static_cast<std::size_t>(n)];
    outcome.mass_doubt += summed * static_cast<double>(log_factorials[static_cast<std::size_t>(n)]);
    return outcome;
  };
  const auto with = [&](Outcome outcome, const LossCell& atom, double loss_doubt, int times) {
    outcome.loss += times * static_cast<Extended>(atom.loss);
    outcome.loss_doubt += times * loss_doubt;
    outcome.log_mass += times * static_cast<Extended>(atom.log_mass);
    outcome.mass_doubt += times * mass_error(atom.log_mass);
    return with_factorial(outcome, times, -1);
  };
  const std::vector<LossCell> atoms = pair.atoms({-infinity, infinity});
  std::vector<Partial> partial;
  partial.reserve(outcomes_.size());
  for (const Outcome& outcome : outcomes_) partial.push_back({with_factorial(outcome, count, 1), count});
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const bool last = i + 1 == atoms.size();
    const double loss_doubt = pair.loss_error({atoms[i].loss, atoms[i].loss}) + summed * std::fabs(atoms[i].loss) +
                              smallest_steps(atoms[i].loss);
    std::vector<Partial> longer;
    for (const Partial& p : partial)
      for (int times = last ? p.left : 0; times <= p.left; ++times)
        longer.push_back({with(p.outcome, atoms[i], loss_doubt, times), p.left - times});
    partial = std::move(longer);
  }
  outcomes_.clear();
  if (atoms.empty()) return;  // all losses are infinite
  outcomes_.reserve(partial.size());
  for (const Partial& p : partial) outcomes_.push_back(p.outcome);
}

template <class Contribution>
double ComposedAtoms::log_total(const Contribution& contribution) const {
  std::vector<double> logs;
  logs.reserve(outcomes_.size());
  double largest = -infinity;
  for (const Outcome& outcome : outcomes_) {
    logs.push_back(contribution(outcome));
    largest = std::max(largest, logs.back());
  }
  if (largest == -infinity) return largest;
  Extended sum = 0;
  for (const double log : logs) sum += static_cast<Extended>(std::exp(log - largest));
  return largest + static_cast<double>(log(sum));
}

double ComposedAtoms::log_delta(double epsilon, Side side) const {
  const double sign = side == Side::upper ? 1 : -1;
  const double finite = log_total([&](const Outcome& o) {
    const double excess = static_cast<double>(o.loss - static_cast<Extended>(epsilon)) + sign * o.loss_doubt;
    return static_cast<double>(o.log_mass) + sign * o.mass_doubt + log_one_minus_exp(-excess);
  });
  const double total = log_sum(finite, side == Side::upper ? log_infinity_.upper : log_infinity_.lower);
  return std::min(0.0, total + sign * doubt(total));
}

double ComposedAtoms::log_complement(double epsilon, Side side) const {
  const double sign = side == Side::upper ? 1 : -1;
  const double total = log_total([&](const Outcome& o) {
    const double excess = static_cast<double>(o.loss - static_cast<Extended>(epsilon)) - sign * o.loss_doubt;
    return static_cast<double>(o.log_mass) + sign * o.mass_doubt - std::max(0.0, excess);
  });
  return std::min(0.0, total + sign * doubt(total));
}

}  // namespace pld
