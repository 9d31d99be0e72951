#include "engines/tilted_lattice/lattice_engine.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "engines/answer_width.hpp"
#include "engines/rare_losses/hits.hpp"
#include "engines/search.hpp"
#include "engines/tilted_lattice/lattice_piece.hpp"
#include "engines/tilted_lattice/refinement.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// Compositions of more releases are asked for their moments first: often enough, and they cost nothing.
constexpr double many_releases = 1e6;

/// The share of the width asked that the discretisation is planned for.
constexpr double planned_share = 0.6;

/// Cuts and tilts for log delta at an epsilon, for use where delta is up to e^further_nats times smaller or larger too.
void prepare_at_epsilon(LatticeQuery& query, double epsilon, double tolerance, double further_nats) {
  // Hits that do not matter at this delta would put a second hump into K and spoil the tilt, so they are cut first.
  // How large delta is is known only after the cut: the cut that fits its own delta lies between these two.
  const double share = log_hit_share(tolerance) - further_nats;
  double high = log_sum(query.at_epsilon(epsilon).log_delta, query.log_infinity().estimate);
  const auto cut_for = [&](double log_delta) {
    query.cut_above(log_delta + share, epsilon);
    return log_sum(query.at_epsilon(epsilon).log_delta,
                   std::max(query.hits().gaining.log_gain(epsilon), query.log_infinity().estimate));
  };
  double low = cut_for(high);
  while (high - low > std::max(1.0, 1e-9 * std::fabs(low))) {
    const double middle = low + (high - low) / 2;
    (cut_for(middle) < middle ? high : low) = middle;
  }
  query.tilt_to(query.at_epsilon(epsilon), 16 + further_nats - std::log(tolerance));
}

/// Cuts and tilts for the epsilon of a log delta. Hits far above it count in full, and it is then where the body has
/// the rest of delta.
void prepare_at_delta(LatticeQuery& query, double log_delta, double tolerance) {
  const double target = log_difference(log_delta, query.log_infinity().lower), share = log_hit_share(tolerance);
  query.cut_above(target + share, infinity);
  const double near = query.at_log_delta(target).epsilon;
  const double reach = near + 1 + 0.1 * std::fabs(near);
  query.cut_above(target + share, reach);
  if (!(query.log_hits().upper < target - 1)) query.cut_above(target + share, infinity);
  query.tilt_to(query.at_log_delta(log_difference(target, query.log_hits().estimate)), 24 - std::log(tolerance));
}

/// Tilts what hits were taken from for a width of log delta near an epsilon; whether a lattice reaches there.
bool tilted_to(HitsApart& apart, double epsilon, double log_width) {
  try {
    apart.parts.tilt_to(epsilon, 24 - std::log(log_width), apart.log_delta + std::log(0.01 * std::min(log_width, 1.0)));
  } catch (const WorkSpent&) {
    return false;
  }
  return apart.parts.placed();
}

}  // namespace

double lattice_points(std::size_t kinds) {
  constexpr double points_in_all = 7e7, points_a_release = 2.4e5;
  return points_in_all + points_a_release * static_cast<double>(kinds);
}

LatticeWork::LatticeWork(const Terms& terms, const PieceAsk& ask, double& points)
    : terms_(terms), ask_(ask), points_(points), query_(terms) {
  if (!ask_.log_delta) {
    near_ = {ask_.epsilon, ask_.width};
    if (query_.reaches(ask_.epsilon)) prepare_at_epsilon(query_, ask_.epsilon, ask_.width, ask_.nats);
    return;
  }
  prepare_at_delta(query_, *ask_.log_delta, ask_.width);
  const Saddle& saddle = query_.saddle();
  near_ = {saddle.epsilon, enough_width(saddle.epsilon, ask_.width) * saddle.tilt};
}

bool LatticeWork::without_lattice_first() const {
  return query_.reaches(near_.epsilon) && (query_.releases() > many_releases || query_.saddle().log_delta > -0.01);
}

bool LatticeWork::is_below(double log_delta) const {
  return query_.reaches(near_.epsilon) && query_.saddle().log_delta < log_delta;
}

