#include "audit/one_run.hpp"

#include <cmath>

#include "audit/binomial.hpp"
#include "pld/core/rounding.hpp"

namespace pld::audit {
namespace {

constexpr double exp_units = 2;

/// Half of what the two directions add up to, of the coins that the guesses may be right about.
double mean_delta(const RunGuesses& guesses, const AttackFrontier::Line& line) {
  return guesses.only_in ? line.delta_in / 2 : round_up(line.delta_in + line.delta_out) / 2;
}

/// At least 1 + r_1 + r_1 r_2 + ... for ratios that fall and are at most 1, of which there are `terms`.
template <class Ratio>
double series(std::int64_t terms, const Ratio& ratio) {
  constexpr double negligible = 1e-17;
  double sum = 1, term = 1;
  for (std::int64_t i = 1; i <= terms; ++i) {
    term = std::fmin(term, round_up(term * ratio(static_cast<double>(i)), 4));
    const double rest = round_up(term * static_cast<double>(terms - i + 1));
    if (rest <= negligible * sum) return round_up(sum + rest);
    sum = round_up(sum + term);
  }
  return sum;
}

double tail_bound(const RunGuesses& guesses, double epsilon, double delta) {
  const std::int64_t v = guesses.correct, c = guesses.guessed;
  const double power = round_up(std::exp(epsilon), exp_units), inverse = round_up(std::exp(-epsilon), exp_units);
  const double right = std::fmin(1.0, round_up(1 / round_down(1 + round_down(std::exp(-epsilon), exp_units))));
  if (v == 0 || right == 1) return 1;
  const double tail = at_least_upper(v, c, right);
  if (delta == 0) return tail;
  // P(W >= v) P(W < v) / (v P(W = v)), whose quotients are sums of those of neighbouring masses: on the side of v where
  // these are at most 1. P(W = v) v is P(W = v - 1) (c - v + 1) e^epsilon.
  const auto n = static_cast<double>(c), k = static_cast<double>(v);
  double largest = 0;
  if (k >= right * n) {
    const double above = series(c - v, [&](double i) { return power * (n - k - i + 1) / (k + i); });
    largest = round_up(round_up(above / k) * at_most_upper(v - 1, c, round_down(right, 8)));
  } else {
    const double below = series(v - 1, [&](double i) { return inverse * (k - i) / (n - k + 1 + i); });
    largest = round_up(round_up(below / (n - k + 1)) * round_up(inverse * tail));
  }
  return std::fmin(1.0, round_up(tail + round_up(largest * round_up(static_cast<double>(guesses.canaries) * delta))));
}

}  // namespace

double tail_bound(const RunGuesses& guesses, const AttackFrontier& hypothesis) {
  double least = 1;
  for (const AttackFrontier::Line& line : hypothesis.lines())
    if (line.epsilon >= 0) least = std::fmin(least, tail_bound(guesses, line.epsilon, mean_delta(guesses, line)));
  return least;
}

GuessConstraints::GuessConstraints(const RunGuesses& guesses, const AttackFrontier& hypothesis) : guesses_(guesses) {
  const auto m = static_cast<double>(guesses.canaries);
  // The wrong guesses' sum is at least (x - m delta) e^-epsilon, x being the right ones': by decreasing epsilon, so by
  // increasing slope. Which lines are kept is free; what is kept is rounded down.
  for (auto line = hypothesis.lines().rbegin(); line != hypothesis.lines().rend(); ++line) {
    const double slope = round_down(std::exp(-line->epsilon), exp_units);
    const Line next{slope, round_up(slope * round_up(m * mean_delta(guesses, *line)))};
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
