#include "engines/closed_form/closed_form.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "core/intersection.hpp"
#include "core/work.hpp"
#include "engines/closed_form/composed_atoms.hpp"
#include "engines/closed_form/sorted_outcomes.hpp"
#include "engines/profile_piece.hpp"
#include "lattice/lattice_measure.hpp"
#include "numeric/extended.hpp"
#include "numeric/log_doubt.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/rounding.hpp"
#include "pld/mechanisms/gaussian.hpp"

namespace pld {
namespace {

/// Counts an end of one release, of which a bound sums many.
constexpr double points_a_release = 500;

/// How far a tail's edge and barycentre may be off.
double doubt(const DominatingPair& pair, double epsilon, const LossCell& tail) {
  const double size = std::fabs(epsilon) + std::fabs(tail.loss);
  const double of_losses = 2 * pair.loss_error({std::min(epsilon, tail.loss), std::max(epsilon, tail.loss)});
  const double of_masses = mass_error(tail.log_q_mass) * std::fabs(tail.loss - epsilon);
  return of_losses + of_masses + 4 * unit_roundoff * size + smallest_steps(size);
}

/// What is there of a tail too light for a double.
constexpr double next_to_nothing = -std::numeric_limits<double>::max();

double outward(double log_value, double sign) {
  if (log_value <= next_to_nothing) return log_value;
  return std::min(0.0, log_value + sign * 8 * unit_roundoff * std::max(1.0, std::fabs(log_value)));
}

/// log of what losses of this mass add to delta that are `excess` above epsilon.
double gained(double log_mass, double excess) { return log_mass + std::log(-std::expm1(-excess)); }

/// A lower bound of log delta that needs no mass of Q's, of which nothing is known where its logarithm is beyond 1e15:
/// that of the losses so far above epsilon that they count in full.
double log_delta_well_above(const DominatingPair& pair, double epsilon) {
  constexpr double in_full = 40;
  constexpr int most_tries = 8;
  double edge = epsilon, excess = 0;
  for (int i = 0; i < most_tries && !(excess >= in_full); ++i) {
    edge += 2 * (in_full - excess);
    const double error = pair.edge_error(edge);
    if (!std::isfinite(edge + error)) return -infinity;  // losses too large for a double: nothing is known of them
    excess = edge - epsilon - error - 4 * unit_roundoff * std::fabs(edge);
  }
  const LossCell tail = pair.above(edge);
  return excess > 0 && tail.log_mass > -infinity ? gained(tail.log_mass, excess) - mass_error(tail.log_mass)
                                                 : -infinity;
}

/// log delta(epsilon) of one pair's finite losses, moved to `side`. Of any event S, P(S) less e^epsilon Q(S) is at most
/// delta; of one that leaves out nothing above epsilon, and has nothing far below it, delta is at most P(S) times
/// `doubt` more. An atom, or all that there is of a density next to its end, may lie within the losses' error of
/// epsilon.
double log_finite_delta_of(const DominatingPair& pair, double epsilon, Side side) {
  const double sign = side == Side::upper ? 1 : -1;
  const LossCell tail = side == Side::upper ? pair.above_and_doubtful(epsilon) : pair.above(epsilon);
  double log_delta = -infinity;
  if (tail.log_mass > -infinity) {
    const double excess = tail.loss - epsilon + sign * doubt(pair, epsilon, tail);
    if (excess > 0)
      log_delta = gained(tail.log_mass, excess) + sign * mass_error(tail.log_mass);
    else if (side == Side::lower)
      log_delta = log_delta_well_above(pair, epsilon);
  }
  return log_delta == -infinity && side == Side::upper && epsilon < pair.range().highest ? next_to_nothing : log_delta;
}

Bracket bracket(double lower, double upper) {
  return {lower, lower == upper || !(upper - lower < infinity) ? upper : lower + (upper - lower) / 2, upper};
}

/// One release.
class SingleRelease {
 public:
  explicit SingleRelease(PairPtr pair) : pair_(std::move(pair)) {}

  /// log delta(epsilon), moved to `side`.
  [[nodiscard]] double log_delta(double epsilon, Side side) const {
    double total = log_sum(log_finite_delta_of(*pair_, epsilon, side), pair_->log_mass_at_plus_infinity());
    if (rounded_to(*pair_) == opposite(side)) {
      const double log_off = std::log(total_doubt(*pair_));
      total = side == Side::upper ? log_sum(total, log_off) : log_difference(total, log_off);
    }
    return outward(total, side == Side::upper ? 1 : -1);
  }

  /// log(1 - delta(epsilon)) = log(P(z <= epsilon) + e^epsilon Q(z > epsilon)).
  [[nodiscard]] Bracket log_complement(double epsilon) const {
    const Tail below(*pair_, epsilon, pair_->below(epsilon)), above(*pair_, epsilon, pair_->above(epsilon));
    return bracket(log_complement(epsilon, below, above, -1), log_complement(epsilon, below, above, 1));
  }

 private:
  /// All losses on one side of epsilon, and how far off they may be.
  struct Tail {
    LossCell cell;
    double off = 0;

    Tail(const DominatingPair& pair, double epsilon, const LossCell& of)
        : cell(of), off(of.log_mass > -infinity ? doubt(pair, epsilon, of) : 0) {}
  };

