#include "account/splits.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include "core/work.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/roundings.hpp"
#include "pld/core/doubles_around.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// The log of how steeply delta falls with e^epsilon from a corner to the next.
template <class Corner>
double log_fall(const Corner& here, const Corner& next) {
  const double gap = next.place - here.place;
  return log_difference(here.log_delta, next.log_delta) - (next.place + log_one_minus_exp(-gap));
}

/// The same places, which fall so that they come to no more than epsilon.
std::vector<double> within(std::vector<double> places, double epsilon) {
  const auto k = static_cast<double>(places.size());
  double sum = 0, reach = 0;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) sum += places[i], reach += std::fabs(places[i]);
  places.back() = epsilon - sum - 2 * k * unit_roundoff * (std::fabs(epsilon) + reach);
  return places;
}

/// What places come to, rounded up.
double outward_sum(const std::vector<double>& places) {
  double sum = 0, reach = 0;
  for (const double place : places) sum += place, reach += std::fabs(place);
  return sum + 2 * static_cast<double>(places.size()) * unit_roundoff * reach;
}

}  // namespace

/// The law of the chords of what was read, a convex function of e^epsilon below all of it.
void Splits::Law::draw_chords(double apart) {
  constexpr double points_a_reading = 40, points_a_corner = 0.1;
  Work::note((points_a_reading + points_a_corner * static_cast<double>(corners.size())) *
             static_cast<double>(undrawn.size()));
  for (const Corner& here : std::exchange(undrawn, {})) add_corner(here, apart);
}

/// Takes a reading for a corner where it is below the chord there, and the corners beside it that it leaves none.
void Splits::Law::add_corner(const Corner& here, double apart) {
  const auto after = std::upper_bound(places.begin(), places.end(), here.place);
  auto right = static_cast<std::size_t>(after - places.begin()), left = right;  // of [0, left) and [right, ...)
  const bool is_first = left == 0, is_last = right == corners.size();
  if (!is_first && here.place - places[left - 1] < apart) return;
  if (!is_last && places[right] - here.place < apart) return;
  if (!is_first && !is_last && log_fall(corners[left - 1], here) <= log_fall(here, corners[right])) return;
  while (right + 1 < corners.size() && log_fall(here, corners[right]) <= log_q[right]) ++right;
  while (left > 1 && log_q[left - 2] <= log_fall(corners[left - 1], here)) --left;
  const auto replace = [&](auto& all, const auto& one) {
    const auto at = all.begin() + static_cast<std::ptrdiff_t>(left);
    all.insert(all.erase(at, at + static_cast<std::ptrdiff_t>(right - left)), one);
  };
  replace(corners, here), replace(places, here.place), replace(log_q, -infinity), replace(log_p, here.log_delta);
  for (std::size_t i = left > 0 ? left - 1 : 0; i <= left; ++i) {
    log_q[i] = i + 1 < corners.size() ? log_fall(corners[i], corners[i + 1]) : -infinity;
    log_p[i] = log_sum(corners[i].log_delta, places[i] + log_q[i]);
  }
}

/// Finds the last chord that begins no later than a place, which is not before the first.
std::size_t Splits::Law::chord_of(double place) const {
  const auto after = std::upper_bound(places.begin(), places.end(), place);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - places.begin(), 1) - 1);
}

double Splits::Law::log_chord(double place) const {
  const std::size_t at = chord_of(place);
  return log_difference(log_p[at], place + log_q[at]);
}

/// How far a convex function through the corners may lie below a chord: the chords before and after it, drawn out to
/// its middle.
double Splits::Law::log_doubt_within(std::size_t chord) const {
  if (chord == 0 || chord + 2 >= places.size()) return places[chord] >= largest ? -infinity : infinity;
  const double middle = places[chord] + (places[chord + 1] - places[chord]) / 2;
  const double before = log_difference(log_p[chord - 1], middle + log_q[chord - 1]),
               after = log_difference(log_p[chord + 1], middle + log_q[chord + 1]);
  return log_difference(log_difference(log_p[chord], middle + log_q[chord]), std::max(before, after));
}

