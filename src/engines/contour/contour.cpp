#include "engines/contour/contour.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/work.hpp"
#include "engines/answer_width.hpp"
#include "engines/contour/composed_moment.hpp"
#include "engines/contour/contour_curve.hpp"
#include "engines/contour/decay_estimate.hpp"
#include "engines/contour/grain.hpp"
#include "engines/profile_piece.hpp"
#include "numeric/log_bound.hpp"
#include "numeric/log_doubt.hpp"
#include "numeric/log_range.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/gaussian_allocation.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {
using namespace contour;

bool takes(const DominatingPair& pair) {
  return allocation_of(pair) || pair.sampled_gaussian() || grained_law(pair) || DiscreteGaussianPart::of(pair) ||
         has_analytic_law(pair);
}

/// The pair as a law with a grain, where what is composed decays before that is felt, or its outcomes are too many.
std::optional<GrainedLaw> fine_grained_law(const DominatingPair& pair, const std::function<double()>& deviation) {
  constexpr double enough = 1000;
  const auto law = grained_law(pair);
  if (!law || !has_analytic_law(pair)) return law;
  return grain_period({law->law.mu, law->law.q}, law->grain) * deviation() >= enough ? law : std::nullopt;
}

/// Beside the others, or one of them so many more times.
template <class Part, class IsSame>
void add_part(std::vector<Part>& parts, const Part& part, const IsSame& is_same) {
  const auto same = std::find_if(parts.begin(), parts.end(), is_same);
  if (same != parts.end())
    same->add(part.count());
  else
    parts.push_back(part);
}

ComposedMoment moment_of(const Terms& terms) {
  std::vector<CountedLaw> laws;
  std::vector<LawPart> others;
  std::vector<DiscreteGaussianPart> discrete;
  std::vector<AllocatedPart> allocated;
  std::optional<double> found;
  const auto deviation_of_all = [&] { return found ? *found : *(found = deviation(terms)); };
  for (const Term& term : terms) {
    const auto count = static_cast<double>(term.count);
    require(takes(*term.pair), "contour", "term", static_cast<double>(&term - terms.data()), "a law it takes");
    require(term.count >= 0, "contour", "count", count, "count >= 0");
    if (const auto law = term.pair->sampled_gaussian()) {
      laws.push_back({*law, count});
    } else if (const GaussianAllocation* allocation = allocation_of(*term.pair)) {
      if (count == 0) continue;
      for (const AllocatedPart& mean : allocated_parts(*allocation, count))
        add_part(allocated, mean, [&](const auto& part) { return part.is_alike(mean); });
    } else if (const auto grained = fine_grained_law(*term.pair, deviation_of_all)) {
      laws.push_back({grained->law, count, grained->grain});
    } else if (const auto noise = DiscreteGaussianPart::of(*term.pair, count)) {
      if (count > 0) add_part(discrete, *noise, [&](const auto& part) { return part.is_alike(*noise); });
    } else if (count > 0) {
      add_part(others, LawPart(term.pair, count), [&](const LawPart& part) { return part.pair() == term.pair; });
    }
  }
  return {laws, std::move(others), std::move(discrete), std::move(allocated)};
}

/// The profile outside the support of the loss: delta = 0 above, delta = 1 - e^eps below.
class Outside {
 public:
  explicit Outside(const ComposedMoment& moment)
      : trivial_(moment.trivial()), finite_(moment.log_infinity().upper == -infinity), range_(moment.range()) {}

  [[nodiscard]] std::optional<Profile> at(double epsilon) const {
    const bool above = finite_ && epsilon >= round_up(range_.highest, 8);
    if (epsilon >= 0 && (trivial_ || above)) return Profile{{}, {0, 0, 0}};
    if (finite_ && epsilon < 0 && epsilon <= round_down(range_.lowest, 8)) {
      const double log_delta = log_one_minus_exp(epsilon);
      return Profile{rounded_outward({log_one_minus_exp_below(epsilon), log_delta, log_delta}),
                     {epsilon, epsilon, epsilon}};
    }
    return std::nullopt;
  }

 private:
  bool trivial_, finite_;
  LossRange range_;
};

/// About where a curve reaches a delta.
struct Root {
  double epsilon = 0, slope = 0, uncertainty = 0;  ///< of the logarithm of the lesser of delta and 1 - delta
};

/// Newton's method on that logarithm, by a curve's own slope, between the epsilons that certainly lie on either side.
class Newton {
 public:
  Newton(const ContourCurve& curve, double log_delta)
      : curve_(curve), log_delta_(log_delta), log_complement_(log_one_minus_exp(log_delta)) {}

