#pragma once

#include "pld/core/errors.hpp"

namespace pld {

/// The work that may still be done for what a user asked on this thread, in points (docs/glossary.md): what its
/// Question has left, and hardly any once a TimeLimit has passed. Whoever finds too little has another way, or a wider
/// answer.
class Work {
 public:
  /// All that a question has where there is none.
  [[nodiscard]] static double left();
  /// Whether a question is open on this thread, and counts.
  [[nodiscard]] static bool is_counted();
  /// The number of that question, counted on this thread; 0 for none.
  [[nodiscard]] static long question();
  /// Throws WorkSpent where there are too few.
  static void take(double points);
  /// Whether another piece of a profile is worth making: some hundredths of a second, of the moments that place it.
  [[nodiscard]] static bool affords_piece();
  /// For what is done in any case: takes as many as there are.
  static void note(double points);
  /// For what was counted and costs nothing.
  static void give_back(double points);
  /// All that was taken on this thread, for what asks many questions one after the other.
  [[nodiscard]] static double taken();
  /// How often this thread has asked what is left: what comes about without asking is the same whatever there is.
  [[nodiscard]] static long times_asked();
  /// Whether a time limit is so near that a question which begins now may have fewer points than it has without one.
  [[nodiscard]] static bool is_short();
  /// Throws WorkSpent once a time limit has passed, for loops that count points of their own.
  static void stop_if_late();

  /// A question about as many kinds of releases has so many more, once.
  static void allow_for(double kinds);

  /// What Question and its parts are made of: one within another counts no further, and points may be put aside.
  static void begin(double answers = 1);
  static void end();
  static void add(double points);
  /// So many in any case, also after what took more than there was.
  static void leave_at_least(double points);
};

/// `make()`, or what is said where that takes more work than is left.
template <class Make>
[[nodiscard]] auto if_affordable(const Make& make, decltype(make()) otherwise = {}) -> decltype(make()) {
  try {
    return make();
  } catch (const WorkSpent&) {
    return otherwise;
  }
}

}  // namespace pld
