#include "pld/account/privacy_profile.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "account/all_neighbours.hpp"
#include "account/directed_profile.hpp"
#include "account/larger_of.hpp"
#include "account/mirrored_profile.hpp"
#include "account/shared_inverse.hpp"
#include "core/intersection.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// Below this delta is not told from 0, and only its upper bound is sought.
constexpr double least_log_delta = -750;

/// What H_{e^|eps|} of the swapped pair must exceed for a profile at epsilon to exceed `reached`, as a logarithm,
/// rounded down.
double opposite_of(const ProfileBracket& reached, double epsilon) {
  if (epsilon >= 0) return reached.log_delta.lower;
  // 1 - delta = e^eps (1 - opposite)
  return log_one_minus_exp(std::min(0.0, round_up(reached.log_complement.upper - epsilon, 8))) - 1e-9;
}

Bracket smaller(const Bracket& a, const Bracket& b) {
  return {std::min(a.lower, b.lower), std::min(a.estimate, b.estimate), std::min(a.upper, b.upper)};
}

ProfileBracket worse(const ProfileBracket& a, const ProfileBracket& b) {
  return {larger(a.log_delta, b.log_delta), smaller(a.log_complement, b.log_complement)};
}

/// What a direction is asked at a place where `reached` is known of the other one, if that was asked before: it counts
/// only where it may be the larger, epsilon >= 0 by delta, epsilon < 0 by its mirror.
DirectedProfile::Place directed_place(const ProfilePlace& place, const ProfileBracket* reached) {
  const double beaten = reached ? opposite_of(*reached, place.epsilon) : -infinity;
  // What delta is to be known to at epsilon < 0 is e^epsilon times what its mirror is.
  return {std::fabs(place.epsilon), std::max(least_log_delta, beaten), place.log_width - std::min(place.epsilon, 0.0)};
}

/// The profile at epsilon with what that direction answered.
ProfileBracket with_direction(const ProfileBracket& found, double epsilon, const ProfileBracket* reached) {
  const ProfileBracket here = epsilon < 0 ? mirrored_profile(found, -epsilon) : found;
  return reached ? worse(*reached, here) : here;
}

/// delta falls with epsilon: neighbours, perhaps read from other pieces, bound each other. `order` is that of
/// increasing epsilon.
void make_fall(std::vector<ProfileBracket>& profile, const std::vector<std::size_t>& order) {
  for (std::size_t i = 1; i < order.size(); ++i) {
    const ProfileBracket& before = profile[order[i - 1]];
    ProfileBracket& here = profile[order[i]];
    here.log_delta = intersection(here.log_delta, at_most(before.log_delta.upper));
    here.log_complement = intersection(here.log_complement, at_least(before.log_complement.lower));
  }
  for (std::size_t i = order.size(); i-- > 1;) {
    const ProfileBracket& after = profile[order[i]];
    ProfileBracket& here = profile[order[i - 1]];
    here.log_delta = intersection(here.log_delta, at_least(after.log_delta.lower));
    here.log_complement = intersection(here.log_complement, at_most(after.log_complement.upper));
  }
  double log_delta = infinity, log_complement = -infinity;
  for (const std::size_t i : order) {
    Bracket &d = profile[i].log_delta, &c = profile[i].log_complement;
    d = intersection(d, at_most(0)), c = intersection(c, at_most(0));
    log_delta = d.estimate = std::clamp(std::min(d.estimate, log_delta), d.lower, d.upper);
    log_complement = c.estimate = std::clamp(std::max(c.estimate, log_complement), c.lower, c.upper);
  }
}

}  // namespace

struct PrivacyProfile::State {
  Composition composition;
  ProfileOptions options;
  std::unique_ptr<const DirectedProfile> remove, add;    ///< add: none where it is the same as remove
  std::optional<PrivacyProfile> of_pairs{}, attained{};  ///< in place of those where the composition is not exact

