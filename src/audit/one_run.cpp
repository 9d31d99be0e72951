#include "audit/one_run.hpp"

#include <algorithm>
#include <cmath>

#include "audit/binomial.hpp"
#include "pld/core/rounding.hpp"

namespace pld::audit {

namespace {

constexpr double exp_units = 2;

/// At least the largest P(v - i <= W < v) / i.
double most_a_guess(std::int64_t v, std::int64_t n, double p) {
  const double odds = round_down(round_down(1 - p) / p);
  double mass = v == 0 ? 0 : exactly_upper(v - 1, n, p), sum = 0, most = 0;
  for (std::int64_t i = 1; i <= v; ++i) {
    sum = round_up(sum + mass);
    most = std::fmax(most, round_up(sum / static_cast<double>(i)));
    if (most * static_cast<double>(i) >= 1) break;  // later sums are at most 1
    // P(W = j - 1) = P(W = j) j / (n - j + 1) (1 - p) / p
    const auto j = static_cast<double>(v - i);
    mass = round_up(mass * j / (static_cast<double>(n) - j + 1) * odds, 6);
  }
  return std::fmin(most, 1.0);
}

double tail_bound(const RunGuesses& guesses, double epsilon, double delta) {
  const double right = std::fmin(1.0, round_up(1 / round_down(1 + std::exp(-epsilon), exp_units)));
  const double pure = at_least_upper(guesses.correct, guesses.guessed, right);
  if (delta == 0 || right == 1) return pure;
  const double spoilt = round_up(2 * static_cast<double>(guesses.canaries) * delta);
  return std::fmin(1.0, round_up(pure + round_up(spoilt * most_a_guess(guesses.correct, guesses.guessed, right))));
}

}  // namespace

double tail_bound(const RunGuesses& guesses, const AttackFrontier& hypothesis) {
  double least = 1;
  for (const AttackFrontier::Line& line : hypothesis.lines()) {
    if (line.epsilon < 0) continue;
    least = std::fmin(least, tail_bound(guesses, line.epsilon, std::fmax(line.delta_in, line.delta_out)));
  }
  return least;
}

GuessConstraints::GuessConstraints(const RunGuesses& guesses, const AttackFrontier& hypothesis) : guesses_(guesses) {
  const auto m = static_cast<double>(guesses.canaries);
  // The wrong guesses' sum is at least (x - m delta) e^-epsilon, x being the right ones': by decreasing epsilon, so by
  // increasing slope. Which lines are kept is free; what is kept is rounded down.
  for (auto line = hypothesis.lines().rbegin(); line != hypothesis.lines().rend(); ++line) {
    const double delta = guesses.only_in ? line->delta_in / 2 : round_up(line->delta_in + line->delta_out) / 2;
    const double slope = round_down(std::exp(-line->epsilon), exp_units);
    const Line next{slope, round_up(slope * round_up(m * delta))};
    const auto hidden = [&](const Line& before, const Line& last) {
      return (next.offset - before.offset) * (last.slope - before.slope) <=
             (last.offset - before.offset) * (next.slope - before.slope);
    };
    while (envelope_.size() > 1 && hidden(envelope_.end()[-2], envelope_.back())) envelope_.pop_back();
    envelope_.push_back(next);
  }
}

bool GuessConstraints::exclude(double probability) const {
  const std::int64_t c = guesses_.guessed;
  // The sums of i p_i and of (c - i) p_i over i >= l, were there no more probability than the constraints force: all of
  // it at `correct`, then, for l below, what the wrong ones' sum must at least be (docs/audit.md, lemma 2).
  double right = round_down(probability * static_cast<double>(guesses_.correct));
  double wrong = round_up(probability * static_cast<double>(c - guesses_.correct));
  auto at = envelope_.begin();
  const auto forced = [&](const auto& line, double x) {
    return round_down(round_down(line->slope * x) - line->offset);
  };
  for (std::int64_t l = guesses_.correct - 1; l >= 0; --l) {
    while (at + 1 != envelope_.end() && forced(at + 1, right) >= forced(at, right)) ++at;
    const double at_least = forced(at, right);
    if (!(at_least > wrong)) return false;  // nothing changes any more
    const double share = round_down(static_cast<double>(l) / static_cast<double>(c - l));
    right = round_down(right + round_down(share * round_down(at_least - wrong)));
    wrong = at_least;
    if (round_down(right + wrong) > static_cast<double>(c)) return true;  // they are c in all, and only grow
  }
  return false;
}

}  // namespace pld::audit
