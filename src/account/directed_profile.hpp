#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "account/common_lattice.hpp"
#include "account/directed_run.hpp"
#include "engines/profile_piece.hpp"
#include "pld/account/query.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

/// Below this log delta is not told from that of 0: only an upper bound is sought.
inline constexpr double least_log_delta = -750;

/// The privacy profile of one direction at epsilon >= 0, from composed pieces that are made where they are first needed
/// and kept. Safe to share between threads.
class DirectedProfile {
 public:
  struct Place {
    double epsilon = 0;             ///< 0 <= epsilon <= +inf
    double log_floor = -infinity;   ///< where log delta turns out to be below it an upper bound will do
    double log_width = -infinity;   ///< log of the absolute width of delta that will do; -inf: the tolerance decides
    double log_ceiling = infinity;  ///< where log delta turns out to be above it a lower bound will do
  };

  /// Reads what is narrow enough off a lattice that other compositions share, where there is one; or off the law that
  /// the run's nodes stand for, where lines know that.
  DirectedProfile(DirectedRun run, Engine engine, double tolerance, CommonLatticePtr common = nullptr,
                  std::unique_ptr<const DirectedProfile> law = nullptr);

  [[nodiscard]] ProfileBracket at(const Place& place) const;

  /// The same at places of increasing epsilon, with about as few pieces as will do.
  [[nodiscard]] std::vector<ProfileBracket> at_all(const std::vector<Place>& places) const;

  /// The smallest epsilon for a delta in (0, 1), where the common lattice has it.
  [[nodiscard]] std::optional<Bracket> epsilon_on_lattice(double delta) const;

  [[nodiscard]] const DirectedRun& run() const { return run_; }
  [[nodiscard]] bool knows_law() const { return law_ != nullptr; }
  /// The largest finite loss, of the law where it knows that.
  [[nodiscard]] Bracket largest_loss() const { return (law_ ? law_->run_ : run_).largest_loss; }

 private:
  struct Piece {
    double centre = 0;
    double tolerance = 0;            ///< of log delta, that it was made for
    double log_delta_upper = 0;      ///< at the centre
    double accepted = 0;             ///< the width of log delta with which the piece serves
    double accepted_complement = 0;  ///< likewise of log(1 - delta), where the piece has that to any accuracy
    PiecePtr profile;
    double work = infinity;  ///< that it had, where it took all there was: more may make a better one
  };
  [[nodiscard]] bool needs_piece(double epsilon) const;
  [[nodiscard]] ProfileBracket on_nodes(const Place& place) const;
  [[nodiscard]] std::vector<ProfileBracket> all_on_nodes(const std::vector<Place>& places) const;
  [[nodiscard]] ProfileBracket without_piece(double epsilon) const;
  [[nodiscard]] double tolerance_at(const Place& place, const ProfileBracket& known) const;
  [[nodiscard]] const TotalReading* on_lattice() const;  ///< null: no lattice
  [[nodiscard]] bool is_enough(const Place& place, const ProfileBracket& known) const;
  bool read(const Place& place, ProfileBracket& out) const;
  void make_and_read(const Place& place, ProfileBracket& out) const;
  void make_piece(double epsilon, double tolerance) const;
  [[nodiscard]] bool affords_piece() const;
  void forget_far_from(double epsilon) const;
  [[nodiscard]] PiecePtr new_piece(double epsilon, double tolerance) const;

  DirectedRun run_;
  Engine engine_;
  double tolerance_;           ///< of log delta
  PiecePtr closed_form_;       ///< where there is one to be asked
  double most_log_delta_ = 0;  ///< at any epsilon from the smallest loss on
  CommonLatticePtr common_;
  std::unique_ptr<const DirectedProfile> law_;
  mutable std::mutex making_;
  mutable std::optional<std::shared_ptr<const TotalReading>> on_lattice_;  ///< null where it takes too much work
  mutable std::vector<Piece> pieces_;                                      ///< by increasing centre
};

}  // namespace pld
