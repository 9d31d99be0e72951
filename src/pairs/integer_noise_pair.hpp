#pragma once

#include <memory>
#include <vector>

#include "numeric/later.hpp"
#include "pairs/known_masses.hpp"
#include "pairs/whole_outcome_pair.hpp"
#include "pld/pairs/log_concave_integer_noise.hpp"

namespace pld {

/// X + s (P) against X (Q) on the whole numbers; the loss at x grows with x without bound either way.
class IntegerNoisePair final : public WholeOutcomePair {
 public:
  IntegerNoisePair(std::shared_ptr<const KnownMasses> masses, double s);

  [[nodiscard]] LossRange range() const override { return {}; }
  /// Outcomes to either side that both laws have with less than e^-50000 come as one cell: the losses there differ by
  /// less and less, so that a window may hold more of them than can be counted.
  [[nodiscard]] std::vector<LossCell> atoms(LossRange within) const override;
  [[nodiscard]] LossCell above(double z) const override;
  [[nodiscard]] LossCell below(double z) const override;
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] std::vector<LossCell> outline() const override;
  [[nodiscard]] bool symmetric() const override { return noise().symmetric(); }
  [[nodiscard]] double log_tail_moment(double order, double from) const override;
  [[nodiscard]] std::vector<LossCell> outcomes(double first, double last) const override;
  [[nodiscard]] LossCell at(double x) const override;
  [[nodiscard]] LossCell from(double x) const override;
  [[nodiscard]] LossCell up_to(double x) const override;
  [[nodiscard]] std::shared_ptr<const WholeOutcomePair> moved(double times) const override {
    return std::make_shared<IntegerNoisePair>(masses_, times * s_);
  }

 private:
  using Side = KnownMasses::Side;
  [[nodiscard]] double loss_at(double x) const;
  [[nodiscard]] double first_above(double z) const;
  [[nodiscard]] LossCell block(double first, double last) const;
  [[nodiscard]] std::vector<LossCell> outlined() const;
  [[nodiscard]] double log_outer_tail(double x, Side side) const;
  [[nodiscard]] double log_tail(double x, Side side) const;
  [[nodiscard]] LossCell outer_cell(double x, Side side) const;

  [[nodiscard]] const LogConcaveIntegerNoise& noise() const { return masses_->noise(); }

  std::shared_ptr<const KnownMasses> masses_;
  double s_, mode_;
  double first_, last_;  ///< between them both laws have e^-50000 or more
  Later<std::vector<LossCell>> outline_{[this] { return outlined(); }};
};

}  // namespace pld
