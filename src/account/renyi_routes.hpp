#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pairs/remembered.hpp"
#include "pairs/renyi_curve.hpp"
#include "pld/account/composition.hpp"

namespace pld {

/// The ways to a bound of a composition in which Renyi divergences of some releases are known apart from their pairs
/// (RenyiCurve: guarantees as zCDP, mechanisms of bounded range): added up first, then converted, which mostly forgets
/// less than each pair does. Each is an upper bound by itself, at every epsilon and in both directions.
struct RenyiRoutes {
  std::optional<Composition> fewer{};  ///< of many guarantees, those that know of like orders are one release each
  std::vector<Composition> joined{};   ///< those with a curve as one release, and then with other releases' curves too
  std::optional<RenyiCurve> total{};   ///< of all releases, where each has one: converted as it is, without a pair

  /// Each pair for itself, but for those.
  [[nodiscard]] const Composition& as_it_stands(const Composition& composition) const {
    return fewer ? *fewer : composition;
  }
};
[[nodiscard]] RenyiRoutes renyi_routes(const Composition& composition);

/// With the guarantees that know about the same orders as one release each; nothing where they are few. Each pair takes
/// some hundredths of a second to make, and the sum of such curves loses little.
[[nodiscard]] std::optional<Composition> with_few_guarantees(const Composition& composition);

/// Renyi divergences of a release whose pair has no curve, always the same ones of the same pairs; nothing where they
/// are not to be had, or not wanted.
using OrdinaryCurve = std::function<std::optional<RenyiCurve>(const Release&)>;

/// The divergences of some releases, added up, and the other releases.
struct AddedFirst {
  RenyiCurve sum;
  double added = 0;                                 ///< how many releases
  std::vector<Remembered<PairPtr>::Count> pairs{};  ///< of these, which tell their curves
  std::string text = "sum of Renyi divergences";
  Composition rest;

  /// One release with the sum for its guarantee, and the rest.
  [[nodiscard]] Composition joined() const;
};

/// Adds up the curves of a composition and the `ordinary` ones. Nothing where no release has one of its own.
[[nodiscard]] std::optional<AddedFirst> renyi_first(const Composition& composition, const OrdinaryCurve& ordinary);

}  // namespace pld
