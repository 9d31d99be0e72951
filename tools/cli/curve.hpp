#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pld/pld.hpp"

namespace pld::cli {

enum class CurveKind { profile, trade_off };

/// As `--of` has them, in that order.
[[nodiscard]] inline std::vector<std::string> curve_kind_names() { return {"profile", "tradeoff"}; }

/// What `pld curve` is asked to draw.
struct CurveRange {
  double low = 0, high = 1;
  int points = 2;
  bool logarithmic = false;

  [[nodiscard]] std::vector<double> values() const;
};

/// One composition's curve: at each x (epsilon, or type I error alpha) a bracket of y (delta, or type II error), and of
/// the power 1 - y for a trade-off function.
struct Curve {
  std::string name;
  bool exact = true;  ///< else the pairs only dominate: what is proved is the upper end (of a type II error the lower)
  Composition composition;
  std::vector<double> x;
  std::vector<Bracket> y;
  std::vector<Bracket> power;      ///< trade-off only
  std::vector<Bracket> log_delta;  ///< profile only
  bool converged = true;           ///< whether all brackets are as narrow as asked
};

/// Rates an attack was seen to have.
struct ObservedRates {
  double false_positives = 0, true_positives = 0;
};

struct Curves {
  CurveKind kind = CurveKind::profile;
  CurveRange range;
  DirectionChoice direction = DirectionChoice::worst;
  double tolerance = 0;
  std::vector<Curve> curves;
  std::optional<Curve> reference;       ///< the Gaussian with the first composition's total variation
  std::vector<ObservedRates> observed;  ///< drawn, on logarithmic scales
};

[[nodiscard]] Curve curve_of(const std::string& name, const PrivacyProfile& profile, CurveKind kind,
                             const CurveRange& range, DirectionChoice direction);

/// The Gaussian whose total variation is that of the profile, its mu rounded up; none where that is 0 or 1.
[[nodiscard]] std::optional<Curve> gaussian_reference(const PrivacyProfile& profile, CurveKind kind,
                                                      const CurveRange& range, DirectionChoice direction);

/// Columns epsilon (or alpha), lower, estimate, upper; of a trade-off function also those of the power 1 - f(alpha),
/// which keep their digits where that is small; last whether the composition is exact; first a column "composition" (1,
/// 2, ...) where there are several.
[[nodiscard]] std::string csv_text(const Curves& curves);

/// The same as one JSON object, a column an array.
[[nodiscard]] std::string json_text(const Curves& curves);

enum class PictureFormat { svg, png };

/// What a file's name ends in; nothing where that is no picture's.
[[nodiscard]] std::optional<PictureFormat> picture_format(const std::string& file);

/// The bytes of a picture, drawn by gnuplot. Throws std::runtime_error where that fails.
[[nodiscard]] std::string picture(const Curves& curves, PictureFormat format);

}  // namespace pld::cli
