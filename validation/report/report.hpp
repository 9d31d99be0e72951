#pragma once

#include <string>
#include <vector>

#include "figure.hpp"

namespace pld::validation {

/// The report's first paragraph says when each is given.
enum class Verdict {
  holds,
  holds_under_a_condition,
  unsound,
  does_not_hold,
  misprint,
  not_reproducible,
  nothing_to_compute,
};

/// In the order in which they are counted.
inline constexpr Verdict verdicts[] = {
    Verdict::holds,
    Verdict::holds_under_a_condition,
    Verdict::unsound,
    Verdict::does_not_hold,
    Verdict::misprint,
    Verdict::not_reproducible,
    Verdict::nothing_to_compute,
};

[[nodiscard]] const char* name(Verdict verdict);

/// One statement of a source, what it says and what was computed on this run. Texts are in the notation of markup.hpp.
struct Row {
  std::string id;         ///< its anchor in the page, unlike every other row's
  std::string reference;  ///< page, section, slide or equation of the source
  std::string claim;
  std::string stated;
  std::string computed;
  Verdict verdict = Verdict::holds;
  std::string why;             ///< a sentence or a few
  std::string condition = "";  ///< that under which it holds; empty for other verdicts
  std::string figure = "";     ///< id of the figure that shows it, if one does
};

/// The row, where what was computed bears its verdict out. Throws std::logic_error, which names the row, where it does
/// not.
[[nodiscard]] Row confirmed(bool borne_out, Row row);

struct Section {
  std::string id;
  std::string title;
  std::string about;  ///< what the source is
  std::vector<Row> rows;
  std::vector<Figure> figures;
};

struct Report {
  std::vector<Section> sections;
};

/// Markdown with the figures as files in `figures/`, and one HTML page with everything inside.
[[nodiscard]] std::string to_markdown(const Report& report);
[[nodiscard]] std::string to_html(const Report& report);

/// What both begin with: the title, the rule by which statements are judged, a sentence each, and how many got which
/// verdict.
inline constexpr const char* report_title = "What the sources claim, and what holds";
[[nodiscard]] const std::vector<std::string>& judging_rule();
[[nodiscard]] std::string counts(const Report& report);

/// Text of a number: `digits` significant ones, "∞" where infinite.
[[nodiscard]] std::string number(double value, int digits = 6);

}  // namespace pld::validation
