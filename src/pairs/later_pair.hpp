#pragma once

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "numeric/later.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// A pair of atoms alone that is made once somebody asks for them.
class LaterPair : public DominatingPair {
 public:
  explicit LaterPair(std::function<PairPtr()> atoms) : made_(std::move(atoms)) {}

  [[nodiscard]] double log_mass_at_plus_infinity() const override { return made().log_mass_at_plus_infinity(); }
  [[nodiscard]] double log_q_mass_at_minus_infinity() const override { return made().log_q_mass_at_minus_infinity(); }
  [[nodiscard]] LossRange range() const override { return made().range(); }
  [[nodiscard]] std::vector<LossCell> atoms(LossRange within) const override { return made().atoms(within); }
  [[nodiscard]] bool has_density() const override { return false; }
  void cells(std::span<const double>, std::vector<LossCell>&) const override {}
  [[nodiscard]] LossCell above(double z) const override { return made().above(z); }
  [[nodiscard]] LossCell below(double z) const override { return made().below(z); }
  [[nodiscard]] double loss_error(LossRange within) const override { return made().loss_error(within); }
  [[nodiscard]] std::optional<double> spacing() const override { return made().spacing(); }
  [[nodiscard]] std::vector<LossCell> outline() const override { return made().outline(); }

 protected:
  [[nodiscard]] const DominatingPair& made() const { return *made_.get(); }

 private:
  Later<PairPtr> made_;
};

}  // namespace pld
