#pragma once

#include <optional>
#include <vector>

#include "pld/pairs/symmetric_noise.hpp"

namespace pld {

// What pairs of the same noise about several centres share.

/// log f(x - s) - log f(x) at any outcome inside both supports, s > 0. Error: that of the noise's loss() at the larger
/// one of x and s - x.
[[nodiscard]] double location_loss(const SymmetricLogConcaveNoise& noise, double x, double s);

/// log P(X + s > x), with the rounding of x - s taken back.
[[nodiscard]] double log_tail_of_moved(const SymmetricLogConcaveNoise& noise, double x, double s);

/// log P(a < X + s < b) of outcomes a <= b, or nothing where it is a difference of tails that cancel to less than 2/3
/// of the larger one, or of 1, or where a and b are one outcome of X.
[[nodiscard]] std::optional<double> log_interval_of_moved(const SymmetricLogConcaveNoise& noise, double a, double b,
                                                          double s);

/// Edges about all centres: equal steps where all but e^-40 lies, growing ones to where e^-760 does. `step`: a fraction
/// of the noise's width.
[[nodiscard]] std::vector<double> outline_about(const SymmetricLogConcaveNoise& noise, double step,
                                                const std::vector<double>& centres);

/// The centres and the kinks about each, increasing.
[[nodiscard]] std::vector<double> turns_about(const std::vector<double>& kinks, const std::vector<double>& centres);

}  // namespace pld
