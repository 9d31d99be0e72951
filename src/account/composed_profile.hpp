#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "account/directed_profile.hpp"
#include "core/side.hpp"
#include "pld/account/composition.hpp"
#include "pld/account/profile_place.hpp"
#include "pld/account/query.hpp"

namespace pld {

/// The privacy profile of the composition of its releases' pairs, in both directions. Safe to share between threads.
class ComposedProfile {
 public:
  ComposedProfile(const Composition& composition, Engine engine, double tolerance, const CommonLatticePtr& common);

  /// Where log delta turns out to be above `log_ceiling`, a lower bound will do.
  [[nodiscard]] ProfileBracket at(double epsilon, DirectionChoice choice, double log_ceiling = infinity) const;
  /// The same at many places, in any order, at a fraction of the cost; likewise where it is above those of `smaller`.
  [[nodiscard]] std::vector<ProfileBracket> at_all(const std::vector<ProfilePlace>& places, DirectionChoice choice,
                                                   const std::vector<ProfileBracket>* smaller = nullptr) const;
  [[nodiscard]] Bracket largest_loss(DirectionChoice choice) const;
  /// Whether it knows the law that its releases' nodes stand for: lower ends are of that one alone.
  [[nodiscard]] bool knows_law() const { return remove_->knows_law(); }
  /// The side on which the ends are certain, of releases whose masses were rounded to one.
  [[nodiscard]] std::optional<Side> certain_side() const;
  /// The smallest epsilon for a delta in (0, 1), where the common lattice has it.
  [[nodiscard]] std::optional<Bracket> epsilon_on_lattice(double delta, DirectionChoice choice) const;

 private:
  [[nodiscard]] const DirectedProfile& in(Direction direction) const;
  [[nodiscard]] const DirectedProfile& source(Direction direction, double epsilon) const;
  [[nodiscard]] std::vector<Direction> directions(DirectionChoice choice) const;

  std::unique_ptr<const DirectedProfile> remove_, add_;  ///< add: none where it is the same as remove
};

}  // namespace pld
