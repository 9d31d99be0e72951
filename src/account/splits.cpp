#include "account/splits.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "numeric/log_sum.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// The log of how steeply delta falls with e^epsilon between two places.
double log_fall(const std::pair<const double, double>& here, const std::pair<const double, double>& next) {
  const double gap = next.first - here.first;
  return log_difference(here.second, next.second) - (next.first + log_one_minus_exp(-gap));
}

}  // namespace

/// The law of the chords of what was read, a convex function of e^epsilon below all of it.
void Splits::Law::draw_chords(double apart) {
  places.clear(), log_p.clear(), log_q.clear();
  std::vector<std::map<double, double>::const_iterator> corners;
  for (auto next = log_delta.begin(); next != log_delta.end(); ++next) {
    if (!corners.empty() && next->first - corners.back()->first < apart) continue;
    while (corners.size() > 1 && log_fall(*corners.back(), *next) >= log_q.back()) corners.pop_back(), log_q.pop_back();
    if (!corners.empty()) log_q.push_back(log_fall(*corners.back(), *next));
    corners.push_back(next);
  }
  log_q.push_back(-infinity);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    places.push_back(corners[i]->first);
    log_p.push_back(log_sum(corners[i]->second, corners[i]->first + log_q[i]));
  }
}

Splits::Splits(const StepBounds& bounds, const std::vector<DirectionChoice>& steps) : bounds_(bounds) {
  for (const DirectionChoice direction : steps) {
    const auto known = std::find_if(laws_.begin(), laws_.end(), [&](const Law& l) { return l.direction == direction; });
    law_of_.push_back(static_cast<std::size_t>(known - laws_.begin()));
    if (known == laws_.end()) laws_.push_back({direction, bounds.largest_loss(direction)});
  }
}

void Splits::read(Law& law, std::vector<double> places) const {
  std::erase_if(places, [&](double place) { return law.log_delta.contains(place); });
  if (places.empty()) return;
  const std::vector<double> found = bounds_.log_delta(places, law.direction);
  for (std::size_t i = 0; i < places.size(); ++i) law.log_delta[places[i]] = found[i];
}

/// From a coarse grid on: evenly over what one step may take, and all sizes of losses on both sides of 0.
void Splits::read_first(Law& law, double epsilon) const {
  constexpr int even = 24, sizes = 12;
  std::vector<double> places{0};
  const double most = std::min(epsilon, law.largest);
  for (int i = 1; i <= even; ++i) places.push_back(most * i / even);
  double size = std::max(1.0, epsilon);
  for (int i = 0; i < sizes; ++i, size /= 4) places.push_back(-size), places.push_back(std::min(size, law.largest));
  if (law.largest < infinity) places.push_back(law.largest);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  read(law, places);
}

/// All places where the first step loses more than its own so often.
std::vector<double> Splits::places_of(double log_frequency) const {
  std::vector<double> out;
  for (const std::size_t i : law_of_) {
    const Law& law = laws_[i];
    const auto first_below =
        std::partition_point(law.log_p.begin(), law.log_p.end(), [&](double log_p) { return log_p > log_frequency; });
    const auto j = std::min<std::ptrdiff_t>(first_below - law.log_p.begin(), std::ssize(law.log_p) - 1);
    const auto at = static_cast<std::size_t>(j);
    out.push_back(law.places[at]);
    // A part of the atom at the place counts, as much as fills the frequency.
    const double part = log_difference(log_frequency, law.log_p[at]) - law.places[at];
    log_frequency = std::min(log_frequency, log_sum(law.log_q[at], part));
  }
  return out;
}

