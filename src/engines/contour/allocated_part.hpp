#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "engines/contour/allocated_gaussian.hpp"
#include "engines/contour/truncated_mean.hpp"
#include "pairs/gaussian_allocation.hpp"
#include "pld/core/direction.hpp"
#include "pld/core/rounding.hpp"

namespace pld::contour {

/// A mean of Gaussian ratios among the composed laws: with R that mean, E_P e^{tz} is E R^{1+t} for remove and E R^-t
/// for add. Where it is truncated, outcomes too rare to matter are left out.
class AllocatedPart {
 public:
  AllocatedPart(std::shared_ptr<const AllocatedGaussian> law, Direction direction, double count)
      : law_(std::move(law)), direction_(direction), count_(count) {}

  [[nodiscard]] double count() const { return count_; }
  void add(double count) { count_ += count; }
  [[nodiscard]] bool is_alike(const AllocatedPart& other) const {
    return law_ == other.law_ && direction_ == other.direction_;
  }
  [[nodiscard]] bool is_removed() const { return direction_ == Direction::remove; }
  [[nodiscard]] double loss_sign() const { return is_removed() ? 1 : -1; }

  /// Leaves out what has e^-nats of P's mass and of Q's, for moments at this tilt and others about it. Of remove alone:
  /// powers of add are negative, where no outcome is too large.
  void truncate(double nats, double lambda);
  [[nodiscard]] bool is_truncated() const { return truncated_ != nullptr; }
  /// Whether it is truncated, and what is left out hardly moves the moment at a tilt, for an answer of such a width in
  /// logarithms.
  [[nodiscard]] bool is_light(double lambda, double log_width) const;
  [[nodiscard]] double log_lost() const { return truncated_ ? truncated_->log_lost() : -infinity; }

  [[nodiscard]] double highest_tilt() const;
  [[nodiscard]] bool reaches(double lambda) const;
  /// log of the moment at a tilt, of one release; where it is truncated and the tilt is small, of one that is not.
  [[nodiscard]] MeanMoment moment(double lambda) const;
  /// The cumulant of one release; infinite where the law does not reach, as if it ended there.
  [[nodiscard]] Cumulant cumulant(double lambda) const;
  /// At lambda + i n step over those at lambda, n up to `last`, the phase that of log R. nullptr: out of reach.
  [[nodiscard]] std::shared_ptr<const std::vector<MeanRatio>> ratios(double lambda, double step,
                                                                     std::size_t last) const;
  /// log of a bound on their sizes from s on.
  [[nodiscard]] double log_decay(double lambda, double s) const;

 private:
  [[nodiscard]] double power(double lambda) const { return is_removed() ? 1 + lambda : -lambda; }
  [[nodiscard]] bool by_truncated(double rho) const { return truncated_ && rho >= TruncatedMean::lowest; }

  std::shared_ptr<const AllocatedGaussian> law_;
  std::shared_ptr<const TruncatedMean> truncated_;
  Direction direction_;
  double count_;
};

/// The means that an allocation is made of, each `count` times as often.
[[nodiscard]] std::vector<AllocatedPart> allocated_parts(const GaussianAllocation& allocation, double count);

}  // namespace pld::contour
