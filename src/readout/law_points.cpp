#include "readout/law_points.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include "account/directed_run.hpp"
#include "account/engine_table.hpp"
#include "account/mirrored_profile.hpp"
#include "account/profile_routes.hpp"
#include "account/renyi_routes.hpp"
#include "account/test_threshold.hpp"
#include "core/intersection.hpp"
#include "core/opposite_direction.hpp"
#include "core/work.hpp"
#include "engines/closed_form/closed_form.hpp"
#include "engines/question.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/rounding.hpp"
#include "readout/gaussian_line.hpp"
#include "readout/shared_lines.hpp"
#include "readout/supporting_line.hpp"

namespace pld {
namespace {

OperatingPoint point(double alpha, const Bracket& log_power, const Bracket& log_beta, double epsilon) {
  return {alpha, probability(log_beta), probability(log_power), log_beta, log_power, epsilon};
}

/// The logarithm of a small part of a number.
constexpr double small_part = -5;

LineProfile mirrored_line(const ProfileBracket& opposite, double epsilon) {
  return {mirrored_profile(opposite, epsilon), opposite.log_delta};
}

/// What a smaller alpha says of a line: power grows with alpha, and f falls.
void keep_above(SupportingLine& line, const SupportingLine& before, std::optional<Side> rounded) {
  line.log_power = sharpened(line.log_power, {before.log_power.lower, before.log_power.estimate, 0}, rounded);
  line.log_beta = sharpened(line.log_beta, at_most(before.log_beta.upper), opposite(rounded));
}

/// The profile in a direction as lines need it whose smaller one, of power and type II error, is at least e^log_least:
/// a delta that is a small part of the width of that counts for nothing.
std::vector<LineProfile> line_profiles(const PrivacyProfile& profile, DirectionChoice direction,
                                       const std::vector<double>& epsilons, double log_least) {
  const double log_floor = log_least + std::log(std::min(profile.options().tolerance, 1.0)) + small_part;
  std::vector<ProfilePlace> ahead, behind;
  for (const double epsilon : epsilons) {
    const bool is_ahead = epsilon >= 0;  // behind, it counts e^epsilon times
    (is_ahead ? ahead : behind)
        .push_back({.epsilon = std::fabs(epsilon), .log_floor = is_ahead ? log_floor : log_floor - epsilon});
  }
  const auto ahead_at = profile.narrowed_profile(ahead, direction),
             behind_at = profile.narrowed_profile(behind, opposite(direction));
  std::vector<LineProfile> out;
  auto next_ahead = ahead_at.begin(), next_behind = behind_at.begin();
  for (const double epsilon : epsilons)
    out.push_back(epsilon >= 0 ? LineProfile{*next_ahead++, {}} : mirrored_line(*next_behind++, -epsilon));
  return out;
}

/// The profile as a line needs it, and what that leaves of 1: where delta is a small part of both, its own width does
/// not matter.
class ReadFor {
 public:
  ReadFor(const PrivacyProfile& profile, DirectionChoice direction) : profile_(profile), direction_(direction) {}

  /// At epsilon >= 0, for the power delta + e^epsilon alpha.
  [[nodiscard]] ProfileBracket power(double epsilon, double alpha) {
    return beside(std::log(alpha) + epsilon, 0, epsilon);
  }

  /// At epsilon >= 0, for the type II error e^-epsilon (1 - alpha - delta).
  [[nodiscard]] ProfileBracket error(double epsilon, double alpha) {
    return beside(std::log1p(-alpha) - epsilon, epsilon, epsilon);
  }

 private:
  /// Where something is added to e^log_other, or taken from it, that is delta over e^log_unit.
  [[nodiscard]] ProfileBracket beside(double log_other, double log_unit, double epsilon) {
    const double log_smaller = log_other < 0 ? log_unit + std::min(log_other, log_one_minus_exp(log_other)) : 0;
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

  const PrivacyProfile& profile_;
  DirectionChoice direction_;
  std::map<double, double> most_;  ///< upper ends of log delta by epsilon
};

/// Where the search for a line begins, and by what steps.
struct Start {
  double epsilon = 0, scale = 0.01;
};

/// Whether all releases are of Gaussian noise, sampled or not: lines for these cost less than outlines.
bool are_gaussian(const Terms& terms) {
  return std::all_of(terms.begin(), terms.end(), [](const Term& t) { return t.pair->sampled_gaussian().has_value(); });
}

/// Beginnings of searches. Where a reading costs more than outlines of the laws, these tell where to read first.
class Starts {
 public:
  explicit Starts(const Terms& terms)
      : terms_(terms), readings_are_cheap_(closed_form_takes(terms_) || are_gaussian(terms_)) {}

  /// At alpha, after a search that ended at `last`.
  [[nodiscard]] Start near(double alpha, const Start& last) const {
    if (readings_are_cheap_ || !may_set_up(terms_) || !Work::affords_piece()) return last;
    if (!thresholds_) thresholds_.emplace(terms_);
    const TestThreshold about = thresholds_->at(alpha);
    const double longest = 0.01 + 0.1 * std::fabs(about.epsilon);  // of rare losses the spread says little
    return {about.epsilon, std::clamp(0.1 * about.spread, 1e-6, longest)};
  }

