#include <algorithm>
#include <cmath>
#include <sstream>

#include "chart.hpp"
#include "core/number_text.hpp"
#include "core/outward_text.hpp"
#include "curve.hpp"
#include "explanation.hpp"
#include "formats/fields.hpp"
#include "outward_words.hpp"
#include "pld/version.hpp"

namespace pld::cli {

namespace {

constexpr const char* style = R"(
:root { color-scheme: light; }
body { font: 1.05rem/1.55 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 46rem; margin: 0 auto;
       padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { font-size: 1.25rem; margin-top: 2.2rem; border-top: 1px solid #767676;
     padding-top: .8rem; }
.answer { border-left: .4rem solid #005a9c; background: #eef4fa; padding: .6rem 1rem; }
.answer strong { font-size: 1.3rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
caption { text-align: left; font-weight: 600; padding: .4rem 0; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid #767676;
         font-weight: normal; } thead th { font-weight: 600; }
td.number { white-space: nowrap; font-variant-numeric: tabular-nums; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; background: #f2f2f2; } pre { padding: .6rem;
      white-space: pre-wrap; }
figure { margin: 1rem 0; } figcaption { font-size: .95rem; }
svg { width: 100%; height: auto; } svg text { font: 14px system-ui, sans-serif; fill: #1a1a1a; } svg .power {
      font-size: 10px; } svg .grid { stroke: #d0d0d0; } svg .curve { fill: none; stroke: #005a9c; stroke-width: 3; }
svg .compare { fill: none; stroke: #595959; stroke-width: 2; stroke-dasharray: 6 5; }
@media print { body { max-width: none; font-size: 10pt; padding: 0; } h2 { break-after: avoid; }
               figure, table, .answer { break-inside: avoid; } pre, code, .answer { background: none; } }
)";

/// Of what is for HTML, "<= 2.1" as an officer reads it.
std::string said(const std::string& words) {
  if (words.starts_with("<= ")) return "at most " + words.substr(3);
  if (words.starts_with(">= ")) return "at least " + words.substr(3);
  return words;
}

std::string code(const std::string& text) { return "<code>" + escaped(text) + "</code>"; }

class Html {
 public:
  explicit Html(const std::string& title) {
    out_ << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
            "content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n<title>"
         << escaped(title) << "</title>\n<style>" << style << "</style>\n</head>\n<body>\n<main>\n<h1>"
         << escaped(title) << "</h1>\n";
  }
  void section(const std::string& heading) { out_ << "<h2>" << escaped(heading) << "</h2>\n"; }
  /// HTML as it stands.
  void paragraph(const std::string& html) { out_ << "<p>" << html << "</p>\n"; }
  void list(const std::vector<std::string>& items) {
    out_ << "<ul>\n";
    for (const std::string& item : items) out_ << "<li>" << item << "</li>\n";
    out_ << "</ul>\n";
  }
  void table(const std::string& caption, const std::vector<std::string>& head,
             const std::vector<std::vector<std::string>>& rows) {
    out_ << "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" << escaped(caption)
         << "\"><table>\n<caption>" << escaped(caption) << "</caption>\n<thead><tr>";
    for (const std::string& cell : head) out_ << "<th scope=\"col\">" << cell << "</th>";
    out_ << "</tr></thead>\n<tbody>\n";
    for (const auto& row : rows) {
      out_ << "<tr><th scope=\"row\">" << row.front() << "</th>";
      for (std::size_t i = 1; i < row.size(); ++i)
        out_ << "<td" << (i == 1 ? " class=\"number\">" : ">") << row[i] << "</td>";
      out_ << "</tr>\n";
    }
    out_ << "</tbody></table></div>\n";
  }
  void figure(const Chart& chart) {
    out_ << "<figure>\n"
         << svg(chart) << "<figcaption>" << escaped(chart.title) << ". " << escaped(chart.words)
         << "</figcaption>\n</figure>\n";
  }
  void verbatim(const std::string& text) { out_ << "<pre>" << escaped(text) << "</pre>\n"; }
  [[nodiscard]] std::string text() const {
    return out_.str() + "</main>\n<footer><p>Computed by pld " PLD_VERSION
                        ". Every number on this page is rounded to the safe side.</p></footer>\n</body>\n</html>\n";
  }

 private:
  std::ostringstream out_;
};

std::string times(std::int64_t count) { return count == 1 ? "once" : std::to_string(count) + " times"; }

void released(Html& page, const Composition& composition) {
  page.section("What was released");
  std::vector<std::vector<std::string>> rows;
  for (const Release& release : composition.releases()) {
    const std::string& text = release.mechanism.text();
    const MechanismType* const type = find_mechanism_type(text.substr(0, text.find(':')));
    rows.push_back({code(text), times(release.count), type == nullptr ? "" : escaped(type->meaning)});
  }
  page.table("Each release is a result published with random noise in it", {"Release", "How often", "What it is"},
             rows);
}

const char* whom_it_protects(Relation relation) {
  switch (relation) {
    case Relation::replace_one:
      return "It speaks of each single record: whoever sees everything that was released can hardly tell whether that "
             "record had one content or any other.";
    case Relation::zero_out:
      return "It speaks of each single record: whoever sees everything that was released can hardly tell whether that "
             "record had its content or was blank.";
    case Relation::add_remove:
      break;
  }
  return "It speaks of each single record: whoever sees everything that was released can hardly tell whether that "
         "record was in the data at all.";
}

/// What an epsilon says of the odds: their largest factor, and what an even chance becomes.
std::string odds_factor(double epsilon) {
  return std::isfinite(epsilon) && epsilon < 700 ? text_up(std::nextafter(std::exp(epsilon), infinity), 3)
                                                 : "no finite number";
}

void meaning(Html& page, const Explanation& e, const Composition& composition) {
  page.section("Whom it protects, and how far");
  page.paragraph(escaped(whom_it_protects(composition.relation())) +
                 " A person with several records, or a household, is protected less. This holds against anybody, "
                 "whatever else they know, and stays true for ever.");
  const auto& main = e.epsilons[1];
  const double epsilon = main.answer.upper;
  page.paragraph("<span class=\"answer\" style=\"display:block\"><strong>ε " + said(at_most(main.answer, 4)) +
                 "</strong> at δ = " + number_text(main.delta) +
                 ". In words: seeing all of it multiplies the odds of any " +
                 "statement about one record by a factor of at most " + odds_factor(epsilon) +
                 ", except with a probability of about " + number_text(main.delta) +
                 ", in which nothing is promised. An even chance of being right becomes at most " +
                 (std::isfinite(epsilon) ? said(percent_at_most({0, 0, posterior_bound(0.5, epsilon)})).substr(8)
                                         : std::string("100 %")) +
                 ".</span>");
  page.paragraph(
      e.exact ? "This number is exact: for some record it is no smaller, so it could not be improved by a better "
                "calculation."
              : "This number is an upper bound: the truth may be smaller, never larger.");
  std::vector<std::vector<std::string>> rows;
  for (const auto& [delta, answer] : e.epsilons)
    rows.push_back({"δ = " + number_text(delta), escaped(said(at_most(answer, 4))), odds_factor(answer.upper)});
  if (std::isfinite(e.pure_epsilon.upper))
    rows.push_back(
        {"δ = 0, no exception", escaped(said(at_most(e.pure_epsilon, 4))), odds_factor(e.pure_epsilon.upper)});
  page.table("The smaller the exception δ that is allowed, the larger ε",
             {"Exception", "ε", "Odds change by a factor up to"}, rows);
}

void risk(Html& page, const Explanation& e, const PrivacyProfile& profile) {
  page.section("What an attacker can do");
  page.paragraph(
      "The best possible attack, with unlimited computing power and everything known but one record, tries to "
      "find out whether that record was there:");
  page.table("Limits of every attack", {"Question", "Answer", "For comparison"},
             {{"How often is it wrong, if both are equally likely?", escaped(said(percent_at_least(e.bayes_error))),
               "50 % is guessing"},
              {"Of records that are there, how many does it find when it accuses 1 % of the others wrongly?",
               escaped(said(percent_at_most(e.tpr_one_percent))), "1 % is guessing"},
              {"The same when it accuses 0.1 % wrongly?", escaped(said(percent_at_most(e.tpr_one_permille))),
               "0.1 % is guessing"},
              {"By how much does it do better than guessing at best?", escaped(said(percent_at_most(e.advantage))),
               "0 % is guessing, 100 % is certainty"}});
  constexpr int points = 101;
  const CurveRange rates{.low = 0, .high = 1, .points = points};
  const Curve roc = curve_of("", profile, CurveKind::trade_off, rates.values(), DirectionChoice::worst);
  Chart chart{
      .id = "roc",
      .title = "How many records the best attack finds, by how many it accuses wrongly",
      .words =
          "The solid line is the best attack, the dashed line is guessing: the closer they are, the better. At 1 % "
          "wrong accusations it finds " +
          said(percent_at_most(e.tpr_one_percent)) + ".",
      .x_label = "share of others accused wrongly",
      .y_label = "share of records found",
      .points = {},
      .diagonal = true};
  for (std::size_t i = 0; i < roc.x.size(); ++i) chart.points.emplace_back(roc.x[i], roc.power[i].upper);
  page.figure(chart);

  const double end = e.epsilons[2].answer.upper;
  if (!std::isfinite(end) || !(end > 0)) return;
  const CurveRange losses{.low = 0, .high = end, .points = points};
  const Curve deltas = curve_of("", profile, CurveKind::profile, losses.values(), DirectionChoice::worst);
  Chart second{.id = "profile",
               .title = "The exception δ that goes with each ε",
               .words = "Further right means a weaker promise with a rarer exception. At ε = " + text_up(end, 3) +
                        " the exception has a probability of " + number_text(e.epsilons[2].delta) + ".",
               .x_label = "ε",
               .y_label = "δ",
               .points = {},
               .x_end = end,
               .y_decades = 10};
  for (std::size_t i = 0; i < deltas.x.size(); ++i) second.points.emplace_back(deltas.x[i], deltas.y[i].upper);
  page.figure(second);
}

void shuffling(Html& page, const Explanation& e) {
  page.section("What shuffling would change");
  if (!e.shuffled) {
    page.paragraph(
        "Nothing: no release is said to run on a random sample of the data whose order a data loader could "
        "have changed, or the passes over the data are too few to tell.");
    return;
  }
  const ShuffledInstead& s = *e.shuffled;
  page.paragraph(
      "The numbers above hold where each record takes part in each step by a coin toss of its own (Poisson "
      "sampling). Many programs shuffle the data instead and go through it in batches. With " +
      std::to_string(s.batches) + " batches an epoch and " + std::to_string(s.epochs) +
      " epochs, ε at δ = " + number_text(s.delta) + " would then be " +
      (s.epsilon.has_lower() ? escaped(said(at_least(s.epsilon, 4))) + " and " : "") +
      escaped(said(at_most(s.epsilon, 4))) +
      (s.epsilon.lower > s.poisson.upper ? ": <strong>worse than stated above</strong>" : "") +
      ". Ask which of the two was done.");
}

void checking(Html& page, const Explanation& e, const Composition& composition) {
  page.section("How to check it");
  page.paragraph("The calculation can be repeated by anybody with pld, a free program:");
  std::string command = "pld epsilon --delta " + number_text(e.epsilons[1].delta);
  if (composition.relation() != Relation::add_remove)
    command += std::string(" --adjacency ") + name(composition.relation());
  for (const Release& release : composition.releases())
    command += " " + release.mechanism.text() + (release.count == 1 ? "" : ",count=" + std::to_string(release.count));
  page.verbatim(command);
  page.paragraph("With " + code("--json") + " the answer can be saved, and " + code("bash tools/verify ANSWER.json") +
                 " proves it by interval arithmetic that shares no code with the program. What no calculation can "
                 "show is whether the program that made the releases does what is listed here: ask for its source, its "
                 "noise generator and its data loader.");
}

}  // namespace

std::string html_page(const Explanation& e, const Composition& composition, const std::string& title) {
  Html page(title);
  page.paragraph(
      "This page is about a guarantee called differential privacy. It says how much what was published can "
      "tell about any one record in the data behind it.");
  released(page, composition);
  meaning(page, e, composition);
  risk(page, e, PrivacyProfile(composition));
  if (!e.shares.empty()) {
    page.section("What each release costs");
    std::vector<std::vector<std::string>> rows;
    for (const Share& share : e.shares)
      rows.push_back(
          {code(share.mechanism) + ", " + times(share.count), escaped(said(at_most(share.epsilon_without, 4)))});
    page.table("ε at δ = " + number_text(e.share_delta) + " without that release", {"Left out", "ε of the rest"}, rows);
  }
  page.section("What it stands on");
  std::vector<std::string> assumptions;
  for (const std::string& one : e.assumptions) assumptions.push_back(escaped(one));
  page.list(assumptions);
  shuffling(page, e);
  checking(page, e, composition);
  return page.text();
}

}  // namespace pld::cli
