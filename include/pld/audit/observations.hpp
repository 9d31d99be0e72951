#pragma once

#include <cstdint>
#include <vector>

namespace pld {

/// What an attack said in independent runs of the mechanism: of `in` runs with the record it called true_positives
/// "in", of `out` runs without it false_positives. How it decides must be fixed before these runs.
struct RunCounts {
  std::int64_t true_positives = 0, in = 0;
  std::int64_t false_positives = 0, out = 0;
};

/// What it said of the canaries of one run, each in or out by a fair coin of its own: of `guessed` guesses (it
/// abstained from others) `correct` were right. How many are made must be fixed before the run.
struct RunGuesses {
  std::int64_t correct = 0, guessed = 0, canaries = 0;
  bool only_in = false;  ///< all guesses are "in"
};

/// Scores of what was in and of what was out, larger where an attack says "in".
struct Scores {
  std::vector<double> in, out;
};

}  // namespace pld
