#include "pld/core/time_limit.hpp"

#include <algorithm>

#include "pld/core/errors.hpp"

namespace pld {
namespace {

using Clock = TimeLimit::Clock;

thread_local std::optional<Clock::time_point> end_here;

/// A limit that no clock reaches is none.
std::optional<Clock::time_point> after(double seconds) {
  constexpr double longest = 1e9;
  require(seconds > 0, "time limit", "seconds", seconds, "seconds > 0");
  if (seconds > longest) return std::nullopt;
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

TimeLimit::TimeLimit(double seconds) : TimeLimit(after(seconds)) {}

TimeLimit::TimeLimit(std::optional<Clock::time_point> end) : outer_(end_here) {
  if (end) end_here = outer_ ? std::min(*outer_, *end) : *end;
}

TimeLimit::~TimeLimit() { end_here = outer_; }

std::optional<Clock::time_point> TimeLimit::end() { return end_here; }

bool TimeLimit::is_over() { return end_here && Clock::now() >= *end_here; }

}  // namespace pld
