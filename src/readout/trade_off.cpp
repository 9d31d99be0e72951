#include "pld/readout/trade_off.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "account/all_neighbours.hpp"
#include "account/directed_run.hpp"
#include "account/larger_of.hpp"
#include "account/mirrored_profile.hpp"
#include "account/profile_routes.hpp"
#include "account/steps.hpp"
#include "core/intersection.hpp"
#include "core/opposite_direction.hpp"
#include "engines/question.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "readout/gaussian_line.hpp"
#include "readout/shared_lines.hpp"
#include "readout/supporting_line.hpp"

namespace pld {
namespace {

OperatingPoint point(double alpha, const Bracket& log_power, const Bracket& log_beta, double epsilon) {
  return {alpha, probability(log_beta), probability(log_power), log_beta, log_power, epsilon};
}

LineProfile mirrored_line(const ProfileBracket& opposite, double epsilon) {
  return {mirrored_profile(opposite, epsilon), opposite.log_delta};
}

/// What a smaller alpha says of a line: power grows with alpha, and f falls.
void keep_above(SupportingLine& line, const SupportingLine& before) {
  line.log_power = intersection(line.log_power, {before.log_power.lower, before.log_power.estimate, 0});
  line.log_beta = intersection(line.log_beta, at_most(before.log_beta.upper));
}

/// The profile in a direction as lines need it.
std::vector<LineProfile> line_profiles(const PrivacyProfile& profile, DirectionChoice direction,
                                       const std::vector<double>& epsilons) {
  std::vector<double> ahead, behind;
  for (const double epsilon : epsilons) (epsilon >= 0 ? ahead : behind).push_back(std::fabs(epsilon));
  const auto ahead_at = profile.log_profile(ahead, direction),
             behind_at = profile.log_profile(behind, opposite(direction));
  std::vector<LineProfile> out;
  auto next_ahead = ahead_at.begin(), next_behind = behind_at.begin();
  for (const double epsilon : epsilons)
    out.push_back(epsilon >= 0 ? LineProfile{*next_ahead++, {}} : mirrored_line(*next_behind++, -epsilon));
  return out;
}

/// What a bound of all tests and one test say together.
OperatingPoint between(OperatingPoint bound, const OperatingPoint& test) {
  bound.beta = falling(bound.beta, test.beta, 1);
  bound.log_beta = falling(bound.log_beta, test.log_beta, 0);
  bound.power = rising(bound.power, test.power, 1);
  bound.log_power = rising(bound.log_power, test.log_power, 0);
  return bound;
}

/// The better one of two tests at one alpha.
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
    points[i].power = between_bounds(at_most(bound.power.upper), points[i].power);
    points[i].log_power = between_bounds(at_most(bound.log_power.upper), points[i].log_power);
    points[i].beta = between_bounds({bound.beta.lower, bound.beta.lower, infinity}, points[i].beta);
    points[i].log_beta = between_bounds({bound.log_beta.lower, bound.log_beta.lower, infinity}, points[i].log_beta);
  }
}

/// The profile at epsilon >= 0 as a line's power delta + e^epsilon alpha needs it, and what that leaves of 1: where
/// delta is a small part of both, its own width does not matter.
class ReadAhead {
 public:
  ReadAhead(const PrivacyProfile& profile, DirectionChoice direction) : profile_(profile), direction_(direction) {}

  [[nodiscard]] ProfileBracket at(double epsilon, double alpha) {
    constexpr double small_part = -5;
    const double log_power = std::log(alpha) + epsilon;
    const double log_smaller = log_power < 0 ? std::min(log_power, log_one_minus_exp(log_power)) : 0;
    const auto after = most_.upper_bound(epsilon);
    const double most = after == most_.begin() ? 0 : std::prev(after)->second;  // delta falls
    ProfileBracket found;
    if (most < log_smaller + small_part) {
      const double log_width = log_smaller + std::log(std::min(profile_.options().tolerance, 1.0));
      found =
          profile_.log_profile(std::vector{ProfilePlace{.epsilon = epsilon, .log_width = log_width}}, direction_)[0];
    } else {
      found = profile_.log_profile(epsilon, direction_);
    }
    most_[epsilon] = found.log_delta.upper;
    return found;
  }

 private:
  const PrivacyProfile& profile_;
  DirectionChoice direction_;
  std::map<double, double> most_;  ///< upper ends of log delta by epsilon
};

