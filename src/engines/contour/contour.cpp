#include "engines/contour/contour.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "engines/contour/composed_moment.hpp"
#include "engines/contour/contour_curve.hpp"
#include "engines/epsilon_width.hpp"
#include "engines/profile_piece.hpp"
#include "numeric/log_range.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {
using namespace contour;

bool takes(const DominatingPair& pair) { return pair.sampled_gaussian().has_value() || has_analytic_law(pair); }

ComposedMoment moment_of(const Terms& terms) {
  std::vector<CountedLaw> laws;
  std::vector<LawPart> others;
  for (const Term& term : terms) {
    const auto count = static_cast<double>(term.count);
    require(takes(*term.pair), "contour", "term", static_cast<double>(&term - terms.data()), "a law it takes");
    require(term.count >= 0, "contour", "count", count, "count >= 0");
    if (const auto law = term.pair->sampled_gaussian()) {
      laws.push_back({*law, count});
    } else if (count > 0) {
      const auto same =
          std::find_if(others.begin(), others.end(), [&](const LawPart& part) { return part.pair() == term.pair; });
      if (same != others.end())
        same->add(count);
      else
        others.emplace_back(term.pair, count);
    }
  }
  return {laws, std::move(others)};
}

/// Where epsilon is outside the support of the loss: delta = 0 above, delta = 1 - e^eps below.
std::optional<Profile> profile_outside(const ComposedMoment& moment, double epsilon) {
  if (moment.trivial() && epsilon >= 0) return Profile{{}, {0, 0, 0}};
  const LossRange range = moment.range();
  if (moment.log_infinity().upper > -infinity) return std::nullopt;
  if (epsilon >= 0 && epsilon >= round_up(range.highest, 8)) return Profile{{}, {0, 0, 0}};
  if (epsilon < 0 && epsilon <= round_down(range.lowest, 8)) {
    const double log_delta = log_one_minus_exp(epsilon);
    return Profile{rounded_outward({log_delta, log_delta, log_delta}), {epsilon, epsilon, epsilon}};
  }
  return std::nullopt;
}

/// Solves delta(epsilon) = delta on a curve by Newton's method on the logarithm of the lesser of delta and 1 - delta,
/// and certifies both sides of the root.
class Inversion {
 public:
  Inversion(const ContourCurve& curve, double log_delta)
      : curve_(curve), log_delta_(log_delta), log_complement_(log_one_minus_exp(log_delta)) {}

  /// Increasing in epsilon, 0 at the root.
  [[nodiscard]] double residual(double epsilon) const {
    const Profile at = curve_.profile(epsilon);
    return by_delta() ? log_delta_ - at.delta.value : at.complement.value - log_complement_;
  }
  [[nodiscard]] double slope(double epsilon) const {
    const auto slopes = curve_.slopes(epsilon);
    return by_delta() ? -slopes.delta : slopes.complement;
  }
  [[nodiscard]] double uncertainty(double epsilon) const {
    const Profile at = curve_.profile(epsilon);
    return by_delta() ? at.delta.width() : at.complement.width();
  }
  [[nodiscard]] bool certainly_above(double epsilon) const {
    const Profile at = curve_.profile(epsilon);
    return by_delta() ? at.delta.upper <= log_delta_ : at.complement.lower >= log_complement_ + slack();
  }
  [[nodiscard]] bool certainly_below(double epsilon) const {
    const Profile at = curve_.profile(epsilon);
    return by_delta() ? at.delta.lower >= log_delta_ : at.complement.upper <= log_complement_ - slack();
  }

  [[nodiscard]] double newton(double epsilon) const {
    constexpr double longest = 3;  // nats: the line serves no wider neighbourhood
    for (int iteration = 0; iteration < 12; ++iteration) {
      const double rate = slope(epsilon);
      const double step = -std::clamp(residual(epsilon), -longest, longest) / rate;
      if (!(rate > 0) || !std::isfinite(step)) break;
      epsilon += step;
      if (std::fabs(step) <= 4 * unit_roundoff * std::fabs(epsilon)) break;
      if (iteration > 2 && std::fabs(step) * slope(epsilon) < 0.1 * uncertainty(epsilon)) break;
    }
    return epsilon;
  }

  /// The root's bracket about `epsilon`, or none as wide as `widest`.
  [[nodiscard]] std::optional<Bracket> certified(double epsilon, double widest) const {
    const double reach = (0.6 * uncertainty(epsilon) + std::fabs(residual(epsilon))) / slope(epsilon);
    const double start = reach + 2 * unit_roundoff * std::fabs(epsilon) + 1e-300;
    if (!(start > 0 && start <= widest && std::isfinite(widest))) return std::nullopt;
    double above = epsilon + start, below = epsilon - start;
    for (double step = start; !certainly_above(above); above = epsilon + step)
      if ((step *= 1.5) > widest) return std::nullopt;
    for (double step = start; !certainly_below(below); below = epsilon - step)
      if ((step *= 1.5) > widest) return std::nullopt;
    return Bracket{below, epsilon, above};
  }

