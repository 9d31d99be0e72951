#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "pld/account/composition.hpp"
#include "pld/account/engine.hpp"
#include "pld/core/direction.hpp"
#include "pld/core/profile_bracket.hpp"

namespace pld {

/// A way from one of two data sets to the other by neighbours of a composition.
struct Way {
  Composition step;       ///< the releases as each step has them
  int steps = 1;          ///< of the direction asked for
  bool replaces = false;  ///< two instead: a removal, then an addition
};

/// The ways between data sets that are neighbours of a composition whose pairs are not attained, which is never above
/// any of them if it is. The replacement of records is their removal and then the addition of others; a group's change
/// is that of its records one by one. None where a release's parameters say nothing of the steps.
[[nodiscard]] std::vector<Way> ways_of(const Composition& composition);

/// Upper bounds by a way. With M_0, M_1, ..., M_k the outputs along it, H_{e^(a+b)}(M_0 || M_2) <= H_{e^a}(M_0 || M_1)
/// + e^a H_{e^b}(M_1 || M_2) for all real a and b: of the profiles of the steps,
///   delta(a_1 + ... + a_k) <= sum_i e^(a_1 + ... + a_(i-1)) delta_i(a_i).
/// Every number is a bound by itself, whatever a_i it was found with; brackets are of the bound, without width. The a_i
/// are searched along one line, on which they grow evenly from step to step, as the best ones of Gaussian noise do. The
/// search ends at its first look where that is far above `known`, which another bound has.
class Steps {
 public:
  /// Upper bounds of the profile of a step at each of some epsilons, and of its inverse, perhaps near some epsilon, in
  /// one direction.
  using LogDelta = std::function<std::vector<double>(const std::vector<double>& epsilons, DirectionChoice)>;
  using Epsilon = std::function<double(double delta, DirectionChoice, double near)>;

  Steps(Way way, LogDelta log_delta, Epsilon epsilon)
      : way_(std::move(way)), log_delta_(std::move(log_delta)), epsilon_(std::move(epsilon)) {}

  /// At any epsilon but NaN.
  [[nodiscard]] ProfileBracket at(double epsilon, DirectionChoice choice, double known_log_delta) const;

  /// An epsilon for a delta in [0, 1].
  [[nodiscard]] Bracket epsilon(double delta, DirectionChoice choice, double known) const;

 private:
  [[nodiscard]] double log_delta_of_all(double epsilon, DirectionChoice choice, double known) const;
  [[nodiscard]] double epsilon_of_all(double delta, DirectionChoice choice, double known) const;
  [[nodiscard]] std::vector<DirectionChoice> directions(DirectionChoice choice) const;
  [[nodiscard]] int length() const { return way_.replaces ? 2 : way_.steps; }

  Way way_;
  LogDelta log_delta_;
  Epsilon epsilon_;
};

/// The bounds of a way by one PrivacyProfile of its steps, which answers all that a search for the best shares asks.
[[nodiscard]] Steps steps_by_profile(const Way& way, double tolerance, Engine engine = Engine::automatic);

}  // namespace pld
