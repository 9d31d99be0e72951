#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "numeric/compensated_sum.hpp"
#include "pld/account/composition.hpp"
#include "pld/mechanisms/mechanism.hpp"

namespace pld {

/// A release known by two pairs only: `below` is dominated by its own, which `above` dominates.
struct BoundedRelease {
  PairPtr below, above;
  std::int64_t count = 1;
};

/// Any number of releases of ordered families (OrderedLaw), in boxes of their sizes that get wider as there are more: a
/// release is known to have no less than the least and no more than the largest size of any in its box, so that equal
/// ones stay exact. Joining is associative and commutative.
class ReleaseCells {
 public:
  static constexpr std::size_t most_of_total = 256;

  /// `most`: boxes at a time.
  explicit ReleaseCells(std::size_t most = most_of_total) : most_(most) {}

  struct Cell {
    std::vector<double> least, largest;
    std::int64_t count = 0;
  };
  struct Family {
    Mechanism member;                                 ///< any of them, under the relation
    std::map<std::vector<std::int64_t>, Cell> cells;  ///< by floor(2^20 log size) >> level
  };

  /// Whether it takes the mechanism, which is under the relation asked about: in either direction one of an ordered
  /// family.
  [[nodiscard]] static bool takes(const Mechanism& mechanism);

  /// Throws DomainError for a mechanism it does not take, a count outside [0, 1e12], and for more than 1e12 releases in
  /// a box.
  void add(const Mechanism& mechanism, std::int64_t count);
  void add(const ReleaseCells& other);
  /// A box of releases that are like `member` but for their sizes. Throws DomainError unless 0 < least <= largest <
  /// infinity.
  void add(const Mechanism& member, const Cell& cell);

  /// Widens the boxes, to e^(2^(level - 20)) a size; they never get narrower. Domain: up to `most_level`.
  void widen_to(int level);
  static constexpr int most_level = 26;
  [[nodiscard]] int level() const { return level_; }

  /// The boxes, in the same order for both directions.
  [[nodiscard]] std::vector<BoundedRelease> releases(Direction direction) const;
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return families_.empty(); }
  [[nodiscard]] const std::map<std::string, Family>& families() const { return families_; }

 private:
  void put(const std::string& name, const Mechanism& member, const Cell& cell);

  std::map<std::string, Family> families_;  ///< by name
  std::size_t size_ = 0;                    ///< boxes of all families
  int level_ = 0;
  std::size_t most_ = most_of_total;
};

/// Unsampled Gaussians, joined: their composition is the Gaussian pair with mu^2 = sum of the mu^2 (Dong, Roth, Su
/// 2022, corollary 3.3).
struct JoinedGaussians {
  CompensatedSum squared_mu{};
  double terms = 0;  ///< of the sum: what rounding there is grows with them

  [[nodiscard]] static bool takes(const Mechanism& mechanism);
  /// `count` >= 1.
  void add(const Mechanism& mechanism, std::int64_t count);
  void add(const JoinedGaussians& other);
  [[nodiscard]] bool empty() const { return terms == 0; }
  /// The one Gaussian, to within the rounding of mu: 1e-15 of it for up to 1e7 terms. Domain: not empty.
  [[nodiscard]] BoundedRelease release() const;
};

}  // namespace pld