  [[nodiscard]] const DirectedProfile& in(Direction direction) const {
    return direction == Direction::add && add ? *add : *remove;
  }
  /// The directed profile that a direction's profile at epsilon is read off.
  [[nodiscard]] const DirectedProfile& source(Direction direction, double epsilon) const {
    const bool opposite = epsilon < 0;
    return in((direction == Direction::remove) == opposite ? Direction::add : Direction::remove);
  }
  [[nodiscard]] std::vector<Direction> directions(DirectionChoice choice) const {
    if (choice == DirectionChoice::remove) return {Direction::remove};
    if (choice == DirectionChoice::add) return {Direction::add};
    if (!add) return {Direction::remove};
    return {Direction::remove, Direction::add};
  }
};

PrivacyProfile::PrivacyProfile(const Composition& composition, const ProfileOptions& options) {
  require(options.tolerance > 0 && options.tolerance < infinity, "profile", "tolerance", options.tolerance,
          "tolerance > 0 and finite");
  auto state = std::make_shared<State>();
  state->composition = composition;
  state->options = options;
  if (!composition.is_exact()) {
    state->of_pairs = PrivacyProfile(composition.of_pairs(), options);
    state->attained = PrivacyProfile(composition.attained(), {.tolerance = options.tolerance});
    state_ = std::move(state);
    return;
  }
  const auto directed = [&](Direction direction) {
    return std::make_unique<const DirectedProfile>(run_in(composition, direction), options.engine, options.tolerance);
  };
  state->remove = directed(Direction::remove);
  if (!symmetric(composition)) state->add = directed(Direction::add);
  state_ = std::move(state);
}

ProfileBracket PrivacyProfile::log_profile(double epsilon, DirectionChoice choice) const {
  require(!std::isnan(epsilon), "profile", "epsilon", epsilon, "a number or an infinity");
  if (state_->of_pairs)
    return of_all_neighbours(state_->of_pairs->log_profile(epsilon, choice),
                             state_->attained->log_profile(epsilon, choice));
  ProfileBracket out;
  const ProfileBracket* reached = nullptr;
  for (const Direction direction : state_->directions(choice)) {
    const ProfileBracket found = state_->source(direction, epsilon).at(directed_place({.epsilon = epsilon}, reached));
    out = with_direction(found, epsilon, reached);
    reached = &out;
  }
  return out;
}

std::vector<ProfileBracket> PrivacyProfile::log_profile(const std::vector<double>& epsilons,
                                                        DirectionChoice choice) const {
  std::vector<ProfilePlace> places;
  for (const double epsilon : epsilons) places.push_back({.epsilon = epsilon});
  return log_profile(places, choice);
}

std::vector<ProfileBracket> PrivacyProfile::log_profile(const std::vector<ProfilePlace>& places,
                                                        DirectionChoice choice) const {
  for (const ProfilePlace& place : places)
    require(!std::isnan(place.epsilon), "profile", "epsilon", place.epsilon, "a number or an infinity");
  if (state_->of_pairs) {
    std::vector<ProfileBracket> out = state_->of_pairs->log_profile(places, choice);
    const std::vector<ProfileBracket> attained = state_->attained->log_profile(places, choice);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = of_all_neighbours(out[i], attained[i]);
    return out;
  }
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return std::fabs(places[a].epsilon) < std::fabs(places[b].epsilon); });
  std::vector<ProfileBracket> out(places.size());
  bool first = true;
  for (const Direction direction : state_->directions(choice)) {
    for (const double sign : {-1.0, 1.0}) {
      std::vector<DirectedProfile::Place> directed;
      std::vector<std::size_t> indices;
      for (const std::size_t i : order) {
        if (std::signbit(sign) != (places[i].epsilon < 0)) continue;
        directed.push_back(directed_place(places[i], first ? nullptr : &out[i]));
        indices.push_back(i);
      }
      const auto found = state_->source(direction, sign).at_all(directed);
      for (std::size_t j = 0; j < indices.size(); ++j) {
        const std::size_t i = indices[j];
        out[i] = with_direction(found[j], places[i].epsilon, first ? nullptr : &out[i]);
      }
    }
    first = false;
  }
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return places[a].epsilon < places[b].epsilon; });
  make_fall(out, order);
  return out;
}