  [[nodiscard]] double log_complement(double epsilon, const Tail& below, const Tail& above, double sign) const {
    double sum = -infinity;
    if (below.cell.log_mass > -infinity)
      sum = below.cell.log_mass + sign * (mass_error(below.cell.log_mass) + below.off);
    if (above.cell.log_mass > -infinity) {
      const double excess = above.cell.loss - epsilon - sign * above.off;
      sum = log_sum(sum, above.cell.log_mass - std::max(0.0, excess) + sign * mass_error(above.cell.log_mass));
    }
    // The sum is P's whole mass less delta.
    if (const double off = total_doubt(*pair_); off > 0)
      sum = sign > 0 ? log_sum(sum, std::log(off)) : log_difference(sum, std::log(off));
    return outward(sum, sign);
  }

  PairPtr pair_;
};

template <class Law>
Bracket log_delta_of(const Law& law, double epsilon) {
  return bracket(law.log_delta(epsilon, Side::lower), law.log_delta(epsilon, Side::upper));
}

Bracket log_complement_of(const SingleRelease& law, double epsilon) { return law.log_complement(epsilon); }
template <class Law>
Bracket log_complement_of(const Law& law, double epsilon) {
  return bracket(law.log_complement(epsilon, Side::lower), law.log_complement(epsilon, Side::upper));
}

template <class Law>
ProfileBracket profile_of(const Law& law, double epsilon) {
  const Bracket log_delta = log_delta_of(law, epsilon);
  // Of losses so large that their error is one of many nats, what delta leaves tells more than the sum.
  const auto left_by = [](double log_delta_end, double sign) {
    return log_one_minus_exp(log_delta_end) * (1 - sign * 8 * unit_roundoff);
  };
  const Bracket summed = log_complement_of(law, epsilon);
  constexpr double vague = 1e-3;
  if (summed.width() <= vague) return {log_delta, summed};
  return {log_delta, intersection(summed, bracket(left_by(log_delta.upper, -1), left_by(log_delta.lower, +1)))};
}

template <class Law>
class ClosedFormPiece final : public ProfilePiece {
 public:
  explicit ClosedFormPiece(Law law) : law_(std::move(law)) {}
  [[nodiscard]] ProfileBracket at(double epsilon) const override { return profile_of(law_, epsilon); }

 private:
  Law law_;
};

/// `read(law)` of the composition's law.
template <class Read>
auto read_law(const Terms& joined, const Read& read) {
  return is_single_release(joined) ? read(SingleRelease(joined.front().pair)) : read(ComposedAtoms(joined));
}

/// Counts a tail, and how far its loss may be off: more where a loss takes long to find.
double points_of_reading(const DominatingPair& pair) {
  constexpr double readings = 40;  // of losses, in a cell's cost
  return points_a_release + readings * pair.cell_cost();
}

}  // namespace

Terms join_gaussians(const Terms& terms) {
  Terms joined;
  // In Extended, so that mu is off by one rounding only, which the joined pair's loss_error() has room for.
  Extended mu_squared = 0;
  int gaussians = 0;
  Term only;
  for (const Term& term : terms) {
    const auto law = term.pair->sampled_gaussian();
    if (!law || law->q != 1) {
      joined.push_back(term);
      continue;
    }
    const auto mu = static_cast<Extended>(law->mu);
    mu_squared += static_cast<Extended>(term.count) * mu * mu;
    only = term;
    ++gaussians;
  }
  if (gaussians == 1 && only.count == 1) {
    joined.push_back(only);
  } else if (gaussians > 0) {
    const auto mu = static_cast<double>(sqrt(mu_squared));
    joined.push_back({dominating_pair(Gaussian{.sigma = 1, .sensitivity = mu}, Direction::remove), 1});
  }
  return joined;
}

bool is_single_release(const Terms& terms) { return terms.size() == 1 && terms.front().count == 1; }

bool closed_form_takes(const Terms& joined) {
  if (is_single_release(joined)) return true;
  return !joined.empty() && if_affordable([&] { return ComposedAtoms::takes(joined); });
}

Bracket closed_form_log_delta(const Terms& joined, double epsilon) {
  return read_law(joined, [&](const auto& law) { return log_delta_of(law, epsilon); });
}

double closed_form_log_delta_upper(const PairPtr& pair, double epsilon) {
  Work::note(points_of_reading(*pair));
  return SingleRelease(pair).log_delta(epsilon, Side::upper);
}

double closed_form_log_finite_delta_upper(const DominatingPair& pair, double epsilon) {
  Work::note(points_of_reading(pair));
  return outward(log_finite_delta_of(pair, epsilon, Side::upper), 1);
}

ProfileBracket closed_form_profile(const Terms& joined, double epsilon) {
  return read_law(joined, [&](const auto& law) { return profile_of(law, epsilon); });
}

PiecePtr closed_form_piece(const Terms& joined) {
  return read_law(
      joined, [&](auto law) -> PiecePtr { return std::make_shared<ClosedFormPiece<decltype(law)>>(std::move(law)); });
}

bool outcomes_may_be_listed(const Terms& terms) {
  return !closed_form_takes(terms) && if_affordable([&] { return SortedOutcomes::takes(terms); });
}

PiecePtr listed_outcomes_piece(const Terms& terms) {
  auto law = SortedOutcomes::of(terms);
  return law ? std::make_shared<ClosedFormPiece<SortedOutcomes>>(std::move(*law)) : nullptr;
}

}  // namespace pld
