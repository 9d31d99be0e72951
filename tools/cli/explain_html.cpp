#include "explain_html.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "chart.hpp"
#include "core/number_text.hpp"
#include "core/outward_text.hpp"
#include "curve.hpp"
#include "formats/fields.hpp"
#include "formats/selection_text.hpp"
#include "pld/core/rounding.hpp"
#include "pld/version.hpp"
#include "report/outward_words.hpp"

namespace pld::cli {

namespace {

constexpr const char* style = R"(
:root { color-scheme: light; }
body { font: 1.05rem/1.55 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 46rem; margin: 0 auto;
       padding: 1rem; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { font-size: 1.25rem; margin-top: 2.2rem; border-top: 1px solid #767676;
     padding-top: .8rem; }
.answer { border-left: .4rem solid #005a9c; background: #eef4fa; padding: .6rem 1rem; }
.answer strong { font-size: 1.3rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
caption { text-align: left; font-weight: 600; padding: .4rem 0; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid #767676;
         font-weight: normal; } thead th { font-weight: 600; }
td.number { font-variant-numeric: tabular-nums; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; background: #f2f2f2;
            overflow-wrap: anywhere; } pre { padding: .6rem;
      white-space: pre-wrap; }
figure { margin: 1rem 0; } figcaption { font-size: .95rem; }
svg { width: 100%; height: auto; } svg text { font: 14px system-ui, sans-serif; fill: #1a1a1a; } svg .power {
      font-size: 10px; } svg .grid { stroke: #d0d0d0; } svg .curve { fill: none; stroke: #005a9c; stroke-width: 3; }
svg .compare { fill: none; stroke: #595959; stroke-width: 2; stroke-dasharray: 6 5; }
@media (max-width: 34rem) { body { font-size: 1rem; } th, td { padding-right: .5rem; font-size: .95rem; }
                            svg text { font-size: 19px; } }
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
                        ". Every limit on this page is rounded to the safe side.</p></footer>\n</body>\n</html>\n";
  }

 private:
  std::ostringstream out_;
};

std::string times(std::int64_t count) { return count == 1 ? "once" : std::to_string(count) + " times"; }

void released(Html& page, const Explanation& e, const Composition& composition) {
  page.section("What was released");
  if (composition.releases().empty()) {
    page.paragraph("Nothing.");
    return;
  }
  std::vector<std::vector<std::string>> rows;
  const auto meaning_of = [](const std::string& text) {
    const MechanismType* const type = find_mechanism_type(text.substr(0, text.find(':')));
    return type == nullptr ? std::string() : escaped(type->meaning);
  };
  for (const Release& release : composition.releases())
    rows.push_back({code(release.mechanism.text()), times(release.count), meaning_of(release.mechanism.text())});
  page.table("Each release is a result that was published, in which chance has a part",
             {"Release", "How often", "What it is"}, rows);
  if (e.selects)
    page.paragraph(
        "“Best of … tries” is one release: of several runs, as many as a random number says, the best result alone is "
        "published.");
}

/// The two cases that nobody shall tell apart, as an adjacency has them.
struct Cases {
  std::string question;              ///< whether ...
  std::string with_one, with_other;  ///< where this is so
  const char *are_one, *are_other;   ///< of many records
};

Cases cases_of(const Neighbours& neighbours) {
  const bool one = neighbours.group == 1;
  const std::string is = one ? "it is" : "they are", has = one ? "it has" : "they have",
                    who = one ? "the record" : "the records", their = one ? "its" : "their";
  switch (neighbours.relation) {
    case Relation::replace_one:
      return {"which of two contents " + has, "with the one content of " + who, "with the other",
              "have the one content", "have the other"};
    case Relation::zero_out:
      return {"whether " + has + " " + their + " content or " + is + " blank", "with the content of " + who,
              "with a blank instead", "have their content", "are blank"};
    case Relation::add_remove:
      break;
  }
  return {"whether " + is + " in the data at all", "with " + who + " in the data", "without", "are in the data",
          "are not"};
}

/// Whose secret it is: every record's, or every group's.
std::string whose(const Composition& composition) {
  const int group = composition.neighbours().group;
  return group == 1 ? "any one record" : "any " + std::to_string(group) + " records together";
}

/// e^epsilon, rounded up, as HTML.
std::string factor(double epsilon) {
  constexpr double beyond_doubles = 700;
  if (epsilon == infinity) return "no finite number";
  return epsilon < beyond_doubles ? near_text_up(std::nextafter(std::exp(epsilon), infinity), 3)
                                  : "e<sup>" + text_up(epsilon, 4) + "</sup>";
}

std::string epsilon_words(const Bracket& epsilon) {
  return epsilon.upper == infinity ? "not finite" : escaped(said(at_most(epsilon, 4)));
}

/// What P(S) <= e^epsilon Q(S) + delta says of every event S, in both orders.
std::string promise(const Composition& composition, double delta, double epsilon) {
  const std::string at = "at δ = " + number_text(delta);
  if (epsilon == infinity)
    return "<strong>No finite ε</strong> " + at + ". In words: no limit is proved there; with a probability of " +
           number_text(delta) + " or more, what was released may give a record away for certain.";
  const Cases cases = cases_of(composition.neighbours());
  return "<strong>ε " + epsilon_words({epsilon, epsilon, epsilon}) + "</strong> " + at +
         ". In words: take any conclusion that somebody may draw from all that was released. Its probability " +
         cases.with_one + " is at most " + factor(epsilon) + " times its probability " + cases.with_other + ", plus " +
         number_text(delta) + "; and the same the other way round.";
}

void meaning(Html& page, const Explanation& e, const Composition& composition) {
  page.section("Whom it protects, and how far");
  page.paragraph(
      "It speaks of " + whose(composition) + ": how well whoever sees everything that was released can tell " +
      cases_of(composition.neighbours()).question + "." +
      (composition.neighbours().group == 1 ? " Somebody with several records, or a household, is protected less."
                                           : "") +
      " The limits below hold against anybody, whatever else they know of the data, and stay true for ever; "
      "further releases from the same data come on top.");
  if (!e.only_proved.empty()) {
    std::string limits;
    for (const Goal& goal : e.only_proved)
      limits += (limits.empty() ? "" : ", ") + quantity_of(goal) + " at most " + number_text(limit_of(goal));
    page.paragraph(
        "<strong>The releases were made from an adaptive budget</strong>: each could be chosen after earlier "
        "ones were seen. Of such releases only the budget's rule is proved, " +
        escaped(limits) + ". The numbers below are those of the same releases fixed in advance.");
  }
  page.paragraph("<span class=\"answer\" style=\"display:block\">" + promise(composition, e.delta, e.answer().upper) +
                 "</span>");
  if (const Answer& answer = e.answer(); answer.upper < infinity) {
    const std::string least =
        !answer.has_lower()
            ? ""
            : (answer.only_guaranteed ? "for some mechanism with the guarantee it is " : "for some data it is ") +
                  escaped(said(at_least(answer, 4)));
    if (answer.exact && answer.converged && !answer.only_guaranteed)
      page.paragraph("This ε is exact but for rounding: " + least + ", whatever the calculation.");
    else
      page.paragraph("This ε is an upper bound: the truth may be smaller, never larger" +
                     (least.empty() ? "" : "; " + least) + ".");
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& [delta, answer] : e.epsilons)
    rows.push_back({"δ = " + number_text(delta), epsilon_words(answer), factor(answer.upper)});
  if (std::isfinite(e.pure_epsilon.upper))
    rows.push_back({"δ = 0", epsilon_words(e.pure_epsilon), factor(e.pure_epsilon.upper)});
  page.table("Each δ has its ε; at a smaller δ it is larger or the same", {"δ", "ε", "Factor e<sup>ε</sup>, at most"},
             rows);
}

void risk(Html& page, const Explanation& e, const PrivacyProfile& profile) {
  page.section("What an attacker can do");
  const Composition& composition = profile.composition();
  const Cases cases = cases_of(composition.neighbours());
  const std::string them = composition.neighbours().group == 1 ? "records" : "groups of records";
  page.paragraph(
      "An attacker takes " + whose(composition) + " and is to tell " + cases.question +
      ". With unlimited computing power, and all the rest of the data known, no attack does better than this:");
  const std::string recognised =
      "Of " + them + " that " + cases.are_one + ", what share does it recognise when it takes ";
  const std::string mistaken = std::string(" of those that ") + cases.are_other + " for such?";
  page.table("Limits of every attack", {"Question", "Answer", "For comparison"},
             {{"How often is it wrong, if both cases are equally likely?",
               escaped(said(percent_at_least(e.bayes_error))), "50 % is guessing"},
              {recognised + "1 %" + mistaken, escaped(said(percent_at_most(e.tpr_one_percent))), "1 % is guessing"},
              {"The same when it takes 0.1 % for such?", escaped(said(percent_at_most(e.tpr_one_permille))),
               "0.1 % is guessing"},
              {"How much larger can the first share be than the second?", escaped(said(percent_at_most(e.advantage))),
               "0 % is guessing, 100 % is certainty"}});
  constexpr int points = 101;
  std::vector<double> rates;  // closer to each other where the curve may be steep
  for (int i = 0; i < points; ++i) rates.push_back(std::pow(i / (points - 1.0), 3));
  const Curve roc = curve_of("", profile, CurveKind::trade_off, rates, DirectionChoice::worst);
  Chart chart{
      .id = "roc",
      .title = "What share of " + them + " an attack can recognise, by what share it takes for such wrongly",
      .words =
          "The solid line joins limits that no attack exceeds, the dashed line is guessing: the closer they are, "
          "the better. Where 1 % are wrong it recognises " +
          said(percent_at_most(e.tpr_one_percent)) + ".",
      .x_label = "share taken for such wrongly",
      .y_label = "share recognised",
      .points = {},
      .diagonal = true};
  for (std::size_t i = 0; i < roc.x.size(); ++i) chart.points.emplace_back(roc.x[i], roc.power[i].upper);
  page.figure(chart);

  const double end = e.epsilons[2].answer.upper;
  if (!std::isfinite(end) || !(end > 0)) return;
  const CurveRange losses{.low = 0, .high = end, .points = points};
  const Curve deltas = curve_of("", profile, CurveKind::profile, losses.values(), DirectionChoice::worst);
  Chart second{.id = "profile",
               .title = "The δ that goes with each ε",
               .words = "Further right the factor is larger and the δ beside it smaller. From ε = " + text_up(end, 3) +
                        " on, δ is at most " + number_text(e.epsilons[2].delta) + ".",
               .x_label = "ε",
               .y_label = "δ",
               .points = {},
               .x_end = end,
               .y_decades = 10};
  for (std::size_t i = 0; i < deltas.x.size(); ++i) second.points.emplace_back(deltas.x[i], deltas.y[i].upper);
  page.figure(second);
}

/// The passes over shuffled data that stand in for Poisson samples.
std::string shuffled_words(const ShuffledInstead& s) {
  return "With " + std::to_string(s.batches) + " batches an epoch and " + std::to_string(s.epochs) +
         " epochs, ε at δ = " + number_text(s.delta) +
         ", between data in which one record is blank and those in which it is not, "
         "would be " +
         (s.epsilon.has_lower() ? escaped(said(at_least(s.epsilon, 4))) + " and " : "") + epsilon_words(s.epsilon) +
         (s.epsilon.lower > s.poisson.upper ? ": <strong>worse than stated above</strong>" : "") + ".";
}

void shuffling(Html& page, const Explanation& e) {
  page.section("What shuffling would change");
  const auto is_on = [&](const auto& holds) {
    return std::any_of(e.named.begin(), e.named.end(), [&](const Release& release) {
      const auto& sampling = release.mechanism.sampling();
      return sampling && holds(sampling->numbers.contains("shuffled"));
    });
  };
  const bool drawn = is_on([](bool shuffled) { return !shuffled; }), shuffled = is_on([](bool is) { return is; });
  if (!drawn) {
    page.paragraph(shuffled ? "Nothing: the numbers above are those of shuffled data."
                            : "Nothing: no release is said to run on a random sample of the data.");
    return;
  }
  page.paragraph(
      "The numbers above hold where each step draws its records as “What it stands on” says. Many programs shuffle the "
      "data instead and go through them in batches, which may protect less. " +
      (e.shuffled ? shuffled_words(*e.shuffled) : "By how much is not worked out on this page.") +
      " Ask which of the two was done.");
}

/// A word of a command line as a shell takes it.
std::string shell_word(const std::string& word) {
  const std::string quote = word.find_first_of(" ;()[]*?&|<>$'\"\\") == std::string::npos ? "" : "'";
  return quote + word + quote;
}

/// The command that asks for the page's epsilon again; nothing where its words do not say what was released, or how.
std::string same_question(const Explanation& e, const Composition& composition) {
  if (!e.only_proved.empty()) return "";
  std::string command = "pld epsilon --delta " + number_text(e.delta);
  if (composition.relation() != Relation::add_remove)
    command += std::string(" --adjacency ") + name(composition.relation());
  if (const int group = composition.neighbours().group; group > 1) command += " --group " + std::to_string(group);
  if (e.selects) {
    const Release& only = composition.releases().front();
    if (composition.releases().size() != 1 || only.count != 1) return "";
    const Entry selection = *selection_from_text(only.mechanism.text());
    const auto selects = [](const Entry& tried) { return !tried.tries.empty(); };
    if (std::any_of(selection.tried.begin(), selection.tried.end(), selects)) return "";
    command += " --tries " + selection.tries;
  }
  for (const Release& release : e.named) {
    std::string word = release.mechanism.text();
    if (release.count != 1) word.append(",count=").append(std::to_string(release.count));
    command.append(" ").append(shell_word(word));
  }
  return command;
}

void checking(Html& page, const Explanation& e, const Composition& composition) {
  if (composition.releases().empty()) return;
  page.section("How to check it");
  page.paragraph("The calculation can be repeated by anybody with pld, a free program:");
  const std::string command = same_question(e, composition);
  page.verbatim(command.empty() ? "pld epsilon --delta " + number_text(e.delta) +
                                      " --ledger FILE   (the file that this page was made from)"
                                : command);
  page.paragraph((e.selects ? "What"
                            : "With " + code("--json") + " the answer can be saved, and " +
                                  code("bash tools/verify ANSWER.json") +
                                  " checks it by interval arithmetic that shares no code with the program. What") +
                 std::string(" no calculation can show is whether the program that made the releases does what is "
                             "listed here: ask for its source, its noise generator and its data loader."));
}

}  // namespace

std::string html_page(const Explanation& e, const Composition& composition, const std::string& title) {
  Html page(title);
  page.paragraph(
      "This page is about a guarantee called differential privacy. It limits how much what was published can tell "
      "about " +
      whose(composition) + " in the data behind it.");
  released(page, e, composition);
  meaning(page, e, composition);
  risk(page, e, PrivacyProfile(composition));
  if (!e.shares.empty()) {
    page.section("What each release costs");
    std::vector<std::vector<std::string>> rows;
    for (const Share& share : e.shares)
      rows.push_back(
          {code(share.mechanism) + ", " + times(share.count), escaped(said(pld::at_most(share.epsilon_without, 4)))});
    page.table("ε at δ = " + number_text(e.delta) + " without that release", {"Left out", "ε of the rest"}, rows);
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
