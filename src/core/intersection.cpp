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

Bracket intersection(const Bracket& a, const Bracket& b, std::optional<Side> certain) {
  Bracket both{std::max(a.lower, b.lower), a.width() <= b.width() ? a.estimate : b.estimate,
               std::min(a.upper, b.upper)};
  if (certain == Side::lower) {
    both.upper = std::max(both.lower, both.upper);
  } else if (certain == Side::upper) {
    both.lower = std::min(both.lower, both.upper);
  } else if (!(both.lower <= both.upper)) {
    ++count;
    both = {std::min(a.lower, b.lower), both.estimate, std::max(a.upper, b.upper)};
  }
  both.estimate = std::clamp(both.estimate, both.lower, both.upper);
  return both;
}

Bracket intersection(const Bracket& a, const Bracket& b) { return intersection(a, b, std::nullopt); }

ProfileBracket intersection(const ProfileBracket& a, const ProfileBracket& b) {
  return {intersection(a.log_delta, b.log_delta), intersection(a.log_complement, b.log_complement)};
}

Bracket at_least(double lower) { return {lower, lower, infinity}; }
Bracket at_most(double upper) { return {-infinity, upper, upper}; }

}  // namespace pld
