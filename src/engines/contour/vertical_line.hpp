#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engines/contour/composed_moment.hpp"
#include "engines/contour/law_part.hpp"
#include "engines/contour/path_bound.hpp"
#include "engines/contour/saddle_point.hpp"
#include "lattice/convolve.hpp"

namespace pld::contour {

/// A certified value of the integral, as logarithms.
struct LineValue {
  double log_lower = 0, log_value = 0, log_upper = 0;
  double slope = 0;  ///< d log value / d epsilon, not certified
};

/// Chernoff's bound on a quantity from another tilt: quantity(e) <= e^{log_bound_at_zero - lambda e}.
struct Chernoff {
  double lambda = 0, log_bound_at_zero = 0;
};

/// The moment function on the nodes lambda + i n step of a vertical line, with everything that bounds what the
/// trapezoidal rule on them is off. Epsilon enters only the read-out: one line serves all epsilon near the one it was
/// built for.
class VerticalLine {
 public:
  /// Each error but rounding is kept below e^-accuracy_nats of the value, as far as the saddle point foretells that.
  /// std::nullopt: it takes more than `most_work` (nodes times outcomes, about 1.5 ns each, 20 ns in long doubles), the
  /// moment function decays too slowly.
  [[nodiscard]] static std::optional<VerticalLine> build(const ComposedMoment& moment, const SaddlePoint& saddle,
                                                         double accuracy_nats, double most_work,
                                                         Precision precision = Precision::standard);

  [[nodiscard]] LineValue value(double epsilon) const;
  [[nodiscard]] std::size_t nodes() const { return re_.size(); }
  [[nodiscard]] Quantity quantity() const { return quantity_; }

 private:
  /// The nodes first..last and the outcomes their moments are summed over: the higher up, the finer.
  struct Panel {
    std::size_t first = 0, last = 0;
    long per_cell = 1;
    double quadrature_error = 0;
  };
  /// The moments of one law at all nodes, accumulated.
  struct Nodes {
    std::vector<double> log_amplitude, log_growth, rounding, phase;
  };
  /// The same of a law of points.
  struct LawBlock {
    Panel nodes;
    std::vector<LawPart::Panel> panels;
  };
  /// What is summed over the outcomes [begin, begin + size) of a grid, and how it counts.
  struct Summed {
    double count = 1, loss_sign = 1, power = 1, centre = 0;
    std::size_t begin = 0, size = 0;
    double first_error = 0;  ///< the quadrature error of the panel that M(lambda) is taken from
  };
  [[nodiscard]] bool reach_up(const ComposedMoment& moment, const std::vector<PathBound>& bounds,
                              const std::vector<LawDecay>& decays, double goal, double variance, double most_work);
  [[nodiscard]] Panel block_of(std::size_t first) const;
  [[nodiscard]] double relief(std::size_t first) const;
  /// std::nullopt: more points than are worth it.
  [[nodiscard]] std::optional<std::vector<LawBlock>> blocks(const LawPart& part, const LawDecay& decay,
                                                            double log_error) const;
  [[nodiscard]] std::vector<Panel> panels(const SampledPart& part, const PathBound& bound, double log_error) const;
  /// The rule's sums over outcomes in Real: their rounding is what the counts multiply.
  template <class Real>
  void add_part(const SampledPart& part, const PathBound& bound, const std::vector<Panel>& panels, Nodes& nodes);
  template <class Real>
  void add_law(const LawPart& part, const LawDecay& decay, const std::vector<LawBlock>& blocks, Nodes& nodes);
  void add_discrete(const DiscreteGaussianPart& part, Nodes& nodes) const;
  /// false: moments that are out of reach.
  [[nodiscard]] bool add_allocated(const AllocatedPart& part, Nodes& nodes);
  template <class Real>
  void add_moments(const RatioGridOf<Real>& grid, const Summed& summed, const Panel& panel, Nodes& nodes);

  Quantity quantity_ = Quantity::delta;
  double lambda_ = 1, step_ = 0, period_ = 0;
  std::size_t last_ = 0;  ///< the last node
  double cumulant_ = 0, cumulant_error_ = 0;
  Chernoff above_, below_;  ///< bound the aliases to the right and to the left
  double log_tail_ = 0;     ///< of the nodes left out, relative to e^{cumulant - lambda epsilon}
  double log_lost_ = 0;
  std::vector<double> re_, im_;             ///< e^{K(t) - K(lambda)} / (t (t+1)) at the nodes, node 0 by half
  double node_error_ = 0;                   ///< absolute bound on what they are off, summed
  double node_size_ = 0, node_height_ = 0;  ///< sums of their moduli, and of those times Im t
};

/// Chernoff's bound on the log of the quantity at the saddle's epsilon, certified.
[[nodiscard]] double log_chernoff(const ComposedMoment& moment, const SaddlePoint& saddle);

}  // namespace pld::contour
