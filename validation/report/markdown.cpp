#include "markup.hpp"
#include "report.hpp"

namespace pld::validation {

namespace {

std::string verdict(const Row& row) {
  std::string text = name(row.verdict);
  if (!row.condition.empty()) text.append(": ").append(marked_up(row.condition));
  return text;
}

std::string unsound(const Report& report) {
  std::string out;
  for (const Section& section : report.sections) {
    for (const Row& row : section.rows) {
      if (row.verdict != Verdict::unsound) continue;
      out += "- **" + escaped(section.title) + ", " + escaped(row.reference) + "**: " + marked_up(row.claim) +
             "\n  - Stated: " + marked_up(row.stated) + "\n  - Computed: " + marked_up(row.computed) +
             "\n  - Why: " + marked_up(row.why) + "\n";
    }
  }
  return out;
}

std::string table(const Section& section) {
  std::string out = "| where | claim | stated | computed | verdict | why |\n|---|---|---|---|---|---|\n";
  for (const Row& row : section.rows) {
    out += "| <a id=\"" + row.id + "\"></a>" + escaped(row.reference) + " | " + marked_up(row.claim);
    if (!row.figure.empty()) out.append(" ([figure](#").append(row.figure).append("))");
    out += " | " + marked_up(row.stated) + " | " + marked_up(row.computed) + " | " + verdict(row) + " | " +
           marked_up(row.why) + " |\n";
  }
  return out;
}

std::string shown(const Figure& figure) {
  std::string out = "\n<a id=\"" + figure.id + "\"></a>\n\n";
  for (const Drawing& panel : figure.panels) {
    out.append("![").append(escaped(panel.alt)).append("](figures/").append(panel.file).append(".svg)\n");
  }
  return out + "\n*" + escaped(figure.title) + ".* " + marked_up(figure.caption) + "\n";
}

}  // namespace

std::string to_markdown(const Report& report) {
  std::string out = "# ";
  out.append(report_title).append("\n\n");
  for (const std::string& sentence : judging_rule()) out += marked_up(sentence) + "\n";
  out.append("\n").append(counts(report)).append("\n\n## Unsound\n\n").append(unsound(report));
  for (const Section& section : report.sections) {
    out += "\n## " + escaped(section.title) + "\n\n" + marked_up(section.about) + "\n\n" + table(section);
    for (const Figure& figure : section.figures) out += shown(figure);
  }
  return out;
}

}  // namespace pld::validation
