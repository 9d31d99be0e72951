#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pld/bounds/step.hpp"
#include "pld/core/direction.hpp"
#include "pld/core/errors.hpp"

namespace pld::bounds {

/// What a theorem says of the number it gives.
enum class Claim {
  upper_bound,    ///< the composition is (value, delta)-DP
  approximation,  ///< close to the exact epsilon in a limit, on either side of it
  misprint,       ///< a formula as some source prints it, kept to show what it does
};

[[nodiscard]] constexpr const char* name(Claim claim) {
  switch (claim) {
    case Claim::upper_bound:
      return "upper bound";
    case Claim::approximation:
      return "approximation";
    case Claim::misprint:
      break;
  }
  return "as printed";
}

/// What is asked of every bound: the composition, delta, and the direction (worst: the larger of both).
struct BoundQuery {
  Steps steps;
  double delta = 1e-6;  ///< in (0, 1)
  DirectionChoice direction = DirectionChoice::worst;
};

/// A theorem as a function of the query.
struct Bound {
  std::string name;
  std::string source;
  Claim claim = Claim::upper_bound;
  /// The epsilon it gives, rounded up by its evaluation error; throws DomainError where a precondition is not met.
  std::function<double(const BoundQuery&)> epsilon;
};

/// Every bound of this library that speaks of compositions, from the crudest to the sharpest.
[[nodiscard]] const std::vector<Bound>& all_bounds();

/// A bound's answer to one query: an epsilon (+inf allowed), or why it refuses.
struct BoundAnswer {
  double epsilon = 0;
  std::string refusal;  ///< empty where epsilon holds
  std::string needs{};  ///< of the refusal, what the bound must have

  [[nodiscard]] bool answered() const { return refusal.empty(); }
};

/// What a bound answers that throws.
[[nodiscard]] BoundAnswer refused(const DomainError& error);

/// Asks a bound; a DomainError becomes the refusal, and so does more work than an answer may take. Throws DomainError
/// where the query itself is invalid.
[[nodiscard]] BoundAnswer ask(const Bound& bound, const BoundQuery& query);

}  // namespace pld::bounds