/// Points of one law, by its profile as it is.
std::vector<OperatingPoint> points_of(const PrivacyProfile& profile, DirectionChoice direction,
                                      const std::vector<double>& alphas) {
  const DirectionChoice other = opposite(direction);
  const ProfileBracket end = profile.log_profile(infinity, direction),
                       opposite_end = profile.log_profile(infinity, other);
  std::vector<OperatingPoint> out(alphas.size());
  std::vector<std::size_t> order;  // of those that lie between the ends, by falling alpha
  for (std::size_t i = 0; i < alphas.size(); ++i) {
    const double alpha = alphas[i];
    if (alpha == 0) {
      // Only an infinite loss is detected without any type I error.
      out[i] = point(0, end.log_delta, end.log_complement, infinity);
    } else if (alpha == 1 || std::log1p(-alpha) <= opposite_end.log_delta.lower) {
      // No type II error at all: what P cannot put out is told from Q without any.
      out[i] = point(alpha, {0, 0, 0}, {-infinity, -infinity, -infinity}, -infinity);
    } else {
      order.push_back(i);
    }
  }
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return alphas[a] > alphas[b]; });

  const auto read_all = [&](const std::vector<double>& epsilons) {
    return line_profiles(profile, direction, epsilons);
  };
  ReadAhead ahead(profile, direction);
  double alpha_asked = 1;
  const std::function<LineProfile(double)> read = [&](double epsilon) -> LineProfile {
    if (epsilon >= 0) return {ahead.at(epsilon, alpha_asked), {}};
    return mirrored_line(profile.log_profile(-epsilon, other), -epsilon);
  };
  const ProfileEnd right_end{end.log_delta.lower, profile.largest_loss(direction).upper, is_convex(profile)};
  double start = 0, scale = 0.01;
  const auto search = [&](double alpha) {
    alpha_asked = alpha;
    const SupportingLine line = lowest_line(read, right_end, alpha, start, scale);
    scale = std::clamp(std::fabs(line.epsilon - start), 1e-6, 1.0);
    start = line.epsilon;
    return line;
  };
  const auto take = [&](std::size_t i, const SupportingLine& line) {
    out[i] = point(alphas[i], line.log_power, line.log_beta, line.epsilon);
  };
  if (const auto mu = gaussian_mu_of(profile)) {
    for (const std::size_t i : order) take(i, gaussian_line(*mu, alphas[i]));
    return out;
  }
  constexpr std::size_t few = 16;  // begun where the last one ended, they cost less than ten by themselves
  if (order.size() <= few) {
    for (const std::size_t i : order) take(i, search(alphas[i]));
    return out;
  }
  const SupportingLine first = search(alphas[order.front()]), last = search(alphas[order.back()]);
  const SharedLines shared(read_all, right_end, std::min(first.epsilon, last.epsilon),
                           std::max(first.epsilon, last.epsilon), std::log1p(profile.options().tolerance));
  SupportingLine before = last;
  take(order.back(), last);
  for (auto i = std::next(order.rbegin()); i != order.rend(); ++i) {
    const double alpha = alphas[*i];
    const CertifiedLine found = shared.at(alpha);
    SupportingLine line = shared.is_narrow(found) || shared.is_hopeless(found) ? found.line : search(alpha);
    keep_above(line, before);
    take(*i, line);
    before = line;
  }
  return out;
}

constexpr double rough_tolerance = 1e-3;

/// Whether the smaller one of beta and power is.
bool is_narrow(const OperatingPoint& point, double tolerance) {
  const Bracket& smaller = point.log_power.estimate < point.log_beta.estimate ? point.log_power : point.log_beta;
  return smaller.width() <= std::log1p(tolerance);
}

/// Points of one law: what a rough profile leaves too wide takes the profile itself, whose readings cost far more. Next
/// to a largest loss, or where an engine gives more digits than asked, that is nothing.
std::vector<OperatingPoint> points_roughly_first(const PrivacyProfile& profile, DirectionChoice direction,
                                                 const std::vector<double>& alphas) {
  const double tolerance = profile.options().tolerance;
  if (tolerance >= rough_tolerance) return points_of(profile, direction, alphas);
  ProfileOptions rough = profile.options();
  rough.tolerance = rough_tolerance;
  std::vector<OperatingPoint> found = points_of(PrivacyProfile(profile.composition(), rough), direction, alphas);
  std::vector<std::size_t> wide;
  std::vector<double> left;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (is_narrow(found[i], tolerance)) continue;
    wide.push_back(i);
    left.push_back(alphas[i]);
  }
  if (left.empty()) return found;
  const std::vector<OperatingPoint> fine = points_of(profile, direction, left);
  for (std::size_t i = 0; i < wide.size(); ++i) found[wide[i]] = fine[i];
  return found;
}

/// Gives points of the envelope of both directions the ends that the better direction's best test has. The second
/// direction is asked where the first one's tests do not come up to the envelope.
void keep_to_tests(std::vector<OperatingPoint>& points, const PrivacyProfile& profile) {
  const double wanted = std::log1p(profile.options().tolerance);
  std::vector<std::optional<OperatingPoint>> best(points.size());
  for (const DirectionChoice direction : {DirectionChoice::remove, DirectionChoice::add}) {
    std::vector<std::size_t> left;
    std::vector<double> alphas;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (best[i] && comes_up_to(*best[i], points[i], wanted)) continue;
      left.push_back(i);
      alphas.push_back(points[i].alpha);
    }
    const std::vector<OperatingPoint> found = points_roughly_first(profile, direction, alphas);
    for (std::size_t i = 0; i < left.size(); ++i) {
      std::optional<OperatingPoint>& here = best[left[i]];
      here = here ? better_of(*here, found[i]) : found[i];
    }
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].attained = !is_certainly_less(*best[i], points[i]);
    points[i] = between(points[i], *best[i]);
  }
}

/// Points of one law in a direction, with ends that tests have.
std::vector<OperatingPoint> points_of_law(const PrivacyProfile& profile, DirectionChoice direction,
                                          const std::vector<double>& alphas) {
  std::vector<OperatingPoint> points = points_roughly_first(profile, direction, alphas);
  if (direction == DirectionChoice::worst && !symmetric(profile.composition())) keep_to_tests(points, profile);
  return points;
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
  if (!profile_.composition().is_one_law()) {
    std::vector<OperatingPoint> found = points_roughly_first(profile_.of_pairs(), direction_, alphas);
    const std::vector<OperatingPoint> attained = points_of_law(profile_.attained(), direction_, alphas);
    for (std::size_t i = 0; i < found.size(); ++i) {
      found[i] = between(found[i], attained[i]);
      found[i].attained = attained[i].attained;
    }
    use_each(ways_of(profile_.composition()),
             [&](const Way& way) { keep_to_way(found, way, direction_, profile_.options()); });
    return found;
  }
  return points_of_law(profile_, direction_, alphas);
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
