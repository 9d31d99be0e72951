#include "account/composed_profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "account/finer_laws.hpp"
#include "account/larger_of.hpp"
#include "account/mirrored_profile.hpp"
#include "core/intersection.hpp"
#include "core/work.hpp"
#include "engines/question.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// What H_{e^|eps|} of the swapped pair must exceed for a profile at epsilon to exceed `reached`, as a logarithm,
/// rounded down.
double opposite_of(const ProfileBracket& reached, double epsilon) {
  if (epsilon >= 0) return reached.log_delta.lower;
  // 1 - delta = e^eps (1 - opposite)
  return log_one_minus_exp(std::min(0.0, round_up(reached.log_complement.upper - epsilon, 8))) - 1e-9;
}

ProfileBracket worse(const ProfileBracket& a, const ProfileBracket& b) {
  return {larger(a.log_delta, b.log_delta), smaller(a.log_complement, b.log_complement)};
}

/// What a direction is asked at a place where `reached` is known of the other one, if that was asked before: it counts
/// only where it may be the larger, epsilon >= 0 by delta, epsilon < 0 by its mirror.
DirectedProfile::Place directed_place(const ProfilePlace& place, const ProfileBracket* reached, double log_ceiling) {
  const double beaten = reached ? opposite_of(*reached, place.epsilon) : -infinity;
  // What delta is to be known to at epsilon < 0 is e^epsilon times what its mirror is.
  const double log_floor = place.epsilon >= 0 ? place.log_floor : -infinity;
  return {std::fabs(place.epsilon), std::max({least_log_delta, beaten, log_floor}),
          place.log_width - std::min(place.epsilon, 0.0), place.epsilon >= 0 ? log_ceiling : infinity};
}

/// The profile at epsilon with what that direction answered.
ProfileBracket with_direction(const ProfileBracket& found, double epsilon, const ProfileBracket* reached) {
  const ProfileBracket here = epsilon < 0 ? mirrored_profile(found, -epsilon) : found;
  return reached ? worse(*reached, here) : here;
}

/// The places of epsilon < 0 and the others, outward from 0.
std::vector<std::vector<std::size_t>> by_sign(const std::vector<ProfilePlace>& places) {
  std::vector<std::vector<std::size_t>> lists(2);
  for (std::size_t i = 0; i < places.size(); ++i) lists[places[i].epsilon < 0 ? 0 : 1].push_back(i);
  for (std::vector<std::size_t>& list : lists)
    std::sort(list.begin(), list.end(),
              [&](auto a, auto b) { return std::fabs(places[a].epsilon) < std::fabs(places[b].epsilon); });
  std::erase_if(lists, [](const auto& list) { return list.empty(); });
  return lists;
}

/// Asks each part in its turn, with an even part of the work; and those that had too little again, with what is left.
template <class Parts, class Ask>
void ask_each(Parts&& parts, const Ask& ask) {
  use_each(parts, [&](auto& part) {
    ask(part);
    part.starved = !Work::affords_piece();
  });
  for (auto& part : parts)
    if (part.starved && Work::affords_piece()) ask(part);
}

}  // namespace

ComposedProfile::ComposedProfile(const Composition& composition, Engine engine, double tolerance,
                                 const CommonLatticePtr& common) {
  const bool by_line = engine == Engine::automatic && !common && has_finer_laws(composition);
  const auto exact = by_line ? exact_laws(composition) : std::nullopt;
  const auto directed = [&](Direction direction) {
    auto law = exact ? std::make_unique<const DirectedProfile>(run_in(exact->of_pairs(), direction), engine, tolerance)
                     : nullptr;
    return std::make_unique<const DirectedProfile>(run_in(composition, direction), engine, tolerance, common,
                                                   std::move(law));
  };
  remove_ = directed(Direction::remove);
  if (!symmetric(composition)) add_ = directed(Direction::add);
}

const DirectedProfile& ComposedProfile::in(Direction direction) const {
  return direction == Direction::add && add_ ? *add_ : *remove_;
}

/// The directed profile that a direction's profile at epsilon is read off.
const DirectedProfile& ComposedProfile::source(Direction direction, double epsilon) const {
  const bool opposite = epsilon < 0;
  return in((direction == Direction::remove) == opposite ? Direction::add : Direction::remove);
}

