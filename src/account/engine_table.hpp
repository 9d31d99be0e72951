#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engines/profile_piece.hpp"
#include "engines/tilted_lattice/lattice_engine.hpp"
#include "pld/account/engine.hpp"
#include "pairs/term.hpp"

namespace pld {

/// What the pieces for one epsilon and width have in common, made where it is first needed. The terms are kept by
/// reference.
class EngineWork {
 public:
  /// `place` is asked for once, if at all.
  EngineWork(const Terms& terms, double epsilon, double width, std::function<LatticePlace()> place)
      : terms_(terms), epsilon_(epsilon), width_(width), place_(std::move(place)) {}

  [[nodiscard]] const Terms& terms() const { return terms_; }
  [[nodiscard]] double epsilon() const { return epsilon_; }
  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] const std::shared_ptr<const LatticeWork>& lattice() {
    if (!lattice_) lattice_ = std::make_shared<const LatticeWork>(terms_, epsilon_, width_, place_());
    return lattice_;
  }

 private:
  const Terms& terms_;
  double epsilon_, width_;
  std::function<LatticePlace()> place_;
  std::shared_ptr<const LatticeWork> lattice_;
};

/// A method that certifies both bounds of a profile.
struct EngineRow {
  Engine engine;
  const char *method, *takes_what, *cost;  ///< as the README says them
  bool (*takes)(const Terms& terms);
  PiecePtr (*piece)(EngineWork& work);  ///< null: hands over; never throws for lack of work
};

/// All methods, in the order in which they are asked.
[[nodiscard]] const std::vector<EngineRow>& engine_table();

/// As a table in Markdown.
[[nodiscard]] std::string engine_table_text();

}  // namespace pld