/// Those that come to epsilon: the sum falls by jumps, within one of which a place is free.
std::vector<double> Splits::best_places(double epsilon) const {
  const auto sum = [](const std::vector<double>& places) {
    double all = 0;
    for (const double place : places) all += place;
    return all;
  };
  double rare = -1, often = 0;
  for (const Law& law : laws_)
    for (const double log_p : law.log_p)
      if (std::isfinite(log_p)) rare = std::min(rare, log_p - 1);
  std::vector<double> above = places_of(rare), below = places_of(often);
  constexpr int halvings = 60;
  for (int i = 0; i < halvings; ++i) {
    const double middle = rare + (often - rare) / 2;
    std::vector<double> places = places_of(middle);
    if (sum(places) > epsilon)
      rare = middle, above = std::move(places);
    else
      often = middle, below = std::move(places);
  }
  const double low = sum(below), high = sum(above);
  const double part = high > low ? std::clamp((epsilon - low) / (high - low), 0.0, 1.0) : 0;
  for (std::size_t i = 0; i < below.size(); ++i) below[i] += part * (above[i] - below[i]);
  return below;
}

/// Reads the profile midway to what is known on both sides of each place, or beyond the last one known; whether so.
bool Splits::read_near(const std::vector<double>& places, double apart) {
  constexpr double next_to = 1e-3;  // of the largest loss: engines work hard there for what is hardly less
  bool beyond = false;
  std::vector<std::set<double>> more(laws_.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Law& law = laws_[law_of_[i]];
    std::set<double>& here = more[law_of_[i]];
    const double first = law.log_delta.begin()->first, last = law.log_delta.rbegin()->first, span = last - first;
    const auto after = law.log_delta.lower_bound(places[i] + apart);
    const auto at = law.log_delta.lower_bound(places[i] - apart);
    if (after != law.log_delta.end())
      here.insert(places[i] + (after->first - places[i]) / 2);
    else if (last < law.largest)
      here.insert(std::min(last + span, law.largest)), beyond = true;
    if (at != law.log_delta.begin())
      here.insert(places[i] + (std::prev(at)->first - places[i]) / 2);
    else
      here.insert(first - span), beyond = true;
  }
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const double largest = laws_[i].largest;
    std::erase_if(more[i], [&](double place) { return largest * (1 - next_to) < place && place < largest; });
    read(laws_[i], {more[i].begin(), more[i].end()});
  }
  return beyond;
}

/// Delta falls with epsilon: the last place is rounded down so that all come to no more than it.
double Splits::log_sum_at(std::vector<double> places, double epsilon) {
  const auto k = static_cast<double>(places.size());
  double sum = 0, reach = 0;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) sum += places[i], reach += std::fabs(places[i]);
  places.back() = epsilon - sum - 2 * k * unit_roundoff * (std::fabs(epsilon) + reach);
  for (std::size_t l = 0; l < laws_.size(); ++l) {
    std::set<double> asked;
    for (std::size_t i = 0; i < places.size(); ++i)
      if (law_of_[i] == l) asked.insert(places[i]);
    read(laws_[l], {asked.begin(), asked.end()});
  }
  double total = -infinity, before = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    total = log_sum(total, before + laws_[law_of_[i]].log_delta.at(places[i]));
    before += places[i];
  }
  return std::isfinite(total) ? total + 16 * k * unit_roundoff * (1 + reach + std::fabs(total)) : total;
}

double Splits::largest_loss() {
  for (Law& law : laws_) {
    if (law.largest == infinity) return infinity;
    read(law, {law.largest});
    if (law.log_delta.at(law.largest) > -infinity) return infinity;
  }
  double sum = 0;
  for (const std::size_t i : law_of_) sum = round_up(sum + laws_[i].largest, 1);
  return sum;
}

double Splits::log_delta(double epsilon) {
  for (Law& law : laws_)
    if (law.log_delta.empty()) read_first(law, epsilon);
  constexpr int most = 24, idle_before_end = 4;
  constexpr double gained = 1e-3;
  // More than the last place is rounded by, which is to count as it was meant.
  const double apart = 16 * static_cast<double>(law_of_.size()) * unit_roundoff * (1 + epsilon);
  double found = infinity;
  for (int round = 0, idle = 0; round < most && idle < idle_before_end; ++round) {
    for (Law& law : laws_) law.draw_chords(apart);
    const std::vector<double> places = best_places(epsilon);
    const double total = log_sum_at(places, epsilon);
    const bool beyond = read_near(places, apart);
    idle = beyond || total < found - gained ? 0 : idle + 1;
    found = std::min(found, total);
  }
  return std::min(0.0, found);
}

}  // namespace pld
