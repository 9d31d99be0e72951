#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "pld/mechanisms/mechanism.hpp"

namespace pld {

/// A mechanism and how many times it is released.
struct Release {
  Mechanism mechanism;
  std::int64_t count = 1;
};

/// A list of releases made on the same data, in any order, under one relation of neighbours. What is asked of the data
/// may depend on what earlier releases gave out; the mechanisms and their parameters may not: they are fixed in advance
/// (docs/budgets.md). Cheap to copy while few differ; queries do not change it.
class Composition {
 public:
  Composition() = default;  ///< add/remove
  explicit Composition(const Neighbours& neighbours) : neighbours_(neighbours) {}

  static constexpr std::int64_t max_count = 1'000'000'000'000;

  /// Adds `count` releases of `mechanism`, as it is for these neighbours (equal mechanisms are merged). Throws
  /// DomainError unless 0 <= count <= 1e12, also for the sum of equal ones, and MissingTheorem where no pair is known
  /// under the relation.
  Composition& add(const Mechanism& mechanism, std::int64_t count = 1);

  [[nodiscard]] const std::vector<Release>& releases() const { return releases_; }
  [[nodiscard]] const Neighbours& neighbours() const { return neighbours_; }
  [[nodiscard]] Relation relation() const { return neighbours_.relation; }

  /// Whether at every epsilon some pair of neighbours attains what the releases' pairs compose to, or what lies between
  /// them and the laws that bound them from below: what looks at one epsilon at a time (delta, epsilon, the advantage,
  /// mu) then brackets the exact loss. Elsewhere those pairs dominate, and give upper bounds.
  [[nodiscard]] bool is_exact() const;

  /// Whether it is the same pair of neighbours at all epsilons: what looks at several together (powers of tests, Renyi
  /// and other divergences, rho) brackets the exact loss then only.
  [[nodiscard]] bool has_worst_neighbours() const;

  /// Whether it is exact and delta is that of the releases' pairs, not known from two sides only.
  [[nodiscard]] bool is_one_profile() const;

  /// The same of has_worst_neighbours(): they have the releases' pairs.
  [[nodiscard]] bool is_one_law() const;

  /// Whether of some release only a guarantee is known: what is attained, one composition with these guarantees
  /// attains.
  [[nodiscard]] bool is_only_guaranteed() const;

  /// The releases with each law that is worked out to some fineness on the nodes that `nodes(release)` says.
  [[nodiscard]] Composition at_nodes(const std::function<Nodes(const Release&)>& nodes) const;

  /// The releases as if one pair of neighbours attained their pairs: what upper bounds are read off.
  [[nodiscard]] Composition of_pairs() const;

  /// What one pair of real neighbours is known to attain: the releases, each as far as they have it; nothing released
  /// where nothing is known.
  [[nodiscard]] Composition attained() const;

  /// What each of several pairs of real neighbours is known to attain, attained() first. Every lower bound of a
  /// composition that is not exact is the largest that one of these has; of most compositions there is one alone.
  [[nodiscard]] std::vector<Composition> attained_by_each() const;

 private:
  Neighbours neighbours_;
  std::vector<Release> releases_;
  std::unordered_map<std::string, std::size_t> places_;  ///< in releases_, by text
};

}  // namespace pld
