#include "report.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>

namespace pld::validation {

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::holds_under_a_condition:
      return "holds under a condition";
    case Verdict::unsound:
      return "unsound";
    case Verdict::does_not_hold:
      return "does not hold";
    case Verdict::misprint:
      return "misprint or transcription";
    case Verdict::not_reproducible:
      return "cannot be reproduced";
    case Verdict::nothing_to_compute:
      break;
  }
  return "nothing to compute";
}

Row confirmed(bool borne_out, Row row) {
  if (!borne_out) {
    throw std::logic_error("row '" + row.id + "': what was computed (" + row.computed +
                           ") does not bear out the verdict '" + name(row.verdict) + "'");
  }
  return row;
}

const std::vector<std::string>& judging_rule() {
  static const std::vector<std::string> rule{
      "Every statement is judged as its source prints it, under the conditions stated there, by one rule for all.",
      "It is **unsound** if, used as it stands at values it admits, it promises less than the truth computed here: a "
      "smaller ε, δ or "
      "divergence, or less noise; the reason, often a condition left out or one wrong symbol, stands beside it.",
      "A symbol or word that its own passage shows to be wrong (by what stands beside it, by its proof, or because it "
      "cannot be "
      "evaluated) is a **misprint or transcription**, and what fails without a condition that is not printed, but "
      "promises nobody "
      "too little, **holds under a condition**, which is named.",
      "Every number was computed on this run: exact answers are certified intervals [lower, upper], others come from "
      "closed forms, "
      "enumeration or quadrature."};
  return rule;
}

std::string counts(const Report& report) {
  std::map<Verdict, int> count;
  std::size_t statements = 0, figures = 0;
  for (const Section& section : report.sections) {
    statements += section.rows.size();
    figures += section.figures.size();
    for (const Row& row : section.rows) ++count[row.verdict];
  }
  std::string text = std::to_string(statements) + " statements:";
  for (const Verdict verdict : verdicts) {
    text += std::string(verdict == verdicts[0] ? " " : ", ") + name(verdict) + " " + std::to_string(count[verdict]);
  }
  return text + ". " + std::to_string(figures) + " figures.";
}

std::string number(double value, int digits) {
  if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
  char text[48];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  // 1e-05 and 1e+07 as 1e-5 and 1e7.
  std::string shown = text;
  const auto exponent = shown.find('e');
  if (exponent != std::string::npos)
    shown = shown.substr(0, exponent + 1) + std::to_string(std::atoi(&shown[exponent + 1]));
  return shown;
}

}  // namespace pld::validation