Bracket PrivacyProfile::delta(double epsilon, DirectionChoice choice) const {
  return probability(log_profile(epsilon, choice).log_delta);
}

Bracket PrivacyProfile::epsilon(double delta, DirectionChoice choice) const {
  return pld::epsilon(state_->composition, {.delta = delta,
                                            .tolerance = std::min(1e-4, state_->options.tolerance),
                                            .direction = choice,
                                            .engine = state_->options.engine});
}

std::vector<Bracket> PrivacyProfile::epsilon(const std::vector<double>& deltas, DirectionChoice choice) const {
  if (state_->of_pairs) {
    std::vector<Bracket> found = state_->of_pairs->epsilon(deltas, choice);
    const std::vector<Bracket> attained = state_->attained->epsilon(deltas, choice);
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = rising(found[i], attained[i]);
    return found;
  }
  std::vector<Bracket> out(deltas.size());
  std::vector<std::size_t> order(deltas.size());  // by falling delta
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return deltas[a] > deltas[b]; });
  const auto solve_alone = [&](std::size_t i) { return out[i] = epsilon(deltas[i], choice); };
  // From either end the first that has a finite epsilon: the others lie between these.
  const auto is_finite = [](const Bracket& b) { return std::isfinite(b.lower) && std::isfinite(b.upper); };
  auto first = order.begin(), last = order.end();
  while (first != last && !is_finite(solve_alone(*first))) ++first;
  while (first != last && !is_finite(solve_alone(*std::prev(last)))) --last;
  // A profile converts Renyi guarantees first and then composes them; a query has the other order too.
  const auto& releases = state_->composition.releases();
  const bool guarantees = std::any_of(releases.begin(), releases.end(), [](const Release& r) {
    return r.mechanism.pair(Direction::remove)->renyi_curve() != nullptr;
  });
  constexpr std::ptrdiff_t few = 16;
  if (last - first <= few || guarantees) {
    for (auto i = first; i != last; ++i) solve_alone(*i);
    return out;
  }
  std::vector<double> between;
  for (auto i = first; i != last; ++i) between.push_back(deltas[*i]);
  const auto read = [&](const std::vector<ProfilePlace>& places) { return log_profile(places, choice); };
  const double tolerance = std::min(1e-4, state_->options.tolerance);
  SharedInverse inverse(read, out[*first].lower, out[*std::prev(last)].upper, between.back(), tolerance);
  const std::vector<Bracket> found = inverse.at(between);
  for (auto i = first; i != last; ++i) {
    const Bracket& shared = found[static_cast<std::size_t>(i - first)];
    if (is_finite(shared))
      out[*i] = shared;
    else
      solve_alone(*i);
  }
  return out;
}

Direction PrivacyProfile::worst_direction(double epsilon) const {
  if (state_->of_pairs) return state_->of_pairs->worst_direction(epsilon);
  const double remove = log_profile(epsilon, DirectionChoice::remove).log_delta.estimate;
  return remove >= log_profile(epsilon, DirectionChoice::add).log_delta.estimate ? Direction::remove : Direction::add;
}

Bracket PrivacyProfile::largest_loss(DirectionChoice choice) const {
  if (state_->of_pairs) return rising(state_->of_pairs->largest_loss(choice), state_->attained->largest_loss(choice));
  Bracket out{-infinity, -infinity, -infinity};
  for (const Direction direction : state_->directions(choice))
    out = larger(out, state_->in(direction).run().largest_loss);
  return out;
}

const PrivacyProfile& PrivacyProfile::of_pairs() const { return *state_->of_pairs; }
const PrivacyProfile& PrivacyProfile::attained() const { return *state_->attained; }
const Composition& PrivacyProfile::composition() const { return state_->composition; }
const ProfileOptions& PrivacyProfile::options() const { return state_->options; }

}  // namespace pld
