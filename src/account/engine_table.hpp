#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engines/contour/contour.hpp"
#include "engines/engine_answer.hpp"
#include "engines/profile_piece.hpp"
#include "engines/tilted_lattice/lattice_engine.hpp"
#include "pairs/term.hpp"
#include "pld/account/engine.hpp"
#include "pld/core/bracket.hpp"

namespace pld {

/// How far log delta may be from that at the epsilon of a lattice made for a neighbourhood.
constexpr double nats_of_a_neighbourhood = 10;

/// What the pieces for one epsilon and width have in common, made where it is first needed. The terms are kept by
/// reference.
class EngineWork {
 public:
  /// `nats`: how far log delta may be from that at epsilon where the pieces are read; `log_floor`: below it an upper
  /// bound of log delta will do; `effort`: of the first line. `points`: those left of lattice_points(), kept by
  /// reference.
  EngineWork(const Terms& terms, double epsilon, double width, double nats, double log_floor, Effort effort,
             double& points)
      : terms_(terms),
        epsilon_(epsilon),
        width_(width),
        nats_(nats),
        log_floor_(log_floor),
        effort_(effort),
        points_(points) {}

  [[nodiscard]] const Terms& terms() const { return terms_; }
  [[nodiscard]] double epsilon() const { return epsilon_; }
  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] Effort effort() const { return effort_; }
  [[nodiscard]] bool is_read_far() const { return nats_ > 0; }
  [[nodiscard]] bool needs_only_an_upper_bound() {
    constexpr double safely = 100;  // nats, of an estimate
    return lattice()->is_below(log_floor_ - safely);
  }
  [[nodiscard]] const std::shared_ptr<const LatticeWork>& lattice() {
    if (!lattice_) lattice_ = std::make_shared<const LatticeWork>(terms_, epsilon_, width_, nats_, points_);
    return lattice_;
  }

 private:
  const Terms& terms_;
  double epsilon_, width_, nats_, log_floor_;
  Effort effort_;
  double& points_;
  std::shared_ptr<const LatticeWork> lattice_;
};

/// Where epsilon is asked for.
struct EpsilonAsk {
  double log_delta = 0;           ///< in (-inf, 0)
  Bracket log_finite{};           ///< log of what is left of delta for the finite losses
  double tolerance = 0;           ///< relative, of epsilon
  Effort effort = Effort::quick;  ///< of the first line
};

/// A method that certifies both bounds of a profile.
struct EngineRow {
  Engine engine;
  const char *method, *takes_what, *cost;  ///< as the README says them
  bool (*takes)(const Terms& terms);
  /// Whether it is worth asking for so narrow an answer where no engine was named.
  bool (*pays)(const Terms& terms, double tolerance);
  PiecePtr (*piece)(EngineWork& work);  ///< null: hands over; never throws for lack of work
  /// Likewise the smallest epsilon for a delta; of `points` it takes its own. No function where
  /// another row of the engine answers that.
  std::optional<EngineAnswer> (*epsilon)(const Terms& terms, const EpsilonAsk& ask, double& points);
};

/// All methods, in the order in which they are asked.
[[nodiscard]] const std::vector<EngineRow>& engine_table();

/// As a table in Markdown.
[[nodiscard]] std::string engine_table_text();

}  // namespace pld