std::vector<Direction> ComposedProfile::directions(DirectionChoice choice) const {
  if (choice == DirectionChoice::remove) return {Direction::remove};
  if (choice == DirectionChoice::add) return {Direction::add};
  if (!add_) return {Direction::remove};
  return {Direction::remove, Direction::add};
}

ProfileBracket ComposedProfile::at(double epsilon, DirectionChoice choice, double log_ceiling) const {
  struct Part {
    Direction direction{};
    std::optional<ProfileBracket> found{};
    bool starved = false;
  };
  const std::vector<Direction> asked = directions(choice);
  std::array<Part, 2> both{Part{asked.front()}, Part{asked.back()}};
  const std::span<Part> parts(both.data(), asked.size());
  ask_each(parts, [&](Part& part) {
    const Part& other = &part == &both.front() ? both.back() : both.front();
    const auto reached = other.found ? std::optional(with_direction(*other.found, epsilon, nullptr)) : std::nullopt;
    const auto place = directed_place({.epsilon = epsilon}, reached ? &*reached : nullptr, log_ceiling);
    const ProfileBracket found = source(part.direction, epsilon).at(place);
    part.found = part.found ? intersection(found, *part.found) : found;
  });
  const ProfileBracket out = with_direction(*both.front().found, epsilon, nullptr);
  return parts.size() == 1 ? out : with_direction(*both.back().found, epsilon, &out);
}

std::vector<ProfileBracket> ComposedProfile::at_all(const std::vector<ProfilePlace>& places, DirectionChoice choice,
                                                    const std::vector<ProfileBracket>* smaller) const {
  struct Part {
    Direction direction;
    const std::vector<std::size_t>& list;
    const Part* other = nullptr;  ///< the same list in the other direction
    std::vector<ProfileBracket> found{};
    bool starved = false;
  };
  const auto lists = by_sign(places);
  std::vector<Part> parts;
  for (const Direction direction : directions(choice))
    for (const std::vector<std::size_t>& list : lists) parts.push_back({direction, list});
  if (parts.size() > lists.size())
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].other = &parts[(i + lists.size()) % parts.size()];
  const auto ask = [&](Part& part) {
    const Part* other = part.other && !part.other->found.empty() ? part.other : nullptr;
    std::vector<DirectedProfile::Place> directed;
    for (std::size_t j = 0; j < part.list.size(); ++j) {
      const std::size_t i = part.list[j];
      ProfileBracket reached;
      if (other) reached = with_direction(other->found[j], places[i].epsilon, nullptr);
      const double log_ceiling = smaller ? (*smaller)[i].log_delta.upper : infinity;
      directed.push_back(directed_place(places[i], other ? &reached : nullptr, log_ceiling));
    }
    auto found = source(part.direction, places[part.list.front()].epsilon).at_all(directed);
    for (std::size_t j = 0; j < part.found.size(); ++j) found[j] = intersection(found[j], part.found[j]);
    part.found = std::move(found);
  };
  ask_each(parts, ask);
  std::vector<ProfileBracket> out(places.size());
  for (const Part& part : parts) {
    const bool first = part.direction == parts.front().direction;
    for (std::size_t j = 0; j < part.list.size(); ++j) {
      const std::size_t i = part.list[j];
      out[i] = with_direction(part.found[j], places[i].epsilon, first ? nullptr : &out[i]);
    }
  }
  return out;
}

Bracket ComposedProfile::largest_loss(DirectionChoice choice) const {
  Bracket out{-infinity, -infinity, -infinity};
  for (const Direction direction : directions(choice)) out = larger(out, in(direction).largest_loss());
  return out;
}

std::optional<Side> ComposedProfile::certain_side() const { return rounded_to(remove_->run().terms); }

std::optional<Bracket> ComposedProfile::epsilon_on_lattice(double delta, DirectionChoice choice) const {
  Bracket out{-infinity, -infinity, -infinity};
  for (const Direction direction : directions(choice)) {
    const std::optional<Bracket> found = in(direction).epsilon_on_lattice(delta);
    if (!found) return std::nullopt;
    out = larger(out, *found);
  }
  return out;
}

}  // namespace pld
