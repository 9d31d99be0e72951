#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

#include "engines/contour/ratio_moments.hpp"
#include "pairs/analytic_law.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld::contour {

/// A law, and what was worked out of it: many lines are drawn through the same ones, at other tilts. Safe to read from
/// several threads.
class KnownLaw {
 public:
  static constexpr std::size_t points_a_panel = 20;

  struct Panel {
    const AnalyticDensity* density = nullptr;
    double from = 0, to = 0;
  };

  /// The law of a pair but for e^-nats of P and of Q, or less; the same one as long as the pair lives. nullptr: it
  /// would take more atoms than is reasonable. Domain: has_analytic_law(pair).
  [[nodiscard]] static std::shared_ptr<const KnownLaw> of(const PairPtr& pair, double nats);

  KnownLaw(AnalyticLaw law, const DominatingPair& pair);
  ~KnownLaw();
  KnownLaw(const KnownLaw&) = delete;
  KnownLaw& operator=(const KnownLaw&) = delete;

  [[nodiscard]] const AnalyticLaw& law() const { return law_; }

  /// What the law's atoms take of a question, whether it is remembered or not.
  [[nodiscard]] double points_to_make() const { return points_to_make_; }

  /// density.box() of one of the law's densities.
  [[nodiscard]] std::optional<AnalyticDensity::Box> box(const AnalyticDensity& density, double a, double b,
                                                        double height) const;

  /// Atoms first, then Gauss's points panel by panel.
  template <class Real>
  [[nodiscard]] RatioGridOf<Real> grid(const std::vector<Panel>& panels) const;

 private:
  void append_points(RatioGrid& grid, const Panel& panel) const;
  void forget_points() const;

  AnalyticLaw law_;
  double points_to_make_ = 0;
  mutable std::mutex asking_;
  mutable std::map<std::tuple<const AnalyticDensity*, double, double>, RatioGrid> points_;
  mutable std::map<std::tuple<const AnalyticDensity*, double, double, double>, std::optional<AnalyticDensity::Box>>
      boxes_;
};

}  // namespace pld::contour