/// The same next to a place.
double Splits::Law::log_doubt(double place) const {
  const std::size_t at = chord_of(place);
  return std::max(log_doubt_within(at), at > 0 ? log_doubt_within(at - 1) : infinity);
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
  const std::vector<double> found = bounds_.roughly(places, law.direction, log_floor_);
  for (std::size_t i = 0; i < places.size(); ++i) {
    law.log_delta[places[i]] = found[i];
    law.undrawn.push_back({places[i], found[i]});
  }
}

/// From a coarse grid on, and a finer one where that takes little work: evenly over what one step may take, and all
/// sizes of losses on both sides of 0.
void Splits::read_first(double epsilon, double largest_size) {
  struct Grid {
    int even, sizes;
    double ratio;
  };
  constexpr Grid coarse{12, 12, 4}, fine{48, 24, 2};
  constexpr double part_for_fine = 1.0 / 8;
  for (Law& law : laws_) {
    if (std::exchange(law.is_surveyed, true)) continue;
    const double most = std::min(epsilon, law.largest), left = Work::left();
    for (const auto& [even, sizes, ratio] : {coarse, fine}) {
      std::set<double> places{0};
      for (int i = 1; i <= even; ++i) places.insert(most * i / even);
      double size = largest_size;
      for (int i = 0; i < sizes; ++i, size /= ratio)
        places.insert(-std::min(size, 1.0)), places.insert(std::min(size, law.largest));
      if (law.largest < infinity) places.insert(law.largest);
      read(law, {places.begin(), places.end()});
      if (left - Work::left() > part_for_fine * left) break;
    }
  }
}

