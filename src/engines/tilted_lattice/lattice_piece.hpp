#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>

#include "engines/answer_width.hpp"
#include "engines/inverse.hpp"
#include "engines/piece_ask.hpp"
#include "engines/profile_piece.hpp"
#include "engines/rare_losses/hits.hpp"
#include "engines/rare_losses/one_hit.hpp"
#include "engines/tilted_lattice/lattice_query.hpp"
#include "engines/tilted_lattice/refinement.hpp"
#include "numeric/log_range.hpp"

namespace pld {

/// Both bounds of a composition on a lattice, to be read at any epsilon: those of a query's body, as one profile or a
/// sum of them, and what the query cuts off.
template <class Profile>
class LatticePiece final : public ProfilePiece {
 public:
  /// Made for an epsilon.
  template <class Body>
  LatticePiece(const Body& body, const Hits& hits, double centre, LatticeBudget& budget)
      : upper_(body.profile(Side::upper, budget)),
        lower_(body.profile(Side::lower, budget)),
        hits_(hits),
        centre_(centre) {}

  [[nodiscard]] ProfileBracket at(double epsilon) const override {
    const Bracket value = log_delta(epsilon);
    return {value, contour::one_minus({value.lower, value.estimate, value.upper}).bracket()};
  }
  [[nodiscard]] double centre() const override { return centre_; }
  [[nodiscard]] std::size_t size() const override {
    return upper_.size() + lower_.size() + (lowered_ ? lowered_->size() : 0);
  }

  /// Whether log delta is so much wider than splits make it between kinks: what is asked for lies about one.
  [[nodiscard]] bool is_about_a_kink(double log_width) const {
    constexpr double much = 2;
    const double usual = lower_.usual_split_loss();
    return usual > 0 && log_width > much * usual;
  }
  /// From below as well without splits.
  void add_lowered(const LatticeQuery& body, LatticeBudget& budget) { lowered_ = body.lowered_profile(budget); }

  /// For a width of log delta at the centre.
  [[nodiscard]] Evaluation evaluated(double tolerance) const {
    const Bracket found = log_delta(centre_);
    const double noise = noise_at(centre_);
    Evaluation e{found.width() / tolerance, noise / tolerance};
    // Near 1 the complement is to have its digits too, as far as those of a sum near 1 go.
    const double least_delta = std::exp(found.lower), most_complement = -std::expm1(found.lower);
    if (most_complement < 0.5) {
      const double enough = tolerance * std::max(most_complement, least_complement);
      e.width = std::max(e.width, least_delta * std::expm1(found.width()) / enough);
      e.round_off = std::max(e.round_off, noise / enough);
    }
    return e;
  }

  /// For a relative width of the epsilon of a log delta, near the centre, where log delta falls with this slope.
  [[nodiscard]] Evaluation evaluated(double log_delta, double tolerance, double slope) const {
    const auto read = [this](double epsilon) { return at(epsilon); };
    const Bracket found = epsilon_where(read, log_delta, centre_);
    const double enough = enough_width(found.estimate, tolerance);
    return {found.width() / enough, noise_at(centre_) / (enough * slope)};
  }

 private:
  [[nodiscard]] Bracket log_delta(double epsilon) const {
    const double lowered = lowered_ ? lowered_->log_delta(epsilon) : -infinity;
    return hits_.with_body(std::max(lower_.log_delta(epsilon), lowered), upper_.log_delta(epsilon), epsilon);
  }
  /// What of the width of log delta is slack and round-off.
  [[nodiscard]] double noise_at(double epsilon) const {
    const double body_share = std::min(1.0, std::exp(lower_.log_delta(epsilon) - log_delta(epsilon).lower));
    return 2 * lower_.relative_error(epsilon) * body_share;
  }

  Profile upper_, lower_;
  std::unique_ptr<const LatticeProfile> lowered_{};  ///< of add_lowered()
  Hits hits_;
  double centre_;
};
using WholePiece = LatticePiece<LatticeProfile>;
using OneHitPiece = LatticePiece<OneHit::Profile>;

}  // namespace pld