 private:
  [[nodiscard]] bool by_delta() const { return log_delta_ < log_complement_; }
  /// The rounding of log(1 - delta) as formed here.
  [[nodiscard]] double slack() const { return 16 * unit_roundoff * (1 + std::fabs(log_complement_)); }

  const ContourCurve& curve_;
  double log_delta_, log_complement_;
};

class ContourPiece final : public ProfilePiece {
 public:
  ContourPiece(const ComposedMoment& moment, ContourCurve curve)
      : range_(moment.range()), outside_is_known_(moment.log_infinity().upper == -infinity), curve_(std::move(curve)) {}

  [[nodiscard]] ProfileBracket at(double epsilon) const override {
    if (outside_is_known_ && epsilon >= round_up(range_.highest, 8))
      return {{-infinity, -infinity, -infinity}, {0, 0, 0}};
    const Profile profile = curve_.profile(epsilon);
    return {profile.delta.bracket(), profile.complement.bracket()};
  }

 private:
  LossRange range_;
  bool outside_is_known_;  ///< delta is 0 above the losses, where none is infinite
  ContourCurve curve_;
};

}  // namespace

bool contour_takes(const Terms& terms) {
  // Atoms alone do not decay.
  const auto decays = [](const Term& term) { return term.pair->has_density(); };
  return std::all_of(terms.begin(), terms.end(), [](const Term& term) { return takes(*term.pair); }) &&
         (terms.empty() || std::any_of(terms.begin(), terms.end(), decays));
}

std::optional<ProfileBracket> contour_profile(const Terms& terms, double epsilon, double tolerance, Effort effort) {
  require(std::isfinite(epsilon), "contour", "epsilon", epsilon, "a finite number");
  require(tolerance > 0, "contour", "tolerance", tolerance, "tolerance > 0");
  const ComposedMoment moment = moment_of(terms);
  std::optional<Profile> profile = profile_outside(moment, epsilon);
  if (!profile) {
    const auto curve = ContourCurve::at_epsilon(moment, epsilon, tolerance, effort);
    if (!curve) return std::nullopt;
    profile = curve->profile(epsilon);
  }
  return ProfileBracket{profile->delta.bracket(), profile->complement.bracket()};
}

PiecePtr contour_piece(const Terms& terms, double epsilon, double tolerance, Effort effort) {
  require(std::isfinite(epsilon), "contour", "epsilon", epsilon, "a finite number");
  require(tolerance > 0, "contour", "tolerance", tolerance, "tolerance > 0");
  const ComposedMoment moment = moment_of(terms);
  auto curve = ContourCurve::at_epsilon(moment, epsilon, tolerance, effort);
  return curve ? std::make_shared<ContourPiece>(moment, std::move(*curve)) : nullptr;
}

std::optional<Bracket> contour_epsilon(const Terms& terms, double log_delta, double tolerance, Effort effort) {
  require(log_delta < 0 && std::isfinite(log_delta), "contour", "log delta", log_delta, "a finite number < 0");
  require(tolerance > 0, "contour", "tolerance", tolerance, "tolerance > 0");
  const ComposedMoment moment = moment_of(terms);
  const double log_complement = log_one_minus_exp(log_delta);
  if (profile_outside(moment, round_up(log_complement, 16)) && log_complement < 0 &&
      log_complement <= round_down(moment.range().lowest, 32))
    return Bracket{round_down(log_complement, 16), log_complement, round_up(log_complement, 16)};

  constexpr int attempts = 5;
  double asked = std::min(tolerance, 1e-3);  // of the logarithm of the lesser of delta and 1 - delta
  auto curve = ContourCurve::at_delta(moment, log_delta, asked, effort);
  double epsilon = curve ? curve->start() : 0;
  for (int attempt = 1; curve; ++attempt) {
    const Inversion inversion(*curve, log_delta);
    epsilon = inversion.newton(epsilon);
    if (!std::isfinite(epsilon)) return std::nullopt;
    const double widest = enough_width(epsilon, tolerance) / 2;
    // One line serves a neighbourhood only, and to the accuracy asked of it: another where Newton's method has left it,
    // or where epsilon turns out to need more.
    const double uncertainty = inversion.uncertainty(epsilon), affordable = widest * inversion.slope(epsilon);
    const bool left = uncertainty > 4 * inversion.uncertainty(curve->start()) + 1e-11;
    const bool coarse = uncertainty > affordable && affordable / 4 < asked;
    if (attempt == attempts || !(left || coarse)) {
      constexpr double most_nats = 3;  // where it is not to be had as narrow as asked
      const auto narrow = inversion.certified(epsilon, widest);
      return narrow ? narrow : inversion.certified(epsilon, most_nats / inversion.slope(epsilon));
    }
    if (coarse) asked = std::max(affordable / 4, 1e-14);
    curve = ContourCurve::at_epsilon(moment, epsilon, asked, effort);
  }
  return std::nullopt;
}

}  // namespace pld
