#include "decimal.hpp"

#include <algorithm>
#include <cmath>

#include "core/number_text.hpp"
#include "core/outward_text.hpp"

namespace pld::cli {

namespace {

constexpr int most_digits = 15;             // as many as every double keeps
constexpr int digits_of_what_is_known = 6;  // of a lower end that may be far below

/// Exponent of the leading decimal digit. Domain: finite, not 0.
int leading_exponent(double value) { return static_cast<int>(std::floor(std::log10(std::fabs(value)))); }

/// Digits of `value` down to the decimal place 10^place.
int digits_to(int place, double value) {
  if (value == 0 || !std::isfinite(value)) return 1;
  return std::clamp(leading_exponent(value) - place + 1, 1, most_digits);
}

/// One below the first decimal place that is at least the bracket's width. With one end infinite, four digits of the
/// estimate.
int last_place(const Bracket& bracket) {
  if (std::isfinite(bracket.width())) return static_cast<int>(std::ceil(std::log10(bracket.width()))) - 1;
  return std::isfinite(bracket.estimate) && bracket.estimate != 0 ? leading_exponent(bracket.estimate) - 4 : -1;
}

/// " to 1e-4" of what is known to a relative width below 1.
std::string precision(double relative) { return relative < 1 ? " to " + text_up(relative, 1) : ""; }

double relative_width(const Bracket& bracket) { return bracket.width() / std::fabs(bracket.upper); }

}  // namespace

BracketText decimals(const Bracket& bracket) {
  if (bracket.width() == 0) return {number_text(bracket.lower), number_text(bracket.upper)};
  const int place = last_place(bracket);
  return {text_down(bracket.lower, digits_to(place, bracket.lower)),
          text_up(bracket.upper, digits_to(place, bracket.upper))};
}

BracketText decimals(const Bracket& bracket, int digits) {
  return {text_down(bracket.lower, digits), text_up(bracket.upper, digits)};
}

namespace {

/// A number between its `before` and `after`, and how many digits of it are asked for.
struct Shape {
  std::string before{}, after{};
  std::optional<int> digits{};

  [[nodiscard]] std::string number(const std::string& text) const { return before + text + after; }
  [[nodiscard]] BracketText ends(const Bracket& bracket) const {
    const BracketText text = digits ? decimals(bracket, *digits) : decimals(bracket);
    return {number(text.lower), number(text.upper)};
  }
};

/// `relative`: the width of what is proved, as a share of it.
std::string at_most(const Finding& finding, bool converged, double relative, const Shape& shape) {
  if (!finding.exact) {
    const std::string upper = shape.ends({finding.estimate, finding.estimate, finding.upper}).upper;
    if (!finding.has_lower()) return upper + " (at most)";
    const std::string whose = finding.only_guaranteed ? " for some mechanism with the guarantee)" : ")";
    if (finding.lower == finding.upper) return upper + " (at most, and no less" + whose;
    return upper + " (at most; at least " +
           shape.number(text_down(finding.lower, shape.digits.value_or(digits_of_what_is_known))) + whose;
  }
  const auto [lower, upper] = shape.ends(finding);
  if (finding.width() == 0 && lower == upper) return upper + " (exact)";
  if (!converged) return upper + " (between " + lower + " and " + upper + ")";
  const std::string known = finding.width() == 0 ? "" : precision(relative);
  return upper + " (exact" + known + (shape.digits ? "; rounded outward: " : ": ") + lower + " .. " + upper + ")";
}

}  // namespace

std::string at_most(const Finding& finding, bool converged, std::optional<int> digits) {
  return at_most(finding, converged, relative_width(finding), {.digits = digits});
}

std::string at_most(const Answer& answer, std::optional<int> digits) {
  return at_most(answer, answer.converged, digits);
}

std::string at_most(const DeltaAnswer& answer, std::optional<int> digits) {
  constexpr double log_of_1e_minus_300 = -690.78;
  const Bracket& log_delta = answer.log_delta;
  if (std::isfinite(log_delta.estimate) && log_delta.estimate < log_of_1e_minus_300)
    return at_most({log_delta, answer.exact, answer.only_guaranteed}, answer.converged, std::expm1(log_delta.width()),
                   {"exp(", ")", digits});
  return at_most(answer, answer.converged, digits);
}

}  // namespace pld::cli
