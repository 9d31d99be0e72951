#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engines/contour/known_law.hpp"
#include "engines/contour/ratio_moments.hpp"
#include "pairs/analytic_law.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld::contour {

/// A law among the composed ones of which points are known: atoms, and densities summed by Gauss's rule of
/// `LawPart::points_a_panel` points on panels. With r = e^z its moment E_P e^{tz} is G(1 + t) = E_Q r^{1+t}.
class LawPart {
 public:
  static constexpr std::size_t points_a_panel = KnownLaw::points_a_panel;
  using Panel = KnownLaw::Panel;
  /// Panels on which the rule is off by at most e^log_error in all.
  struct Rule {
    std::vector<Panel> panels;
    double log_error = 0;
  };

  /// Domain: has_analytic_law(pair).
  LawPart(PairPtr pair, double count) : pair_(std::move(pair)), count_(count) {}

  [[nodiscard]] double count() const { return count_; }
  void add(double count) { count_ += count; }
  [[nodiscard]] const PairPtr& pair() const { return pair_; }
  /// Domain: a part that was cut.
  [[nodiscard]] const AnalyticLaw& law() const { return known_->law(); }
  [[nodiscard]] const KnownLaw& known() const { return *known_; }

  /// Takes the law but for e^-nats of P and of Q, and cells that resolve it tilted by up to twice lambda. false: it
  /// would take more of them, or of atoms, than is reasonable.
  [[nodiscard]] bool cut(double nats, double lambda);
  [[nodiscard]] bool resolves(double lambda) const { return std::fabs(lambda) <= resolved_; }

  /// The rule on those cells: good to a few digits at least, for searching.
  [[nodiscard]] const RatioGrid& cells() const { return cells_; }
  [[nodiscard]] const std::vector<Panel>& panels() const { return panels_; }

  /// A rule for G(rho + is) at all |s'| <= s, and for what is summed in place of G - 1. std::nullopt: too many panels.
  [[nodiscard]] std::optional<Rule> rule(double rho, double s, double log_error) const;

  /// Atoms first, then panel by panel.
  template <class Real>
  [[nodiscard]] RatioGridOf<Real> grid(const std::vector<Panel>& panels) const;

 private:
  PairPtr pair_;
  double count_;
  std::shared_ptr<const KnownLaw> known_;
  double resolved_ = -1;
  std::vector<Panel> panels_;
  RatioGrid cells_;
};

/// Bounds on the moment function of a part along the line through rho, relative to G(rho).
class LawDecay {
 public:
  /// std::nullopt where no rule for G(rho) can be had.
  [[nodiscard]] static std::optional<LawDecay> at(const LawPart& part, double rho);

  [[nodiscard]] const TiltedMoment& moment() const { return moment_; }
  /// log of a bound on what log_moment is off besides its rounding, relative.
  [[nodiscard]] double log_error() const { return log_error_; }

  /// log of a bound on |G(rho + is')| / G(rho) for every s' >= s; at most 0.
  [[nodiscard]] double log_decay(double s) const;

  /// About the same at s alone: not a bound.
  [[nodiscard]] double log_decay_estimate(double s) const;

  /// How many points a rule for all |s'| <= 2 s takes, +inf for too many.
  [[nodiscard]] double points_to(double s) const;

  /// The limit of log_decay for large s: what atoms alone leave.
  [[nodiscard]] double log_floor() const;

 private:
  explicit LawDecay(const LawPart& part, double rho) : part_(&part), rho_(rho) {}

  /// A density's integral moved up from the real line, panel by panel to a height of its own: along what runs across,
  /// |f| <= size e^{-s fall}; up or down from one height to another, |f| <= size e^{-s rate y}.
  struct Across {
    double size = 0, fall = 0;
  };
  struct Riser {
    double size = 0, rate = 0, from = 0, to = 0;
  };
  struct Path {
    std::vector<Across> across;
    std::vector<Riser> risers;

    [[nodiscard]] double size(double s) const;
  };
  /// A density's paths, and its share of the tilted mass from above.
  struct Paths {
    std::vector<Path> by_height;
    double share = 1;
    mutable std::size_t near = 0;  ///< the best one when they were last asked

    [[nodiscard]] double least(double s) const;
  };
  /// The points of the tilted law that serve all |s'| <= s.
  struct Points {
    double s = -1, error = 0;
    std::vector<double> log_ratios, weights;  ///< of the atoms, then panel by panel
    std::vector<LawPart::Panel> panels;
  };
  [[nodiscard]] const std::vector<Paths>& paths() const;
  [[nodiscard]] std::optional<Path> path(const AnalyticDensity& density, double height) const;
  [[nodiscard]] const Points& points(double s) const;
  [[nodiscard]] double far(double s) const;
  [[nodiscard]] double near_gain(double s, double until) const;

  const LawPart* part_;
  double rho_;
  TiltedMoment moment_;
  double log_error_ = 0;
  double atoms_ = 0;            ///< their share of the tilted mass
  double range_ = 0;            ///< of the losses
  std::vector<double> shares_;  ///< of each density, from above
  mutable std::vector<Paths> paths_;
  mutable Points points_;
};

}  // namespace pld::contour
