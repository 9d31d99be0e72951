#include "engines/closed_form/outcome_list.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <utility>

#include "engines/rare_losses/some_trial.hpp"
#include "numeric/log_doubt.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// Roundings of sums in Extended, at most 4096 of 2^-64 of what they are sums of, and of one to a double.
constexpr double summed = 3 * unit_roundoff;

/// More than a mass that is left out, whatever its roundings, also where it has no digits as a double.
double generous(double mass) { return (1 + 1e-6) * mass + std::numeric_limits<double>::min(); }

double mass_of(const Outcome& outcome) { return std::exp(static_cast<double>(outcome.log_mass)); }

/// All that one release, repeated, comes to. Rare losses are counted first, so that the likeliest one takes what
/// releases are left.
class Repeated {
 public:
  Repeated(const DominatingPair& pair, int count, double log_rarest, std::size_t most)
      : log_rarest_(log_rarest), most_(most), log_factorials_(static_cast<std::size_t>(count) + 1, unknown) {
    std::vector<LossCell> atoms = pair.atoms({-infinity, infinity});
    std::sort(atoms.begin(), atoms.end(), [](const LossCell& a, const LossCell& b) { return a.log_mass < b.log_mass; });
    double log_rest = -infinity;
    for (auto atom = atoms.rbegin(); atom != atoms.rend(); ++atom) {
      log_rest = log_sum(log_rest, atom->log_mass);
      const double doubt =
          pair.loss_error({atom->loss, atom->loss}) + summed * std::fabs(atom->loss) + smallest_steps(atom->loss);
      losses_.push_back({*atom, doubt, log_rest, std::exp(atom->log_mass - log_rest)});
    }
    std::reverse(losses_.begin(), losses_.end());
    list_.outcomes.clear();
    if (losses_.empty()) return;  // all are infinite
    count_from(0, with_factorial(Outcome{}, count, 1), count);
  }

  /// None where there are too many.
  [[nodiscard]] std::optional<OutcomeList> take() {
    if (list_.outcomes.size() > most_) return std::nullopt;
    return std::move(list_);
  }

 private:
  static constexpr double unknown = -1;

  struct Loss {
    LossCell atom;
    double doubt = 0;
    double log_rest = 0;  ///< log of its mass and those of the losses after it
    double share = 0;     ///< of its mass in those
  };

  [[nodiscard]] Extended log_factorial(int n) {
    Extended& kept = log_factorials_[static_cast<std::size_t>(n)];
    if (kept == unknown) kept = boost::math::lgamma(static_cast<Extended>(n) + 1);
    return kept;
  }
  [[nodiscard]] Outcome with_factorial(Outcome outcome, int n, int sign) {
    const Extended log = log_factorial(n);
    outcome.log_mass += sign * log;
    outcome.mass_doubt += summed * static_cast<double>(log);
    return outcome;
  }
  [[nodiscard]] Outcome with(Outcome outcome, const Loss& loss, int times) {
    outcome.loss += times * static_cast<Extended>(loss.atom.loss);
    outcome.loss_doubt += times * loss.doubt;
    outcome.log_mass += times * static_cast<Extended>(loss.atom.log_mass);
    outcome.mass_doubt += times * mass_error(loss.atom.log_mass);
    return with_factorial(outcome, times, -1);
  }
  /// log of the mass of all that an outcome may yet become, of which `left` releases have one of the losses from i on.
  [[nodiscard]] double log_all(const Outcome& outcome, std::size_t i, int left) {
    return static_cast<double>(outcome.log_mass - log_factorial(left)) + left * losses_[i].log_rest;
  }

  /// Too rare is here what all of a law may be that has a single finite loss.
  void add(const Outcome& outcome) {
    if (outcome.log_mass >= log_rarest_)
      list_.outcomes.push_back(outcome);
    else
      list_.left_out += generous(mass_of(outcome));
  }

