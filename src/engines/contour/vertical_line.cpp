#include "engines/contour/vertical_line.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "core/work.hpp"
#include "engines/contour/grain.hpp"
#include "engines/contour/path_bound.hpp"
#include "engines/contour/rotation_sums.hpp"
#include "numeric/extended.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/well_above.hpp"
#include "pld/core/rounding.hpp"

namespace pld::contour {
namespace {
using std::numbers::pi;

constexpr double most_nodes = 1 << 20;
constexpr double negligible_nats = 32;  ///< for bounds on sums that need no more than a few digits

/// A node's own sines and readings take about as long as the sums over so many outcomes.
constexpr double cells_of_a_node = 40;

/// What a node's outcome costs, and a node that is read, in a question's points.
constexpr double points_a_term = 0.2, points_an_extended_term = 3, points_a_reading = 0.25;

/// Half of the lanes in which a line is read: their turn fits in registers.
using ReadPack = Eigen::Array<double, 4, 1>;
constexpr std::size_t read_halves = 2, read_lanes = read_halves * ReadPack::SizeAtCompileTime;

using ReadLanes = std::array<ReadPack, read_halves>;

double& read_lane(ReadLanes& all, std::size_t j) {
  return all[j / ReadPack::SizeAtCompileTime][static_cast<Eigen::Index>(j % ReadPack::SizeAtCompileTime)];
}

/// max over u > 0 of (1 - e^-u) e^{-nu u}, as a logarithm; nu >= 0.
double log_hinge_peak(double nu) { return nu == 0 ? 0 : -std::log1p(nu) - nu * std::log1p(1 / nu); }

/// The integrands (1 - e^{eps-z})_+, min(1, e^{eps-z}), (e^{eps-z} - 1)_+ are at most e^{log_factor + lambda (z -
/// eps)}.
double log_factor(Quantity quantity, double lambda) {
  switch (quantity) {
    case Quantity::delta:
      return log_hinge_peak(lambda);
    case Quantity::complement:
      return 0;
    case Quantity::reverse:
      break;
  }
  return log_hinge_peak(-1 - lambda);
}

/// An upper bound on K(lambda) over the bodies.
double cumulant_bound(const ComposedMoment& moment, double lambda) {
  constexpr double spare_nats = 9;  // below what the sum of all releases' errors may be
  double sum = moment.normal_square() * lambda * (lambda + 1) / 2;
  for (const SampledPart& part : moment.parts()) {
    Work::stop_if_late();
    const PathBound bound(part.ratio, part.body, part.cells, part.power(lambda), -negligible_nats);
    const double log_error = bound.log_cell_error(-std::log(std::max(1.0, part.count)) - spare_nats);
    if (!(log_error < -1)) return infinity;
    // true <= sum + error true
    const double log_moment = bound.moment().log_moment;
    const double more = part.log_grain_error(lambda, 0, log_moment);
    sum += part.count * (log_moment + bound.moment().rounding - std::log1p(-std::exp(log_error)) + log_sum(0.0, more));
  }
  for (const LawPart& part : moment.others()) {
    const auto bound = LawDecay::at(part, 1 + lambda);
    if (!bound || !(bound->log_error() < -1)) return infinity;
    sum += part.count() *
           (bound->moment().log_moment + bound->moment().rounding + std::log1p(std::exp(bound->log_error())));
  }
  for (const AllocatedPart& part : moment.allocated()) {
    if (!part.reaches(lambda)) return infinity;
    const MeanMoment own = part.moment(lambda);
    sum += part.count() * (static_cast<double>(own.log_moment) + own.error);
  }
  return well_above(sum);
}

/// A tilt beyond `lambda` and the period with which its bound makes the first alias e^-nats of the value.
struct AliasTilt {
  double lambda = 0, period = infinity;
};

/// side = +1: aliases at larger epsilon, side = -1: at smaller. A period of `enough` serves.
AliasTilt alias_tilt(const ComposedMoment& moment, const SaddlePoint& saddle, const Cumulant& at, double nats,
                     double enough, int side) {
  // How far the interval goes on this side.
  double room = infinity;
  if (saddle.quantity == Quantity::delta && side < 0) room = saddle.lambda;
  if (saddle.quantity == Quantity::complement) room = side > 0 ? -saddle.lambda : 1 + saddle.lambda;
  if (saddle.quantity == Quantity::reverse && side > 0) room = -1 - saddle.lambda;

  AliasTilt best;
  const auto improves = [&](double distance) {
    const double lambda = saddle.lambda + side * distance;
    if (!moment.resolves(lambda / 2)) return false;
    const double growth = moment.cumulant(lambda).value - at.value - side * distance * saddle.epsilon +
                          log_factor(saddle.quantity, lambda);
    const double period = (growth + nats) / distance;
    if (!(period > 0 && period < best.period)) return false;
    best = {lambda, period};
    return period > enough;
  };
  // The period is a convex function over a linear one: downhill from a normal law's best distance, either way.
  constexpr double factor = 1.4;
  double start = std::min(room, std::sqrt(2 * nats / at.variance));
  if (!(start < infinity) || !moment.resolves(saddle.lambda / 2)) return best;
  const auto is_known = [&](double distance) {
    const double lambda = saddle.lambda + side * distance;
    return moment.resolves(lambda / 2) && moment.cumulant(lambda).value < infinity;
  };
  const double nearest = start * 1e-6;
  bool goes_on = improves(start);
  while (best.period == infinity && start > nearest && !is_known(start)) goes_on = improves(start /= 2);
  if (!goes_on && best.period <= enough) return best;
  const double at_start = best.period;
  for (double distance = start * factor; distance < room * factor; distance *= factor)
    if (!improves(std::min(distance, room))) break;
  if (best.period < at_start) return best;
  for (double distance = start / factor; distance > nearest; distance /= factor)
    if (!improves(distance)) break;
  return best;
}

/// Chernoff's bound at another tilt, and the period with which it makes the first alias e^-nats of the value.
struct AliasBound {
  Chernoff tilt;
  double period = infinity;
};

/// As `alias_tilt`, certified. A body that was cut for the saddle's tilt may end before what a steeper one weighs most:
/// nearer tilts are tried where the bound says much more than the cells foretold.
AliasBound alias_bound(const ComposedMoment& moment, const SaddlePoint& saddle, const Cumulant& at, double nats,
                       double enough, int side) {
  constexpr double foretold = 1.2;
  AliasTilt tilt = alias_tilt(moment, saddle, at, nats, enough, side);
  const double wanted = foretold * std::max(enough, tilt.period);
  AliasBound best;
  for (int attempt = 0; attempt < 4 && tilt.period < infinity; ++attempt) {
    const double distance = tilt.lambda - saddle.lambda;
    const Chernoff bound{tilt.lambda, log_factor(saddle.quantity, tilt.lambda) + cumulant_bound(moment, tilt.lambda)};
    const double period = (bound.log_bound_at_zero - at.value - distance * saddle.epsilon + nats) / std::fabs(distance);
    if (period < best.period) best = {bound, std::max(period, tilt.period)};
    if (best.period <= wanted) break;
    tilt.lambda = saddle.lambda + distance / 2;
  }
  return best;
}

/// log of the integral over |Im t| > s of |1 / (t (t+1))| / (2 pi).
double log_kernel_tail(Quantity quantity, double lambda, double s) {
  // |t (t+1)| >= s^2, and >= c^2 + s^2 where both factors are at least c from the imaginary axis.
  const double c = quantity == Quantity::complement ? 0 : quantity == Quantity::delta ? lambda : -1 - lambda;
  return std::log((c > 0 ? std::atan2(c, s) / c : 1 / s) / pi);
}

/// Discrete Gaussians' moments are back at every period: the nodes beyond some are bounded piece by piece, up to a
/// break by what no half period has passed before.
std::vector<double> breaks_of(const ComposedMoment& moment) {
  std::set<double> breaks;
  // At few places in all: powers of 2, and nearer to where wide noise comes back of their fourth root.
  const auto add = [&](double period) {
    breaks.insert(std::exp2(std::floor(std::log2(period / 2))));
    breaks.insert(std::exp2(std::floor(4 * std::log2(0.9 * period)) / 4));
  };
  for (const DiscreteGaussianPart& part : moment.discrete()) add(part.period());
  for (const SampledPart& part : moment.parts())
    if (part.grain > 0) add(grain_period(part.ratio, part.grain));
  return {breaks.begin(), breaks.end()};
}

/// log of a bound on |M(lambda + is')| / M(lambda) of a part for all s' from some s to `until`, of which log_decay is
/// one where there is no grain.
double log_decay_until(const SampledPart& part, const PathBound& bound, double lambda, double log_decay, double until) {
  if (part.grain == 0) return log_decay;
  if (until == infinity) return 0;
  const double log_error = part.log_grain_error(lambda, until, bound.moment().log_moment);
  return std::min(0.0, log_sum(log_decay, log_error) + 2 * std::exp(log_error));
}

/// Where a tail comes down to its goal, looked for from below: it falls about as a power of the height, as the square
/// where all is normal and as a small one beside atoms.
class FallingTail {
 public:
  /// `most_step`: how many times as high the next height may be; large where a bound takes longer than many nodes.
  FallingTail(double goal, double most_step) : goal_(goal), most_step_(most_step) {}

