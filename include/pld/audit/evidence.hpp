#pragma once

#include <variant>
#include <vector>

#include "pld/audit/attack_frontier.hpp"
#include "pld/audit/observations.hpp"

namespace pld {

enum class AuditTest {
  clopper_pearson,  ///< Clopper, Pearson 1934, of independent runs
  one_run,          ///< Steinke, Nasr, Jagielski 2023, theorem 5.2, with the term in delta of docs/audit.md
  one_run_f_dp,     ///< Mahloujifar, Melis, Chaudhuri 2024
};
[[nodiscard]] const char* name(AuditTest test);

/// Data against hypotheses about privacy. Levels are kept for any number of runs, without asymptotics.
///
/// Independent runs: the limits of Clopper and Pearson for the two rates, at half the level each, are a rectangle that
/// holds the true rates; a hypothesis is refuted where all of it lies beyond the frontier.
///
/// One run: both tests bound the probability of so many right guesses or more (docs/audit.md). The smaller of two
/// bounds on one probability is one too, so that nothing is paid for using both.
///
/// Scores are cut where an attack may, and the level is divided by the number of cuts: of independent runs the
/// thresholds are the out scores of rank 1, 2, 4, ... from above; of one run the 1, 2, 4, ... highest scores are called
/// "in".
///
/// Safe to use from several threads.
class Evidence {
 public:
  /// Throw DomainError unless each count is from 0 to its total, totals are from 1 to 1e9 (canaries to 1e6), and there
  /// are scores of both kinds, all finite.
  [[nodiscard]] static Evidence of(const RunCounts& counts);
  [[nodiscard]] static Evidence of(const RunGuesses& guesses);
  [[nodiscard]] static Evidence of_independent_runs(const Scores& scores);
  [[nodiscard]] static Evidence of_one_run(const Scores& scores);

  /// Independent runs, or one run's guesses: as they were counted, or where scores are cut.
  using Cuts = std::variant<std::vector<RunCounts>, std::vector<RunGuesses>>;
  [[nodiscard]] const Cuts& cuts() const { return cuts_; }

  /// The tests that take such data.
  [[nodiscard]] std::vector<AuditTest> tests() const;

  /// At most any level with at most that probability, under all mechanisms the hypothesis allows. Rounded up; 1e-300
  /// stands for less. Throws DomainError for a test that does not take the data.
  [[nodiscard]] double p_value(const AttackFrontier& hypothesis, AuditTest test) const;
  [[nodiscard]] double p_value(const AttackFrontier& hypothesis) const;  ///< by the sharpest test

  /// With this confidence the mechanism is (epsilon, delta)-DP for no epsilon below this. 0 where no epsilon is
  /// refuted, +inf where all are up to 700. Rounded down. Domain: 0 <= delta <= 1, 0 < confidence < 1, a test that
  /// takes the data (DomainError).
  [[nodiscard]] double refuted_epsilon(double delta, double confidence, AuditTest test) const;
  [[nodiscard]] double refuted_epsilon(double delta, double confidence) const;

 private:
  explicit Evidence(Cuts cuts) : cuts_(std::move(cuts)) {}

  void require_taken_by(AuditTest test) const;
  [[nodiscard]] bool refutes(const AttackFrontier& hypothesis, double level, AuditTest test) const;

  Cuts cuts_;
};

}  // namespace pld
