#include "engines/contour/law_part.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>

#include "core/work.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/rounding.hpp"

namespace pld::contour {
namespace {
constexpr std::size_t most_panels = 4000;
using std::numbers::pi;

/// The largest of |r^rho| on a box, as a logarithm.
double log_power(const AnalyticDensity::Box& box, double rho) {
  return rho * (rho > 0 ? box.most_loss : box.least_loss);
}

/// log of a bound on the error of n-point Gauss for q r^{rho + is'}, |s'| <= s, and for the functions q and q rho (r -
/// 1) besides: 64/15 M h rho^{-2n} / (1 - rho^{-2}) for an interval 2 h long and M the maximum on the ellipse whose
/// half axes are h (rho +- 1/rho) / 2 (Trefethen 2013, theorem 19.3: exact to degree 2n - 1, positive weights of sum 2,
/// and Chebyshev coefficients of at most 2 M rho^-k).
double log_panel_error(const KnownLaw& law, const LawPart::Panel& panel, double power, double s, double enough) {
  const double h = (panel.to - panel.from) / 2, middle = panel.from + h;
  double best = infinity;
  for (const double rho : {3.3, 5.0, 2.2, 7.5, 1.5, 11.0, 17.0}) {
    const double half = h * (rho + 1 / rho) / 2, height = h * (rho - 1 / rho) / 2;
    const auto box = law.box(*panel.density, middle - half, middle + half, height);
    if (!box) continue;
    const double turned = log_power(*box, power) + s * box->most_turn * height;
    const double linear = std::log1p(std::fabs(power)) + log_sum(0.0, box->most_loss);
    const double error = std::log(64.0 / 15 * h) + box->log_q + log_sum(turned, linear) -
                         2 * static_cast<double>(LawPart::points_a_panel) * std::log(rho) -
                         std::log1p(-1 / (rho * rho));
    best = std::min(best, error + 1e-9);
    if (best <= enough) break;
  }
  return best;
}

/// A sine and a cosine each.
void note_oscillations(std::size_t count) {
  constexpr double points = 5;
  Work::note(points * static_cast<double>(count));
}

/// Takes as many points, if there are as many.
bool affords_points(double points) {
  if (points > Work::left()) return false;
  Work::note(points);
  return true;
}

/// Takes what looking at a panel of a density costs, more where its points cost more than a normal one's; whether that
/// is affordable.
bool affords_test_of(const AnalyticDensity& density) {
  constexpr double points_of_a_test = 100;
  constexpr std::size_t looked_at = 6;
  return affords_points(points_of_a_test + density.cost() * static_cast<double>(looked_at + LawPart::points_a_panel));
}

/// Halves panels until `good(panel)`. false: too many, or too little work left.
template <class Good>
bool halve_until(std::vector<LawPart::Panel>& panels, const Good& good) {
  std::vector<LawPart::Panel> done, open(panels.rbegin(), panels.rend());
  while (!open.empty()) {
    const LawPart::Panel panel = open.back();
    open.pop_back();
    if (!affords_test_of(*panel.density)) return false;
    if (good(panel)) {
      done.push_back(panel);
      continue;
    }
    const double middle = panel.from + (panel.to - panel.from) / 2;
    if (done.size() + open.size() > most_panels || !(panel.from < middle && middle < panel.to)) return false;
    open.push_back({panel.density, middle, panel.to});
    open.push_back({panel.density, panel.from, middle});
  }
  panels = std::move(done);
  return true;
}

}  // namespace

bool LawPart::cut(double nats, double lambda) {
  auto known = KnownLaw::of(pair_, nats);
  if (!known) return false;
  if (known != known_) {
    if (!affords_points(known->points_to_make())) return false;
    known_ = std::move(known);
    resolved_ = -1;
  }
  if (resolves(lambda)) return true;
  std::vector<Panel> panels;
  for (const auto& density : law().densities) panels.push_back({density.get(), density->from(), density->to()});
  const double most_power = 2 * std::fabs(lambda) + 2;
  constexpr double smooth = 6;  // nats over a panel
  const auto is_smooth = [&](const Panel& panel) {
    const auto box = known_->box(*panel.density, panel.from, panel.to, (panel.to - panel.from) / 2);
    if (!box) return false;
    const double change =
        static_cast<double>(std::fabs(panel.density->at(panel.to).log_q - panel.density->at(panel.from).log_q));
    return most_power * (box->most_loss - box->least_loss) + change <= smooth;
  };
  if (!halve_until(panels, is_smooth)) return false;
  panels_ = std::move(panels);
  resolved_ = std::max(2 * std::fabs(lambda), 1.0);
  cells_ = grid<double>(panels_);
  return true;
}

std::optional<LawPart::Rule> LawPart::rule(double rho, double s, double log_error) const {
  Rule result{panels_, -infinity};
  const double each = log_error - std::log(4.0 * static_cast<double>(std::max<std::size_t>(1, panels_.size())));
  const auto is_good = [&](const Panel& panel) {
    const double error = log_panel_error(*known_, panel, rho, s, each);
    if (!(error <= each)) return false;
    result.log_error = log_sum(result.log_error, error);
    return true;
  };
  if (!halve_until(result.panels, is_good)) return std::nullopt;
  return result;
}

template <class Real>
RatioGridOf<Real> LawPart::grid(const std::vector<Panel>& panels) const {
  return known_->grid<Real>(panels);
}

std::optional<LawDecay> LawDecay::at(const LawPart& part, double rho) {
  LawDecay result(part, rho);
  // Relative to what the cells make of the moment.
  const double about = tilted_cumulant(part.cells(), rho).value;
  constexpr double negligible_nats = 32;
  const auto rule = part.rule(rho, 0, about - negligible_nats);
  if (!rule) return std::nullopt;
  const RatioGrid grid = part.grid<double>(rule->panels);
  std::vector<double> weights;
  result.moment_ = tilt(grid, rho, &weights);
  const double log_moment = result.moment_.log_moment;
  result.log_error_ = rule->log_error - log_moment;
  const std::size_t atoms = part.law().atoms.size();
  double lowest = infinity, highest = -infinity;
  for (std::size_t i = 0; i < atoms; ++i) {
    result.atoms_ += weights[i];
    lowest = std::min(lowest, grid.log_ratio[i]);
    highest = std::max(highest, grid.log_ratio[i]);
  }
  // Above every doubt: the weights' own rounding, and the rule's.
  const double slack = 1 + 1e-9 + std::exp(result.log_error_);
  result.atoms_ *= slack;
  std::size_t point = atoms;
  const AnalyticDensity* last = nullptr;
  for (const LawPart::Panel& panel : rule->panels) {
    if (panel.density != last) result.shares_.push_back(0);
    last = panel.density;
    for (std::size_t i = 0; i < LawPart::points_a_panel; ++i) result.shares_.back() += weights[point++];
  }
  for (double& share : result.shares_) share = share * slack + std::exp(result.log_error_);
  for (const auto& density : part.law().densities) {
    lowest = std::min(lowest, static_cast<double>(density->at(density->from()).loss));
    highest = std::max(highest, static_cast<double>(density->at(density->to()).loss));
  }
  result.range_ = (highest - lowest) * (1 + 1e-9) + 1e-300;
  return result;
}

std::optional<LawDecay::Path> LawDecay::path(const AnalyticDensity& density, double height) const {
  Path path;
  const auto size = [&](const AnalyticDensity::Box& box) {
    return std::exp(box.log_q + log_power(box, rho_) - moment_.log_moment + 1e-9);
  };
  double last_height = 0;
  const auto rise = [&](double x, double to) {
    if (to == last_height) return true;
    const auto box = part_->known().box(density, x, x, std::max(last_height, to));
    if (!box || !(box->least_turn > 0)) return false;
    path.risers.push_back({size(*box), box->least_turn, std::min(last_height, to), std::max(last_height, to)});
    last_height = to;
    return true;
  };
  for (const LawPart::Panel& panel : part_->panels()) {
    if (panel.density != &density) continue;
    // As high as that, or as it may be here: next to a singularity not far, and about as far as next to it.
    const double width = panel.to - panel.from;
    double here = last_height > 0 ? std::min(height, std::max(width, 4 * last_height)) : height;
    const auto box_here = [&] { return part_->known().box(density, panel.from, panel.to, here); };
    auto box = box_here();
    for (; !(box && box->least_turn > 0); box = box_here())
      if ((here /= 2) < width / 16) return std::nullopt;
    if (!rise(panel.from, here)) return std::nullopt;
    path.across.push_back({width * size(*box), box->least_turn * here});
  }
  if (!rise(density.to(), 0)) return std::nullopt;
  return path;
}

/// Made when they are asked for first: most tilts are asked for their moment alone.
const std::vector<LawDecay::Paths>& LawDecay::paths() const {
  constexpr int heights = 10;
  if (paths_.size() == shares_.size()) return paths_;
  for (const auto& density : part_->law().densities) {
    Paths paths{.by_height = {}, .share = shares_[paths_.size()]};
    const double middle = density->from() + (density->to() - density->from()) / 2;
    if (const auto box = density->box(middle, middle, 0); box && box->most_turn > 0) {
      double height = 6 / box->most_turn;
      for (int i = 0; i < heights; ++i, height /= 2)
        if (auto found = path(*density, height)) paths.by_height.push_back(std::move(*found));
    }
    paths_.push_back(std::move(paths));
  }
  return paths_;
}

/// A bound on |G(rho + is')| / G(rho) for all s' >= s: the mass of the atoms, and for each density a path above the
/// real axis, along which |r^{is}| = e^{-s arg r}.
double LawDecay::far(double s) const {
  double sum = atoms_;
  for (const Paths& of_density : paths()) sum += of_density.least(s);
  return sum;
}

double LawDecay::Path::size(double s) const {
  double size = 0;
  for (const Across& part : across) size += part.size * std::exp(-s * part.fall);
  for (const Riser& riser : risers)
    size += riser.size * std::exp(-s * riser.rate * riser.from) * std::min(riser.to - riser.from, 1 / (s * riser.rate));
  return size * (1 + 1e-9);
}

/// Every path is a bound. The best height changes little from one s to the next: its neighbours are looked at, and all
/// heights where the last one says nothing.
double LawDecay::Paths::least(double s) const {
  double best = share;
  const auto look = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, by_height.size()); ++i) {
      const double size = by_height[i].size(s);
      if (!(size < best)) continue;
      best = size;
      near = i;
    }
  };
  look(near > 0 ? near - 1 : 0, near + 2);
  if (best == share) look(0, by_height.size());
  return best;
}

