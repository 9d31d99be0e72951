#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pld/mechanisms/gaussian.hpp"
#include "pld/pairs/dominating_pair.hpp"
#include "pld/pairs/law_kind.hpp"

namespace pld {

/// Any mechanism with D_a <= xi + rho a for all a > 1 (Bun, Steinke 2016, definitions 1.1 and 8.1).
struct ConcentratedDp {
  double rho = 0.1;  ///< from 1e-12 to 1e6
  double xi = 0;     ///< from 0 to 1e6
};

/// Any mechanism with D_a <= rho a for 1 < a < omega (Bun, Dwork, Rothblum, Steinke 2018, definition 1.1).
struct TruncatedConcentratedDp {
  double rho = 0.1;   ///< from 1e-12 to 1e6
  double omega = 10;  ///< from 1.01 to 1e9
};

/// Any mechanism with D_a <= epsilons[i] for each a = orders[i] (Mironov 2017). Between orders (a - 1) D_a is below its
/// chords (van Erven, Harremoes 2014, corollary 2).
struct RenyiDp {
  std::vector<double> orders;    ///< 1.01 to 1e9, increasing, 1 to 1000 of them
  std::vector<double> epsilons;  ///< one an order, from 0 to 1e6
};

/// "zcdp:rho=0.1,xi=0", "tcdp:rho=0.1,omega=10", "rdp:orders=2/4,epsilons=0.1/0.2".
[[nodiscard]] std::string describe(const ConcentratedDp& mechanism);
[[nodiscard]] std::string describe(const TruncatedConcentratedDp& mechanism);
[[nodiscard]] std::string describe(const RenyiDp& mechanism);

/// See pair_of_renyi_curve(). Each throws DomainError for a parameter out of range.
[[nodiscard]] PairPtr dominating_pair(const ConcentratedDp& mechanism, Direction direction);
[[nodiscard]] PairPtr dominating_pair(const TruncatedConcentratedDp& mechanism, Direction direction);
[[nodiscard]] PairPtr dominating_pair(const RenyiDp& mechanism, Direction direction);

/// The guarantee is that of the relation asked about.
[[nodiscard]] inline ConcentratedDp replacing(const ConcentratedDp& mechanism) { return mechanism; }
[[nodiscard]] inline TruncatedConcentratedDp replacing(const TruncatedConcentratedDp& mechanism) { return mechanism; }
[[nodiscard]] inline RenyiDp replacing(const RenyiDp& mechanism) { return mechanism; }
/// Rounded up (Bun, Steinke 2016, proposition 27).
[[nodiscard]] ConcentratedDp grouped(const ConcentratedDp& mechanism, int group);

[[nodiscard]] inline LawKind law_kind(const ConcentratedDp&) {
  return {.attained = Attainment::nowhere, .guarantee = true, .only_guaranteed = true};
}
[[nodiscard]] inline LawKind law_kind(const TruncatedConcentratedDp&) {
  return {.attained = Attainment::nowhere, .guarantee = true, .only_guaranteed = true};
}
[[nodiscard]] inline LawKind law_kind(const RenyiDp&) {
  return {.attained = Attainment::nowhere, .guarantee = true, .only_guaranteed = true};
}

/// Gaussian noise that satisfies the guarantee; none where that leaves no room for any.
[[nodiscard]] std::optional<Gaussian> witness(const ConcentratedDp& mechanism);
[[nodiscard]] std::optional<Gaussian> witness(const TruncatedConcentratedDp& mechanism);
[[nodiscard]] std::optional<Gaussian> witness(const RenyiDp& mechanism);

}  // namespace pld
