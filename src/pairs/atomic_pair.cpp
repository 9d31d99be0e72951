#include "pairs/atomic_pair.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "pld/core/errors.hpp"

namespace pld {
namespace {

/// log sum e^{log(i)} for begin <= i < end: off by n 2^-64, less than a unit of round-off for fewer than 2000 atoms, n
/// / 2000 units beyond.
template <class Log>
long double log_sum_of(std::size_t begin, std::size_t end, const Log& log) {
  long double top = log(begin), sum = 0;
  for (std::size_t i = begin; i < end; ++i) top = std::max(top, log(i));
  for (std::size_t i = begin; i < end; ++i) sum += std::exp(log(i) - top);
  return top + std::log(sum);
}

LossCell rounded(const UnroundedAtom& atom) {
  return {.loss = static_cast<double>(atom.loss),
          .log_mass = static_cast<double>(atom.log_mass),
          .log_q_mass = static_cast<double>(atom.log_q_mass)};
}

long double total_of(const char* where, const char* which, const std::vector<double>& masses) {
  long double sum = 0;
  for (const double mass : masses) {
    require(mass >= 0 && std::isfinite(mass), where, which, mass, "cells >= 0 and finite");
    sum += static_cast<long double>(mass);
  }
  const auto total = static_cast<double>(sum);
  require(std::fabs(total - 1) <= 1e-9, where, which, total, "cells with a sum of 1 (to 1e-9)");
  return sum;
}

}  // namespace

AtomicPair::AtomicPair(std::vector<UnroundedAtom> atoms, double log_mass_at_plus_infinity,
                       double log_q_mass_at_minus_infinity, double loss_error)
    : unrounded_(std::move(atoms)),
      log_plus_(log_mass_at_plus_infinity),
      log_minus_(log_q_mass_at_minus_infinity),
      loss_error_(loss_error) {
  std::stable_sort(unrounded_.begin(), unrounded_.end(), [](const auto& a, const auto& b) { return a.loss < b.loss; });
  merge_equal_losses();
  for (const UnroundedAtom& atom : unrounded_) atoms_.push_back(rounded(atom));
  symmetric_ = equals_its_mirror();
}

/// Those that are one double.
void AtomicPair::merge_equal_losses() {
  std::vector<UnroundedAtom> merged;
  const auto loss = [this](std::size_t i) { return static_cast<double>(unrounded_[i].loss); };
  for (std::size_t begin = 0; begin < unrounded_.size();) {
    std::size_t end = begin + 1;
    while (end < unrounded_.size() && loss(end) == loss(begin)) ++end;
    merged.push_back(fused(begin, end));
    begin = end;
  }
  unrounded_ = std::move(merged);
}

/// To within the accuracy of losses and masses.
bool AtomicPair::equals_its_mirror() const {
  const auto same = [](double a, double b) {
    return a == b || (std::isfinite(a) && std::fabs(a - b) <= 4 * unit_roundoff * (1 + std::fabs(a)));
  };
  if (!same(log_plus_, log_minus_)) return false;
  for (std::size_t i = 0, j = atoms_.size(); i < atoms_.size(); ++i) {
    const LossCell& mirror = atoms_[--j];
    const bool matched = std::fabs(atoms_[i].loss + mirror.loss) <= loss_error_ &&
                         same(atoms_[i].log_mass, mirror.log_q_mass) && same(atoms_[i].log_q_mass, mirror.log_mass);
    if (!matched) return false;
  }
  return true;
}

LossRange AtomicPair::range() const {
  return atoms_.empty() ? LossRange{0, 0} : LossRange{atoms_.front().loss, atoms_.back().loss};
}

std::size_t AtomicPair::first_above(double z) const {
  const auto found = std::upper_bound(atoms_.begin(), atoms_.end(), z,
                                      [](double value, const LossCell& atom) { return value < atom.loss; });
  return static_cast<std::size_t>(found - atoms_.begin());
}

/// The mean is reached from the lowest loss by positive steps; but where e^steps are too large, by a quotient of
/// masses.
UnroundedAtom AtomicPair::fused(std::size_t begin, std::size_t end) const {
  if (end - begin == 1) return unrounded_[begin];
  const auto& all = unrounded_;
  const long double log_p = log_sum_of(begin, end, [&](std::size_t i) { return all[i].log_mass; });
  const long double log_q = log_sum_of(begin, end, [&](std::size_t i) { return all[i].log_q_mass; });
  const long double lowest = all[begin].loss, highest = all[end - 1].loss;
  long double growth = 0;
  for (std::size_t i = begin; i < end; ++i)
    growth += std::exp(all[i].log_q_mass - log_q + (all[i].loss - lowest)) * -std::expm1(lowest - all[i].loss);
  const long double loss = std::isfinite(growth) ? lowest + std::log1p(growth) : log_p - log_q;
  return {std::clamp(loss, lowest, highest), log_p, log_q};
}

LossCell AtomicPair::cell(std::size_t begin, std::size_t end) const {
  return begin < end ? rounded(fused(begin, end)) : LossCell{};
}

std::vector<LossCell> AtomicPair::atoms(LossRange within) const {
  std::vector<LossCell> inside;
  for (const LossCell& atom : atoms_)
    if (within.lowest <= atom.loss && atom.loss <= within.highest) inside.push_back(atom);
  return inside;
}

/// The smallest gap, where all others are multiples of it to within the losses' accuracy.
std::optional<double> AtomicPair::spacing() const {
  double least = infinity;
  for (std::size_t i = 1; i < atoms_.size(); ++i)
    if (const double gap = atoms_[i].loss - atoms_[i - 1].loss; gap > 4 * loss_error_) least = std::min(least, gap);
  if (!(least < infinity)) return std::nullopt;
  for (const LossCell& atom : atoms_) {
    const double steps = (atom.loss - atoms_.front().loss) / least;
    if (std::fabs(steps - std::round(steps)) * least > 4 * loss_error_ * (1 + steps)) return std::nullopt;
  }
  return least;
}

std::vector<LossCell> AtomicPair::outline() const {
  constexpr std::size_t most = 1000;
  const std::size_t block = atoms_.size() / most + 1;
  std::vector<LossCell> all;
  for (std::size_t begin = 0; begin < atoms_.size(); begin += block)
    all.push_back(cell(begin, std::min(begin + block, atoms_.size())));
  return all;
}

PairPtr pair_of_masses(const std::vector<long double>& p, const std::vector<long double>& q) {
  std::vector<UnroundedAtom> atoms;
  long double plus = 0, minus = 0;
  double farthest = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (q[i] == 0) plus += p[i];
    if (p[i] == 0) minus += q[i];
    if (p[i] == 0 || q[i] == 0) continue;
    atoms.push_back({.loss = std::log(p[i] / q[i]), .log_mass = std::log(p[i]), .log_q_mass = std::log(q[i])});
    farthest = std::max(farthest, static_cast<double>(std::fabs(atoms.back().loss)));
  }
  // A loss is off by its own rounding and by those of the masses.
  return std::make_shared<AtomicPair>(std::move(atoms), static_cast<double>(std::log(plus)),
                                      static_cast<double>(std::log(minus)), unit_roundoff * (4 + 2 * farthest));
}

PairPtr pair_of_masses(const char* where, const std::vector<double>& p, const std::vector<double>& q) {
  require(!p.empty() && p.size() <= 100000, where, "number of cells of p", static_cast<double>(p.size()),
          "1 to 1e5 cells");
  require(q.size() == p.size(), where, "number of cells of q", static_cast<double>(q.size()), "as many as p has");
  const auto shares = [where](const char* which, const std::vector<double>& masses) {
    const long double total = total_of(where, which, masses);
    std::vector<long double> out;
    for (const double mass : masses) out.push_back(mass / total);
    return out;
  };
  return pair_of_masses(shares("p", p), shares("q", q));
}

}  // namespace pld