  /// How many times as high to look next, from where the logarithm of the tail is above the goal.
  [[nodiscard]] double step_from(double height, double log_tail) {
    const double least_step = log_tail > 0.5 * goal_ ? 1.4 : 1.12;
    double step = least_step;
    if (log_tail_ < 0 && log_tail < log_tail_) {
      const double power = std::log(log_tail / log_tail_) / std::log(height / height_);
      step = std::max(least_step, std::min(most_step_, std::pow(goal_ / log_tail, 1 / power)));
    }
    log_tail_ = log_tail, height_ = height;
    return step;
  }

 private:
  double goal_, most_step_, log_tail_ = 0, height_ = 0;
};

/// What is left at any height.
double log_floor(const PathBound&) { return -infinity; }
double log_floor(const LawDecay& decay) { return decay.log_floor(); }

/// Next to `lambda`, and 1 + lambda is a double: moments are taken at the very tilt that the kernel has.
double with_exact_power(double lambda) {
  const double exact = (1 + lambda) - 1;
  return std::fabs(exact - lambda) <= 0.01 * std::fabs(lambda) ? exact : lambda;
}

}  // namespace

double log_chernoff(const ComposedMoment& moment, const SaddlePoint& saddle) {
  const double at_zero = log_factor(saddle.quantity, saddle.lambda) + cumulant_bound(moment, saddle.lambda);
  const double tilted = saddle.lambda * saddle.epsilon;
  return at_zero - tilted + 4 * unit_roundoff * (std::fabs(at_zero) + std::fabs(tilted));
}

std::optional<VerticalLine> VerticalLine::build(const ComposedMoment& moment, const SaddlePoint& saddle,
                                                double accuracy_nats, double most_work, Precision precision) {
  const double lambda = with_exact_power(saddle.lambda);
  const Cumulant at = moment.cumulant(lambda);
  if (!std::isfinite(at.value) || !(at.variance > 0)) return std::nullopt;
  // The value relative to e^{K - lambda eps}, and the size every error shall stay below.
  const double log_relative = saddle.log_value - (at.value - lambda * saddle.epsilon);
  const double goal = log_relative - accuracy_nats;

  VerticalLine line;
  line.quantity_ = saddle.quantity;
  line.lambda_ = lambda;
  line.log_lost_ = moment.log_lost();

  // Aliases: the rule's sum is the value at all epsilon + m period, weighted by e^{lambda m period}.
  const AliasBound below = alias_bound(moment, saddle, at, -goal, 0, -1);
  const AliasBound above = alias_bound(moment, saddle, at, -goal, below.period, 1);
  line.period_ = std::max(above.period, below.period);
  if (!std::isfinite(line.period_) || !(below.tilt.lambda < lambda && lambda < above.tilt.lambda)) return std::nullopt;
  line.above_ = above.tilt, line.below_ = below.tilt;
  // Rounded to 24 bits, so that every n * step is exact.
  line.step_ = static_cast<double>(static_cast<float>(2 * pi / line.period_));
  if (!(line.step_ > std::numeric_limits<float>::min())) return std::nullopt;
  line.period_ = 2 * pi / line.step_;

  const double log_counts = std::log(std::max(1.0, moment.counts()));
  std::vector<PathBound> bounds;
  bounds.reserve(moment.parts().size());
  for (const SampledPart& part : moment.parts())
    bounds.emplace_back(part.ratio, part.body, part.cells, part.power(lambda), goal - log_counts - 4);
  std::vector<LawDecay> decays;
  for (const LawPart& part : moment.others()) {
    auto decay = LawDecay::at(part, 1 + lambda);
    if (!decay) return std::nullopt;
    decays.push_back(std::move(*decay));
  }
  most_work = std::min(most_work, Work::left() / points_a_term);
  if (!line.reach_up(moment, bounds, decays, goal, at.variance, most_work)) return std::nullopt;
  // Where the tilts that are known end next to this one, aliases are near, and nodes many.
  constexpr std::size_t most_nodes_of_rays = 2000;
  if (!moment.allocated().empty() && line.last_ > most_nodes_of_rays) return std::nullopt;

  std::vector<std::vector<Panel>> panels;
  std::vector<std::vector<LawBlock>> law_blocks;
  double work = 0;
  for (std::size_t j = 0; j < bounds.size(); ++j) {
    panels.push_back(line.panels(moment.parts()[j], bounds[j], -accuracy_nats - log_counts));
    for (const Panel& panel : panels.back())
      work += static_cast<double>(panel.last + 1 - panel.first) * static_cast<double>(panel.per_cell) *
              static_cast<double>(bounds[j].last_cell() - bounds[j].first_cell());
  }
  for (std::size_t j = 0; j < decays.size(); ++j) {
    const LawPart& part = moment.others()[j];
    auto blocks = line.blocks(part, decays[j], -accuracy_nats - log_counts);
    if (!blocks) return std::nullopt;
    for (const LawBlock& block : *blocks)
      work += static_cast<double>(block.nodes.last + 1 - block.nodes.first) *
              static_cast<double>(part.law().atoms.size() + block.panels.size() * LawPart::points_a_panel);
    law_blocks.push_back(std::move(*blocks));
  }
  const std::size_t parts = bounds.size() + decays.size() + moment.discrete().size() + 1;
  const double of_nodes = cells_of_a_node * static_cast<double>(line.last_ + 1) * static_cast<double>(parts);
  const double points =
      of_nodes * points_a_term + work * (precision == Precision::extended ? points_an_extended_term : points_a_term);
  if (!(work < most_work && points < Work::left())) return std::nullopt;
  Work::take(points);

  const double square = moment.gaussian_square();
  line.cumulant_ = moment.normal_square() * lambda * (lambda + 1) / 2;
  line.cumulant_error_ = 10 * unit_roundoff * std::fabs(line.cumulant_);
  const std::size_t size = line.last_ + 1;
  Nodes nodes{std::vector<double>(size), std::vector<double>(size), std::vector<double>(size),
              std::vector<double>(size)};
  std::vector<double>& phase = nodes.phase;
  for (std::size_t n = 0; n < size; ++n) {
    const double s = static_cast<double>(n) * line.step_;
    nodes.log_amplitude[n] = -square * s * s / 2;
    phase[n] = square * (lambda + 0.5) * s;
    nodes.rounding[n] = 9 * unit_roundoff * (std::fabs(nodes.log_amplitude[n]) + std::fabs(phase[n]));
  }
  for (const DiscreteGaussianPart& part : moment.discrete()) line.add_discrete(part, nodes);
  for (const AllocatedPart& part : moment.allocated())
    if (!line.add_allocated(part, nodes)) return std::nullopt;
  for (std::size_t j = 0; j < bounds.size(); ++j) {
    if (precision == Precision::extended)
      line.add_part<long double>(moment.parts()[j], bounds[j], panels[j], nodes);
    else
      line.add_part<double>(moment.parts()[j], bounds[j], panels[j], nodes);
  }
  for (std::size_t j = 0; j < decays.size(); ++j) {
    if (precision == Precision::extended)
      line.add_law<long double>(moment.others()[j], decays[j], law_blocks[j], nodes);
    else
      line.add_law<double>(moment.others()[j], decays[j], law_blocks[j], nodes);
  }

  line.re_.resize(size);
  line.im_.resize(size);
  for (std::size_t n = 0; n < size; ++n) {
    const double amplitude = std::exp(nodes.log_amplitude[n]);
    // |prod (m + e)^k - prod m^k| <= prod (|m| + |e|)^k - prod |m|^k
    const double growth = nodes.log_growth[n] < 1 ? amplitude * std::expm1(nodes.log_growth[n])
                                                  : std::exp(nodes.log_amplitude[n] + nodes.log_growth[n]);
    const double error = growth + amplitude * (nodes.rounding[n] + unit_roundoff * (std::fabs(phase[n]) + 16));
    // 1 / (t (t+1)) = (a - ib) / (a^2 + b^2); node 0 counts by half.
    const double s = static_cast<double>(n) * line.step_, half = n == 0 ? 0.5 : 1;
    const double a = lambda * (lambda + 1) - s * s, b = s * (2 * lambda + 1);
    const double size2 = (lambda * lambda + s * s) * ((lambda + 1) * (lambda + 1) + s * s);
    const double cosine = amplitude * std::cos(phase[n]), sine = amplitude * std::sin(phase[n]);
    line.re_[n] = half * (cosine * a + sine * b) / size2;
    line.im_[n] = half * (sine * a - cosine * b) / size2;
    const double kernel = half / std::sqrt(size2);
    line.node_error_ += kernel * error;
    line.node_size_ += kernel * amplitude;
    line.node_height_ += kernel * amplitude * s;
  }
  return line;
}

bool VerticalLine::reach_up(const ComposedMoment& moment, const std::vector<PathBound>& bounds,
                            const std::vector<LawDecay>& decays, double goal, double variance, double most_work) {
  // Until what all further nodes can hold is below the goal: guessed from the cells, then certified.
  const std::vector<double> breaks = breaks_of(moment);
  const auto log_tail = [&](double s, const auto& log_decay) {
    double of_others = 0;
    for (std::size_t j = 0; j < decays.size(); ++j) of_others += moment.others()[j].count() * log_decay(decays[j]);
    std::vector<double> of_parts;
    for (const PathBound& bound : bounds) of_parts.push_back(log_decay(bound));
    double sum = -infinity;
    auto next = std::upper_bound(breaks.begin(), breaks.end(), s);
    for (double from = s; from < infinity;) {
      const double until = next == breaks.end() ? infinity : *next++;
      // Breaks are no nodes: the sum from one on is at most the integral from a step before.
      const double first = from > s ? std::max(s, from - step_) : s;
      double piece = log_kernel_tail(quantity_, lambda_, first) - moment.normal_decay() * from * from / 2 + of_others;
      for (const DiscreteGaussianPart& part : moment.discrete()) piece += part.count() * part.log_decay(from, until);
      for (const AllocatedPart& part : moment.allocated()) piece += part.count() * part.log_decay(lambda_, from);
      for (std::size_t j = 0; j < bounds.size(); ++j) {
        const SampledPart& part = moment.parts()[j];
        piece += part.count * log_decay_until(part, bounds[j], lambda_, of_parts[j], until);
      }
      sum = log_sum(sum, piece);
      from = until;
    }
    return sum;
  };
  double reach = std::sqrt(-2 * goal / variance);
  // Every node costs each law's cells at least, and the upper half of them, in all, about half the points at the top: a
  // line that will take more than it may is not looked at to its end.
  double cells = 1;
  for (const PathBound& bound : bounds) cells += static_cast<double>(bound.last_cell() - bound.first_cell());
  for (const LawPart& part : moment.others()) cells += static_cast<double>(part.cells().size());
  const double widest = step_ * std::min(most_nodes, most_work / (cells + cells_of_a_node));
  const auto affords = [&](double s) {
    double points = 0;
    for (const LawDecay& decay : decays) points += decay.points_to(s);
    return s < widest && s / step_ * points < 4 * most_work;
  };
  if (bounds.empty() && moment.allocated().empty() && moment.normal_decay() == 0 &&
      log_tail(widest, [](const auto& decay) { return log_floor(decay); }) > goal)
    return false;
  const auto ends_at = [&](double s, const auto& log_decay) {
    log_tail_ = log_tail(s, log_decay);
    last_ = static_cast<std::size_t>(std::ceil(s / step_));
    return log_tail_ <= goal;
  };
  // Bounds of a law take as long as so many terms: where normal laws leave fewer, none is asked for.
  constexpr double terms_of_bounds = 4e4;
  const double of_normal = std::sqrt(-2 * goal / moment.normal_decay());
  if (of_normal < widest && of_normal / step_ * cells < terms_of_bounds * static_cast<double>(decays.size()) &&
      ends_at(of_normal, [](const auto& /*bound*/) { return 0.0; }))
    return true;
  const auto guess = [&](double s) {
    return log_tail(s, [&](const auto& bound) { return bound.log_decay_estimate(s); }) - goal;
  };
  for (double excess = guess(reach); excess > 0 && affords(reach); excess = guess(reach))
    reach *= excess > 0.3 * -goal ? 1.3 : 1.1;
  // A few more nodes take less than another bound, and a little farther than the guess the first is most often enough.
  constexpr double farther = 1.15, few_points = 1e5;
  if (farther * reach / step_ * cells < few_points) reach *= farther;
  constexpr std::size_t many_laws = 16;
  FallingTail tail(goal, decays.size() > many_laws ? 2 : 1);
  while (true) {
    if (!affords(reach)) return false;
    if (ends_at(reach, [&](const auto& bound) { return bound.log_decay(reach); })) return true;
    reach *= tail.step_from(reach, log_tail_);
  }
}

// Node by node the integrand turns faster in x, and the kernel 1 / (t (t+1)) makes an error count less: panels of
// doubling height, one for the usual few nodes.
VerticalLine::Panel VerticalLine::block_of(std::size_t first) const {
  constexpr std::size_t shortest = 256;
  return {.first = first, .last = std::min(last_, std::max(shortest, 2 * first))};
}

double VerticalLine::relief(std::size_t first) const {
  const double bottom = static_cast<double>(first) * step_;
  return std::log(std::hypot(1.0, bottom / lambda_) * std::hypot(1.0, bottom / (lambda_ + 1)));
}

std::vector<VerticalLine::Panel> VerticalLine::panels(const SampledPart& part, const PathBound& bound,
                                                      double log_error) const {
  std::vector<Panel> result;
  for (std::size_t first = 0; first <= last_; first = result.back().last + 1) {
    Panel panel = block_of(first);
    const double top = static_cast<double>(panel.last) * step_;
    const PathBound::Strip strip = bound.best_strip(top, std::min(log_error + relief(first), -1.0));
    panel.per_cell = admissible_refinement(part.body.cell_width / strip.step);
    const double step = part.body.cell_width / static_cast<double>(panel.per_cell);
    const double of_grain = part.log_grain_error(lambda_, top, bound.moment().log_moment);
    panel.quadrature_error = std::exp(log_sum(bound.log_quadrature_error(strip, step, top), of_grain));
    result.push_back(panel);
  }
  return result;
}

std::optional<std::vector<VerticalLine::LawBlock>> VerticalLine::blocks(const LawPart& part, const LawDecay& decay,
                                                                        double log_error) const {
  const double rho = 1 + lambda_, log_moment = decay.moment().log_moment;
  std::vector<LawBlock> result;
  for (std::size_t first = 0; first <= last_; first = result.back().nodes.last + 1) {
    LawBlock block{block_of(first), {}};
    const double wanted = std::min(log_error + relief(first), -1.0) + log_moment;
    auto rule = part.rule(rho, static_cast<double>(block.nodes.last) * step_, wanted);
    if (!rule) return std::nullopt;
    block.panels = std::move(rule->panels);
    // What the cut leaves out of E[1] and of E[r] besides, where G - 1 is summed.
    const double log_cut = part.law().log_lost + std::log1p(2 * std::fabs(rho));
    block.nodes.quadrature_error = std::exp(log_sum(rule->log_error, log_cut) - log_moment) * (1 + 1e-9);
    result.push_back(std::move(block));
  }
  return result;
}

template <class Real>
void VerticalLine::add_part(const SampledPart& part, const PathBound& bound, const std::vector<Panel>& panels,
                            Nodes& nodes) {
  for (const Panel& panel : panels) {
    const auto per_cell = static_cast<std::size_t>(panel.per_cell);
    const std::size_t begin = bound.first_cell() * per_cell, size = bound.last_cell() * per_cell - begin;
    const Summed summed{part.count,
                        part.loss_sign(),
                        part.power(lambda_),
                        bound.moment().mean,
                        begin,
                        size,
                        panels.front().quadrature_error};
    if constexpr (std::is_same_v<Real, double>) {
      if (panel.per_cell == 1) {
        add_moments(part.cells, summed, panel, nodes);
        continue;
      }
    }
    add_moments(make_grid<Real>(part.ratio, part.body, panel.per_cell), summed, panel, nodes);
  }
}

template <class Real>
void VerticalLine::add_law(const LawPart& part, const LawDecay& decay, const std::vector<LawBlock>& blocks,
                           Nodes& nodes) {
  for (const LawBlock& block : blocks) {
    const auto grid = part.grid<Real>(block.panels);
    add_moments(
        grid,
        {part.count(), 1, 1 + lambda_, decay.moment().mean, 0, grid.size(), blocks.front().nodes.quadrature_error},
        block.nodes, nodes);
  }
}

void VerticalLine::add_discrete(const DiscreteGaussianPart& part, Nodes& nodes) const {
  for (std::size_t n = 0; n < nodes.phase.size(); ++n) {
    const auto ratio = part.at(lambda_, static_cast<double>(n) * step_);
    nodes.log_amplitude[n] += part.count() * ratio.log_size;
    nodes.log_growth[n] += part.count() * std::log1p(ratio.error);
    nodes.phase[n] += part.count() * ratio.phase;
    nodes.rounding[n] += part.count() * ratio.rounding + 3 * unit_roundoff * std::fabs(nodes.phase[n]);
  }
}

bool VerticalLine::add_allocated(const AllocatedPart& part, Nodes& nodes) {
  if (!part.reaches(lambda_)) return false;
  const auto ratios = part.ratios(lambda_, step_, last_);
  if (!ratios) return false;
  const MeanMoment moment = part.moment(lambda_);
  cumulant_ += static_cast<double>(part.count() * moment.log_moment);
  cumulant_error_ += part.count() * moment.error + 3 * unit_roundoff * std::fabs(cumulant_);
  for (std::size_t n = 0; n < nodes.phase.size(); ++n) {
    const auto& [log_size, phase, error] = (*ratios)[n];
    const long double turn = part.count() * part.loss_sign() * phase;
    const auto size = static_cast<double>(part.count() * log_size);
    nodes.log_amplitude[n] += size;
    nodes.log_growth[n] += part.count() * std::log1p(error);
    nodes.phase[n] += static_cast<double>(reduced_turn(turn));
    nodes.rounding[n] +=
        felt_rounding(2 * std::fabs(static_cast<double>(turn))) +
        unit_roundoff * (std::fabs(size) + 4 + 2 * std::fabs(nodes.phase[n]) + std::fabs(nodes.log_amplitude[n]));
  }
  return true;
}

template <class Real>
void VerticalLine::add_moments(const RatioGridOf<Real>& grid, const Summed& summed, const Panel& panel, Nodes& nodes) {
  const auto& [count, loss_sign, power, centre, begin, size, first_error] = summed;
  std::vector<Real> weights, angles(grid.size());
  const TiltedMoment tilted = tilt(grid, power, &weights, centre);
  for (std::size_t i = 0; i < grid.size(); ++i) angles[i] = (grid.log_ratio[i] - centre) * step_;
  const std::span<const Real> all_weights(weights), all_angles(angles);
  const RotationSums sums =
      rotation_sums(all_weights.subspan(begin, size), all_angles.subspan(begin, size), panel.first, panel.last);
  if (panel.first == 0) {
    cumulant_ += count * tilted.log_moment;
    cumulant_error_ += count * tilted.rounding + 2 * unit_roundoff * std::fabs(cumulant_);
  }
  // Relative to the first panel's G(rho): each panel's own is off by its quadrature error and rounding.
  const double common = first_error + 2 * panel.quadrature_error + (panel.first == 0 ? 0 : 2 * tilted.rounding);
  const double sum_rounding = round_off<Real> * (static_cast<double>(size) / 8 + 16);
  for (std::size_t n = panel.first; n <= panel.last; ++n) {
    // M(lambda + is) / M(lambda) = e^{is centre} (1 + x + iy)
    const double s = static_cast<double>(n) * step_;
    const double x = -sums.one_less_cosine[n - panel.first], y = sums.sine[n - panel.first];
    const double excess = x * (2 + x) + y * y;
    // A sum of 0 has no logarithm: the least positive size in its place is within x's own rounding.
    const double square =
        x > -0.5 ? 1 + excess : std::max((1 + x) * (1 + x) + y * y, std::numeric_limits<double>::min());
    const double log_size = 0.5 * (x > -0.5 ? std::log1p(excess) : std::log(square));
    // A sum's rounding goes by its terms' sizes; what is made of both sums, as doubles, by theirs.
    const double terms = std::fabs(x) + std::min(1.0, s * tilted.spread * (1 + 1e-9));
    const double error = common + std::min(2.0, s * tilted.phase_rounding) + sum_rounding * terms +
                         16 * unit_roundoff * (std::fabs(x) + std::fabs(y));
    nodes.log_amplitude[n] += count * log_size;
    nodes.log_growth[n] += count * std::log1p(error / std::sqrt(square));
    nodes.phase[n] += count * loss_sign * (s * centre + std::atan2(y, 1 + x));
    nodes.rounding[n] +=
        unit_roundoff * (count * (4 * std::fabs(log_size) + 3 * std::fabs(s * centre)) + 3 * std::fabs(nodes.phase[n]));
  }
}

LineValue VerticalLine::value(double epsilon) const {
  // The sum of Re e^{K(t) - K(lambda) - i eps s} / (t (t+1)), t = lambda + is. In each lane the factor e^{-i eps s}
  // turns by a fixed angle, `read_lanes` nodes at a time: a complex product, begun afresh every so many, each product
  // off by 3 u (Brent, Percival, Zimmermann 2007) and the angle's own factor by 2 u and a rounding of the angle.
  constexpr std::size_t fresh = 16, block = fresh * read_lanes;
  const std::size_t size = re_.size();
  Work::note(points_a_reading * static_cast<double>(size));
  const double angle = epsilon * (read_lanes * step_), turn_re = std::cos(angle), turn_im = -std::sin(angle);
  ReadLanes ahead_re, ahead_im;
  for (std::size_t j = 0; j < read_lanes; ++j) {
    const double ahead = epsilon * (static_cast<double>(j) * step_);
    read_lane(ahead_re, j) = std::cos(ahead), read_lane(ahead_im, j) = -std::sin(ahead);
  }
  long double sum = 0, slope_sum = 0;
  for (std::size_t first = 0; first < size; first += block) {
    const double start = epsilon * (static_cast<double>(first) * step_);
    const double start_re = std::cos(start), start_im = -std::sin(start);
    const std::size_t end = std::min(first + block, size), last = first + (end - first) / read_lanes * read_lanes;
    for (std::size_t half = 0; half < read_halves; ++half) {
      ReadPack re = start_re * ahead_re[half] - start_im * ahead_im[half],
               im = start_re * ahead_im[half] + start_im * ahead_re[half];
      ReadPack sums = ReadPack::Zero(), slope_sums = ReadPack::Zero();
      std::size_t n = first + half * ReadPack::SizeAtCompileTime;
      ReadPack number = ReadPack(0, 1, 2, 3) + static_cast<double>(n);
      for (; n < last; n += read_lanes) {
        const Eigen::Map<const ReadPack> node_re(re_.data() + n), node_im(im_.data() + n);
        sums += re * node_re - im * node_im;
        slope_sums += number * (im * node_re + re * node_im);
        const ReadPack next = re * turn_re - im * turn_im;
        im = re * turn_im + im * turn_re;
        re = next;
        number += read_lanes;
      }
      for (std::size_t j = 0; j < ReadPack::SizeAtCompileTime && n + j < end; ++j) {
        const auto at = static_cast<Eigen::Index>(j);
        sums[at] += re[at] * re_[n + j] - im[at] * im_[n + j];
        slope_sums[at] += static_cast<double>(n + j) * (im[at] * re_[n + j] + re[at] * im_[n + j]);
      }
      for (const double one : sums) sum += one;
      for (const double one : slope_sums) slope_sum += one;
    }
  }
  constexpr double products = 6 * (fresh + 1) + 24;
  double error =
      node_error_ * (1 + 1e-9) + felt_rounding(static_cast<double>(size) / fresh + 1) * node_size_ +
      unit_roundoff * (products * node_size_ + std::fabs(epsilon) * (2 * node_height_ + block * step_ * node_size_));
  const double sign = quantity_ == Quantity::complement ? -1 : 1;
  const double relative = sign * static_cast<double>(sum) * step_ / pi;
  const double exponent = cumulant_ - lambda_ * epsilon;
  error = error * step_ / pi * (1 + 1e-9) + 4 * unit_roundoff * std::fabs(relative);

  const auto alias = [&](const Chernoff& bound) {
    const double distance = std::fabs(bound.lambda - lambda_) * period_;
    return std::exp(bound.log_bound_at_zero - bound.lambda * epsilon - exponent) / std::expm1(distance);
  };
  // Aliases and nodes are terms of the rule's sum: aliases only ever add, the nodes left out may do either.
  const double tail = std::exp(log_tail_), aliases = (alias(above_) + alias(below_)) * (1 + 1e-9);
  const double lost = std::exp(log_lost_ - exponent + (quantity_ == Quantity::reverse ? epsilon : 0));
  const double lower = relative - error - tail - aliases, upper = relative + error + tail + lost;
  const double slack =
      cumulant_error_ + unit_roundoff * (2 * std::fabs(lambda_ * epsilon) + 3 * std::fabs(exponent) + 16);
  LineValue result;
  result.log_value = exponent + std::log(relative);
  result.log_lower = lower > 0 ? exponent + std::log(lower) - slack : -infinity;
  result.log_upper = exponent + std::log(upper) + slack;
  result.slope = static_cast<double>(step_ * slope_sum / sum) - lambda_;
  if (!(relative > 0)) result.log_value = result.log_lower;
  if (std::isnan(result.log_upper)) result.log_upper = infinity;
  return result;
}

}  // namespace pld::contour
