#pragma once

#include <vector>

#include "engines/contour/allocated_part.hpp"
#include "engines/contour/discrete_gaussian_part.hpp"
#include "engines/contour/law_part.hpp"
#include "engines/contour/ratio_moments.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/direction.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld::contour {

/// One law and how many times it is composed.
struct CountedLaw {
  SampledGaussianLaw law;
  double count = 1;
  double grain = 0;  ///< as GrainedLaw has it; 0: a density
};

/// A sampled Gaussian among the composed ones, on its body. With r the likelihood ratio of the mixture to N(0,1),
/// E_P e^{tz} is E[r^{1+t}] for remove and E[r^{-t}] for add, x ~ N(0,1).
struct SampledPart {
  SampledRatio ratio;
  Direction direction = Direction::remove;
  double count = 1;
  double grain = 0;
  Body body{};
  RatioGrid cells{};

  [[nodiscard]] double power(double lambda) const { return direction == Direction::remove ? 1 + lambda : -lambda; }
  /// As log_grain_error(); -inf for a density.
  [[nodiscard]] double log_grain_error(double lambda, double s, double log_moment) const;
  [[nodiscard]] double loss_sign() const { return direction == Direction::remove ? 1 : -1; }
};

/// The moment function of a composition, of its finite losses. Equal laws are merged; Gaussians sampled at rate 1 make
/// one of mean `sqrt(gaussian_square)`, whose cumulant is t (t + 1) mu^2 / 2.
class ComposedMoment {
 public:
  ComposedMoment(const std::vector<CountedLaw>& laws, std::vector<LawPart> others = {},
                 std::vector<DiscreteGaussianPart> discrete = {}, std::vector<AllocatedPart> allocated = {});

  [[nodiscard]] const std::vector<SampledPart>& parts() const { return parts_; }
  [[nodiscard]] const std::vector<LawPart>& others() const { return others_; }
  [[nodiscard]] const std::vector<DiscreteGaussianPart>& discrete() const { return discrete_; }
  [[nodiscard]] const std::vector<AllocatedPart>& allocated() const { return allocated_; }
  [[nodiscard]] double gaussian_square() const { return gaussian_square_; }
  /// With discrete Gaussians' variances: at a real lambda all their moments make e^{lambda (lambda + 1) normal_square()
  /// / 2}. Both are right to 6 u.
  [[nodiscard]] double normal_square() const { return normal_square_; }
  /// |M(lambda + is)| / M(lambda) is at most e^{-s^2 times half of it}, and as much as other parts have.
  [[nodiscard]] double normal_decay() const;
  /// The same with means of Gaussian ratios truncated where outcomes have e^-nats of the mass of all, so that their
  /// moments are known at this tilt and others about it.
  [[nodiscard]] ComposedMoment truncated(double nats, double lambda) const;
  [[nodiscard]] bool is_truncated() const;
  /// Whether there are means which that changes, of remove.
  [[nodiscard]] bool may_be_truncated() const;
  /// Whether what lies at their cuts hardly counts at a tilt, for an answer of such a width in logarithms. Domain:
  /// is_truncated().
  [[nodiscard]] bool is_light(double lambda, double log_width) const;
  [[nodiscard]] bool trivial() const {
    return parts_.empty() && others_.empty() && allocated_.empty() && normal_square() == 0;
  }
  [[nodiscard]] double counts() const;

  /// log of P's mass where some loss is infinite, and whether Q has any where some is -inf.
  [[nodiscard]] const Bracket& log_infinity() const { return log_infinity_; }
  [[nodiscard]] bool reverse_is_infinite() const { return reverse_is_infinite_; }

  /// Whether every law's masses do, P's and Q's.
  [[nodiscard]] bool sums_to_one() const;

  /// Infimum and supremum of the finite losses; infinite where a Gaussian takes part.
  [[nodiscard]] LossRange range() const;

  /// Keeps of each law the outcomes |x| < c, c^2 / 2 = nats + log counts: what is cut or
  /// truncated has mass at most e^{log_lost()} under P and under Q, and what is cut e^{1 - nats}. The cells resolve the
  /// laws tilted by up to twice `lambda`. false: it would take more cells than is reasonable, or losses are subnormal.
  [[nodiscard]] bool cut(double nats, double lambda = 0);

  /// Whether the cells resolve the laws tilted by twice lambda.
  [[nodiscard]] bool resolves(double lambda) const;
  [[nodiscard]] double log_lost() const { return log_lost_; }

  /// The largest tilt at which the moment function is known.
  [[nodiscard]] double highest_tilt() const;

  /// log of the count times the tilted mass of a body's outermost cell, at its largest over laws and ends: the cut is
  /// harmless to the moment function at lambda where this is very negative.
  [[nodiscard]] double log_edge(double lambda) const;

  /// The nats for which no body ends below the hits of a law tilted by lambda, `deviations` away from their centre.
  [[nodiscard]] double nats_beyond_hits(double lambda, double deviations) const;

  /// K(lambda) = log E_P e^{lambda z} by the rule on the bodies' cells: good to a few digits at least, for searching.
  [[nodiscard]] Cumulant cumulant(double lambda) const;

 private:
  std::vector<SampledPart> parts_;
  std::vector<LawPart> others_;
  std::vector<DiscreteGaussianPart> discrete_;
  std::vector<AllocatedPart> allocated_;
  double gaussian_square_ = 0, normal_square_ = 0;
  Bracket log_infinity_{-infinity, -infinity, -infinity};
  bool reverse_is_infinite_ = false;
  double log_lost_ = 0;
};

}  // namespace pld::contour