  [[nodiscard]] Root from(double epsilon) const {
    double low = -infinity, high = infinity;
    double nats = 3;  // the longest step: the line serves no wider neighbourhood
    Reading here = at(epsilon);
    for (int iteration = 0; iteration < 40; ++iteration) {
      if (here.side < 0) low = epsilon;
      if (here.side > 0) high = epsilon;
      const double from = epsilon;
      if (here.is_known()) {
        epsilon -= std::clamp(here.residual, -nats, nats) / here.slope;
      } else {
        // Too far out to be seen, but on which side is: no logarithm falls much faster than the line's own tilt.
        if (here.side == 0) break;
        epsilon -= here.side * nats / std::fabs(curve_.tilt());
        nats *= 2;
      }
      if (!(epsilon > low && epsilon < high)) epsilon = low + (high - low) / 2;
      if (!std::isfinite(epsilon)) return {from, here.slope, here.uncertainty};
      here = at(epsilon);
      const double step = std::fabs(epsilon - from);
      if (step <= 4 * unit_roundoff * std::fabs(epsilon)) break;
      if (iteration > 2 && here.is_known() && step * here.slope < 0.1 * here.uncertainty) break;
    }
    return {epsilon, here.slope, here.uncertainty};
  }
  [[nodiscard]] double uncertainty(double epsilon) const { return at(epsilon).uncertainty; }

 private:
  struct Reading {
    double residual = 0;  ///< increasing in epsilon, 0 at the root
    double slope = 0, uncertainty = 0;
    int side = 0;  ///< the sign of the residual where that is certain

    [[nodiscard]] bool is_known() const { return slope > 0 && std::isfinite(residual) && uncertainty < 1; }
  };
  [[nodiscard]] Reading at(double epsilon) const {
    const auto [profile, slopes] = curve_.tangent(epsilon);
    const bool by_delta = log_delta_ < log_complement_;
    const LogRange& found = by_delta ? profile.delta : profile.complement;
    const double wanted = by_delta ? log_delta_ : log_complement_, sign = by_delta ? -1 : 1;
    const int side = found.upper < wanted ? -1 : found.lower > wanted ? 1 : 0;
    return {sign * (found.value - wanted), by_delta ? -slopes.delta : slopes.complement, found.width(),
            by_delta ? -side : side};
  }

  const ContourCurve& curve_;
  double log_delta_, log_complement_;
};

/// Bracket of the logarithm of a number that is off by no more than e^log_off.
Bracket moved_apart(const Bracket& log, double log_off) {
  const double high = LogBound(log.upper, Side::upper).plus(log_off).log_probability();
  return {LogBound(log.lower, Side::lower).less(log_off).log(), std::min(log.estimate, high), high};
}

/// Where no tilt that is known has its saddle as far out as asked, a line through another would tell next to nothing:
/// what Chernoff's bound by the last one tells. std::nullopt: there is such a tilt.
struct OutOfReach {
  std::optional<ContourCurve> curve;
};
std::optional<OutOfReach> out_of_reach(const ComposedMoment& moment, const PieceAsk& ask) {
  const double highest = moment.highest_tilt();
  if (highest == infinity) return std::nullopt;
  ComposedMoment cut = moment;
  constexpr double nats = 50, most_nats = 1000;
  if (!(highest > 0) || !cut.cut(nats + std::min(most_nats, -ask.log_delta.value_or(0)))) return OutOfReach{};
  // Moments of few orders take little work, those up to twice as many again as much as all before.
  SaddlePoint last;
  for (double tilt = std::min(1.0, highest);; tilt = std::min(2 * tilt + 3, highest)) {
    last = saddle_at_tilt(cut, Quantity::delta, tilt);
    if (ask.log_delta ? last.log_value <= *ask.log_delta : last.epsilon >= ask.epsilon) return std::nullopt;
    if (tilt == highest) break;
  }
  SaddlePoint at = last;
  at.epsilon = ask.epsilon;
  if (ask.log_delta) at.epsilon = (log_chernoff(cut, {.lambda = highest, .epsilon = 0}) - *ask.log_delta) / highest;
  return OutOfReach{ContourCurve::by_bound(cut, at)};
}

/// About where the saddle of a question lies and log delta there, as if losses were normal: where the integrand
/// e^{lambda^2 variance / 2 - lambda away} / lambda^2 is least, `away` from the mean.
SaddlePoint normal_saddle(const Cumulant& loss, const PieceAsk& ask) {
  const auto log_value = [&](double tilt) {
    return 2 - tilt * tilt * loss.variance / 2 - 2 * std::log(tilt) -
           0.5 * std::log(2 * std::numbers::pi * (loss.variance + 2 / (tilt * tilt)));
  };
  if (!ask.log_delta) {
    const double slope = (ask.epsilon - loss.mean) / loss.variance / 2;
    const double tilt = slope + std::sqrt(slope * slope + 2 / loss.variance);
    return {.lambda = tilt, .log_value = std::min(0.0, log_value(tilt))};
  }
  double low = 0, high = std::sqrt(-2 * *ask.log_delta / loss.variance);
  for (int i = 0; i < 20; ++i) {
    const double middle = (low + high) / 2;
    (log_value(middle) > *ask.log_delta ? low : high) = middle;
  }
  return {.lambda = high, .log_value = *ask.log_delta};
}

