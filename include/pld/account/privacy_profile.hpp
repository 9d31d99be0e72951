#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "pld/account/composition.hpp"
#include "pld/account/profile_place.hpp"
#include "pld/account/query.hpp"
#include "pld/core/profile_bracket.hpp"

namespace pld {

class CommonLattice;

struct ProfileOptions {
  double tolerance = 1e-3;  ///< relative width asked of delta, > 0; contour and closed form give some 1e-9 and better
  Engine engine = Engine::automatic;
  /// Likewise of an epsilon; without it 1e-4, or the tolerance of delta where that is less.
  std::optional<double> epsilon_tolerance{};
};

/// The privacy profile delta(epsilon) of a composition in both directions, composed once and read at any real epsilon.
///
/// Everything is read off epsilon >= 0: H_{e^eps}(P||Q) = 1 - e^eps + e^eps H_{e^-eps}(Q||P) gives a negative epsilon
/// of one direction from a positive one of the other (Zhu, Dong, Wang 2022, lemma 20). Each mechanism's add pair is its
/// remove pair with P and Q swapped. Where somebody's own mechanism has pairs that are not, a negative epsilon
/// tells what the other direction's pair implies.
///
/// Where a composition is not exact every bracket reaches from what real neighbours attain to what the pairs compose
/// to.
///
/// A delta below e^-750, no longer a double, has only an upper bound (its lower one may be far off).
///
/// Cheap to copy; copies share what has been composed. Safe to use from several threads.
class PrivacyProfile {
 public:
  /// Throws DomainError for a tolerance out of range or an engine that cannot take the composition.
  explicit PrivacyProfile(const Composition& composition, const ProfileOptions& options = {});

  /// delta(epsilon), or for the worse of the two directions the larger one, as pld::delta has it. Any epsilon but NaN
  /// (DomainError).
  [[nodiscard]] Bracket delta(double epsilon, DirectionChoice direction = DirectionChoice::worst) const;

  /// Its logarithm, likewise.
  [[nodiscard]] Bracket log_delta(double epsilon, DirectionChoice direction = DirectionChoice::worst) const;

  /// The same at many epsilons, in any order. More than 16, and those that take long, are read as log_profile() does.
  [[nodiscard]] std::vector<Bracket> log_delta(const std::vector<double>& epsilons,
                                               DirectionChoice direction = DirectionChoice::worst) const;

  /// log delta and log(1 - delta), read off pieces that serve all places near them: the small one of the two keeps its
  /// relative accuracy where an engine allows that.
  [[nodiscard]] ProfileBracket log_profile(double epsilon, DirectionChoice direction = DirectionChoice::worst) const;

  /// The same at many epsilons, in any order, at a fraction of the cost. What the readings that serve all leave wider
  /// than the tolerance is asked for alone, as far as the work of two answers goes.
  [[nodiscard]] std::vector<ProfileBracket> log_profile(const std::vector<double>& epsilons,
                                                        DirectionChoice direction = DirectionChoice::worst) const;

  /// The same, where a delta below its place's floor is not asked for alone.
  [[nodiscard]] std::vector<ProfileBracket> narrowed_profile(const std::vector<ProfilePlace>& places,
                                                             DirectionChoice direction = DirectionChoice::worst) const;

  /// Likewise, each to a width of its own, coarser or finer than the tolerance, as the readings that serve all have it.
  [[nodiscard]] std::vector<ProfileBracket> log_profile(const std::vector<ProfilePlace>& places,
                                                        DirectionChoice direction = DirectionChoice::worst) const;

  /// The inverse: smallest epsilon for a delta in [0, 1], as pld::epsilon has it.
  [[nodiscard]] Bracket epsilon(double delta, DirectionChoice direction = DirectionChoice::worst) const;

  /// The same for many deltas, in any order: more than 16, and those that take long, are read off the profile likewise.
  [[nodiscard]] std::vector<Bracket> epsilon(const std::vector<double>& deltas,
                                             DirectionChoice direction = DirectionChoice::worst) const;

  /// The direction in which delta(epsilon) is the larger, by estimate.
  [[nodiscard]] Direction worst_direction(double epsilon) const;

  /// The largest finite loss of the composition in a direction (or of both): +inf where losses have no bound.
  [[nodiscard]] Bracket largest_loss(DirectionChoice direction = DirectionChoice::worst) const;

  /// The profiles of its pairs and of what each of some pairs of real neighbours attains (see
  /// Composition::attained_by_each()), each as narrow as asked. Domain: not composition().is_one_law().
  [[nodiscard]] const PrivacyProfile& of_pairs() const;
  [[nodiscard]] std::vector<PrivacyProfile> attained() const;

  [[nodiscard]] const Composition& composition() const;
  [[nodiscard]] const ProfileOptions& options() const;

 private:
  friend PrivacyProfile profile_on(const Composition& composition, const ProfileOptions& options,
                                   std::shared_ptr<const CommonLattice> lattice);
  friend std::optional<Bracket> epsilon_on_lattice(const PrivacyProfile& profile, double delta,
                                                   DirectionChoice direction, double tolerance);
  friend bool is_convex(const PrivacyProfile& profile);
  PrivacyProfile(const Composition& composition, const ProfileOptions& options,
                 std::shared_ptr<const CommonLattice> lattice);
  [[nodiscard]] bool knows_law() const;
  [[nodiscard]] std::vector<Bracket> falling_epsilons(const std::vector<double>& deltas, DirectionChoice choice) const;
  [[nodiscard]] std::vector<Bracket> shared_epsilons(const std::vector<double>& deltas, DirectionChoice choice) const;
  [[nodiscard]] std::optional<Bracket> on_lattice(double delta, DirectionChoice direction, double tolerance) const;

  struct State;
  std::shared_ptr<const State> state_;
};

/// What can be read off a composition as a curve.
[[nodiscard]] inline PrivacyProfile profile(const Composition& composition, const ProfileOptions& options = {}) {
  return PrivacyProfile(composition, options);
}

}  // namespace pld
