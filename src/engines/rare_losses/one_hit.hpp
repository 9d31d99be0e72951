#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "engines/tilted_lattice/lattice_query.hpp"
#include "pairs/term.hpp"

namespace pld {

/// Rare large losses apart from the many small ones, where no tilt serves both.
///
/// It bounds what outcomes have where no loss is beyond what `whole` cuts off: with k_j releases of kind j,
///     body(epsilon) + sum_j k_j one_j(epsilon)  <=  delta(epsilon)  <=  body(epsilon) + sum_j k_j one_j(epsilon) +
///     P(two hits or more),
/// where one_j(epsilon) is the integral of rest_j(epsilon - z) over a hit's losses z, and rest_j the profile of all
/// other releases' losses up to the border. Body and rests are compositions on lattices, each with a tilt of its own;
/// hits need none.
class OneHit {
 public:
  /// The border is put where P(two hits or more) is at most e^log_two. `terms` are kept by reference.
  OneHit(const Terms& terms, const LatticeQuery& whole, double log_two);

  /// Whether there are hits, and anything beside them.
  [[nodiscard]] bool useful() const { return !kinds_.empty(); }
  /// Roughly log delta(epsilon), and -d log delta / d epsilon.
  [[nodiscard]] double log_delta_about(double epsilon) const;
  [[nodiscard]] double slope_about(double epsilon) const;

  /// Tilts body and rests for an epsilon, see LatticeQuery. A body that Chernoff's bound shows to be less than
  /// e^log_negligible from a little below epsilon on goes on no lattice. Throws WorkSpent where its moments take too
  /// long.
  void tilt_to(double epsilon, double nats, double log_negligible);
  [[nodiscard]] bool placed() const;

  /// The sum of profiles, of the outcomes where no loss is beyond what `whole` cuts off.
  class Profile {
   public:
    /// log of it, from the side that was composed.
    [[nodiscard]] double log_delta(double epsilon) const;
    /// What of it is slack and round-off of lattices, relative to its size.
    [[nodiscard]] double relative_error(double epsilon) const;
    /// About how many numbers it keeps.
    [[nodiscard]] std::size_t size() const;

   private:
    friend class OneHit;
    /// P mass of hits, moved to a loss.
    struct Hit {
      double loss = 0, log_mass = 0;
    };
    /// The profile of all releases but one, on a lattice and beyond it.
    struct Rest {
      LatticeProfile profile;
      Side side;
      double reliable_from;  ///< the lattice's tilt makes it useless far below
      double log_beyond;     ///< log of the mass that it lacks of P's 1, or has above Q's 1, from above
      double log_whole;      ///< log of P's whole mass, from above
      double log_reliable = profile.log_delta(reliable_from);  ///< log delta there, for all that is below
      [[nodiscard]] double log_delta(double epsilon) const;
    };
    struct Kind {
      std::vector<Hit> hits;
      Rest rest;
      [[nodiscard]] double log_delta(double epsilon) const;
      [[nodiscard]] double likeliest_hit(double epsilon) const;
    };
    std::vector<LatticeProfile> body_;  ///< one or none
    std::vector<Kind> kinds_;
    double log_others_ = -infinity;  ///< of what is on no lattice
    double from_ = -infinity;        ///< below it that is not bounded
    double log_before_ = 0;          ///< log delta for all that is below, once that is known
    Side side_ = Side::upper;
  };
  /// Throws WorkSpent.
  [[nodiscard]] Profile profile(Side side, LatticeBudget& budget) const;

 private:
  /// Hits of one kind of release, among the others.
  struct Kind {
    Kind(const Term& term, LossRange hits, Terms others, const std::vector<double>& borders);
    /// Roughly the log of a hit cell's part of delta(epsilon): what a normal law in the rest's place leaves of it.
    [[nodiscard]] double log_part_about(const LossCell& hit, double epsilon) const;
    [[nodiscard]] double log_delta_about(double epsilon) const;
    void tilt_to(double epsilon, double nats);
    [[nodiscard]] std::vector<Profile::Hit> cells(Side side, LatticeBudget& budget) const;
    [[nodiscard]] Profile::Kind profile(Side side, LatticeBudget& budget) const;

    Term term;
    LossRange hits;
    std::vector<LossCell> outline;  ///< of the hits
    Terms others;
    LatticeQuery rest;
    double mean = 0, deviation = 0;  ///< of the rest
    double fine_until = 0;           ///< hits up to there, a little beyond epsilon, go with all that the rest has
  };

  std::optional<LatticeQuery> body_;
  std::deque<Kind> kinds_;  ///< their queries refer to them
  double log_two_hits_ = -infinity;
  double log_body_ = infinity,
         body_from_ = -infinity;  ///< a bound of the body's profile from there on, where it is negligible
};

}  // namespace pld
