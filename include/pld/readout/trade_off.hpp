#pragma once

#include <vector>

#include "pld/account/privacy_profile.hpp"
#include "pld/readout/operating_point.hpp"

namespace pld {

/// The trade-off function of a composition (Dong, Roth, Su 2022, definition 2.1): f(alpha) is the least type II error
/// of a test between the two neighbours whose type I error (calling Q's output P's) is at most alpha.
///
/// By duality (their proposition 2.12) f(alpha) = sup over real epsilon of 1 - delta(epsilon) - e^epsilon alpha. In one
/// direction it is that of the pair (P, Q); for the worst, delta is the larger one of both directions, and f the convex
/// envelope of the two directions' minimum, which is symmetric. No test beats it, and where one direction's function
/// crosses the other's none is as good: the upper end of beta and the lower one of power are always some test's.
///
/// Any epsilon bounds f from below. From above, 1 - f is the minimum over x = e^epsilon of the convex delta + x alpha:
/// between three points with the lowest in the middle it lies above the chords on either side, drawn out.
class TradeOff {
 public:
  explicit TradeOff(PrivacyProfile profile, DirectionChoice direction = DirectionChoice::worst);

  /// f(alpha) and what a test has there, 0 <= alpha <= 1 (DomainError).
  [[nodiscard]] Bracket operator()(double alpha) const { return at(alpha).beta; }

  /// The whole point, as narrow as can be had.
  [[nodiscard]] OperatingPoint at(double alpha) const;

  /// Many points, in any order. More than 16 share their readings of the profile. There are as many as bring the
  /// smaller one of beta and power at each to the profile's tolerance, relatively, or to about the profile's own width.
  [[nodiscard]] std::vector<OperatingPoint> at(const std::vector<double>& alphas) const;

  /// The least type I error of a test with type II error beta: f of the other direction, or f itself for the worst. Of
  /// many betas as for at().
  [[nodiscard]] Bracket inverse(double beta) const;
  [[nodiscard]] std::vector<Bracket> inverse(const std::vector<double>& betas) const;

  /// Where f has slope -e^epsilon: the test "loss > epsilon", alpha = Q(z > epsilon) by estimate and f there. Any
  /// finite epsilon.
  [[nodiscard]] OperatingPoint at_epsilon(double epsilon) const;

  [[nodiscard]] const PrivacyProfile& profile() const { return profile_; }
  [[nodiscard]] DirectionChoice direction() const { return direction_; }

 private:
  PrivacyProfile profile_;
  DirectionChoice direction_;
};

[[nodiscard]] inline TradeOff trade_off(const Composition& composition,
                                        DirectionChoice direction = DirectionChoice::worst,
                                        const ProfileOptions& options = {}) {
  return TradeOff(PrivacyProfile(composition, options), direction);
}

}  // namespace pld
