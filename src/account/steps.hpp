#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "account/splits.hpp"
#include "pld/account/composition.hpp"
#include "pld/account/engine.hpp"
#include "pld/core/direction.hpp"
#include "pld/core/profile_bracket.hpp"

namespace pld {

class PrivacyProfile;
struct ProfileOptions;

/// A way from one of two data sets to the other by neighbours of a composition.
struct Way {
  Composition step;       ///< the releases as each step has them, of which the pairs count
  int steps = 1;          ///< of the direction asked for
  bool replaces = false;  ///< so many removals instead, each with an addition after it

  /// How many neighbours on, removals and additions together.
  [[nodiscard]] int length() const { return replaces ? 2 * steps : steps; }
  /// Those of all of them.
  [[nodiscard]] std::vector<DirectionChoice> directions(DirectionChoice asked) const;
};

/// The ways between data sets that are neighbours of a composition whose pairs are not attained, which is never above
/// any of them if it is. The replacement of records is their removal and then the addition of others; a group's change
/// is that of its records one by one; and both: each is replaced before the next one leaves, of which a batch of fixed
/// size has the same share then. None where a release's parameters say nothing of the steps.
[[nodiscard]] std::vector<Way> ways_of(const Composition& composition);

/// The releases that records take part in, as though they were told which: one step, as divergences are jointly convex.
/// Of batches whose size does not change those of the whole data set, where a record is blanked out. Of other samples
/// those of all data too, where more is known of these than of the sample's pair: Renyi divergences, or what a group
/// loses. None of a group's releases of which several records may share some, as of an allocation.
[[nodiscard]] std::optional<Way> way_when_told(const Composition& composition);

/// ways_of() and, where there is one, way_when_told().
[[nodiscard]] std::vector<Way> all_ways_of(const Composition& composition);

/// The release of all data that a sample is of, and how many of it a record is in: given who is drawn, which is alike
/// on both data sets, a sample's laws are theirs. In a batch of fixed size another record takes the place of one left
/// out.
struct OnAllData {
  Mechanism base;
  double each = 1;
  bool may_have_any = false;  ///< records are drawn each by itself: any of them may be in the same releases
};
/// None of what is no sample, nor where the parameters say nothing of such a replacement.
[[nodiscard]] std::optional<OnAllData> on_all_data(const Mechanism& mechanism, Neighbours neighbours);

/// Upper bounds by a way. With M_0, M_1, ..., M_k the outputs along it, H_{e^(a+b)}(M_0 || M_2) <= H_{e^a}(M_0 || M_1)
/// + e^a H_{e^b}(M_1 || M_2) for all real a and b: of the profiles of the steps,
///   delta(a_1 + ... + a_k) <= sum_i e^(a_1 + ... + a_(i-1)) delta_i(a_i).
/// Every number is a bound by itself, whatever a_i it was found with; brackets are of the bound, without width.
class Steps {
 public:
  /// tolerance: relative, of delta, to which many answers may be taken off chords.
  Steps(Way way, StepBounds bounds, double tolerance)
      : way_(std::move(way)), bounds_(std::move(bounds)), tolerance_(tolerance) {}

  /// At any epsilons but NaN; one search shares what it reads.
  [[nodiscard]] std::vector<ProfileBracket> at(const std::vector<double>& epsilons, DirectionChoice choice) const;

  /// Epsilons for falling deltas in [0, 1], where that profile reaches them, looked for from `near` on.
  [[nodiscard]] std::vector<double> epsilon(const std::vector<double>& deltas, DirectionChoice choice,
                                            const std::vector<double>& near) const;

 private:
  class Searches;
  [[nodiscard]] Splits splits(DirectionChoice choice) const;
  [[nodiscard]] std::vector<DirectionChoice> asked(DirectionChoice choice) const;

  Way way_;
  StepBounds bounds_;
  double tolerance_;
};

/// The profile that the pairs of a way's steps compose to.
[[nodiscard]] PrivacyProfile profile_of_step(const Way& way, const ProfileOptions& options);

/// The bounds of a way by that profile, which answers all that a search for the best shares asks.
[[nodiscard]] Steps steps_by_profile(const Way& way, double tolerance, Engine engine = Engine::automatic);

}  // namespace pld
