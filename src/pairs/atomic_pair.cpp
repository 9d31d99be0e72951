#include "pairs/atomic_pair.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "numeric/log_sum.hpp"
#include "numeric/roundings.hpp"
#include "pld/core/errors.hpp"

namespace pld {
namespace {

/// One atom with the masses of two, of which `low` has the lower loss, each log off by some 2^-64 of itself. The loss
/// is reached from there by a positive step; but where e^step is too large, by a quotient of masses.
UnroundedAtom fused(const UnroundedAtom& low, const UnroundedAtom& high) {
  const Extended log_p = log_sum(low.log_mass, high.log_mass), log_q = log_sum(low.log_q_mass, high.log_q_mass),
                 gap = high.loss - low.loss;
  const Extended growth = exp(high.log_q_mass - log_q + gap) * -expm1(-gap);
  const Extended loss = isfinite(growth) ? low.loss + log1p(growth) : log_p - log_q;
  return {std::clamp(loss, low.loss, high.loss), log_p, log_q};
}

/// Joins one or more atoms, in order of their losses, by halves: an error grows with the number of halvings.
UnroundedAtom fused(std::span<const UnroundedAtom> atoms) {
  if (atoms.size() == 1) return atoms.front();
  const std::size_t half = atoms.size() / 2;
  return fused(fused(atoms.first(half)), fused(atoms.subspan(half)));
}

LossCell rounded(const UnroundedAtom& atom) {
  return {.loss = static_cast<double>(atom.loss),
          .log_mass = static_cast<double>(atom.log_mass),
          .log_q_mass = static_cast<double>(atom.log_q_mass)};
}

Extended total_of(const char* where, const char* which, const std::vector<double>& masses) {
  Extended sum = 0;
  for (const double mass : masses) {
    require(mass >= 0 && isfinite(mass), where, which, mass, "cells >= 0 and finite");
    sum += static_cast<Extended>(mass);
  }
  const auto total = static_cast<double>(sum);
  require(fabs(total - 1) <= 1e-9, where, (std::string("sum of ") + which).c_str(), total,
          "a sum of 1 (to 1e-9); in a list written with slashes no quotient is one number");
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
  fuse_blocks();
  symmetric_ = equals_its_mirror();
}

/// Those that are one double.
void AtomicPair::merge_equal_losses() {
  std::vector<UnroundedAtom> merged;
  const auto loss = [this](std::size_t i) { return static_cast<double>(unrounded_[i].loss); };
  for (std::size_t begin = 0; begin < unrounded_.size();) {
    std::size_t end = begin + 1;
    while (end < unrounded_.size() && loss(end) == loss(begin)) ++end;
    merged.push_back(fused(std::span(unrounded_).subspan(begin, end - begin)));
    begin = end;
  }
  unrounded_ = std::move(merged);
}

/// To within the accuracy of losses and masses.
bool AtomicPair::equals_its_mirror() const {
  const auto same = [](double a, double b) { return a == b || (isfinite(a) && fabs(a - b) <= roundings(4, a)); };
  if (!same(log_plus_, log_minus_)) return false;
  for (std::size_t i = 0, j = atoms_.size(); i < atoms_.size(); ++i) {
    const LossCell& mirror = atoms_[--j];
    const bool matched = fabs(atoms_[i].loss + mirror.loss) <= loss_error_ &&
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

/// Tails are asked for again and again: each is a few blocks of 2, 4, 8, ... atoms.
void AtomicPair::fuse_blocks() {
  for (const std::vector<UnroundedAtom>* below = &unrounded_; below->size() > 1; below = &blocks_.back()) {
    std::vector<UnroundedAtom> level;
    for (std::size_t i = 0; i + 1 < below->size(); i += 2) level.push_back(fused((*below)[i], (*below)[i + 1]));
    blocks_.push_back(std::move(level));
  }
}

LossCell AtomicPair::cell(std::size_t begin, std::size_t end) const {
  std::optional<UnroundedAtom> sum;
  while (begin < end) {
    std::size_t level = 0;  // of the largest block that begins here and ends in time
    while (level < blocks_.size() && begin % (std::size_t{2} << level) == 0 && begin + (std::size_t{2} << level) <= end)
      ++level;
    const UnroundedAtom& next = level == 0 ? unrounded_[begin] : blocks_[level - 1][begin >> level];
    sum = sum ? fused(*sum, next) : next;
    begin += std::size_t{1} << level;
  }
  return sum ? rounded(*sum) : LossCell{};
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
    if (fabs(steps - std::round(steps)) * least > 4 * loss_error_ * (1 + steps)) return std::nullopt;
  }
  return least;
}

/// The outermost atoms one by one, since a tilt may weigh them most, and blocks between.
std::vector<LossCell> AtomicPair::outline() const {
  constexpr std::size_t most = 1000, alone = 100;
  const std::size_t size = atoms_.size(), block = size <= most ? 1 : size / (most - 2 * alone) + 1;
  std::vector<LossCell> all;
  for (std::size_t begin = 0; begin < size;) {
    const bool inside = begin >= alone && begin + block + alone <= size;
    const std::size_t end = begin + (inside ? block : 1);
    all.push_back(cell(begin, end));
    begin = end;
  }
  return all;
}

AtomicPair atoms_of_masses(const std::vector<Extended>& p, const std::vector<Extended>& q) {
  std::vector<UnroundedAtom> atoms;
  Extended plus = 0, minus = 0;
  double farthest = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (q[i] == 0) plus += p[i];
    if (p[i] == 0) minus += q[i];
    if (p[i] == 0 || q[i] == 0) continue;
    atoms.push_back({.loss = log(p[i] / q[i]), .log_mass = log(p[i]), .log_q_mass = log(q[i])});
    farthest = std::max(farthest, static_cast<double>(fabs(atoms.back().loss)));
  }
  // A loss is off by its own rounding and by those of the masses.
  return {std::move(atoms), static_cast<double>(log(plus)), static_cast<double>(log(minus)),
          unit_roundoff * (4 + 2 * farthest)};
}

std::vector<Extended> shares_of(const char* where, const char* which, const std::vector<double>& masses) {
  const Extended total = total_of(where, which, masses);
  std::vector<Extended> shares;
  for (const double mass : masses) shares.push_back(mass / total);
  return shares;
}

PairPtr pair_of_masses(const char* where, const std::vector<double>& p, const std::vector<double>& q) {
  require(!p.empty() && p.size() <= 100000, where, "number of cells of p", static_cast<double>(p.size()),
          "1 to 1e5 cells");
  require(q.size() == p.size(), where, "number of cells of q", static_cast<double>(q.size()), "as many as p has");
  return std::make_shared<AtomicPair>(atoms_of_masses(shares_of(where, "p", p), shares_of(where, "q", q)));
}

}  // namespace pld
