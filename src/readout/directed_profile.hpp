#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "directed_run.hpp"
#include "pld/compose/profile_piece.hpp"
#include "pld/readout/query.hpp"

namespace pld {

/// The privacy profile of one direction at epsilon >= 0, from composed pieces that are made where they are first needed and
/// kept. Safe to share between threads.
class DirectedProfile {
 public:
  DirectedProfile(DirectedRun run, Engine engine, double tolerance);

  /// Domain: 0 <= epsilon <= +inf. Where log delta turns out to be below `log_floor` an upper bound will do.
  [[nodiscard]] ProfileBracket at(double epsilon, double log_floor) const;

  /// The same at increasing epsilons, with about as few pieces as will do.
  [[nodiscard]] std::vector<ProfileBracket> at_all(const std::vector<double>& epsilons,
                                                   const std::vector<double>& log_floors) const;

  [[nodiscard]] const DirectedRun& run() const { return run_; }

 private:
  struct Piece {
    double centre = 0;
    double log_delta_upper = 0;      ///< at the centre
    double accepted = 0;             ///< the width of log delta with which the piece serves
    double accepted_complement = 0;  ///< likewise of log(1 - delta), where the piece has that to any accuracy
    PiecePtr profile;
  };
  [[nodiscard]] bool needs_piece(double epsilon) const;
  [[nodiscard]] ProfileBracket without_piece(double epsilon) const;
  [[nodiscard]] ProfileBracket finished(ProfileBracket found, double epsilon) const;
  bool read(double epsilon, double log_floor, ProfileBracket& out) const;
  void make_piece(double epsilon) const;
  [[nodiscard]] PiecePtr new_piece(double epsilon) const;

  DirectedRun run_;
  Engine engine_;
  double tolerance_;  ///< of log delta
  mutable std::mutex making_;
  mutable std::vector<Piece> pieces_;  ///< by increasing centre
};

}  // namespace pld