double LawDecay::log_floor() const { return std::min(0.0, std::log(atoms_)); }

const LawDecay::Points& LawDecay::points(double s) const {
  if (s <= points_.s && s > points_.s / 64) return points_;
  points_ = {};
  const double reach = 2 * s, small = std::min(1.0, s * s * moment_.variance);
  const auto rule = part_->rule(rho_, reach, moment_.log_moment + std::log(1e-7 * small));
  if (!rule) return points_;
  points_.s = reach;
  points_.error = std::exp(rule->log_error - moment_.log_moment) * (1 + 1e-9);
  const RatioGrid grid = part_->grid<double>(rule->panels);
  std::vector<double> weights;
  (void)tilt(grid, rho_, &weights);
  // Next to a singularity panels are many, and hold next to nothing: a gain is no more without them.
  constexpr double negligible = 1e-13;
  const auto keep = [&](std::size_t begin, std::size_t end) {
    points_.log_ratios.insert(points_.log_ratios.end(), grid.log_ratio.begin() + static_cast<std::ptrdiff_t>(begin),
                              grid.log_ratio.begin() + static_cast<std::ptrdiff_t>(end));
    points_.weights.insert(points_.weights.end(), weights.begin() + static_cast<std::ptrdiff_t>(begin),
                           weights.begin() + static_cast<std::ptrdiff_t>(end));
  };
  std::size_t begin = part_->law().atoms.size();
  keep(0, begin);
  for (const LawPart::Panel& panel : rule->panels) {
    const std::size_t end = begin + LawPart::points_a_panel;
    const auto from = weights.begin() + static_cast<std::ptrdiff_t>(begin);
    if (std::accumulate(from, from + LawPart::points_a_panel, 0.0) > negligible) {
      keep(begin, end);
      points_.panels.push_back(panel);
    }
    begin = end;
  }
  return points_;
}

