#include "engines/contour/known_law.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <type_traits>
#include <vector>

#include "core/work.hpp"
#include "pairs/loss_cuts.hpp"
#include "pairs/remembered.hpp"

namespace pld::contour {
namespace {

using Gauss = boost::math::quadrature::gauss<long double, KnownLaw::points_a_panel>;

template <class Real>
auto columns(RatioGridOf<Real>& grid) {
  return std::array{&grid.log_weight,      &grid.weight,       &grid.excess,    &grid.weighted_excess, &grid.log_ratio,
                    &grid.log_less_excess, &grid.weight_units, &grid.log_units, &grid.excess_units};
}

template <class Real>
void add_point(RatioGridOf<Real>& grid, const LawPoint& point, long double log_weight) {
  const auto loss = static_cast<Real>(point.loss), log_q = static_cast<Real>(point.log_q + log_weight);
  const Real excess = std::expm1(loss), weight = std::exp(log_q);
  const Real loss_units = static_cast<Real>(point.loss_error / round_off<Real>) + 4 * std::fabs(loss);
  grid.log_weight.push_back(log_q);
  grid.weight.push_back(weight);
  grid.excess.push_back(excess);
  grid.weighted_excess.push_back(std::isfinite(excess) ? weight * excess : std::exp(log_q + loss));
  grid.log_ratio.push_back(loss);
  grid.log_less_excess.push_back(-expm1_less(loss));
  grid.weight_units.push_back(static_cast<Real>(point.log_q_error / round_off<Real>) + 4 * (1 + std::fabs(log_q)));
  grid.log_units.push_back(loss_units);
  // r - 1 is off by r times what the loss is off.
  const Real share = loss > 1 ? 2 : std::fabs(loss) > 0 ? (1 + excess) / std::fabs(excess) : 1;
  grid.excess_units.push_back(share * loss_units);
}

template <class Real>
void append(RatioGridOf<Real>& grid, RatioGridOf<Real>& part) {
  const auto into = columns(grid), from = columns(part);
  for (std::size_t i = 0; i < into.size(); ++i) into[i]->insert(into[i]->end(), from[i]->begin(), from[i]->end());
}

template <class Real>
RatioGridOf<Real> grid_of(const KnownLaw::Panel& panel) {
  const auto& nodes = Gauss::abscissa();
  const auto& weights = Gauss::weights();
  const long double h = (static_cast<long double>(panel.to) - panel.from) / 2, middle = panel.from + h;
  RatioGridOf<Real> grid;
  for (auto* column : columns(grid)) column->reserve(KnownLaw::points_a_panel);
  for (const long double sign : {-1.0L, 1.0L})
    for (std::size_t i = 0; i < nodes.size(); ++i)
      add_point(grid, panel.density->at(middle + sign * h * nodes[i]), std::log(h * weights[i]));
  return grid;
}

/// What is kept of a law at most, and of all laws; beyond it is worked out afresh.
constexpr std::size_t most_boxes = 20000, most_panels_kept = 6000, most_panels_of_all = 30000;

/// How many panels all laws keep: of a hundred kinds they were half a gigabyte.
std::atomic<std::size_t> panels_of_all{0};

/// What a law's outcome takes of a question, whether it is remembered or not.
constexpr double points_an_outcome = 20;

/// A pair's law by the nats it is cut at, infinity where nothing of it is lost.
class Cuts {
 public:
  std::shared_ptr<const KnownLaw> at(const DominatingPair& pair, double nats) {
    const std::lock_guard lock(asking_);
    for (const double serves : {infinity, nats})
      if (const auto found = laws_.find(serves); found != laws_.end()) return found->second;
    auto law = analytic_law(pair, -nats);
    if (!law) return laws_[nats] = nullptr;
    const double serves = law->log_lost == -infinity ? infinity : nats;
    return laws_[serves] = std::make_shared<const KnownLaw>(std::move(*law), pair);
  }

 private:
  std::mutex asking_;
  std::map<double, std::shared_ptr<const KnownLaw>> laws_;
};

/// A few more, so that like questions meet in the same cut: which one is told by the question alone.
double shared_nats(double nats) {
  const double step = std::exp2(std::floor(std::log2(nats)) - 2);
  return step * std::ceil(nats / step);
}

}  // namespace

std::shared_ptr<const KnownLaw> KnownLaw::of(const PairPtr& pair, double nats) {
  static Remembered<std::shared_ptr<Cuts>> remembered;
  return remembered.of({{pair, 1}}, [] { return std::make_shared<Cuts>(); })->at(*pair, shared_nats(nats));
}

KnownLaw::KnownLaw(AnalyticLaw law, const DominatingPair& pair) : law_(std::move(law)) {
  const auto atoms = static_cast<double>(law_.atoms.size());
  constexpr double cells_an_error = 20, errors = 64;
  points_to_make_ = points_of_cell(pair) * (atoms + cells_an_error * std::min(errors, atoms));
}

KnownLaw::~KnownLaw() { forget_points(); }

void KnownLaw::forget_points() const {
  panels_of_all -= points_.size();
  points_.clear();
}

std::optional<AnalyticDensity::Box> KnownLaw::box(const AnalyticDensity& density, double a, double b,
                                                  double height) const {
  const std::lock_guard lock(asking_);
  if (boxes_.size() > most_boxes) boxes_.clear();
  const auto [at, is_new] = boxes_.try_emplace({&density, a, b, height});
  if (is_new) at->second = density.box(a, b, height);
  return at->second;
}

void KnownLaw::append_points(RatioGrid& grid, const Panel& panel) const {
  const std::lock_guard lock(asking_);
  const std::tuple place{panel.density, panel.from, panel.to};
  if (const auto known = points_.find(place); known != points_.end()) return append(grid, known->second);
  RatioGrid points = grid_of<double>(panel);
  append(grid, points);
  if (points_.size() > most_panels_kept) forget_points();
  if (panels_of_all >= most_panels_of_all) return;
  ++panels_of_all;
  points_.emplace(place, std::move(points));
}

template <class Real>
RatioGridOf<Real> KnownLaw::grid(const std::vector<Panel>& panels) const {
  const std::size_t size = law_.atoms.size() + panels.size() * points_a_panel;
  Work::take(points_an_outcome * static_cast<double>(size));
  RatioGridOf<Real> grid;
  grid.sums_to_one = law_.sums_to_one;
  grid.missing = std::exp(law_.log_infinite_q);
  grid.missing_ratio = std::exp(law_.log_infinite_p);
  for (auto* column : columns(grid)) column->reserve(size);
  for (const LawPoint& atom : law_.atoms) add_point(grid, atom, 0);
  for (const Panel& panel : panels) {
    if constexpr (std::is_same_v<Real, double>) {
      append_points(grid, panel);
    } else {
      RatioGridOf<Real> part = grid_of<Real>(panel);
      append(grid, part);
    }
  }
  return grid;
}

template RatioGridOf<double> KnownLaw::grid(const std::vector<Panel>&) const;
template RatioGridOf<long double> KnownLaw::grid(const std::vector<Panel>&) const;

}  // namespace pld::contour
