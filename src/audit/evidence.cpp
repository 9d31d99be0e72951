#include "pld/audit/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "audit/independent_runs.hpp"
#include "audit/one_run.hpp"
#include "core/standard_arithmetic.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

namespace {

constexpr double most_runs = 1e9, most_canaries = 1e6, least_level = 1e-300, most_epsilon = 700;

/// `whole`: what the total is a number of.
void require_part(const char* what, std::int64_t part, const char* whole, std::int64_t total) {
  const std::string accepted = "a whole number from 0 to the number of " + std::string(whole) + ", which is ";
  require(part >= 0 && part <= total, "audit", what, static_cast<double>(part),
          (accepted + std::to_string(total)).c_str());
}

void require_total(const char* what, std::int64_t total, double most) {
  require(total >= 1 && static_cast<double>(total) <= most, "audit", what, static_cast<double>(total),
          most == most_runs ? "a whole number from 1 to 1e9" : "a whole number from 1 to 1e6");
}

void require_scores(const char* what, const std::vector<double>& scores, double most) {
  require_total(what, static_cast<std::int64_t>(scores.size()), most);
  for (const double score : scores) require(std::isfinite(score), "audit", "score", score, "a finite number");
}

/// The smallest level, within a part in 1e6, at which something holds that holds at all larger ones; 1 where it never
/// does.
double smallest_level(const std::function<bool(double)>& holds) {
  double above = std::nextafter(1.0, 0.0), below = least_level;
  if (!holds(above)) return 1;
  if (holds(below)) return below;
  while (above > below * (1 + 1e-6)) {
    const double middle = std::sqrt(below) * std::sqrt(above);
    if (!(middle > below && middle < above)) break;
    (holds(middle) ? above : below) = middle;
  }
  return above;
}

/// The largest epsilon, rounded down, at which something holds that holds at all smaller ones.
double largest_epsilon(const std::function<bool(double)>& holds) {
  double below = 0, above = most_epsilon;
  if (!holds(below)) return 0;
  if (holds(above)) return infinity;
  while (above - below > 1e-9 * std::fmax(1.0, below)) {
    const double middle = below + (above - below) / 2;
    (holds(middle) ? below : above) = middle;
  }
  return below;
}

double p_value_of(const RunCounts& counts, const AttackFrontier& hypothesis, AuditTest) {
  return smallest_level([&](double level) { return audit::refutes(counts, hypothesis, level); });
}

double p_value_of(const RunGuesses& guesses, const AttackFrontier& hypothesis, AuditTest test) {
  if (test == AuditTest::one_run) return audit::tail_bound(guesses, hypothesis);
  const audit::GuessConstraints constraints(guesses, hypothesis);
  return smallest_level([&](double probability) { return constraints.exclude(probability); });
}

bool refuted_by(const RunCounts& counts, const AttackFrontier& hypothesis, double level, AuditTest) {
  return audit::refutes(counts, hypothesis, level);
}

bool refuted_by(const RunGuesses& guesses, const AttackFrontier& hypothesis, double level, AuditTest test) {
  return test == AuditTest::one_run ? audit::tail_bound(guesses, hypothesis) <= level
                                    : audit::GuessConstraints(guesses, hypothesis).exclude(level);
}

}  // namespace

const char* name(AuditTest test) {
  switch (test) {
    case AuditTest::one_run:
      return "one-run";
    case AuditTest::one_run_f_dp:
      return "one-run f-DP";
    case AuditTest::clopper_pearson:
      break;
  }
  return "Clopper-Pearson";
}

Evidence Evidence::of(const RunCounts& counts) {
  const StandardArithmetic arithmetic;
  require_total("number of runs in", counts.in, most_runs);
  require_total("number of runs out", counts.out, most_runs);
  require_part("true positives", counts.true_positives, "runs in", counts.in);
  require_part("false positives", counts.false_positives, "runs out", counts.out);
  return Evidence(std::vector{counts});
}

Evidence Evidence::of(const RunGuesses& guesses) {
  const StandardArithmetic arithmetic;
  require_total("number of canaries", guesses.canaries, most_canaries);
  require_total("number of guesses", guesses.guessed, most_canaries);
  require_part("number of guesses", guesses.guessed, "canaries", guesses.canaries);
  require_part("correct guesses", guesses.correct, "guesses", guesses.guessed);
  return Evidence(std::vector{guesses});
}