/// All places where the first step loses more than its own so often.
Splits::Places Splits::places_of(double log_frequency) const {
  Places out;
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

/// How often losses are above the corners of each law's chords, falling, and less than all of these.
std::vector<double> Splits::frequencies() const {
  std::vector<double> out;
  for (const Law& law : laws_) {
    const auto before = std::ssize(out);
    std::copy_if(law.log_p.begin(), law.log_p.end(), std::back_inserter(out), [](double p) { return p > -infinity; });
    std::inplace_merge(out.begin(), out.begin() + before, out.end(), std::greater<>());
  }
  out.push_back(out.empty() ? -1 : out.back() - 1);
  return out;
}

/// Those at which excess turns positive, from frequent losses to rare ones, or comes nearest to it. Places rise by
/// jumps, within one of which a place is free. Excess rises with places at first: where losses may be infinite, rare
/// ones add up to more again.
template <class Excess>
Splits::Places Splits::best_places(const Excess& excess) const {
  constexpr int halvings = 60;
  const std::vector<double> corners = frequencies();
  // Every so many are looked at first, and then those before the first of these with which excess is positive.
  const std::size_t stride = 1 + static_cast<std::size_t>(std::sqrt(static_cast<double>(corners.size())));
  std::size_t next = stride - 1;
  while (next < corners.size() && !(excess(places_of(corners[next])) > 0)) next += stride;
  const std::size_t first = next < corners.size() ? next + 1 - stride : 0;
  double rare = -1, often = first > 0 ? corners[first - 1] : 0, most = -infinity;
  Places above, below = places_of(often);
  std::size_t last = first;
  for (; last < corners.size() && !(most > 0); ++last) {
    const double corner = corners[last];
    Places places = places_of(corner);
    const double here = excess(places);
    if (here > most || above.empty()) most = here, rare = corner, above = places;
    if (!(here > 0)) often = corner, below = std::move(places);
  }
  constexpr double points_a_place = 8;
  const std::size_t looks = next / stride + (last - first) + 2 * halvings;
  Work::note(points_a_place * static_cast<double>(looks * law_of_.size()));
  if (!(most > 0)) return above;
  for (int i = 0; i < halvings; ++i) {
    const double middle = rare + (often - rare) / 2;
    Places places = places_of(middle);
    if (excess(places) > 0)
      rare = middle, above = std::move(places);
    else
      often = middle, below = std::move(places);
  }
  const auto between = [&](double part) {
    Places places = below;
    for (std::size_t i = 0; i < places.size(); ++i) places[i] += part * (above[i] - below[i]);
    return places;
  };
  double low = 0, high = 1;
  for (int i = 0; i < halvings && above != below; ++i) {
    const double middle = low + (high - low) / 2;
    (excess(between(middle)) > 0 ? high : low) = middle;
  }
  return between(high);
}

/// Reads the profile midway to what is known on both sides of each place, or beyond the last one known; whether so.
bool Splits::read_near(const Places& places, double apart) {
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

/// The different places of the steps that have each law.
std::vector<std::vector<double>> Splits::by_law(const Places& places) const {
  std::vector<std::set<double>> asked(laws_.size());
  for (std::size_t i = 0; i < places.size(); ++i) asked[law_of_[i]].insert(places[i]);
  std::vector<std::vector<double>> out;
  for (const std::set<double>& of_law : asked) out.emplace_back(of_law.begin(), of_law.end());
  return out;
}

/// Of `log_delta(law, place)`.
template <class LogDelta>
double Splits::log_sum_of(const Places& places, const LogDelta& log_delta) const {
  double total = -infinity, before = 0, reach = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    total = log_sum(total, before + log_delta(law_of_[i], places[i]));
    before += places[i], reach += std::fabs(places[i]);
  }
  const double rounding = 16 * static_cast<double>(places.size()) * unit_roundoff;
  return std::isfinite(total) ? total + rounding * (1 + reach + std::fabs(total)) : total;
}

double Splits::log_chord_sum(const Places& places) const {
  return log_sum_of(places, [&](std::size_t law, double place) { return laws_[law].log_chord(place); });
}

/// Whether no more readings next to these places would lower the sum by much.
bool Splits::is_known_around(const Places& places) const {
  constexpr double share = 5e-5;
  const double doubt = log_sum_of(places, [&](std::size_t law, double place) { return laws_[law].log_doubt(place); });
  return doubt <= log_chord_sum(places) + std::log(share);
}

double Splits::log_sum_at(const Places& places) {
  const std::vector<std::vector<double>> asked = by_law(places);
  for (std::size_t law = 0; law < laws_.size(); ++law) read(laws_[law], asked[law]);
  return log_sum_of(places, [&](std::size_t law, double place) { return laws_[law].log_delta.at(place); });
}

double Splits::close_log_sum_at(const Places& places) const {
  const std::vector<std::vector<double>> asked = by_law(places);
  std::vector<std::map<double, double>> found(laws_.size());
  for (std::size_t law = 0; law < laws_.size(); ++law) {
    const std::vector<double> log_deltas = bounds_.closely(asked[law], laws_[law].direction, log_floor_);
    for (std::size_t i = 0; i < log_deltas.size(); ++i) found[law][asked[law][i]] = log_deltas[i];
  }
  return log_sum_of(places, [&](std::size_t law, double place) { return found[law].at(place); });
}

double Splits::largest_loss() const {
  double sum = 0;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const auto steps = static_cast<double>(std::count(law_of_.begin(), law_of_.end(), i));
    const double largest = doubles_around_product(laws_[i].largest, steps).above;
    sum = sum == 0 ? largest : round_up(sum + largest, 1);
  }
  return sum;
}

/// Round after round the best places by the chords, their value, and more of the profiles next to them.
template <class Excess, class Value>
Splits::Places Splits::least(double near, const Excess& excess, const Value& value, double gained) {
  constexpr int most = 24, idle_before_end = 4;
  double found = infinity, reach = std::fabs(near);
  Places best;
  for (int round = 0, idle = 0; round < most && idle < idle_before_end; ++round) {
    if (round > 0 && !Work::affords_piece()) break;  // what was read for others serves
    // More than the last place is rounded by, which is to count as it was meant.
    const double apart = roundings(16 * static_cast<double>(law_of_.size()), reach);
    for (Law& law : laws_) law.draw_chords(apart);
    const Places places = best_places(excess);
    const double now = value(places);
    const bool known = is_known_around(places), beyond = !known && read_near(places, apart);
    idle = beyond || now < found - gained ? 0 : idle + 1;
    if (now < found || best.empty()) found = now, best = places;
    for (const double place : places) reach = std::max(reach, std::fabs(place));
    if (known) break;
  }
  return best;
}