double LawDecay::points_to(double s) const {
  const Points& at = points(s);
  return at.s >= s ? static_cast<double>(at.weights.size()) : infinity;
}

/// A lower bound on 1 - |G(rho + is')|^2 / G(rho)^2 for all s' from s to `until`. It is E[1 - cos s'(Z - Z')] of two
/// independent tilted losses, at least that of those within pi / until of each other, for which it grows with s'.
double LawDecay::near_gain(double s, double until) const {
  const Points& at = points(s);
  if (!(at.s >= s)) return 0;
  note_oscillations(at.weights.size());
  const double half = pi / until / 2 * (1 - 1e-9), centre = moment_.mean;
  const bool all = 2 * half >= range_;
  double mass = 0, versine = 0, sine = 0;
  std::size_t panels = 0;
  const auto add = [&](std::size_t i) {
    const double angle = s * (at.log_ratios[i] - centre), half_sine = std::sin(angle / 2);
    mass += at.weights[i];
    versine += at.weights[i] * 2 * half_sine * half_sine;
    sine += at.weights[i] * std::sin(angle);
  };
  const auto inside = [&](double loss) { return all || std::fabs(loss - centre) <= half; };
  const std::size_t atoms = part_->law().atoms.size();
  for (std::size_t i = 0; i < atoms; ++i)
    if (inside(at.log_ratios[i])) add(i);
  for (std::size_t j = 0; j < at.panels.size(); ++j) {
    const LawPart::Panel& panel = at.panels[j];
    if (!all && !(inside(static_cast<double>(panel.density->at(panel.from).loss)) &&
                  inside(static_cast<double>(panel.density->at(panel.to).loss))))
      continue;
    ++panels;
    for (std::size_t i = 0; i < LawPart::points_a_panel; ++i) add(atoms + j * LawPart::points_a_panel + i);
  }
  const double gain = 2 * mass * versine - versine * versine - sine * sine;
  return gain - 1e-9 * mass * versine - (panels > 0 ? 8 * at.error : 0);
}

