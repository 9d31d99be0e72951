#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/answer_fields.hpp"
#include "pld/pld.hpp"

namespace pld::cli {

enum class CurveKind { profile, trade_off, epsilon };

/// As `--of` has them, in that order.
[[nodiscard]] inline std::vector<std::string> curve_kind_names() { return {"profile", "tradeoff", "epsilon"}; }

/// What `pld curve` is asked to draw.
struct CurveRange {
  double low = 0, high = 1;
  int points = 2;
  bool logarithmic = false;
  bool whole = false;  ///< rounded to whole numbers from low to high, each once; domain: there is one

  [[nodiscard]] std::vector<double> values() const;
};

/// One composition's curve: at each x (epsilon, type I error alpha, or what epsilon is drawn against) a bracket of y
/// (delta, type II error, or epsilon), and of the power 1 - y for a trade-off function.
struct Curve {
  std::string name;
  bool exact = true;  ///< else the pairs only dominate: what is proved is the upper end (of a type II error the lower)
  Composition composition;  ///< of an epsilon against a number of it that at the last x
  std::vector<double> x;
  std::vector<Bracket> y;
  std::vector<Bracket> power;      ///< trade-off only
  std::vector<Bracket> log_delta;  ///< profile only
  std::vector<double> wide;        ///< the x of brackets that are wider than asked
};

/// Rates an attack was seen to have.
struct ObservedRates {
  double false_positives = 0, true_positives = 0;
};

struct Curves {
  CurveKind kind = CurveKind::profile;
  std::string against{};          ///< what x is
  std::optional<double> delta{};  ///< of epsilons against something else
  CurveRange range{};
  DirectionChoice direction = DirectionChoice::worst;
  double tolerance = 0;
  std::vector<Curve> curves{};
  std::optional<Curve> reference{};       ///< the Gaussian with the first composition's total variation
  std::vector<ObservedRates> observed{};  ///< drawn, on logarithmic scales
};

[[nodiscard]] Curve curve_of(const std::string& name, const PrivacyProfile& profile, CurveKind kind,
                             const std::vector<double>& x, DirectionChoice direction);

/// Epsilon at each delta, of one profile. `count` is called for each.
[[nodiscard]] Curve epsilon_at_deltas(const std::string& name, const Composition& composition,
                                      const std::vector<double>& deltas, EpsilonQuery query,
                                      const std::function<void()>& count);

/// Epsilon at each x, of the composition there. `count` is called after each.
[[nodiscard]] Curve epsilon_curve(const std::string& name, const std::function<Composition(double)>& at,
                                  const std::vector<double>& x, const EpsilonQuery& query,
                                  const std::function<void()>& count);

/// For a picture: x with the kinks of a curve at their exact places, and with places that come close to where a profile
/// ends.
[[nodiscard]] std::vector<double> refined(const Curve& curve, const PrivacyProfile& profile, CurveKind kind,
                                          DirectionChoice direction);

/// The Gaussian whose total variation is that of the profile, its mu rounded up; none where that is 0 or 1.
[[nodiscard]] std::optional<Curve> gaussian_reference(const PrivacyProfile& profile, CurveKind kind,
                                                      const std::vector<double>& x, DirectionChoice direction);

/// Columns epsilon (or alpha, or what epsilon is drawn against), lower, estimate, upper; of a trade-off function also
/// those of the power 1 - f(alpha), which keep their digits where that is small; then whether the composition is exact,
/// and whether it is known by a guarantee alone where one of them is; first a column "composition" (1, 2, ...) and last
/// its name where there are several.
[[nodiscard]] std::string csv_text(const Curves& curves);

/// The same as one JSON object, a column an array.
[[nodiscard]] OrderedJson curve_fields(const Curves& curves);

enum class PictureFormat { svg, png, pdf };

/// How a picture looks.
struct PictureLook {
  std::string title{};
  std::string font = "Helvetica";
  double font_size = 8;            ///< points, in print
  double width = 6;                ///< inches
  std::optional<double> height{};  ///< inches; otherwise 4, and what a long legend takes
  std::optional<std::pair<double, double>> y_range{};
};

/// What a file's name ends in; nothing where that is no picture's.
[[nodiscard]] std::optional<PictureFormat> picture_format(const std::string& file);

/// The bytes of a picture, drawn by gnuplot. Throws std::runtime_error where that fails.
[[nodiscard]] std::string picture(const Curves& curves, PictureFormat format, const PictureLook& look = {});

}  // namespace pld::cli
