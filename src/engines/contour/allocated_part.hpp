#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engines/contour/allocated_gaussian.hpp"
#include "pairs/gaussian_allocation.hpp"
#include "pld/core/direction.hpp"

namespace pld::contour {

/// A mean of Gaussian ratios among the composed laws: with R that mean, E_P e^{tz} is E R^{1+t} for remove and E R^-t
/// for add.
class AllocatedPart {
 public:
  AllocatedPart(std::shared_ptr<const AllocatedGaussian> law, Direction direction, double count)
      : law_(std::move(law)), direction_(direction), count_(count) {}

  [[nodiscard]] double count() const { return count_; }
  void add(double count) { count_ += count; }
  [[nodiscard]] bool is_alike(const AllocatedPart& other) const {
    return law_ == other.law_ && direction_ == other.direction_;
  }
  [[nodiscard]] const AllocatedGaussian& law() const { return *law_; }

  [[nodiscard]] double power(double lambda) const { return direction_ == Direction::remove ? 1 + lambda : -lambda; }
  [[nodiscard]] double loss_sign() const { return direction_ == Direction::remove ? 1 : -1; }

  /// The cumulant of one release; infinite where the law does not reach, as if it ended there.
  [[nodiscard]] Cumulant cumulant(double lambda) const;

 private:
  std::shared_ptr<const AllocatedGaussian> law_;
  Direction direction_;
  double count_;
};

/// The means that an allocation is made of, each `count` times as often.
[[nodiscard]] std::vector<AllocatedPart> allocated_parts(const GaussianAllocation& allocation, double count);

}  // namespace pld::contour
