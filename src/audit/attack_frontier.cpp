#include "pld/audit/attack_frontier.hpp"

#include <algorithm>
#include <cmath>

#include "core/standard_arithmetic.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

constexpr double exp_units = 2;  // exp() is within a unit in the last place

/// Where lines are drawn: evenly on both sides of 0, as far as delta is of interest to data. Any choice is valid.
std::vector<double> places(const PrivacyProfile& profile) {
  constexpr double least_delta = 1e-12, farthest = 30;  // e^30 is more than any number of runs
  constexpr int points = 256;
  double end = profile.epsilon(least_delta).estimate;
  if (!std::isfinite(end)) end = profile.largest_loss().estimate;
  end = std::isfinite(end) ? std::clamp(end, 1e-6, farthest) : farthest;
  std::vector<double> epsilons;
  for (int i = -points; i <= points; ++i) epsilons.push_back(end * i / points);
  return epsilons;
}

double delta_upper(const Bracket& log_delta) { return std::fmin(1.0, round_up(std::exp(log_delta.upper), exp_units)); }

}  // namespace

AttackFrontier AttackFrontier::of_claim(double epsilon, double delta) {
  const StandardArithmetic arithmetic;
  require(epsilon >= 0, "audit", "epsilon", epsilon, "epsilon >= 0");
  require(delta >= 0 && delta <= 1, "audit", "delta", delta, "0 <= delta <= 1");
  if (epsilon == infinity) return of_claim(0, 1);  // which allows everything too
  // The claim about complements of events: P(E) <= 1 - e^-epsilon (1 - delta - Q(E)).
  const double mirrored =
      std::fmin(1.0, round_up(1 - round_down(round_down(std::exp(-epsilon), exp_units) * round_down(1 - delta))));
  return AttackFrontier({{-epsilon, mirrored, mirrored}, {epsilon, delta, delta}});
}

AttackFrontier AttackFrontier::of(const PrivacyProfile& profile) {
  const StandardArithmetic arithmetic;
  const std::vector<double> epsilons = places(profile);
  const auto in = profile.log_delta(epsilons, DirectionChoice::remove);
  const auto out = profile.log_delta(epsilons, DirectionChoice::add);
  std::vector<Line> lines;
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    Line line{epsilons[i], delta_upper(in[i]), delta_upper(out[i])};
    if (profile.composition().relation() == Relation::replace_one)
      line.delta_in = line.delta_out = std::fmax(line.delta_in, line.delta_out);
    lines.push_back(line);
  }
  return AttackFrontier(std::move(lines));
}

double AttackFrontier::most_true_positives(double false_positive_rate) const {
  const StandardArithmetic arithmetic;
  require(false_positive_rate >= 0 && false_positive_rate <= 1, "audit", "false positive rate", false_positive_rate,
          "0 <= rate <= 1");
  double most = 1;
  for (const Line& line : lines_) {
    const double slope = round_up(std::exp(line.epsilon), exp_units);
    most = std::fmin(most, round_up(line.delta_in + round_up(slope * false_positive_rate)));
    // The line of delta_out at the complement: 1 - fpr <= delta_out + e^epsilon (1 - tpr).
    const double room = round_down(round_down(1 - false_positive_rate) - line.delta_out);
    if (room > 0) most = std::fmin(most, round_up(1 - round_down(room / slope)));
  }
  return most;
}

}  // namespace pld
