#include "engines/moments/moment_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "core/work.hpp"
#include "lattice/lattice_profile.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// Cells of each release, of which all have as many as the work left affords.
std::size_t cells_afforded(std::size_t releases) {
  constexpr double fewest = 5e3, most = 1e5, points_a_cell = 1e3;
  const double all = std::clamp(Work::left() / points_a_cell, fewest, most);
  return std::clamp<std::size_t>(static_cast<std::size_t>(all) / (1 + releases), 16, 2000);
}

/// Those of one release, where each takes long: what a part of the work left affords, a few in any case.
std::size_t cells_of(const DominatingPair& pair, std::size_t cells) {
  constexpr double share = 0.25, fewest = 16;
  const double points = ReleaseMoments::points_of_dear_cell(pair);
  if (points == 0) return cells;
  const double most = std::max(fewest, share * Work::left() / points);
  return most < static_cast<double>(cells) ? static_cast<std::size_t>(most) : cells;
}

/// Tilts are asked for on a grid of logarithms, so that one epsilon's serve the next: the best of them is within half a
/// step of the best of all, where a bound of log delta is off by t^2 K''(t) / 2 times the square of that.
constexpr int steps_of_a_stride = 64;
constexpr double grid_step = 0.7 / steps_of_a_stride;
/// Where each tilt costs much: readings of one composition share these few.
constexpr int coarse_step = steps_of_a_stride / 8;
constexpr std::size_t many_cells = 20000;

double tilt_at(int place) { return std::exp(grid_step * place); }

/// The nearest place to a tilt that is a whole number of strides, which other tilts near it have too.
int place_near(double tilt) {
  const double strides = std::log(std::clamp(tilt, 1e-14, 1e14)) / (grid_step * steps_of_a_stride);
  return steps_of_a_stride * static_cast<int>(std::lround(strides));
}

/// The largest value of f at places around a guess: strides of a factor 2 in both directions, then ever shorter ones
/// around the best, down to `finest`.
template <class F>
double largest_near(int guess, int finest, const F& f) {
  constexpr int most_strides = 40, patience = 6;
  const auto value = [&](int place) {
    const double found = f(place);
    return std::isnan(found) ? -infinity : found;
  };
  int best_place = guess;
  double best = value(guess);
  const auto look = [&](int place) {
    const double now = value(place);
    if (!(now > best)) return false;
    best = now, best_place = place;
    return true;
  };
  for (const int stride : {-steps_of_a_stride, steps_of_a_stride})
    for (int i = 1, since_best = 0; i <= most_strides && since_best < patience; ++i)
      since_best = look(guess + stride * i) ? 0 : since_best + 1;
  for (int stride = steps_of_a_stride / 2; stride >= finest; stride /= 2)
    if (!look(best_place - stride)) look(best_place + stride);
  return best;
}

/// Half widths of the interval around the mean, in standard deviations: 1 - 1 / c^2 of the mass is in it.
constexpr double half_widths[] = {1.2, 1.5, 2, 3, 6, 30, 1000};

/// A bound moved by the round-off of the few operations that led to it.
double outward(double value, double size, double sign) {
  return value + sign * 16 * unit_roundoff * (std::fabs(value) + size);
}

/// An upper bound of a sum of doubles.
class UpperSum {
 public:
  void add(double one) {
    sum_ += one;
    size_ += std::fabs(one);
    ++terms_;
  }
  [[nodiscard]] double value() const { return sum_ + 2 * unit_roundoff * terms_ * size_; }

 private:
  double sum_ = 0, size_ = 0, terms_ = 0;
};

}  // namespace

MomentBounds::MomentBounds(const std::vector<RepeatedRelease>& releases)
    : MomentBounds(releases, cells_afforded(releases.size())) {}

MomentBounds::MomentBounds(const std::vector<RepeatedRelease>& releases, std::size_t cells) {
  if (cells * releases.size() > many_cells) finest_step_ = coarse_step;
  for (const RepeatedRelease& r : releases)
    parts_.push_back({ReleaseMoments(r.pair, r.highest, cells_of(*r.pair, cells)), static_cast<double>(r.count)});
}

