#include "pld/readout/trade_off.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "account/all_neighbours.hpp"
#include "account/directed_run.hpp"
#include "account/larger_of.hpp"
#include "account/steps.hpp"
#include "core/opposite_direction.hpp"
#include "core/work.hpp"
#include "engines/question.hpp"
#include "pld/core/errors.hpp"
#include "readout/law_points.hpp"

namespace pld {
namespace {

/// What a bound of all tests and one test say together.
OperatingPoint between(OperatingPoint bound, const OperatingPoint& test) {
  bound.beta = falling(bound.beta, test.beta, 1);
  bound.log_beta = falling(bound.log_beta, test.log_beta, 0);
  bound.power = rising(bound.power, test.power, 1);
  bound.log_power = rising(bound.log_power, test.log_power, 0);
  return bound;
}

/// The better one of two tests at one alpha, said to be attained where the first one is.
OperatingPoint better_of(OperatingPoint a, const OperatingPoint& b) {
  a.beta = smaller(a.beta, b.beta), a.log_beta = smaller(a.log_beta, b.log_beta);
  a.power = larger(a.power, b.power), a.log_power = larger(a.log_power, b.log_power);
  return a;
}

/// Whether a test has at least what is certain of the envelope, but for a part of the width asked.
bool comes_up_to(const OperatingPoint& test, const OperatingPoint& envelope, double wanted) {
  const double slack = wanted / 16;
  return test.log_power.lower >= envelope.log_power.lower - slack &&
         test.log_beta.upper <= envelope.log_beta.upper + slack;
}

bool is_certainly_less(const OperatingPoint& test, const OperatingPoint& envelope) {
  return test.log_power.upper < envelope.log_power.lower || test.log_beta.lower > envelope.log_beta.upper;
}

/// What another upper bound leaves of a quantity: the estimate is that of the smaller bound, however far either may be
/// from it.
Bracket lowered(const Bracket& known, const Bracket& bound) {
  return between_bounds({-infinity, std::min(known.estimate, bound.estimate), bound.upper}, known);
}
/// The same of lower bounds.
Bracket raised(const Bracket& known, const Bracket& bound) {
  return between_bounds({bound.lower, std::max(known.estimate, bound.estimate), infinity}, known);
}

/// What a way proves of the points (Dong, Roth, Su 2022, theorem 2.14). A test between M_0 and M_k is one between M_0
/// and M_1. Its power there bounds its type I error between M_1 and M_2, and so on.
void keep_to_way(std::vector<OperatingPoint>& points, const Way& way, DirectionChoice direction,
                 const ProfileOptions& options) {
  const PrivacyProfile step = profile_of_step(way, options);
  std::vector<double> alphas(points.size());
  std::transform(points.begin(), points.end(), alphas.begin(), [](const OperatingPoint& p) { return p.alpha; });
  std::vector<OperatingPoint> reached;
  for (const DirectionChoice one : way.directions(direction)) {
    reached = TradeOff(step, one).at(alphas);
    std::transform(reached.begin(), reached.end(), alphas.begin(),
                   [](const OperatingPoint& p) { return p.power.upper; });
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const OperatingPoint& bound = reached[i];
    points[i].power = lowered(points[i].power, bound.power);
    points[i].log_power = lowered(points[i].log_power, bound.log_power);
    points[i].beta = raised(points[i].beta, bound.beta);
    points[i].log_beta = raised(points[i].log_beta, bound.log_beta);
  }
}

/// Points of one law in a direction, with ends that tests have: where it is the worst one, those of the better
/// direction's best test.
class TestedPoints {
 public:
  TestedPoints(const PrivacyProfile& profile, DirectionChoice direction, const std::vector<double>& alphas)
      : envelope_(profile, direction, alphas), wanted_(std::log1p(profile.options().tolerance)) {
    if (direction != DirectionChoice::worst || symmetric(profile.composition())) return;
    if (envelope_.rounded() == Side::upper) return;  // whose tests bound nothing from below
    for (const DirectionChoice one : {DirectionChoice::remove, DirectionChoice::add})
      tests_.emplace_back(profile, one, alphas);
  }

  /// The second direction is asked where the first one's tests do not come up to the envelope.
  void narrow(double tolerance) {
    std::vector<std::size_t> left = envelope_.all();
    {
      const PartOfQuestion part((tests_.empty() ? 1 : share_of_upper_end) * Work::left());
      envelope_.narrow(tolerance, left);
    }
    for (LawPoints& one : tests_) {
      one.narrow(tolerance, left);
      std::erase_if(left, [&](std::size_t i) { return comes_up_to(one.points()[i], envelope_.points()[i], wanted_); });
    }
  }

  [[nodiscard]] std::vector<OperatingPoint> points() const {
    std::vector<OperatingPoint> out = envelope_.points();
    if (tests_.empty()) return out;
    for (std::size_t i = 0; i < out.size(); ++i) {
      OperatingPoint best = tests_.front().points()[i];
      if (tests_.back().is_known(i)) best = better_of(best, tests_.back().points()[i]);
      const bool attained = !is_certainly_less(best, out[i]);
      out[i] = envelope_.rounded() ? best : between(out[i], best);
      out[i].attained = attained;
    }
    return out;
  }