  /// Lists how often the losses from i on occur in the `left` releases.
  void count_from(std::size_t i, const Outcome& before, int left) {
    if (i + 1 == losses_.size()) {
      add(with(before, losses_[i], left));
      return;
    }
    const double log_before = log_all(before, i, left), odds = losses_[i].share / (1 - losses_[i].share);
    const int likeliest = std::min(left, static_cast<int>((left + 1.0) * losses_[i].share));
    // From the likeliest number on either way its probability falls, ever faster.
    const auto goes_on = [&](int times, double ratio) {
      if (list_.outcomes.size() > most_) return false;
      const Outcome outcome = with(before, losses_[i], times);
      const double log_mass = log_all(outcome, i + 1, left - times);
      if (log_mass >= log_rarest_) {
        count_from(i + 1, outcome, left - times);
        return true;
      }
      const double rest = ratio < 1 ? std::exp(log_mass) / (1 - ratio) : infinity;
      list_.left_out += generous(std::min(rest, std::exp(log_before)));
      return false;
    };
    for (int times = likeliest; times <= left && goes_on(times, (left - times) / (times + 1.0) * odds);) ++times;
    for (int times = likeliest - 1; times >= 0 && goes_on(times, times / ((left - times + 1.0) * odds));) --times;
  }

  double log_rarest_;
  std::size_t most_;
  std::vector<Extended> log_factorials_;
  std::vector<Loss> losses_;
  OutcomeList list_;
};

Outcome both(const Outcome& a, const Outcome& b) {
  return {a.loss + b.loss, a.log_mass + b.log_mass, a.loss_doubt + b.loss_doubt, a.mass_doubt + b.mass_doubt};
}

/// All pairs of an outcome of either that are not too rare; none where there are more than `most`.
std::optional<OutcomeList> product(const OutcomeList& a, OutcomeList b, double log_rarest, std::size_t most) {
  std::sort(b.outcomes.begin(), b.outcomes.end(),
            [](const Outcome& x, const Outcome& y) { return x.log_mass > y.log_mass; });
  std::vector<double> from(b.outcomes.size() + 1, 0);  // mass of the outcomes from each on
  for (std::size_t j = b.outcomes.size(); j-- > 0;) from[j] = from[j + 1] + mass_of(b.outcomes[j]);
  OutcomeList out{{}, (1 + 4 * unit_roundoff) * (a.left_out + b.left_out)};
  for (const Outcome& x : a.outcomes) {
    std::size_t j = 0;
    for (; j < b.outcomes.size() && static_cast<double>(x.log_mass + b.outcomes[j].log_mass) >= log_rarest; ++j)
      out.outcomes.push_back(both(x, b.outcomes[j]));
    if (j < b.outcomes.size()) out.left_out += generous(mass_of(x) * from[j]);
    if (out.outcomes.size() > most) return std::nullopt;
  }
  return out;
}

}  // namespace

bool have_outcomes(const Terms& terms, double most_releases) {
  double releases = 0;
  for (const Term& t : terms) {
    releases += static_cast<double>(t.count);
    if (t.pair->renyi_curve()) return false;  // whose table has thousands, and is made once it is asked for
    const LossRange range = t.pair->range();
    if (releases > most_releases || t.pair->has_density() || !sums_to_one(*t.pair) ||
        !(range.highest - range.lowest < infinity))
      return false;
  }
  return true;
}

Bracket log_infinity_of(const Terms& terms) {
  SomeTrial infinite;
  for (const Term& t : terms) infinite.add(t.pair->log_mass_at_plus_infinity(), static_cast<double>(t.count));
  return infinite.log_some();
}

std::optional<OutcomeList> list_outcomes(const Terms& terms, double log_rarest, std::size_t most) {
  std::optional<OutcomeList> all;
  for (const Term& t : terms) {
    auto own = Repeated(*t.pair, static_cast<int>(t.count), log_rarest, most).take();
    if (!own) return std::nullopt;
    all = all ? product(*all, std::move(*own), log_rarest, most) : std::move(own);
    if (!all) return std::nullopt;
  }
  return all;
}

}  // namespace pld