MomentBounds::Composed MomentBounds::composed_at(double tilt) const {
  Composed sum;
  double variance = 0, mean_error = 0, size = 0;
  for (const Part& part : parts_) {
    const ReleaseMoments::Tilted one = part.moments.tilted(tilt);
    sum.log_moment += part.count * (one.log_moment - one.log_moment_error);
    sum.mean += part.count * one.mean;
    size += part.count * std::fabs(one.mean);
    mean_error += part.count * one.mean_error;
    variance += part.count * one.variance;
  }
  mean_error += 4 * unit_roundoff * static_cast<double>(parts_.size()) * size;
  sum.spread = std::sqrt(variance + mean_error * mean_error) * (1 + 1e-12);
  return sum;
}

const MomentBounds::Composed& MomentBounds::composed(int place) const {
  return composed_.try_emplace(place, [&] { return composed_at(tilt_at(place)); }).first->second.get();
}

double MomentBounds::log_moment_upper(int place) const {
  const auto moment = [&] {
    UpperSum sum;
    for (const Part& part : parts_) sum.add(part.count * part.moments.log_moment_upper(tilt_at(place)));
    return sum.value();
  };
  return log_moments_upper_.try_emplace(place, moment).first->second.get();
}

void MomentBounds::find_negative_moments() const {
  constexpr int most_halvings = 50;
  std::vector<double> orders;
  for (int i = 0; i < most_halvings; ++i) orders.push_back(std::ldexp(1.0, -i));
  std::vector<UpperSum> sums(orders.size());
  for (const Part& part : parts_) {
    const std::vector<double> found = part.moments.log_negative_moments_upper(orders);
    for (std::size_t i = 0; i < orders.size(); ++i) sums[i].add(part.count * found[i]);
  }
  for (std::size_t i = 0; i < orders.size(); ++i) negative_moments_.push_back({orders[i], sums[i].value()});
}

double MomentBounds::log_delta_near_one(double epsilon) const {
  if (negative_moments_.empty()) find_negative_moments();
  double least = 0;
  for (const auto& [s, moment] : negative_moments_)
    least = std::min(least, outward(moment + s * epsilon, std::fabs(moment) + std::fabs(s * epsilon), +1));
  return least < 0 ? round_down(outward(log_one_minus_exp(least), 0, -1))
                   : -infinity;  // also where 1 - delta is no double
}

Bracket MomentBounds::log_delta(double epsilon, double tilt) const {
  const int guess = place_near(tilt);
  // (1 - e^{-u})_+ <= c(t) e^{tu} for the excess u = z - epsilon.
  const double upper = -largest_near(guess, finest_step_, [&](int place) {
    const double moment = log_moment_upper(place), t = tilt_at(place);
    return -outward(moment - t * epsilon + std::log(largest_contribution(t)),
                    std::fabs(moment) + std::fabs(t * epsilon), +1);
  });
  // Near the tilted mean, within a of it, lies 1 - (spread / a)^2 of the tilted mass, each unit of it worth e^{-tz} (1
  // - e^{epsilon - z}): of one peak in z, so least at an end.
  const double lower = largest_near(guess, finest_step_, [&](int place) {
    const Composed& all = composed(place);
    const double t = tilt_at(place);
    double best = -infinity;
    for (const double c : half_widths) {
      const double low = all.mean - c * all.spread, high = all.mean + c * all.spread;
      if (!(low > epsilon)) continue;
      const double worth =
          std::min(log_one_minus_exp(epsilon - low) - t * low, log_one_minus_exp(epsilon - high) - t * high);
      const double size = std::fabs(all.log_moment) + std::fabs(t * low) + std::fabs(t * high);
      best = std::max(best, outward(all.log_moment + std::log1p(-1 / (c * c)) + worth, size, -1));
    }
    return best;
  });
  return {lower, std::min(upper, 0.0), std::min(upper, 0.0)};
}

}  // namespace pld
