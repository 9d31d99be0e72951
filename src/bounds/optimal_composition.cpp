#include "pld/bounds/optimal_composition.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "bounds/sum_up.hpp"
#include "core/standard_arithmetic.hpp"
#include "numeric/extended.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld::bounds {
namespace {

constexpr double most_terms = 4e6;

/// An atom of a loss distribution. Extended: 64 bits against the sums of up to 4e6 terms, and masses down to 1e-4900
/// without a logarithm.
struct Atom {
  double loss = 0;
  Extended mass = 0;
};
using Atoms = std::vector<Atom>;

/// Loss of k randomized responses: (2 i - k) epsilon with the binomial mass of i truthful ones. Masses by their ratio
/// from the mode outwards, then normalised: the error is a few round-offs a step.
Atoms repeated_response(double epsilon, double count) {
  const auto k = static_cast<std::size_t>(count);
  const Extended odds = exp(static_cast<Extended>(epsilon));
  Atoms atoms(k + 1);
  const auto mode = static_cast<std::size_t>(std::min(count, std::floor((count + 1) / (1 + std::exp(-epsilon)))));
  atoms[mode].mass = 1;
  for (std::size_t i = mode; i < k; ++i) atoms[i + 1].mass = atoms[i].mass * odds * (k - i) / (i + 1);
  for (std::size_t i = mode; i > 0; --i) atoms[i - 1].mass = atoms[i].mass / odds * i / (k - i + 1);
  Extended total = 0;
  for (const Atom& atom : atoms) total += atom.mass;
  for (std::size_t i = 0; i <= k; ++i) {
    atoms[i].loss = (2 * static_cast<double>(i) - count) * epsilon;
    atoms[i].mass /= total;
  }
  return atoms;
}

Atoms convolve(const Atoms& first, const Atoms& second) {
  Atoms product;
  product.reserve(first.size() * second.size());
  for (const Atom& a : first) {
    for (const Atom& b : second) product.push_back({a.loss + b.loss, a.mass * b.mass});
  }
  return product;
}

/// Smallest epsilon with sum mass (1 - e^{epsilon - loss})_+ <= delta. Between two neighbouring losses this is
/// A - C e^{epsilon - z}, z the upper one, A the mass from z up and C = sum mass e^{z - loss}: solved exactly.
double epsilon_of_atoms(Atoms atoms, double delta) {
  std::sort(atoms.begin(), atoms.end(), [](const Atom& a, const Atom& b) { return a.loss > b.loss; });
  if (delta <= 0) return atoms.front().loss;
  Extended mass = 0, weighted = 0;
  double z = atoms.front().loss;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    weighted = weighted * exp(static_cast<Extended>(atoms[i].loss) - z) + atoms[i].mass;
    mass += atoms[i].mass;
    z = atoms[i].loss;
    const bool last = i + 1 == atoms.size();
    const Extended here = last ? 1 : mass - weighted * exp(static_cast<Extended>(atoms[i + 1].loss) - z);
    if (last || here > delta) {
      const Extended left = mass - delta;
      return left <= 0 ? -infinity : z + static_cast<double>(log(left / weighted));
    }
  }
  return z;
}

}  // namespace

double optimal_composition_epsilon(const std::vector<RepeatedGuarantee>& parts, double delta) {
  const StandardArithmetic arithmetic;
  require(delta >= 0 && delta < 1, "optimal composition", "delta", delta, "0 <= delta < 1");
  std::map<double, double> count_of;  // by epsilon
  double log_kept = 0, terms = 1, largest_loss = 0;
  for (const auto& part : parts) {
    require_valid(part);
    const auto& [guarantee, count] = part;
    require(guarantee.delta < 1, "optimal composition", "delta of a release", guarantee.delta, "delta < 1");
    log_kept += count * std::log1p(-guarantee.delta);
    if (guarantee.epsilon > 0) count_of[guarantee.epsilon] += count;
    largest_loss += count * guarantee.epsilon;
  }
  for (const auto& [epsilon, count] : count_of) terms *= count + 1;
  require(terms <= most_terms, "optimal composition", "terms of the exact sum", terms, "at most 4e6");

  // Leaks and responses are independent: delta = 1 - kept + kept * delta_responses.
  const double leaked = -std::expm1(log_kept) * (1 + 1e-14);
  if (delta < leaked || std::isinf(largest_loss)) return infinity;
  const double target = (delta - leaked) / std::exp(log_kept) * (1 - 1e-14);
  Atoms composed{{0, 1}};
  for (const auto& [epsilon, count] : count_of) composed = convolve(composed, repeated_response(epsilon, count));
  return rounded_epsilon(epsilon_of_atoms(std::move(composed), target), 1e4);
}

DpGuarantee kairouz_oh_viswanath_explicit(const std::vector<RepeatedGuarantee>& parts, double slack) {
  const StandardArithmetic arithmetic;
  require(slack > 0 && slack < 1, "KOV composition", "delta left for the slack", slack, "0 < slack < 1");
  double sum = 0, drift = 0, squares = 0, log_kept = std::log1p(-slack);
  for (const auto& part : parts) {
    require_valid(part);
    const auto& [guarantee, count] = part;
    sum += count * guarantee.epsilon;
    drift += count * guarantee.epsilon * std::tanh(guarantee.epsilon / 2);
    squares += count * guarantee.epsilon * guarantee.epsilon;
    log_kept += count * std::log1p(-guarantee.delta);
  }
  const double first = drift + std::sqrt(2 * squares * std::log(std::exp(1.0) + std::sqrt(squares) / slack));
  const double second = drift + std::sqrt(-2 * squares * std::log(slack));
  return {std::min({sum, first, second}), -std::expm1(log_kept)};
}

}  // namespace pld::bounds
