#include "report/outward_words.hpp"

#include <algorithm>
#include <cmath>

#include "core/outward_text.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

namespace {

/// 100 share and what rounding left out of it, together exact.
struct Percent {
  double value, rest;
};
Percent percent_of(double share) { return {100 * share, std::fma(100, share, -(100 * share))}; }

constexpr int percent_digits = 3;

}  // namespace

std::string at_most(const Bracket& bracket, int digits) { return "<= " + text_up(bracket.upper, digits); }
std::string at_least(const Bracket& bracket, int digits) { return ">= " + text_down(bracket.lower, digits); }

std::string percent_at_most(const Bracket& share) {
  const Percent percent = percent_of(std::min(share.upper, 1.0));
  return "<= " + text_up(percent.rest > 0 ? std::nextafter(percent.value, infinity) : percent.value, percent_digits) +
         " %";
}

std::string percent_at_least(const Bracket& share) {
  const Percent percent = percent_of(std::max(share.lower, 0.0));
  return ">= " + text_down(percent.rest < 0 ? std::nextafter(percent.value, 0) : percent.value, percent_digits) + " %";
}

std::string known(const Finding& loss, const std::string& note) {
  if (loss.exact || !loss.has_lower()) return note;
  return (loss.only_guaranteed ? "some mechanism with the guarantee " : "some neighbours ") + at_least(loss) +
         (note.empty() ? "" : "; " + note);
}

}  // namespace pld
