#include "manual.hpp"

#include <string>

#include "core/number_text.hpp"
#include "pld/mechanisms/registry.hpp"
#include "pld/version.hpp"
#include "subcommands.hpp"

namespace pld::cli {

namespace {

/// Text in which roff sees no request, escape or hyphen.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

std::string item(const std::string& term, const std::string& meaning) {
  return ".TP\n.B " + roff(term) + "\n" + roff(meaning) + "\n";
}

std::string words_of(const CLI::Option& option) {
  const bool flag = option.get_items_expected_max() == 0;
  if (option.get_positional()) return option.get_name(true);
  return option.get_name(false, true) + (flag ? "" : " VALUE");
}

std::string meaning_of(const CLI::Option& option) {
  std::string meaning = option.get_description();
  if (option.get_required()) meaning += " (required)";
  if (!option.get_default_str().empty()) meaning += " [" + option.get_default_str() + "]";
  return meaning;
}

std::string options_of(const CLI::App& command) {
  std::string out;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_name(false, true) != "-h,--help" && !option->get_group().empty())
      out += item(words_of(*option), meaning_of(*option));
  }
  return out;
}

/// Lines as they stand.
std::string verbatim(const std::string& text) { return text.empty() ? "" : ".PP\n.nf\n" + roff(text) + "\n.fi\n"; }

std::string section_of(const CLI::App& command, const std::string& prefix) {
  std::string out;
  const std::string name = prefix + command.get_name();
  const auto inner = subcommands_of(command);
  if (inner.empty() || !command.get_footer().empty())
    out = ".SS " + roff(name) + "\n" + roff(command.get_description()) + "\n" + options_of(command) +
          verbatim(command.get_footer());
  for (const CLI::App* part : inner) out += section_of(*part, name + " ");
  return out;
}

std::string mechanisms() {
  std::string out;
  for (const MechanismType& type : mechanism_types()) {
    std::string parameters;
    for (const ParameterInfo& p : type.parameters) {
      parameters += (parameters.empty() ? ". " : "; ") + p.name + ": " + p.meaning + ", " + p.accepted +
                    (p.default_value ? " (default " + number_text(*p.default_value) + ")" : "");
    }
    out += item(type.name, type.meaning + parameters + ".");
  }
  return out;
}

/// What else stands in a mechanism's place.
std::string forms() {
  return item("count=N, steps=N, epochs=E", "repeat it, or for so many passes over the data") +
         item("q=RATE, poisson=RATE, q=256/50000", "runs it on a Poisson sample; poisson= where q is a list") +
         item("wor=SHARE, batch=B,dataset=N", "runs it on a fixed-size batch drawn without replacement") +
         item("sampler=NAME,batch=B,dataset=N",
              "runs it on the batches of that sampler: poisson, fixed-size, allocation, shuffled or, with cap=, "
              "truncated") +
         item("KEY=1/2/0.5, file=PATH", "a list of numbers, or all lists of a mechanism from the columns of a file") +
         item("gaussian:sigma=S,matrix=FILE,participations=K,min_separation=B",
              "of the sensitivity of a strategy matrix, .csv or .npy: tree aggregation, matrix factorisation") +
         item("KEY=?, KEY=?*FACTOR", "the number looked for, or several in fixed proportions (calibrate, curve)") +
         item("MECHANISM ... vs MECHANISM ...", "another composition beside the first (curve)");
}

}  // namespace

std::string man_page(const CLI::App& app) {
  std::string out =
      ".TH PLD 1 \"\" \"pld " PLD_VERSION "\" \"User Commands\"\n.SH NAME\npld \\- " + roff(app.get_description()) +
      "\n.SH SYNOPSIS\n.B pld\n.I command\n[\\fIoptions\\fR] \\fImechanism\\fR ...\n.SH DESCRIPTION\n"
      "A mechanism is \\fItype\\fR:\\fIkey\\fR=\\fIvalue\\fR,\\fIkey\\fR=\\fIvalue\\fR.\n" +
      forms() +
      ".PP\nSeveral compose:\n.PP\n.RS\n"
      "pld epsilon \\-\\-delta 1e\\-6 gaussian:sigma=0.8,q=0.005,count=1000 laplace:scale=50,count=200\n.RE\n.PP\n"
      "Every answer is an interval that holds the true value, whatever discretisation, truncation and rounding did, "
      "its "
      "safe end first, rounded outward. It is exact where one pair of neighbours attains what is composed; elsewhere "
      "the "
      "upper end is a bound, the lower one what real neighbours attain, if that is known.\n"
      ".SH COMMANDS\n";
  for (const CLI::App* command : subcommands_of(app)) out += section_of(*command, "");
  out += ".SH MECHANISMS\n" + mechanisms();
  out += ".SH EXIT STATUS\n" + item("0", "answered") + item("1", "a failure that is no fault of the input") +
         item("2", "bad input, with one line on standard error that names it, its value and what is accepted") +
         item("3",
              "answered and certified, but wider than the tolerance asked; compare --claim: undecided; or an error of "
              "pld's own, which one line on standard error owns up to") +
         item("4",
              "compare --claim: the claimed epsilon is below what neighbours attain; audit: the data refute what was "
              "named; "
              "ledger spend: refused, it would exceed the budget");
  out += ".SH FILES\n" +
         item("ledger of --ledger",
              "JSON: {\"adjacency\": \"add-remove\", \"mechanisms\": [{\"type\": \"gaussian\", "
              "\"sigma\": 0.8, \"sampling\": {\"poisson\": 0.005}, \"count\": 1000}]}, or an event of dp-accounting "
              "saved as JSON") +
         item("budget of pld ledger",
              "an SQLite database that is only ever added to; FILE-journal beside it belongs to it while it is there");
  return out;
}

}  // namespace pld::cli