/// A step's delta counts at most e^epsilon times.
void Splits::ignore_below(double log_delta, double epsilon) {
  constexpr double nothing = 40;
  log_floor_ = log_delta - epsilon - nothing;
}

/// Reads the profiles farther and farther out until places there come to no more than a delta, or to the least there
/// is, and nearer as long as they do; what these come to.
double Splits::surround(double log_delta) {
  constexpr double farther = 4, farthest = 1e6, nearest = 1e-9;
  constexpr double a_little = 2, part_of_nats = 0.25;  // where so much is reached: farther out readings are dear
  double least = infinity, found = 1, place = 1e-3, log_sum = 0;
  const auto look = [&] {
    Places places;
    for (Law& law : laws_) read(law, {0, std::min(place, law.largest)}), law.draw_chords(0);
    for (const std::size_t i : law_of_) places.push_back(std::min(place, laws_[i].largest));
    log_sum = log_chord_sum(places);
    const bool is_enough = log_sum <= log_delta;
    if (is_enough || (place >= 1 && log_sum < least)) least = log_sum, found = outward_sum(places);
    return is_enough;
  };
  const bool inward = look();
  do place *= inward ? 1 / farther : log_sum < part_of_nats * log_delta ? a_little : farther;
  while (look() == inward && nearest < place && place < farthest);
  // Where none is, delta may be as small as it gets.
  ignore_below(log_delta, inward || log_sum <= log_delta ? found : infinity);
  return found;
}

double Splits::log_delta(double epsilon) {
  if (epsilon >= largest_loss()) return -infinity;
  // The best places seldom come to more than twice the nats of equal ones.
  const Places equal(law_of_.size(), epsilon / static_cast<double>(law_of_.size()));
  ignore_below(2 * std::min(0.0, log_sum_at(within(equal, epsilon))), epsilon);
  read_first(epsilon, std::max(1.0, epsilon));
  constexpr double gained = 1e-4;
  const auto excess = [&](const Places& places) { return std::accumulate(places.begin(), places.end(), -epsilon); };
  const auto value = [&](const Places& places) { return log_sum_at(within(places, epsilon)); };
  const Places best = within(least(epsilon, excess, value, gained), epsilon);
  return std::min({0.0, log_sum_at(best), close_log_sum_at(best)});
}

// The chords lie above the profiles: where their sum is at the delta, that of the profiles is not above it, but for
// rounding and for what different readings say.
double Splits::epsilon(double log_delta) {
  constexpr double gained = 1e-5;
  const double enough = surround(log_delta);
  read_first(enough, enough);
  double aim = log_delta, found = infinity;
  const auto excess = [&](const Places& places) { return aim - log_chord_sum(places); };
  const auto take = [&](const Places& places, double log_sum) {
    if (!(log_sum <= log_delta)) return infinity;
    const double epsilon = outward_sum(places);
    found = std::min(found, epsilon);
    return epsilon;
  };
  const auto value = [&](const Places& places) {
    const double log_sum = log_sum_at(places);
    if (log_delta < log_sum && log_sum < infinity) aim -= 2 * (log_sum - log_delta);
    // Until some come to no more than the delta, those that come nearer gain.
    constexpr double beyond_epsilons = 1e9;
    const double epsilon = take(places, log_sum);
    return epsilon < infinity ? epsilon : beyond_epsilons + log_sum;
  };
  Places places = least(enough, excess, value, gained * enough);
  // A close reading is lower than the chords by about as much at places next to these.
  constexpr int most = 4;
  constexpr double close = 1e-7;
  for (int i = 0; i < most; ++i) {
    const double log_sum = close_log_sum_at(places), rest = log_delta - log_sum;
    take(places, log_sum);
    if (!std::isfinite(rest) || (0 <= rest && rest <= close)) break;
    aim = log_chord_sum(places) + rest - close / 2;
    places = best_places(excess);
  }
  return found;
}

}  // namespace pld
