#include "markup.hpp"
#include "report.hpp"

namespace pld::validation {

namespace {

// On a narrow screen a row of a table becomes a card, each cell under its column's name; figures' panels stand one
// below another.
constexpr const char* style = R"(
*{box-sizing:border-box}
body{font:1rem/1.5 system-ui,sans-serif;color:#1b1f24;background:#fff;max-width:76rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.7rem}h2{font-size:1.3rem;margin-top:2.5rem;border-bottom:1px solid #8c959f;padding-bottom:.3rem}
a{color:#0550ae}nav a{display:inline-block;margin-right:1.2rem}
sub,sup{line-height:0;white-space:nowrap}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .8rem;margin:.3rem 0 1.2rem}
dt{font-weight:600}dd{margin:0;min-width:0;overflow-wrap:break-word}
table{border-collapse:collapse;table-layout:fixed;width:100%;font-size:.88rem;margin:1rem 0}
th,td{border:1px solid #8c959f;padding:.35rem .5rem;text-align:left;vertical-align:top;overflow-wrap:break-word}
thead th{background:#eaeef2}tbody th{font-weight:400}
.where{width:12%}.claim{width:18%}.stated{width:14%}.computed{width:21%}.verdict{width:13%}
.verdict b{display:block}.good b{color:#116329}.bad b{color:#a40e26}.open b{color:#6e4600}
tr:target,li:target{background:#fff8c5}
figure{margin:2rem 0}
.panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:1rem}
.panels svg{width:100%;height:auto;max-width:50rem}.panels svg text{font-family:system-ui,sans-serif}
figcaption{font-size:.92rem}
@media screen and (max-width:52rem){
thead{position:absolute;left:-999rem}table,tbody,tr,th,td{display:block}
tbody th,td.verdict{width:auto}tbody th{font-weight:600}
tr{margin-bottom:1.2rem}th,td{border-bottom:0}tr>:last-child{border-bottom:1px solid #8c959f}
td::before{content:attr(data-column);display:block;font-size:.8rem;font-weight:600;color:#424a53}
}
@media print{
html{font-size:11px}body{font-size:1rem;max-width:none;margin:0}figure,tr,li{break-inside:avoid}
a{color:inherit;text-decoration:none}
.panels{grid-template-columns:1fr 1fr}.panels svg:only-child{grid-column:1/-1}}
)";

const char* css_class(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
    case Verdict::holds_under_a_condition:
      return "good";
    case Verdict::unsound:
    case Verdict::does_not_hold:
      return "bad";
    case Verdict::misprint:
    case Verdict::not_reproducible:
    case Verdict::nothing_to_compute:
      break;
  }
  return "open";
}

std::string link(const std::string& id, const std::string& text) { return "<a href=\"#" + id + "\">" + text + "</a>"; }

std::string unsound(const Report& report) {
  std::string out = "<ol>\n";
  for (const Section& section : report.sections) {
    for (const Row& row : section.rows) {
      if (row.verdict != Verdict::unsound) continue;
      out += "<li>" + link(row.id, escaped(section.title) + ", " + escaped(row.reference)) + ": " +
             marked_up(row.claim) + "<dl><dt>Stated</dt><dd>" + marked_up(row.stated) + "</dd><dt>Computed</dt><dd>" +
             marked_up(row.computed) + "</dd><dt>Why</dt><dd>" + marked_up(row.why) + "</dd></dl></li>\n";
    }
  }
  return out + "</ol>\n";
}

std::string cell(const std::string& column, const std::string& content) {
  return "<td data-column=\"" + column + "\">" + content + "</td>";
}

std::string table_row(const Row& row) {
  const std::string figure = row.figure.empty() ? "" : " (" + link(row.figure, "figure") + ")";
  const std::string condition = row.condition.empty() ? "" : marked_up(row.condition);
  return "<tr id=\"" + row.id + "\"><th scope=\"row\">" + escaped(row.reference) + "</th>" +
         cell("claim", marked_up(row.claim) + figure) + cell("stated", marked_up(row.stated)) +
         cell("computed", marked_up(row.computed)) + "<td data-column=\"verdict\" class=\"verdict " +
         css_class(row.verdict) + "\"><b>" + name(row.verdict) + "</b>" + condition + "</td>" +
         cell("why", marked_up(row.why)) + "</tr>\n";
}

std::string table(const Section& section) {
  std::string out = "<table><thead><tr>";
  for (const char* column : {"where", "claim", "stated", "computed", "verdict", "why"}) {
    out += std::string("<th scope=\"col\" class=\"") + column + "\">" + column + "</th>";
  }
  out += "</tr></thead><tbody>\n";
  for (const Row& row : section.rows) out += table_row(row);
  return out + "</tbody></table>\n";
}

std::string shown(const Figure& figure) {
  std::string out = "<figure id=\"" + figure.id + "\"><div class=\"panels\">\n";
  for (const Drawing& panel : figure.panels) out += panel.svg;
  return out + "</div><figcaption><b>" + escaped(figure.title) + ".</b> " + marked_up(figure.caption) +
         "</figcaption></figure>\n";
}

}  // namespace

std::string to_html(const Report& report) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>";
  out += std::string(report_title) + "</title><style>" + style + "</style></head><body>\n<h1>" + report_title +
         "</h1>\n<p>";
  for (const std::string& sentence : judging_rule()) out += marked_up(sentence) + "\n";
  out += "</p>\n<p>" + counts(report) + "</p>\n<nav aria-label=\"sources\">" + link("unsound", "Unsound");
  for (const Section& section : report.sections) out += link(section.id, escaped(section.title));
  out += "</nav>\n<main>\n<h2 id=\"unsound\">Unsound</h2>\n" + unsound(report);
  for (const Section& section : report.sections) {
    out += "<h2 id=\"" + section.id + "\">" + escaped(section.title) + "</h2>\n<p>" + marked_up(section.about) +
           "</p>\n" + table(section);
    for (const Figure& figure : section.figures) out += shown(figure);
  }
  return out + "</main></body></html>\n";
}

}  // namespace pld::validation
