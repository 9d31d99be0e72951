#include "report/outward_words.hpp"

#include <algorithm>
#include <cmath>

#include "core/number_text.hpp"
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

/// A number rounded one way, in three digits more where it is just beyond the rounding the other way: of what is next
/// to 1 "1.000001" says more than "1.001".
template <class Rounding, class Opposite>
std::string near_text(double value, int digits, const Rounding& rounded, const Opposite& opposite) {
  constexpr double just_beyond = 1e-3;
  constexpr int more = 3;
  std::string text = rounded(value, digits);
  const double far = number_of(text), near = number_of(opposite(value, digits));
  return std::fabs(value - near) < just_beyond * std::fabs(far - near) ? rounded(value, digits + more) : text;
}

std::string near_text_down(double value, int digits) { return near_text(value, digits, text_down, text_up); }

}  // namespace

std::string near_text_up(double value, int digits) { return near_text(value, digits, text_up, text_down); }

std::string at_most(const Bracket& bracket, int digits) { return "<= " + near_text_up(bracket.upper, digits); }
std::string at_least(const Bracket& bracket, int digits) { return ">= " + near_text_down(bracket.lower, digits); }

std::string percent_at_most(const Bracket& share) {
  const Percent percent = percent_of(std::min(share.upper, 1.0));
  return "<= " +
         near_text_up(percent.rest > 0 ? std::nextafter(percent.value, infinity) : percent.value, percent_digits) +
         " %";
}

std::string percent_at_least(const Bracket& share) {
  const Percent percent = percent_of(std::max(share.lower, 0.0));
  return ">= " + near_text_down(percent.rest < 0 ? std::nextafter(percent.value, 0) : percent.value, percent_digits) +
         " %";
}

std::string known(const Finding& loss, const std::string& note) {
  if ((loss.exact && !loss.only_guaranteed) || !loss.has_lower()) return note;
  return (loss.only_guaranteed ? "some mechanism with the guarantee " : "some neighbours ") + at_least(loss) +
         (note.empty() ? "" : "; " + note);
}

}  // namespace pld
