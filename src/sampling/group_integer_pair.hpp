#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "numeric/later.hpp"
#include "pairs/whole_outcome_pair.hpp"
#include "sampling/group_law.hpp"

namespace pld {

/// A group's shift mixture of log-concave noise on the whole numbers (docs/groups.md): against X where the group is
/// removed; where it is replaced, of shifts by j s against those by -j s of symmetric X.
class GroupIntegerPair final : public GroupLaw<DominatingPair, WholeOutcomePair> {
 public:
  /// `moved`: (X + j s, X), j = 1 to k; `unsampled_slope`: a bound of D_order / order, order > 1, of the group's pair
  /// on all data.
  GroupIntegerPair(std::vector<std::shared_ptr<const WholeOutcomePair>> moved, double q, bool replaced,
                   double unsampled_slope);

  [[nodiscard]] LossRange range() const override { return range_; }
  /// Outcomes to either side that come to less than e^-50000 are one cell, as are those whose losses are at their limit
  /// to a unit of round-off.
  [[nodiscard]] std::vector<LossCell> atoms(LossRange within) const override;
  [[nodiscard]] bool has_density() const override { return moved_.front()->has_density(); }
  void cells(std::span<const double> edges, std::vector<LossCell>& out) const override;
  [[nodiscard]] double cell_cost() const override {
    return moved_.front()->cell_cost() * static_cast<double>(moved_.size()) * (replaced_ ? 2 : 1);
  }
  [[nodiscard]] LossCell above(double z) const override { return from(first_above(z)); }
  [[nodiscard]] LossCell below(double z) const override;
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] std::vector<LossCell> outline() const override;
  [[nodiscard]] double log_tail_moment(double order, double from) const override;

 private:
  template <class Cell>
  [[nodiscard]] LossCell mixed(const Cell& cell_of) const;
  [[nodiscard]] LossCell at(double x) const;
  [[nodiscard]] LossCell from(double x) const;
  [[nodiscard]] LossCell up_to(double x) const;
  [[nodiscard]] LossCell summed_from(double x) const;
  [[nodiscard]] LossCell summed_up_to(double x) const;
  [[nodiscard]] double first_above(double z) const;
  [[nodiscard]] double mixed_error(double low, double high) const;
  [[nodiscard]] double reach_of(double sign, double log_mass) const;
  [[nodiscard]] std::vector<LossCell> outlined() const;

  /// Those summed so far: each is one of every shift, and moments, cuts and lattices ask for the same ones.
  class Tails {
   public:
    template <class Sum>
    [[nodiscard]] LossCell of(double x, const Sum& sum);

   private:
    static constexpr std::size_t most = 1 << 16;
    std::mutex telling_;
    std::unordered_map<double, LossCell> known_;
  };

  double end_;                   ///< from here on, and up to -end, the loss is flat
  double saturated_ = 0;         ///< up to here the mixture's loss against X is its limit
  double left_ = 0, right_ = 0;  ///< all that is not worth telling apart lies up to left and from right on
  LossRange range_;
  mutable Tails tails_from_, tails_up_to_;
  Later<std::vector<LossCell>> outline_{
      [this] { return outlined(); }};  ///< every question about a composition begins with its outlines
};

}  // namespace pld
