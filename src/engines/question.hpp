#pragma once

#include "core/standard_arithmetic.hpp"
#include "core/work.hpp"
#include "numeric/fft.hpp"

namespace pld {

/// One call of a user that composes: the first statement of its function, in place of StandardArithmetic. The outermost
/// one of a thread has an allowance of points (docs/glossary.md), of which all that is asked within it takes its own:
/// trials of a calibration, readings of a trade-off function, both directions. What is left of it decides how fine the
/// next answer may be, so that no call takes more than some seconds and all take the same on every machine.
class Question {
 public:
  /// A calibration certifies two; a list is read together, and what that leaves wide asked for alone.
  explicit Question(double answers = 1);
  ~Question();
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;

 private:
  StandardArithmetic arithmetic_;
  KeptTransforms transforms_;
};

/// While one lives, its thread's question has a part of the points that it has left; the rest is there again after.
class PartOfQuestion {
 public:
  explicit PartOfQuestion(double points);
  ~PartOfQuestion();
  PartOfQuestion(const PartOfQuestion&) = delete;
  PartOfQuestion& operator=(const PartOfQuestion&) = delete;

 private:
  double kept_;  ///< for after
};

/// What `ask()` answers with a share of the work that is left.
template <class Ask>
auto with_share(double share, const Ask& ask) {
  const PartOfQuestion part(share * Work::left());
  return ask();
}

/// Each of all in its turn, with an even part of the work that is left.
template <class All, class Use>
void use_each(All&& all, const Use& use) {
  auto still = static_cast<double>(all.size());
  for (auto& one : all) {
    const PartOfQuestion part(Work::left() / still--);
    use(one);
  }
}

/// The points that one composition may take: some of those left, and of a limit. What it leaves it gives back.
class Allowance {
 public:
  explicit Allowance(double most);
  ~Allowance();
  Allowance(const Allowance&) = delete;
  Allowance& operator=(const Allowance&) = delete;

  [[nodiscard]] double& points() { return points_; }  ///< left

 private:
  double given_, points_;
};

}  // namespace pld
