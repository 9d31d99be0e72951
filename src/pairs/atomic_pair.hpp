#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "numeric/extended.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// An atom before it is rounded: the mean of losses next to zero has the digits of their masses' differences.
struct UnroundedAtom {
  Extended loss, log_mass, log_q_mass;
};

/// Finitely many atoms, each with a P and a Q mass, and the masses at infinity.
class AtomicPair : public DominatingPair {
 public:
  /// Atoms in any order, P and Q mass of each above 0; each loss within loss_error of exact.
  AtomicPair(std::vector<UnroundedAtom> atoms, double log_mass_at_plus_infinity, double log_q_mass_at_minus_infinity,
             double loss_error);

  [[nodiscard]] double log_mass_at_plus_infinity() const override { return log_plus_; }
  [[nodiscard]] double log_q_mass_at_minus_infinity() const override { return log_minus_; }
  [[nodiscard]] LossRange range() const override;
  [[nodiscard]] std::vector<LossCell> atoms(LossRange within) const override;
  [[nodiscard]] bool has_density() const override { return false; }
  void cells(std::span<const double>, std::vector<LossCell>&) const override {}
  [[nodiscard]] LossCell above(double z) const override { return cell(first_above(z), atoms_.size()); }
  [[nodiscard]] LossCell below(double z) const override { return cell(0, first_above(z)); }
  [[nodiscard]] double loss_error(LossRange) const override { return loss_error_; }
  [[nodiscard]] std::optional<double> spacing() const override;
  [[nodiscard]] std::vector<LossCell> outline() const override;
  [[nodiscard]] bool symmetric() const override { return symmetric_; }

 private:
  void merge_equal_losses();
  void fuse_blocks();
  [[nodiscard]] bool equals_its_mirror() const;
  [[nodiscard]] std::size_t first_above(double z) const;
  [[nodiscard]] LossCell cell(std::size_t begin, std::size_t end) const;

  std::vector<UnroundedAtom> unrounded_;
  std::vector<std::vector<UnroundedAtom>> blocks_;  ///< of 2 atoms, of 4, ...
  std::vector<LossCell> atoms_;
  double log_plus_, log_minus_, loss_error_;
  bool symmetric_ = false;
};

/// One whose largest loss, or P's mass at infinity, may be known exactly.
class AtomicPairOfEnds final : public AtomicPair {
 public:
  AtomicPairOfEnds(AtomicPair atoms, std::optional<ExactLoss> highest, std::optional<DoublesAround> infinite_mass)
      : AtomicPair(std::move(atoms)), highest_(highest), infinite_mass_(infinite_mass) {}
  [[nodiscard]] std::optional<ExactLoss> exact_highest() const override { return highest_; }
  [[nodiscard]] std::optional<DoublesAround> infinite_mass() const override { return infinite_mass_; }

 private:
  std::optional<ExactLoss> highest_;
  std::optional<DoublesAround> infinite_mass_;
};

/// The pair of two mass functions on the same outcomes, in any order: as many masses of either, each off by a part in
/// 2^52 at most.
[[nodiscard]] AtomicPair atoms_of_masses(const std::vector<Extended>& p, const std::vector<Extended>& q);

/// Masses that somebody gives, each divided by their sum. Throws DomainError naming `where` and `which` unless they are
/// >= 0 and finite with a sum within 1e-9 of 1.
[[nodiscard]] std::vector<Extended> shares_of(const char* where, const char* which, const std::vector<double>& masses);

/// The pair of two mass functions that somebody gives. Throws as shares_of(), and unless both have the same length, 1
/// to 1e5.
[[nodiscard]] PairPtr pair_of_masses(const char* where, const std::vector<double>& p, const std::vector<double>& q);

}  // namespace pld