std::optional<HitsApart> LatticeWork::taken_apart() const {
  if (ask_.log_delta) return apart_at_log_delta(terms_, query_, *ask_.log_delta, ask_.width);
  if (ask_.nats == 0) return apart_at_epsilon(terms_, query_, near_.epsilon, ask_.width);
  LatticeQuery here(terms_);
  prepare_at_epsilon(here, near_.epsilon, ask_.width, 0);
  return apart_at_epsilon(terms_, here, near_.epsilon, ask_.width);
}

HitsApart* LatticeWork::apart() const {
  if (!asked_apart_ && query_.reaches(near_.epsilon))
    if (auto found = taken_apart()) apart_.emplace(std::move(*found));
  asked_apart_ = true;
  return apart_ ? &*apart_ : nullptr;
}

std::optional<LatticeWork::Near> LatticeWork::near_of_parts() const {
  if (!ask_.log_delta) return near_;
  const OneHit& parts = apart_->parts;
  const auto excess = [&](double epsilon) { return parts.log_delta_about(epsilon) - *ask_.log_delta; };
  const auto close = [](double a, double b) { return b - a <= 1e-3 * b; };
  const double epsilon = crossing(excess, near_.epsilon, 1e-3 * near_.epsilon, close).second;
  if (!(epsilon > 0 && epsilon < infinity)) return std::nullopt;
  return Near{epsilon, enough_width(epsilon, ask_.width) * parts.slope_about(epsilon)};
}

template <class Piece, class Make>
PiecePtr LatticeWork::narrowest(const Near& near, double& points, const Make& make) const {
  // Where the sum of parts has no end, what is on no lattice is too much.
  constexpr bool finer_brings_ends = std::is_same_v<Piece, WholePiece>;
  std::shared_ptr<const Piece> best;
  double least = infinity;
  refine(planned_share * near.log_width, points, [&](LatticeBudget& left) {
    const auto piece = std::make_shared<Piece>(make(left));
    const double slope = near.log_width / enough_width(near.epsilon, ask_.width);
    const auto evaluated = [&] {
      return ask_.log_delta ? piece->evaluated(*ask_.log_delta, ask_.width, slope) : piece->evaluated(ask_.width);
    };
    Evaluation found = evaluated();
    if constexpr (std::is_same_v<Piece, WholePiece>) {
      if (found.width > 1 && piece->is_about_a_kink(found.width * near.log_width)) {
        piece->add_lowered(query_, left);
        found = evaluated();
      }
    }
    const bool one_end_helps = ask_.log_delta && !best;
    if (found.width < least || one_end_helps) best = piece, least = found.width;
    left.at_limit = left.at_limit || !(finer_brings_ends || found.width < infinity);
    return found;
  });
  return best;
}

PiecePtr LatticeWork::within(double& points) const {
  if (!query_.reaches(near_.epsilon) || !query_.placed()) return nullptr;
  return narrowest<WholePiece>(
      near_, points, [&](LatticeBudget& left) { return WholePiece(query_, query_.hits(), near_.epsilon, left); });
}

PiecePtr LatticeWork::whole() const {
  PiecePtr found = within(points_);
  if (found || ask_.nats == 0) return found;
  PieceAsk less = ask_;
  less.width *= 2;
  return LatticeWork(terms_, less, points_).within(points_);  // other cuts may bring both ends
}
PiecePtr LatticeWork::quick() const {
  return with_few(points_, [this](double& few) { return within(few); });
}

PiecePtr LatticeWork::parts() const {
  if (!apart()) return nullptr;
  const auto near = near_of_parts();
  if (!near || !(near->log_width > 0 && near->log_width < infinity) ||
      !tilted_to(*apart_, near->epsilon, near->log_width))
    return nullptr;
  return narrowest<OneHitPiece>(*near, points_, [&](LatticeBudget& left) {
    return OneHitPiece(apart_->parts, apart_->beyond, near->epsilon, left);
  });
}

}  // namespace pld
