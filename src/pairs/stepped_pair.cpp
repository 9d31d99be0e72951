#include "pairs/stepped_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "numeric/extended.hpp"
#include "pairs/atomic_pair.hpp"
#include "pairs/rounded_total.hpp"

namespace pld {
namespace {

constexpr Extended endless = std::numeric_limits<Extended>::infinity();

struct StepOutcome {
  Extended p, q, loss;  ///< log(p / q), kept apart as that of masses next to each other cancels
};

/// A law's outcomes by falling loss, first that of p alone, last that of q alone where there are such.
using StepOutcomes = std::vector<StepOutcome>;

/// Whether a mass of an outcome that both laws have is so small that it has no digits left.
bool has_underflown(const StepOutcomes& outcomes) {
  constexpr Extended least = std::numeric_limits<Extended>::min() / std::numeric_limits<Extended>::epsilon();
  return std::any_of(outcomes.begin(), outcomes.end(), [&](const StepOutcome& outcome) {
    return isfinite(outcome.loss) && !(std::min(outcome.p, outcome.q) > least);
  });
}

/// Puts one law after another: what P has against R, of P against M and M against R. A test that is best against M
/// rejects the outcomes of the largest losses, and the next one as often under M as that does. None where masses
/// underflow.
StepOutcomes joined_steps(const StepOutcomes& first, const StepOutcomes& second) {
  if (first.empty() || second.empty()) return {};
  StepOutcomes out;
  auto next = second.begin();
  Extended left = next->p;  // of M, in the outcome of the second law that is being filled
  const auto advance = [&] {
    while (!(left > 0) && std::next(next) != second.end() && std::next(next)->p > 0) left = (++next)->p;
  };
  for (const StepOutcome& outcome : first) {
    if (outcome.q == 0) out.push_back({outcome.p, 0, endless});
    for (Extended rest = outcome.q; rest > 0;) {
      advance();
      const bool is_last = std::next(next) == second.end() || !(std::next(next)->p > 0);
      const Extended taken = is_last ? rest : std::min(rest, left);
      out.push_back({outcome.p * (taken / outcome.q), next->q * (taken / next->p), outcome.loss + next->loss});
      rest -= taken, left -= taken;
    }
  }
  for (const StepOutcome& outcome : second)
    if (outcome.p == 0) out.push_back({0, outcome.q, -endless});
  return has_underflown(out) ? StepOutcomes{} : out;
}

StepOutcomes repeated_steps(const StepOutcomes& one, int steps) {
  if (steps == 1) return one;
  const StepOutcomes half = repeated_steps(one, steps / 2);
  const StepOutcomes even = joined_steps(half, half);
  return steps % 2 == 0 ? even : joined_steps(even, one);
}

/// None of a law that is not symmetric, nor of masses rounded to a side; none where there are so many, as of endless
/// noise, or so rare ones, that they are not told one by one.
StepOutcomes step_outcomes_of(const DominatingPair& pair, int steps) {
  constexpr std::size_t most = 600, most_of_all = 3000;
  constexpr double rarest = -10000;   // of an Extended
  if (pair.renyi_curve()) return {};  // whose table has more, and is made once it is asked for
  const auto [lowest, highest] = pair.range();
  if (!pair.symmetric() || pair.has_density() || !sums_to_one(pair) || !(highest - lowest < infinity)) return {};
  const std::size_t shown = pair.outline().size();
  if (shown > most || shown * static_cast<std::size_t>(steps) > most_of_all) return {};
  StepOutcomes out;
  if (const double log_p = pair.log_mass_at_plus_infinity(); log_p > -infinity)
    out.push_back({exp(Extended(log_p)), 0, endless});
  const std::vector<LossCell> atoms = pair.atoms({});
  for (auto atom = atoms.rbegin(); atom != atoms.rend(); ++atom) {
    if (std::min(atom->log_mass, atom->log_q_mass) < rarest) return {};
    out.push_back({exp(Extended(atom->log_mass)), exp(Extended(atom->log_q_mass)), atom->loss});
  }
  if (const double log_q = pair.log_q_mass_at_minus_infinity(); log_q > -infinity)
    out.push_back({0, exp(Extended(log_q)), -endless});
  return out;
}

/// Bounds by what part sums of masses from the largest loss on may be off, in each law of an outcome: by 16 u (1 +
/// |log|) each, and by a rounding of each outcome that was divided.
double step_error_of(const StepOutcomes& one, int steps) {
  Extended farthest = 1;
  for (const StepOutcome& outcome : one)
    for (const Extended mass : {outcome.p, outcome.q})
      if (mass > 0) farthest = std::max(farthest, 1 - log(mass));
  const double parts = 16 * static_cast<double>(farthest) + static_cast<double>(one.size()) * steps / 512;
  return 2 * steps * parts * unit_roundoff;
}

/// Raises or lowers the power of every test by such a part, to where a test errs as often under either law. From there
/// on the law is its own mirror image; what is left between loses nothing.
AtomicPair with_power_changed(const StepOutcomes& outcomes, double part, double loss_error) {
  std::vector<UnroundedAtom> atoms;
  Extended filled = 0, infinite = 0;
  for (const StepOutcome& outcome : outcomes) {
    // Where nothing is lost halfway, neither mass is off without the other.
    const Extended moved = outcome.loss + log1p(Extended(part));
    const bool is_middle = outcome.loss == 0 || moved <= 0;
    const Extended loss = is_middle ? 0 : moved, p = is_middle ? outcome.q : outcome.p * (1 + Extended(part));
    const Extended share = std::min(p + outcome.q, 1 - filled) / (p + outcome.q);
    if (!(share > 0)) break;
    filled += share * (p + outcome.q);
    const Extended log_p = log(share * p), log_q = log(share * outcome.q);
    if (outcome.q == 0) {
      infinite += share * p;
      continue;
    }
    atoms.push_back({loss, log_p, log_q});
    atoms.push_back({-loss, log_q, log_p});
  }
  if (part < 0) atoms.push_back({0, log(1 - filled), log(1 - filled)});
  const auto log_infinite = static_cast<double>(log(infinite));
  return {std::move(atoms), log_infinite, log_infinite, loss_error};
}

}  // namespace

SteppedPair pair_of_steps(const DominatingPair& one, int steps) {
  constexpr double worth_it = 1e-6;  // of the largest loss: what is raised by more is no bound to look at
  const StepOutcomes single = step_outcomes_of(one, steps),
                     outcomes = single.empty() ? single : repeated_steps(single, steps);
  if (outcomes.empty()) return {};
  const double error = step_error_of(single, steps);
  const auto [lowest, highest] = one.range();
  const double farthest = std::max(std::fabs(lowest), std::fabs(highest));
  if (!(error < worth_it * farthest)) return {};
  const double loss_error = steps * (one.loss_error({}) + 4 * unit_roundoff * farthest) + error;
  std::optional<ExactLoss> exact_highest = one.exact_highest();
  if (exact_highest) exact_highest->times *= steps;
  const auto with = [&](double part) {
    return std::make_shared<AtomicPairOfEnds>(with_power_changed(outcomes, part, loss_error), exact_highest,
                                              std::nullopt);
  };
  return {with(error), with(-error)};
}

}  // namespace pld