Evidence Evidence::of_independent_runs(const Scores& scores) {
  const StandardArithmetic arithmetic;
  require_scores("number of in scores", scores.in, most_runs);
  require_scores("number of out scores", scores.out, most_runs);
  const audit::RankedScores ranked(scores);
  std::vector<RunCounts> cuts;
  // The false positive rate above a rank's out score is at most the rank-th smallest of so many uniform numbers. Its
  // law is that of Clopper and Pearson's limit for rank - 1 false positives; in scores are independent of it.
  for (std::size_t rank = 1; rank <= ranked.ranks(); rank *= 2) cuts.push_back(ranked.above(rank));
  return Evidence(cuts);
}

Evidence Evidence::of_one_run(const Scores& scores) {
  const StandardArithmetic arithmetic;
  require_scores("number of in scores", scores.in, most_canaries);
  require_scores("number of out scores", scores.out, most_canaries);
  struct Canary {
    double score;
    bool in;
  };
  std::vector<Canary> canaries;
  for (const double score : scores.in) canaries.push_back({score, true});
  for (const double score : scores.out) canaries.push_back({score, false});
  const auto m = static_cast<std::int64_t>(canaries.size());
  require_total("number of canaries", m, most_canaries);
  // Of equal scores those that are out come first: no rule of an attack's that does not know them is right less often.
  std::sort(canaries.begin(), canaries.end(),
            [](const Canary& a, const Canary& b) { return a.score != b.score ? a.score > b.score : !a.in && b.in; });
  std::vector<RunGuesses> cuts;
  std::int64_t correct = 0, next = 1;
  for (std::int64_t i = 0; i < m; ++i) {
    if (canaries[static_cast<std::size_t>(i)].in) ++correct;
    if (i + 1 != next) continue;
    cuts.push_back({correct, i + 1, m, true});
    next *= 2;
  }
  return Evidence(cuts);
}

std::vector<AuditTest> Evidence::tests() const {
  const StandardArithmetic arithmetic;
  if (std::holds_alternative<std::vector<RunCounts>>(cuts_)) return {AuditTest::clopper_pearson};
  return {AuditTest::one_run, AuditTest::one_run_f_dp};
}

void Evidence::require_taken_by(AuditTest test) const {
  std::string known;
  for (const AuditTest one : tests()) {
    if (one == test) return;
    known += (known.empty() ? "" : " or ") + std::string(name(one));
  }
  throw DomainError("audit", "test", name(test), "one that takes these data, " + known);
}

double Evidence::p_value(const AttackFrontier& hypothesis, AuditTest test) const {
  const StandardArithmetic arithmetic;
  require_taken_by(test);
  return std::visit(
      [&](const auto& cuts) {
        double least = 1;
        for (const auto& cut : cuts) least = std::fmin(least, p_value_of(cut, hypothesis, test));
        return std::fmin(1.0, round_up(least * static_cast<double>(cuts.size())));
      },
      cuts_);
}

double Evidence::p_value(const AttackFrontier& hypothesis) const {
  const StandardArithmetic arithmetic;
  double least = 1;
  for (const AuditTest test : tests()) least = std::fmin(least, p_value(hypothesis, test));
  return least;
}

bool Evidence::refutes(const AttackFrontier& hypothesis, double level, AuditTest test) const {
  const StandardArithmetic arithmetic;
  return std::visit(
      [&](const auto& cuts) {
        const double each = round_down(level / static_cast<double>(cuts.size()));
        return std::any_of(cuts.begin(), cuts.end(),
                           [&](const auto& cut) { return refuted_by(cut, hypothesis, each, test); });
      },
      cuts_);
}

double Evidence::refuted_epsilon(double delta, double confidence, AuditTest test) const {
  const StandardArithmetic arithmetic;
  require_taken_by(test);
  require(confidence > 0 && confidence < 1, "audit", "confidence", confidence, "0 < confidence < 1");
  const double level = round_down(1 - confidence);
  return largest_epsilon(
      [&](double epsilon) { return refutes(AttackFrontier::of_claim(epsilon, delta), level, test); });
}

double Evidence::refuted_epsilon(double delta, double confidence) const {
  const StandardArithmetic arithmetic;
  double largest = 0;
  for (const AuditTest test : tests()) largest = std::fmax(largest, refuted_epsilon(delta, confidence, test));
  return largest;
}

}  // namespace pld
