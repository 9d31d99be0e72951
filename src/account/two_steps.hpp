#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "pld/account/composition.hpp"
#include "pld/core/direction.hpp"
#include "pld/core/profile_bracket.hpp"

namespace pld {

/// Upper bounds for the replacement of a record, which is its removal and then the addition of another. With M between
/// the two outputs, H_{e^(a+b)}(P || Q) <= H_{e^a}(P || M) + e^a H_{e^b}(M || Q) for all real a and b: of the composed
/// add-remove profiles, delta(a + b) <= delta_remove(a) + e^a delta_add(b).
///
/// Every number is a bound by itself, whatever a it was found with; brackets are of the bound, without width. The
/// search for the best a ends at its first look where that is far above `known`, which another bound has.
class TwoSteps {
 public:
  /// Upper bounds of the composed add-remove profile and of its inverse, in one direction.
  using LogDelta = std::function<double(double epsilon, DirectionChoice)>;
  using Epsilon = std::function<double(double delta, DirectionChoice)>;

  TwoSteps(LogDelta log_delta, Epsilon epsilon) : log_delta_(std::move(log_delta)), epsilon_(std::move(epsilon)) {}

  /// At any epsilon but NaN.
  [[nodiscard]] ProfileBracket at(double epsilon, double known_log_delta) const;

  /// An epsilon for a delta in [0, 1].
  [[nodiscard]] Bracket epsilon(double delta, double known) const;

 private:
  [[nodiscard]] double log_delta_of_both(double epsilon, double known) const;

  LogDelta log_delta_;
  Epsilon epsilon_;
};

/// The releases as removals and additions, for a composition under replace-one. Nothing for other relations, for an
/// exact composition, which is never above two steps, and where a release's parameters say nothing of removals.
[[nodiscard]] std::optional<Composition> steps_of(const Composition& composition);

}  // namespace pld