/// The same with truncated means, where outcomes too rare to matter do not count at the saddle, or at a tilt below it
/// where the integrand is not much larger. std::nullopt: there is none, or they do.
std::optional<ComposedMoment> light_moment(const ComposedMoment& moment, const PieceAsk& ask) {
  constexpr double nats = 28, spare = 5, step = 0.9, most_nats_larger = 6;
  ComposedMoment cut = moment;
  if (!moment.may_be_truncated() || (!ask.log_delta && !(ask.epsilon > 0)) || !cut.cut(nats)) return std::nullopt;
  const Cumulant loss = cut.cumulant(0);
  const SaddlePoint saddle = normal_saddle(loss, ask);
  const double log_width = std::log(ask.width), rare = std::max(nats, spare - log_width) - saddle.log_value;
  const double deviations = saddle.lambda * std::sqrt(loss.variance);
  for (double share = 1; std::pow((1 - share) * deviations, 2) / 2 < most_nats_larger && share > 0.1; share *= step) {
    ComposedMoment light = moment.truncated(rare, share * saddle.lambda);
    if (light.is_light(share * saddle.lambda, log_width)) return light;
  }
  return std::nullopt;
}

/// What `make` has of such a moment. Null: no such moment, or more work than there is; the whole law may take less.
template <class Make>
PiecePtr light_piece(const ComposedMoment& moment, const PieceAsk& ask, const Make& make) {
  return if_affordable([&]() -> PiecePtr {
    const auto truncated = light_moment(moment, ask);
    return truncated ? make(*truncated) : nullptr;
  });
}

/// Those whose pairs are the very laws that are composed.
Terms not_exactly_known(Terms terms) {
  std::erase_if(terms, [](const Term& term) { return allocation_of(*term.pair) != nullptr; });
  return terms;
}

class ContourPiece final : public ProfilePiece {
 public:
  ContourPiece(const Terms& terms, const Outside& outside, std::optional<ContourCurve> curve, double centre)
      : outside_(outside), curve_(std::move(curve)), centre_(centre) {
    const auto [p, q] = total_spread(not_exactly_known(terms));
    // Delta is 1 less the other quantities where P's and Q's whole masses are 1.
    if (p + q > 0 && curve_ && curve_->quantity() != Quantity::delta)
      log_off_ = std::log(std::expm1(p) + std::expm1(q));
  }

  [[nodiscard]] ProfileBracket at(double epsilon) const override {
    std::optional<Profile> profile = outside_.at(epsilon);
    if (!profile && curve_) profile = curve_->profile(epsilon);
    if (!profile) return unknown_profile;
    const ProfileBracket found{profile->delta.bracket(), profile->complement.bracket()};
    if (log_off_ == -infinity) return found;
    return {moved_apart(found.log_delta, log_off_), moved_apart(found.log_complement, log_off_)};
  }
  [[nodiscard]] double centre() const override { return centre_; }

 private:
  Outside outside_;
  std::optional<ContourCurve> curve_;  ///< none where the piece was made for an epsilon outside
  double centre_;
  double log_off_ = -infinity;  ///< what whole masses that are not 1 make of delta
};

/// A line near the epsilon of a delta.
PiecePtr piece_at_delta(const Terms& terms, const Outside& outside, const ComposedMoment& moment, const PieceAsk& ask,
                        Effort effort) {
  constexpr int attempts = 5;
  double asked = std::min(ask.width, 1e-3);  // of the logarithm of the lesser of delta and 1 - delta
  auto curve = ContourCurve::at_delta(moment, *ask.log_delta, asked, effort);
  double epsilon = curve ? curve->start() : 0;
  for (int attempt = 1; curve; ++attempt) {
    const Newton newton(*curve, *ask.log_delta);
    const Root root = newton.from(epsilon);
    epsilon = root.epsilon;
    if (!std::isfinite(epsilon)) return nullptr;
    // One line serves a neighbourhood only, and to the accuracy asked of it: another where Newton's method has left it,
    // or where epsilon turns out to need more.
    const double affordable = enough_width(epsilon, ask.width) / 2 * root.slope;
    const bool left = root.uncertainty > 4 * newton.uncertainty(curve->start()) + 1e-11;
    const bool coarse = root.uncertainty > affordable && (attempt == 1 || affordable / 4 < asked);
    if (attempt == attempts || !(left || coarse))
      return std::make_shared<ContourPiece>(terms, outside, std::move(curve), epsilon);
    if (coarse) asked = std::max(affordable / 4, 1e-14);
    curve = ContourCurve::at_epsilon(moment, epsilon, asked, effort);
  }
  return nullptr;
}

}  // namespace

