#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engines/contour/ratio_moments.hpp"

namespace pld::contour {

/// Rigorous bounds on the integrand phi(x) r(x)^p, p = rho + is, moved off the real axis, relative to G(rho).
///
/// phi and r continue analytically to |Im x| < pi / mu (r's zeros lie on the edge of that strip), and there
/// |e^{is log r}| = e^{-s arg r} with arg r of the sign of Im x. A path above the axis therefore bounds |G(rho + is)|,
/// decreasingly in s: the decay of the moment function along a vertical line. A path below it bounds what the
/// trapezoidal rule can be off.
class PathBound {
 public:
  /// `cells`: the grid of one point a cell. Outcomes with a tilted mass below e^log_negligible at either end of the
  /// body are left out of the paths; their mass is accounted for.
  PathBound(const SampledRatio& ratio, const Body& body, const RatioGrid& cells, double rho, double log_negligible);

  [[nodiscard]] const TiltedMoment& moment() const { return moment_; }

  /// The cells the paths run over, [first, last).
  [[nodiscard]] std::size_t first_cell() const { return first_; }
  [[nodiscard]] std::size_t last_cell() const { return last_; }

  /// log of a bound on |G(rho + is')| / G(rho) for every s' >= s; at most 0.
  [[nodiscard]] double log_decay(double s) const;

  /// The same by the rule on the cells: not a bound.
  [[nodiscard]] double log_decay_estimate(double s) const;

  /// A bound at a fixed distance below the axis, for |s'| <= s, and the step with which the trapezoidal rule then comes
  /// down to about e^log_error.
  struct Strip {
    double height = 0, log_integral = 0, step = 0;
  };
  [[nodiscard]] Strip best_strip(double s, double log_error) const;

  /// log of a bound on |grid sum - E[r^{rho+is'}]| / G(rho) over all |s'| <= s, for a grid of this step. The grid sum
  /// of r^{rho+is'} may leave out the outside cells.
  [[nodiscard]] double log_quadrature_error(const Strip& strip, double step, double s) const;

  /// The same for s = 0 and the cells' own grid, full sum. One of `enough` serves.
  [[nodiscard]] double log_cell_error(double enough) const;

 private:
  /// The integrand up or down from an end of the paths: |f(x + iy)| <= e^{log_size + spread y^2 -+ s turn |y|} for
  /// |y| <= height.
  struct Edge {
    double log_size = 0, spread = 0.5, least_turn = 0, most_turn = 0;
  };
  struct Term {
    double exponent = 0, factor = 0;
    double size = 0;  ///< sum of what the exponent is made of, for its rounding
  };
  [[nodiscard]] Edge edge_at(double x, double height) const;
  [[nodiscard]] Strip strip_at(double s, double height, double log_error) const;
  /// A stretch of cells with one hump of the tilted law.
  struct Hump {
    std::size_t first = 0, last = 0;
    double least_mass = 0;          ///< a lower bound on its tilted mass
    double deviation = 0;           ///< of log r within
    double narrowest = 0;           ///< the same near its top
    std::vector<double> direction;  ///< at the cells' edges: d height / ds of the best path at small s
  };
  /// The path over one cell, and what of it does not depend on the cell.
  struct Segment {
    Segment(double from, double to, double width, double mu);
    double height, rise;         ///< in the middle, and per x
    double half2, sine, cosine;  ///< sin^2(theta / 2), sin and cos of theta = mu height
    double cosine_bound;         ///< below cos(theta / 2) all along
    double stretch;              ///< its length per x
  };
  template <class SegmentOver>
  [[nodiscard]] double log_integral(double s, std::size_t first, std::size_t last,
                                    const SegmentOver& segment_over) const;
  [[nodiscard]] Term cell_bound(std::size_t cell, double s, const Segment& segment) const;
  /// What a hump contributes to |G(rho + is)| / G(rho): at most `size`, and at most its mass less `gain`.
  struct Decay {
    double size = 0, gain = 0;
  };
  [[nodiscard]] double size_on_cells(double s, const Hump& hump) const;
  [[nodiscard]] Decay hump_decay(double s, const Hump& hump) const;
  [[nodiscard]] double log_path_integral(double s, const Hump& hump, double steepness) const;
  /// log of a lower bound on a cell's tilted mass over its grid weight.
  [[nodiscard]] double log_least_share(std::size_t cell) const;
  struct Humps {
    Hump whole;
    std::vector<Hump> apart;  ///< two, or none where there is no clear valley
  };
  [[nodiscard]] const Humps& humps() const;
  [[nodiscard]] Humps found_humps() const;
  [[nodiscard]] Hump measured_hump(std::size_t first, std::size_t last) const;
  [[nodiscard]] double lowest() const { return cells_.x[first_] - cells_.step / 2; }
  [[nodiscard]] double highest() const { return cells_.x[last_ - 1] + cells_.step / 2; }

  SampledRatio ratio_;
  Body body_;
  const RatioGrid& cells_;
  double rho_;
  TiltedMoment moment_;
  std::vector<double> weights_;  ///< the cells' tilted masses
  std::size_t first_ = 0, last_ = 0;
  double log_outside_ = 0;              ///< a bound on the log of the other cells' tilted mass
  mutable std::optional<Humps> humps_;  ///< found when a decay is first asked for; of one thread
  double cell_growth_ = 1;              ///< how much slope (1 - slope) can grow from a cell's middle to its ends
  std::vector<double> ceiling_;         ///< at the cells' edges: how high a path may go
};

}  // namespace pld::contour
