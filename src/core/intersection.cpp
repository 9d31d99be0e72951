#include "core/intersection.hpp"

#include <algorithm>
#include <atomic>

#include "pld/core/contradictions.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

std::atomic<std::int64_t> count{0};

}  // namespace

std::int64_t contradictions() noexcept { return count; }

Bracket intersection(const Bracket& a, const Bracket& b) {
  Bracket both{std::max(a.lower, b.lower), a.width() <= b.width() ? a.estimate : b.estimate,
               std::min(a.upper, b.upper)};
  if (!(both.lower <= both.upper)) {
    ++count;
    both = {std::min(a.lower, b.lower), both.estimate, std::max(a.upper, b.upper)};
  }
  both.estimate = std::clamp(both.estimate, both.lower, both.upper);
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
  out.estimate = std::clamp(found.estimate, out.lower, out.upper);
  return out;
}

Bracket at_least(double lower) { return {lower, lower, infinity}; }
Bracket at_most(double upper) { return {-infinity, upper, upper}; }

}  // namespace pld
