#include "core/intersection.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "pld/core/contradictions.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

std::atomic<std::int64_t> count{0};

/// Takes an end that is no number for one that tells nothing.
Bracket with_ends(const Bracket& a) {
  return {std::isnan(a.lower) ? -infinity : a.lower, a.estimate, std::isnan(a.upper) ? infinity : a.upper};
}

/// Moves an estimate between the ends. One that is no number becomes an end, a finite one where there is any.
double estimate_within(double estimate, const Bracket& ends) {
  if (std::isnan(estimate)) estimate = ends.upper < infinity ? ends.upper : ends.lower;
  return std::clamp(estimate, ends.lower, ends.upper);
}

}  // namespace

std::int64_t contradictions() noexcept { return count; }

Bracket intersection(const Bracket& a, const Bracket& b) {
  Bracket both{std::max(a.lower, b.lower), a.width() <= b.width() ? a.estimate : b.estimate,
               std::min(a.upper, b.upper)};
  if (!(both.lower <= both.upper)) {
    ++count;
    const Bracket x = with_ends(a), y = with_ends(b);
    both = {std::min(x.lower, y.lower), both.estimate, std::max(x.upper, y.upper)};
  }
  both.estimate = estimate_within(both.estimate, both);
  return both;
}

ProfileBracket intersection(const ProfileBracket& a, const ProfileBracket& b) {
  return {intersection(a.log_delta, b.log_delta), intersection(a.log_complement, b.log_complement)};
}

Bracket sharpened(const Bracket& found, const Bracket& known, std::optional<Side> certain) {
  if (!certain) return intersection(found, known);
  Bracket out = found;
  if (certain == Side::lower) {
    out.lower = std::max(found.lower, known.lower);
    out.upper = std::max(found.upper, out.lower);
  } else {
    out.upper = std::min(found.upper, known.upper);
    out.lower = std::min(found.lower, out.upper);
  }
  out.estimate = estimate_within(found.estimate, out);
  return out;
}

Bracket at_least(double lower) { return {lower, lower, infinity}; }
Bracket at_most(double upper) { return {-infinity, upper, upper}; }

}  // namespace pld
