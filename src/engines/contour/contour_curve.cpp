#include "engines/contour/contour_curve.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numeric/log_doubt.hpp"
#include "numeric/log_sum.hpp"

namespace pld::contour {
namespace {

/// By how much a law's variance falls within a step away from rare losses, so that such a step pays: always, or on a
/// line that takes much work.
constexpr double clearly_wider = 20, somewhat_wider = 3;

/// How far below the value the mass lost by cutting the laws, and the tilted mass at the cuts, shall be.
constexpr double cut_nats = 37;

double laws_of(const ComposedMoment& moment) {
  return static_cast<double>(std::max<std::size_t>(1, moment.parts().size() + moment.others().size()));
}

/// Points times nodes to spend before handing over to the lattice engine, whose cost grows like 1 / sqrt(tolerance) and
/// with the number of different laws: 30 ms at 1e-4 for one of them. Where that engine has failed, half a second.
double worthwhile_work(const ComposedMoment& moment, double tolerance, Effort effort) {
  const double laws = laws_of(moment);
  constexpr double half_a_second = 4e8;
  if (effort == Effort::thorough) return half_a_second;
  const double work =
      effort == Effort::slight ? slight_work(moment.counts(), laws, tolerance) : 3e5 * laws / std::sqrt(tolerance);
  return std::min(work, half_a_second);
}

/// The nats of a cut `further` standard deviations beyond that of `nats`.
double nats_further(double nats, double further) { return std::pow(std::sqrt(2 * nats) + further, 2) / 2; }

/// The saddle point by `find(moment, near)`, the laws cut so that a quantity of e^log_value loses nothing of it; cut
/// wider where the tilted law sits on the cut, and finer where the cells do not resolve it.
template <class Find>
std::optional<SaddlePoint> find_on_cut(ComposedMoment& moment, double log_value, const Find& find) {
  double nats = cut_nats + 2 - log_value;
  if (!moment.cut(nats)) return std::nullopt;
  std::optional<SaddlePoint> saddle = find(moment, std::optional<double>());
  for (int attempt = 0; attempt < 6 && saddle; ++attempt) {
    double wider = nats;
    if (!(moment.log_edge(saddle->lambda) < -cut_nats)) {
      // A hump that leans on the cut, or else rare hits far beyond it.
      wider = attempt == 0 ? nats_further(nats, 9) : moment.nats_beyond_hits(saddle->lambda, 10);
      if (attempt == 0) wider = std::min(wider, std::max(nats, moment.nats_beyond_hits(saddle->lambda, 10)));
    }
    if (!(wider > nats) && moment.resolves(saddle->lambda)) break;
    nats = std::max(nats, wider);
    if (!moment.cut(nats, saddle->lambda)) return std::nullopt;
    saddle = find(moment, saddle->lambda);
  }
  return saddle;
}

std::optional<SaddlePoint> find_for_epsilon(ComposedMoment& moment, Quantity quantity, double epsilon) {
  // How unlikely epsilon is for a normal law; a heavy tail makes it likelier, and the cut is drawn in then.
  constexpr double most_nats = 1e6;
  if (!moment.cut(cut_nats)) return std::nullopt;
  const Cumulant pole = moment.cumulant(quantity == Quantity::reverse ? -1 : 0);
  const double away = quantity == Quantity::delta ? epsilon - pole.mean : pole.mean - epsilon;
  double log_value = -std::min(most_nats, std::pow(std::max(0.0, away), 2) / (2 * pole.variance) + 20);
  std::optional<SaddlePoint> saddle;
  for (int attempt = 0; attempt < 6; ++attempt) {
    saddle = find_on_cut(moment, log_value, [&](const ComposedMoment& cut, std::optional<double> near) {
      return saddle_for_epsilon(cut, quantity, epsilon, near);
    });
    // What is lost of Q's mass counts e^eps times in the reverse quantity.
    if (!saddle && attempt > 1) return std::nullopt;
    const double value =
        saddle ? std::min(0.0, saddle->log_value - (quantity == Quantity::reverse ? epsilon : 0)) : 3 * log_value;
    const bool too_narrow = value<log_value, too_wide = value - 20> 0.6 * (log_value - 20);
    if (!too_narrow && !too_wide) break;
    if (value < -2 * most_nats) return std::nullopt;
    log_value = value - 10;
  }
  return saddle;
}

}  // namespace

std::optional<ContourCurve> ContourCurve::along(const ComposedMoment& moment, const SaddlePoint& saddle,
                                                double tolerance, Effort effort) {
  // What lies at the cut of a truncated mean does not fall along a line: its last few nats would take all nodes.
  constexpr double most_nats = 32, most_of_truncated = 22, fine = 1e-6;
  constexpr double least_cheap = 1e7, cheap_a_law = 1e5;  // as much as bounds on what a law leaves
  const double cheap_work = std::max(least_cheap, cheap_a_law * laws_of(moment));
  const double full_nats = moment.is_truncated() ? most_of_truncated : most_nats;
  const auto nats_for = [&](double width) { return std::min(full_nats, 9 - std::log(width)); };
  ContourCurve curve;
  curve.saddle_ = saddle;
  curve.log_infinity_ = moment.log_infinity();
  if (!moment.sums_to_one()) curve.largest_ = 0;
  const auto moved = [&](double wider) {
    return moment.is_truncated() ? short_of_cuts(moment, saddle, std::log(tolerance))
                                 : short_of_rare_losses(moment, saddle, wider);
  };
  if (effort != Effort::slight) {
    curve.line_ = VerticalLine::build(moment, moved(clearly_wider), full_nats, cheap_work);
    if (curve.line_) return curve;
  }
  const double work = worthwhile_work(moment, tolerance, effort);
  const SaddlePoint quicker = moved(somewhat_wider);
  curve.line_ = VerticalLine::build(moment, quicker, nats_for(tolerance), work);
  // As narrow as can be had, where that is fine still.
  if (!curve.line_ && tolerance < fine && effort != Effort::slight)
    curve.line_ = VerticalLine::build(moment, quicker, nats_for(fine), work);
  if (!curve.line_) return std::nullopt;
  // Where rare losses make the law two humps the value is far below the saddle's, which the line was built for.
  const double short_by = std::log(curve.width() / tolerance);
  if (short_by > 0 && nats_for(tolerance) < full_nats) {
    constexpr double spare = 1;
    const double nats = std::min(full_nats, nats_for(tolerance) + short_by + spare);
    if (auto closer = VerticalLine::build(moment, quicker, nats, work)) curve.line_ = std::move(closer);
  }
  return curve;
}

double ContourCurve::width() const {
  const Profile here = profile(saddle_.epsilon);
  return std::max(here.delta.width(), here.complement.width());
}

/// By long doubles where doubles leave the value too wide: between the regimes of many small losses and of one hit it
/// is far below what is summed at any tilt.
void ContourCurve::sharpen(const ComposedMoment& moment, double tolerance, Effort effort) {
  constexpr double sharp_nats = 52, little = 1.5e6, most = 1e7, thorough = 4e7;
  constexpr double dearer = 13;  // a term in long doubles than one in doubles
  double narrowest = width();
  if (narrowest <= tolerance || effort == Effort::slight) return;
  const double quick = std::clamp(worthwhile_work(moment, tolerance, effort) / dearer, little, most);
  const auto sharpen_at = [&](const SaddlePoint& saddle) {
    auto sharper = VerticalLine::build(moment, saddle, sharp_nats, effort == Effort::thorough ? thorough : quick,
                                       Precision::extended);
    if (!sharper) return;
    std::swap(*line_, *sharper);
    if (width() < narrowest)
      narrowest = width();
    else
      std::swap(*line_, *sharper);
  };
  const SaddlePoint quicker = short_of_rare_losses(moment, saddle_, somewhat_wider);
  sharpen_at(quicker);
  if (narrowest > tolerance && quicker.lambda != saddle_.lambda) sharpen_at(saddle_);
}

std::optional<ContourCurve> ContourCurve::without_reverse(ComposedMoment moment, double epsilon) {
  // delta = (1 - e^eps) + reverse: Chernoff's bound from a tilt within easy reach is enough to show that the reverse
  // quantity is below all rounding.
  constexpr double easy_deviations = 25;
  if (epsilon >= 0 || moment.reverse_is_infinite() || !moment.cut(cut_nats + easy_deviations * easy_deviations / 2))
    return std::nullopt;
  const Cumulant pole = moment.cumulant(-1);
  const double near = std::max(epsilon, pole.mean - easy_deviations * std::sqrt(pole.variance));
  auto saddle = saddle_for_epsilon(moment, Quantity::reverse, near);
  if (!saddle) return std::nullopt;
  saddle->epsilon = epsilon;
  ContourCurve curve;
  curve.saddle_ = *saddle;
  curve.log_bound_ = log_sum(log_chernoff(moment, *saddle), moment.log_lost() + epsilon);
  const double least = std::min(log_one_minus_exp(epsilon), epsilon);
  if (!(curve.log_bound_ < least - cut_nats)) return std::nullopt;
  return curve;
}

std::optional<ContourCurve> ContourCurve::by_bound(const ComposedMoment& moment, const SaddlePoint& saddle) {
  ContourCurve curve;
  curve.saddle_ = saddle;
  curve.log_infinity_ = moment.log_infinity();
  if (!moment.sums_to_one()) curve.largest_ = 0;
  curve.log_bound_ = log_sum(log_chernoff(moment, saddle), moment.log_lost());
  if (!std::isfinite(saddle.epsilon) || !(curve.log_bound_ < 0)) return std::nullopt;
  return curve;
}

std::optional<ContourCurve> ContourCurve::at_epsilon(const ComposedMoment& moment, double epsilon, double tolerance,
                                                     Effort effort) {
  if (auto curve = without_reverse(moment, epsilon)) return curve;
  std::optional<SaddlePoint> least;
  ComposedMoment cut = moment;
  for (const Quantity quantity : {Quantity::delta, Quantity::reverse, Quantity::complement}) {
    if (quantity == Quantity::reverse && (epsilon >= 0 || moment.reverse_is_infinite())) continue;
    if (quantity != Quantity::delta && moment.is_truncated()) continue;
    ComposedMoment trial = moment;
    const auto saddle = find_for_epsilon(trial, quantity, epsilon);
    if (saddle && (!least || saddle->log_value < least->log_value)) {
      least = saddle;
      cut = std::move(trial);
    }
    if (least && epsilon >= 0 && least->log_value < -1) break;  // the others are larger
  }
  if (!least) return std::nullopt;
  auto curve = along(cut, *least, tolerance, effort);
  if (curve) curve->sharpen(cut, tolerance, effort);
  return curve;
}

std::optional<ContourCurve> ContourCurve::at_delta(const ComposedMoment& moment, double log_delta, double tolerance,
                                                   Effort effort) {
  const double log_complement = log_one_minus_exp(log_delta);
  const bool by_delta = log_delta < log_complement;
  const Quantity quantity = by_delta ? Quantity::delta : Quantity::complement;
  const double log_value = by_delta ? log_difference(log_delta, moment.log_infinity().estimate) : log_complement;
  if (log_value == -infinity || (!by_delta && moment.is_truncated())) return std::nullopt;
  ComposedMoment cut = moment;
  const auto saddle = find_on_cut(cut, log_value, [&](const ComposedMoment& on, std::optional<double> near) {
    return saddle_for_value(on, quantity, log_value, near);
  });
  if (!saddle) {
    // With hardly any loss at all, delta = 1 - e^eps.
    return log_complement < 0 ? at_epsilon(moment, log_complement, tolerance, effort) : std::nullopt;
  }
  if (saddle->epsilon < 0) return at_epsilon(moment, saddle->epsilon, tolerance, effort);
  return along(cut, *saddle, tolerance, effort);
}

LineValue ContourCurve::value(double epsilon) const {
  if (line_) return line_->value(epsilon);
  // The bound falls as e^{-lambda eps}, or rises; the reverse quantity has lambda <= -1: what was lost of Q counts
  // e^eps times, no more than that.
  return {-infinity, -infinity, log_bound_ + std::fabs(saddle_.lambda * (epsilon - saddle_.epsilon)), 0};
}

ContourCurve::Tangent ContourCurve::tangent(double epsilon) const {
  const LineValue at = value(epsilon);
  const Profile profile = profile_of(at, epsilon);
  return {profile, slopes_of(at, profile, epsilon)};
}

Profile ContourCurve::profile_of(const LineValue& at, double epsilon) const {
  const LogRange value{at.log_lower, at.log_value, at.log_upper};
  switch (saddle_.quantity) {
    case Quantity::delta: {
      const auto with_infinity = [&](double log, double log_infinite) {
        return std::min(log_sum(log, log_infinite), largest_);
      };
      const LogRange delta{with_infinity(value.lower, log_infinity_.lower),
                           with_infinity(value.value, log_infinity_.estimate),
                           with_infinity(value.upper, log_infinity_.upper)};
      return {rounded_outward(delta), one_minus(delta)};
    }
    case Quantity::complement:
      return {one_minus(value), rounded_outward(value)};
    case Quantity::reverse:
      break;
  }
  // Beyond the epsilons whose e^eps a double holds the next line says nothing.
  constexpr double farthest = 700;
  if (epsilon > farthest) return {{-infinity, -infinity, 0}, {-infinity, 0, 0}};
  // delta = (1 - e^eps) + reverse, 1 - delta = e^eps - reverse
  const auto delta = [&](double log_reverse) {
    if (epsilon < 0) return log_sum(log_one_minus_exp(epsilon), log_reverse);
    const double difference = std::exp(log_reverse) - std::expm1(epsilon);
    return difference > 0 ? std::log(difference) : -infinity;
  };
  const auto complement = [&](double log_reverse) { return epsilon + log_one_minus_exp(log_reverse - epsilon); };
  // A delta at a negative epsilon may be nearer to 1 than its logarithm's least double tells.
  const double least = epsilon < 0 ? std::min(delta(value.lower), -smallest_steps(epsilon)) : delta(value.lower);
  return {rounded_outward({least, delta(value.value), delta(value.upper)}),
          rounded_outward({complement(value.upper), complement(value.value), complement(value.lower)})};
}

ContourCurve::Slopes ContourCurve::slopes_of(const LineValue& at, const Profile& profile, double epsilon) const {
  const double delta = std::exp(profile.delta.value), complement = std::exp(profile.complement.value);
  switch (saddle_.quantity) {
    case Quantity::delta:
      return {at.slope * std::exp(at.log_value - profile.delta.value), -at.slope * std::exp(at.log_value) / complement};
    case Quantity::complement:
      return {-at.slope * complement / delta, at.slope};
    case Quantity::reverse:
      break;
  }
  const double derivative = -std::exp(epsilon) + (line_ ? std::exp(at.log_value) * at.slope : 0);
  return {derivative / delta, -derivative / complement};
}

}  // namespace pld::contour
