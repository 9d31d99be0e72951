#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "pairs/analytic_law.hpp"
#include "pairs/mirrored.hpp"
#include "pairs/ordered_law.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// A pair with P and Q swapped: every loss changes its sign.
class MirroredPair final : public DominatingPair, public AnalyticPair, public FamilyMember {
 public:
  explicit MirroredPair(PairPtr base) : base_(std::move(base)) {}

  [[nodiscard]] double log_mass_at_plus_infinity() const override { return base_->log_q_mass_at_minus_infinity(); }
  [[nodiscard]] double log_q_mass_at_minus_infinity() const override { return base_->log_mass_at_plus_infinity(); }
  [[nodiscard]] LossRange range() const override { return swapped(base_->range()); }
  [[nodiscard]] std::vector<LossCell> atoms(LossRange within) const override {
    return all_mirrored(base_->atoms(swapped(within)));
  }
  [[nodiscard]] bool has_density() const override { return base_->has_density(); }
  void cells(std::span<const double> edges, std::vector<LossCell>& out) const override {
    std::vector<double> mirror_edges(edges.size());
    std::transform(edges.rbegin(), edges.rend(), mirror_edges.begin(), [](double edge) { return -edge; });
    std::vector<LossCell> base;
    base_->cells(mirror_edges, base);
    for (const LossCell& cell : all_mirrored(std::move(base))) out.push_back(cell);
  }
  [[nodiscard]] double cell_cost() const override { return base_->cell_cost(); }
  [[nodiscard]] LossCell above(double z) const override { return mirrored(base_->below(last_below(-z))); }
  [[nodiscard]] LossCell below(double z) const override { return mirrored(base_->above(last_below(-z))); }
  [[nodiscard]] double loss_error(LossRange within) const override { return base_->loss_error(swapped(within)); }
  [[nodiscard]] double edge_error(double z) const override { return base_->edge_error(-z); }
  [[nodiscard]] std::optional<double> spacing() const override { return base_->spacing(); }
  [[nodiscard]] std::vector<LossCell> outline() const override { return all_mirrored(base_->outline()); }
  [[nodiscard]] bool symmetric() const override { return base_->symmetric(); }
  [[nodiscard]] double log_tail_moment(double order, double from) const override {
    return base_->log_tail_moment(1 - order, -from);
  }
  [[nodiscard]] bool analytic() const override { return has_analytic_law(*base_); }
  [[nodiscard]] std::optional<AnalyticLaw> analytic_law(double log_negligible) const override {
    const auto base = pld::analytic_law(*base_, log_negligible);
    return base ? std::optional(pld::swapped(*base)) : std::nullopt;
  }
  [[nodiscard]] double renyi_slope() const override { return base_->renyi_slope(); }
  [[nodiscard]] std::optional<ExactSlope> exact_slope() const override { return base_->exact_slope(); }
  /// What dominates dominates in either order.
  [[nodiscard]] std::optional<OrderedLaw> ordered() const override {
    auto law = ordered_law(*base_);
    if (!law) return std::nullopt;
    law->family += ", mirrored";
    law->of_sizes = [of_base = std::move(law->of_sizes)](const std::vector<double>& sizes) {
      return std::make_shared<MirroredPair>(of_base(sizes));
    };
    return law;
  }

 private:
  /// Where what lies below a loss ends: an atom there belongs to the other side. A density is cut at the loss itself,
  /// as all that saturates at an end of the range may lie within a rounding of it.
  [[nodiscard]] double last_below(double loss) const {
    const bool is_atom = !base_->has_density() || !base_->atoms({loss, loss}).empty();
    return is_atom ? std::nextafter(loss, -infinity) : loss;
  }
  static LossRange swapped(LossRange range) { return {-range.highest, -range.lowest}; }
  static std::vector<LossCell> all_mirrored(std::vector<LossCell> cells) {
    std::reverse(cells.begin(), cells.end());
    for (LossCell& cell : cells) cell = mirrored(cell);
    return cells;
  }

  PairPtr base_;
};

}  // namespace pld
