#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>

namespace pld {

/// While one lives, what its thread asks is answered with what is known when the time is up: a bracket that is
/// certified all the same, but wider than its tolerance (`converged` is false). Within another one, the earlier end
/// counts. Work is looked at every some hundredths of a second. An object belongs to its thread.
class TimeLimit {
 public:
  using Clock = std::chrono::steady_clock;

  /// From now on. Throws DomainError unless seconds > 0.
  explicit TimeLimit(double seconds);
  /// Until another thread's end; for ever where it has none.
  explicit TimeLimit(std::optional<Clock::time_point> end);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  /// This thread's, if it has one: to be handed to threads that work for it.
  [[nodiscard]] static std::optional<Clock::time_point> end();
  /// Whether this thread has one that has passed.
  [[nodiscard]] static bool is_over();

 private:
  std::optional<Clock::time_point> outer_;
};

/// Where nothing that was asked is known when the time is up. `what()` is one line for a person.
struct TimeIsUp : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace pld