double LawDecay::log_decay(double s) const {
  constexpr double farthest = 1e4;
  double best = far(s);
  // From s to `until`, and beyond; whether a larger `until` may be better.
  const auto split_at = [&](double until) {
    const double beyond = far(until);
    if (beyond >= 1) return true;
    // 1 - |M(s')|^2 is at least (1 - |M(ns')|^2) / n^2, since sin^2(nx) <= n^2 sin^2(x).
    const double n = std::ceil(until / s), size = far(n * s), dilated = (1 - size) * (1 + size) / (n * n);
    best = std::min(best, std::sqrt(1 - dilated * (1 - 1e-9)));
    const double gain = near_gain(s, until), near = gain > 0 ? std::sqrt(std::max(0.0, 1 - gain)) : 1;
    best = std::min(best, std::max(near, beyond));
    return near < beyond || dilated > gain;
  };
  if (s * range_ < pi) split_at(pi / range_);
  for (double until = 2 * s; until < s * farthest && split_at(until);) until *= 2;
  return std::min(0.0, std::log(best) + 1e-12);
}

double LawDecay::log_decay_estimate(double s) const {
  const Points& at = points(s);
  if (!(at.s >= s)) return 0;
  note_oscillations(at.weights.size());
  double re = 0, im = 0;
  for (std::size_t i = 0; i < at.weights.size(); ++i) {
    const double angle = s * (at.log_ratios[i] - moment_.mean);
    re += at.weights[i] * std::cos(angle);
    im += at.weights[i] * std::sin(angle);
  }
  return std::log(std::hypot(re, im));
}

template RatioGridOf<double> LawPart::grid(const std::vector<Panel>&) const;
template RatioGridOf<long double> LawPart::grid(const std::vector<Panel>&) const;

}  // namespace pld::contour