 private:
  LawPoints envelope_;
  std::vector<LawPoints> tests_;  ///< one for each direction, or none
  double wanted_;                 ///< the width of a logarithm
};

/// The tolerances that points are looked for with, one after the other: readings for a small one cost far more than
/// those that show where to read, and all that is asked for is to be known roughly first.
std::vector<double> tolerances_for(double tolerance) {
  constexpr double rough = 1e-3;
  return tolerance < rough ? std::vector{rough, tolerance} : std::vector{tolerance};
}

/// Points of all neighbours: no higher than what the pairs bound, as high as what some attain.
std::vector<OperatingPoint> points_of_all(const PrivacyProfile& profile, DirectionChoice direction,
                                          const std::vector<double>& alphas) {
  const std::vector<Way> ways = all_ways_of(profile.composition());
  LawPoints of_pairs(profile.of_pairs(), direction, alphas);
  std::vector<TestedPoints> attained;
  for (const PrivacyProfile& one : profile.attained()) attained.emplace_back(one, direction, alphas);
  {
    const PartOfQuestion without_ways(ways.empty() ? Work::left() : Work::left() / 2);
    for (const double tolerance : tolerances_for(profile.options().tolerance)) {
      {
        const PartOfQuestion upper_end(share_of_upper_end * Work::left());
        of_pairs.narrow(tolerance, of_pairs.all());
      }
      use_first_most(attained, [&](TestedPoints& one) { one.narrow(tolerance); });
    }
  }
  std::vector<OperatingPoint> found = of_pairs.points();
  std::vector<OperatingPoint> by_some = attained.front().points();
  for (std::size_t j = 1; j < attained.size(); ++j) {
    const std::vector<OperatingPoint> by_others = attained[j].points();
    for (std::size_t i = 0; i < by_some.size(); ++i) {
      const bool is_more = by_others[i].power.lower > by_some[i].power.lower;
      by_some[i] = better_of(is_more ? by_others[i] : by_some[i], is_more ? by_some[i] : by_others[i]);
    }
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i] = between(found[i], by_some[i]);
    found[i].attained = by_some[i].attained;
  }
  use_each(ways, [&](const Way& way) { keep_to_way(found, way, direction, profile.options()); });
  return found;
}

}  // namespace

TradeOff::TradeOff(PrivacyProfile profile, DirectionChoice direction)
    : profile_(std::move(profile)), direction_(direction) {}

OperatingPoint TradeOff::at(double alpha) const {
  const Question question;
  return at(std::vector<double>{alpha}).front();
}

std::vector<OperatingPoint> TradeOff::at(const std::vector<double>& alphas) const {
  const Question question;
  for (const double alpha : alphas) require(alpha >= 0 && alpha <= 1, "trade-off", "alpha", alpha, "0 <= alpha <= 1");
  if (!profile_.composition().is_one_law()) return points_of_all(profile_, direction_, alphas);
  TestedPoints law(profile_, direction_, alphas);
  for (const double tolerance : tolerances_for(profile_.options().tolerance)) law.narrow(tolerance);
  return law.points();
}

Bracket TradeOff::inverse(double beta) const {
  const Question question;
  return inverse(std::vector<double>{beta}).front();
}

std::vector<Bracket> TradeOff::inverse(const std::vector<double>& betas) const {
  const Question question;
  for (const double beta : betas) require(beta >= 0 && beta <= 1, "trade-off", "beta", beta, "0 <= beta <= 1");
  std::vector<Bracket> out;
  for (const OperatingPoint& point : TradeOff(profile_, opposite(direction_)).at(betas)) out.push_back(point.beta);
  return out;
}

OperatingPoint TradeOff::at_epsilon(double epsilon) const {
  const Question question;
  require(std::isfinite(epsilon), "trade-off", "epsilon", epsilon, "a finite number");
  if (!profile_.composition().is_one_law())
    return at(TradeOff(profile_.of_pairs(), direction_).at_epsilon(epsilon).alpha);
  // Q(z > epsilon) = -d delta / d e^epsilon, by a difference: any alpha is a point of f, which alone is certified.
  constexpr double step = 1e-4;
  const auto log_value = [&](double e) { return profile_.log_profile(e, direction_); };
  const ProfileBracket below = log_value(epsilon - step), above = log_value(epsilon + step);
  const double by_delta = std::exp(below.log_delta.estimate) - std::exp(above.log_delta.estimate);
  const double by_complement = std::exp(above.log_complement.estimate) - std::exp(below.log_complement.estimate);
  const double rise = below.log_delta.estimate < -1 ? by_delta : by_complement;
  const double alpha = std::clamp(rise / (2 * std::sinh(step)) * std::exp(-epsilon), 0.0, 1.0);
  return at(alpha);
}

}  // namespace pld