bool contour_takes(const Terms& terms) {
  return std::all_of(terms.begin(), terms.end(), [](const Term& term) { return takes(*term.pair); }) &&
         (terms.empty() ||
          std::any_of(terms.begin(), terms.end(), [](const Term& term) { return decays(*term.pair); }));
}

bool contour_decays_soon(const Terms& terms, double tolerance) {
  if (!contour_takes(terms)) return false;
  bool gaussians_only = true;
  double hits = 0;
  constexpr double enough = 1, seen = 0.1;  // hits, and a shift in units of sigma that makes all of itself
  for (const Term& term : terms) {
    const auto law = term.pair->sampled_gaussian();
    gaussians_only = gaussians_only && law.has_value();
    if (!law) continue;
    hits += law->q == 1 && law->mu >= seen ? enough : law->q * static_cast<double>(term.count);
  }
  // The lattice engine's cost grows like 1 / sqrt(tolerance), and from some tolerance on it is worth any look. A node
  // takes a sampled Gaussian some hundred points, other laws a thousand. Of many kinds each has a lattice of its own,
  // which is as much work as ten times the nodes.
  constexpr double fine = 1e-6;
  constexpr std::size_t many_kinds = 8;
  const bool many = terms.size() > many_kinds;
  const double most_nodes = (hits > 0 || many ? 10 : 1) * std::max(1 / std::sqrt(tolerance), 100.0);
  // How far it falls until the rest does not matter; as much again for tilted laws that decay less, where that pays.
  const double enough_nats = many ? 4 - std::log(tolerance) : 40;
  return gaussians_only || hits >= enough || tolerance < fine || decays_within(terms, most_nodes, enough_nats);
}

PiecePtr contour_piece(const Terms& terms, double epsilon, double tolerance, Effort effort) {
  require(std::isfinite(epsilon), "contour", "epsilon", epsilon, "a finite number");
  require(tolerance > 0, "contour", "tolerance", tolerance, "tolerance > 0");
  const ComposedMoment moment = moment_of(terms);
  const Outside outside(moment);
  if (outside.at(epsilon)) return std::make_shared<ContourPiece>(terms, outside, std::nullopt, epsilon);
  const PieceAsk ask{.epsilon = epsilon, .width = tolerance};
  const auto of_light = [&](const ComposedMoment& truncated) -> PiecePtr {
    auto curve = ContourCurve::at_epsilon(truncated, epsilon, tolerance, effort);
    return curve ? std::make_shared<ContourPiece>(terms, outside, std::move(curve), epsilon) : nullptr;
  };
  if (PiecePtr piece = light_piece(moment, ask, of_light)) return piece;
  auto beyond = out_of_reach(moment, ask);
  auto curve = beyond ? beyond->curve : ContourCurve::at_epsilon(moment, epsilon, tolerance, effort);
  return curve ? std::make_shared<ContourPiece>(terms, outside, std::move(curve), epsilon) : nullptr;
}

PiecePtr contour_piece_at_delta(const Terms& terms, double log_delta, double tolerance, Effort effort) {
  require(log_delta < 0 && std::isfinite(log_delta), "contour", "log delta", log_delta, "a finite number < 0");
  require(tolerance > 0, "contour", "tolerance", tolerance, "tolerance > 0");
  const ComposedMoment moment = moment_of(terms);
  const Outside outside(moment);
  const double log_complement = log_one_minus_exp(log_delta);
  if (log_complement < 0 && log_complement <= round_down(moment.range().lowest, 32) &&
      outside.at(round_up(log_complement, 16)))
    return std::make_shared<ContourPiece>(terms, outside, std::nullopt, log_complement);

  const PieceAsk ask{.log_delta = log_delta, .width = tolerance};
  const auto of_light = [&](const ComposedMoment& truncated) {
    return piece_at_delta(terms, outside, truncated, ask, effort);
  };
  if (PiecePtr piece = light_piece(moment, ask, of_light)) return piece;
  if (auto beyond = out_of_reach(moment, ask)) {
    if (!beyond->curve) return nullptr;
    const double start = beyond->curve->start();
    return std::make_shared<ContourPiece>(terms, outside, std::move(beyond->curve), start);
  }
  return piece_at_delta(terms, outside, moment, ask, effort);
}

PiecePtr contour_piece_for(const Terms& terms, const PieceAsk& ask, Effort effort) {
  return if_affordable([&] {
    return ask.log_delta ? contour_piece_at_delta(terms, *ask.log_delta, ask.width, effort)
                         : contour_piece(terms, ask.epsilon, ask.width, effort);
  });
}

}  // namespace pld
