#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/side.hpp"
#include "pld/account/privacy_profile.hpp"
#include "pld/readout/operating_point.hpp"

namespace pld {

/// Points of one law's trade-off function in a direction, for the worst of the envelope of both: nothing is known of
/// them at first.
class LawPoints {
 public:
  LawPoints(PrivacyProfile profile, DirectionChoice direction, const std::vector<double>& alphas);

  /// Looks for those of `which` that are wider than a tolerance, of the smaller one of beta and power: near where their
  /// lines were before. With too little work they stay as they are.
  void narrow(double tolerance, const std::vector<std::size_t>& which);
  [[nodiscard]] std::vector<std::size_t> all() const;

  [[nodiscard]] const std::vector<OperatingPoint>& points() const { return points_; }
  [[nodiscard]] std::optional<Side> rounded() const { return rounded_; }
  /// Whether it has been looked for.
  [[nodiscard]] bool is_known(std::size_t i) const { return lines_[i].has_value(); }

 private:
  PrivacyProfile profile_;
  DirectionChoice direction_;
  std::optional<Side> rounded_;  ///< the side that its masses are rounded to, if any: only that end is certain
  std::vector<OperatingPoint> points_;
  std::vector<std::optional<double>> lines_;  ///< epsilons of those that have been looked for
};

}  // namespace pld