 private:
  Terms terms_;
  bool readings_are_cheap_;
  mutable std::optional<TestThresholds> thresholds_;
};

/// Points of one law, by its profile as it is. Their lines are looked for about the epsilons that are `known`.
std::vector<OperatingPoint> points_of(const PrivacyProfile& profile, DirectionChoice direction,
                                      const std::vector<double>& alphas,
                                      const std::vector<std::optional<double>>& known, std::optional<Side> rounded) {
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

  ReadFor ahead(profile, direction), behind(profile, other);
  double alpha_asked = 1;
  const std::function<LineProfile(double)> read = [&](double epsilon) -> LineProfile {
    if (epsilon >= 0) return {ahead.power(epsilon, alpha_asked), {}};
    return mirrored_line(behind.error(-epsilon, alpha_asked), -epsilon);
  };
  const ProfileEnd right_end{end.log_delta.lower,
                             profile.largest_loss(direction).upper,
                             is_convex(profile),
                             -profile.largest_loss(other).upper,
                             opposite_end.log_complement.upper,
                             rounded};
  const auto fewer = with_few_guarantees(profile.composition());
  const Starts starts(terms_in(fewer ? *fewer : profile.composition(), one_of(direction)));
  Start last_start;
  const auto search_from = [&](const Start& start, double alpha) {
    alpha_asked = alpha;
    const SupportingLine line = lowest_line(read, right_end, alpha, start.epsilon, start.scale);
    last_start = {line.epsilon, std::clamp(std::fabs(line.epsilon - start.epsilon), 1e-6, 1.0)};
    return line;
  };
  const auto search = [&](std::size_t i) {
    const Start near = starts.near(alphas[i], last_start);
    return search_from({known[i].value_or(near.epsilon), near.scale}, alphas[i]);
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
    for (const std::size_t i : order) take(i, search(i));
    return out;
  }
  // A search may read where a piece takes all there is, and the other points still need some.
  const auto search_in_part = [&](std::size_t i) {
    const PartOfQuestion part(0.25 * Work::left());
    return search(i);
  };
  const SupportingLine first = search_in_part(order.front()), last = search_in_part(order.back());
  const double log_least = std::min(last.log_power.lower, first.log_beta.lower);
  const auto read_all = [&](const std::vector<double>& epsilons) {
    return line_profiles(profile, direction, epsilons, log_least);
  };
  const SharedLines shared(read_all, right_end, std::min(first.epsilon, last.epsilon),
                           std::max(first.epsilon, last.epsilon), std::log1p(profile.options().tolerance));
  SupportingLine before = last;
  take(order.back(), last);
  for (auto i = std::next(order.rbegin()); i != order.rend(); ++i) {
    const CertifiedLine found = shared.at(alphas[*i]);
    SupportingLine line =
        shared.is_narrow(found) || shared.is_hopeless(found) ? found.line : search_from(last_start, alphas[*i]);
    if (right_end.is_convex) keep_above(line, before, rounded);  // else lower ends are estimates
    take(*i, line);
    before = line;
  }
  return out;
}

/// Width of the smaller one's logarithm, of beta and power.
double log_width(const OperatingPoint& point) {
  return (point.log_power.estimate < point.log_beta.estimate ? point.log_power : point.log_beta).width();
}

/// What two certified points at one alpha say together, of masses rounded to a side from that side alone: the other
/// end, an estimate, is that of the narrower one, since a later search may run out of work.
OperatingPoint both(OperatingPoint before, OperatingPoint now, std::optional<Side> rounded) {
  if (log_width(before) < log_width(now)) std::swap(before, now);
  now.beta = sharpened(now.beta, before.beta, opposite(rounded));
  now.log_beta = sharpened(now.log_beta, before.log_beta, opposite(rounded));
  now.power = sharpened(now.power, before.power, rounded);
  now.log_power = sharpened(now.log_power, before.log_power, rounded);
  return now;
}

}  // namespace

LawPoints::LawPoints(PrivacyProfile profile, DirectionChoice direction, const std::vector<double>& alphas)
    : profile_(std::move(profile)),
      direction_(direction),
      rounded_(rounded_to(terms_in(profile_.composition(), one_of(direction)))),
      lines_(alphas.size()) {
  for (const double alpha : alphas)
    points_.push_back(point(alpha, {-infinity, -infinity, 0}, {-infinity, -infinity, 0}, 0));
}

std::vector<std::size_t> LawPoints::all() const {
  std::vector<std::size_t> out(points_.size());
  std::iota(out.begin(), out.end(), std::size_t{0});
  return out;
}

void LawPoints::narrow(double tolerance, const std::vector<std::size_t>& which) {
  std::vector<std::size_t> wide;
  std::vector<double> alphas;
  std::vector<std::optional<double>> lines;
  for (const std::size_t i : which) {
    if (log_width(points_[i]) <= std::log1p(tolerance)) continue;
    wide.push_back(i);
    alphas.push_back(points_[i].alpha);
    lines.push_back(lines_[i]);
  }
  if (wide.empty()) return;
  ProfileOptions options = profile_.options();
  const bool is_its_own = tolerance == options.tolerance;
  options.tolerance = tolerance;
  const std::vector<OperatingPoint> found = points_of(
      is_its_own ? profile_ : PrivacyProfile(profile_.composition(), options), direction_, alphas, lines, rounded_);
  for (std::size_t j = 0; j < wide.size(); ++j) {
    std::optional<double>& line = lines_[wide[j]];
    OperatingPoint& here = points_[wide[j]];
    here = line && is_convex(profile_) ? both(here, found[j], rounded_) : found[j];
    line = found[j].epsilon;
  }
}

}  // namespace pld
