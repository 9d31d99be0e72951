#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engines/contour/contour.hpp"
#include "engines/piece_ask.hpp"
#include "engines/profile_piece.hpp"
#include "engines/tilted_lattice/lattice_engine.hpp"
#include "pairs/term.hpp"
#include "pld/account/engine.hpp"

namespace pld {

/// How far log delta may be from that at the epsilon of a lattice made for a neighbourhood.
constexpr double nats_of_a_neighbourhood = 10;

/// Whether the work left is enough to set an engine up for so many kinds, most of which do no more than look at each.
[[nodiscard]] bool may_set_up(const Terms& terms);

/// What the pieces for one ask have in common, made where it is first needed. The terms are kept by reference.
class EngineWork {
 public:
  /// `effort`: of the first line. `points`: those left of lattice_points(), kept by reference.
  EngineWork(const Terms& terms, const PieceAsk& ask, Effort effort, double& points)
      : terms_(terms), ask_(ask), effort_(effort), points_(points) {}

  [[nodiscard]] const Terms& terms() const { return terms_; }
  [[nodiscard]] const PieceAsk& ask() const { return ask_; }
  [[nodiscard]] Effort effort() const { return effort_; }
  [[nodiscard]] bool may_set_up() const { return lattice_ || pld::may_set_up(terms_); }
  [[nodiscard]] bool is_read_far() const { return ask_.nats > 0; }
  [[nodiscard]] bool needs_only_an_upper_bound() {
    constexpr double safely = 100;  // nats, of an estimate
    return lattice()->is_below(ask_.log_floor - safely);
  }
  [[nodiscard]] const std::shared_ptr<const LatticeWork>& lattice() {
    if (!lattice_) lattice_ = std::make_shared<const LatticeWork>(terms_, ask_, points_);
    return lattice_;
  }

 private:
  const Terms& terms_;
  PieceAsk ask_;
  Effort effort_;
  double& points_;
  std::shared_ptr<const LatticeWork> lattice_;
};

/// A method that certifies both bounds of a profile.
struct EngineRow {
  Engine engine;
  const char *method, *takes_what, *cost;  ///< as the README says them
  bool (*takes)(const Terms& terms);
  /// Whether it is worth asking for so narrow an answer where no engine was named.
  bool (*pays)(const Terms& terms, double tolerance);
  PiecePtr (*piece)(EngineWork& work);  ///< null: hands over; never throws for lack of work
  bool in_any_case = false;             ///< also where an engine may not be set up: something is told
};

/// All methods, in the order in which they are asked.
[[nodiscard]] const std::vector<EngineRow>& engine_table();

/// As a table in Markdown.
[[nodiscard]] std::string engine_table_text();

}  // namespace pld
