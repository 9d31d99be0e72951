#include "manual.hpp"

#include <vector>

#include "core/number_text.hpp"
#include "pld/mechanisms/registry.hpp"

namespace pld::cli {

namespace {

using Apps = std::vector<const CLI::App*>;

/// Those that are listed to a person: hidden ones have no group.
Apps commands_of(const CLI::App& app) {
  Apps shown;
  for (const CLI::App* command : app.get_subcommands(nullptr))
    if (!command->get_group().empty()) shown.push_back(command);
  return shown;
}

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
    if (option->get_name(false, true) != "-h,--help") out += item(words_of(*option), meaning_of(*option));
  }
  return out;
}

std::string section_of(const CLI::App& command, const std::string& prefix) {
  std::string out;
  const std::string name = prefix + command.get_name();
  const Apps inner = commands_of(command);
  if (inner.empty()) {
    out = ".SS " + roff(name) + "\n" + roff(command.get_description()) + "\n" + options_of(command);
  }
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

/// Long options of a command, with "=" left to the shell.
std::string long_options(const CLI::App& command) {
  std::string out;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames())
      if (name != "help") out += (out.empty() ? "--" : " --") + name;
  return out;
}

std::string names_of(const Apps& commands) {
  std::string out;
  for (const CLI::App* command : commands) out += (out.empty() ? "" : " ") + command->get_name();
  return out;
}

/// The cases of bash's `case "$command"`: what a word after the command may begin with.
std::string cases_of(const CLI::App& command) {
  const Apps inner = commands_of(command);
  std::string all = inner.empty() ? "" : names_of(inner);
  for (const CLI::App* part : inner) all += " " + long_options(*part);
  return "    " + command.get_name() + ") words=\"" + all + (all.empty() ? "" : " ") + long_options(command) +
         "\" ;;\n";
}

}  // namespace

std::string man_page(const CLI::App& app) {
  std::string out =
      ".TH PLD 1 \"\" \"pld " PLD_VERSION "\" \"User Commands\"\n.SH NAME\npld \\- " + roff(app.get_description()) +
      "\n.SH SYNOPSIS\n.B pld\n.I command\n[\\fIoptions\\fR] \\fImechanism\\fR ...\n.SH DESCRIPTION\n"
      "A mechanism is \\fItype\\fR:\\fIkey\\fR=\\fIvalue\\fR,\\fIkey\\fR=\\fIvalue\\fR. count= repeats it, q= (or "
      "poisson=) runs it on "
      "a Poisson sample, wor= (or batch= and dataset=) on a fixed-size batch; several compose:\n.PP\n.RS\n"
      "pld epsilon \\-\\-delta 1e\\-6 gaussian:sigma=0.8,q=0.005,count=1000 laplace:scale=50,count=200\n.RE\n.PP\n"
      "Every answer is an interval that holds the true value, whatever discretisation, truncation and rounding did, "
      "its "
      "safe end first, rounded outward. It is exact where one pair of neighbours attains what is composed; elsewhere "
      "the "
      "upper end is a bound, the lower one what real neighbours attain, if that is known.\n"
      ".SH COMMANDS\n";
  for (const CLI::App* command : commands_of(app)) out += section_of(*command, "");
  out += ".SH MECHANISMS\n" + mechanisms();
  out += ".SH EXIT STATUS\n" + item("0", "answered") + item("1", "a failure that is no fault of the input") +
         item("2", "bad input, with one line on standard error that names it, its value and what is accepted") +
         item("3",
              "answered and certified, but wider than the tolerance asked; or an error of pld's own, which "
              "one line on standard error owns up to") +
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

std::string bash_completion(const CLI::App& app) {
  const Apps commands = commands_of(app);
  std::string types, keys, cases;
  for (const CLI::App* command : commands) cases += cases_of(*command);
  for (const MechanismType& type : mechanism_types()) {
    types += (types.empty() ? "" : " ") + type.name + ":";
    keys += "    " + type.name + ") keys=\"";
    const char* rate = "q= ";
    for (const ParameterInfo& p : type.parameters) {
      keys += p.name + "= ";
      if (p.name == "q") rate = "poisson= ";
    }
    keys += rate + std::string("wor= count=\" ;;\n");
  }
  return R"(# bash completion for pld
_pld() {
  local current command words keys type given
  # The whole word: bash breaks it at : and =.
  current=${COMP_LINE:0:COMP_POINT}
  current=${current##* }
  local shown=${COMP_WORDS[COMP_CWORD]}
  case "$shown" in :|=) shown= ;; esac
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W ")" +
         names_of(commands) + R"( --help --version" -- "$shown"))
    return
  fi
  command=${COMP_WORDS[1]}
  if [[ $current == *:* ]]; then
    type=${current%%:*}
    case "$type" in
)" + keys +
         R"(    esac
    given=${current#*:}
    given=${given##*,}
    [[ $given == *=* ]] && return
    compopt -o nospace
    # What bash takes for the word goes on from the last break.
    local before=${current%"$given"}
    COMPREPLY=($(compgen -W "$keys" -- "$given"))
    [[ $shown == "$given" || -z $shown ]] || COMPREPLY=("${COMPREPLY[@]/#/${before##*[:=]}}")
    return
  fi
  case "$command" in
)" + cases +
         R"(  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$words --help" -- "$shown"))
  elif [[ ${COMP_WORDS[COMP_CWORD-1]} == --ledger || $command == ledger && $COMP_CWORD -gt 2 ]]; then
    COMPREPLY=($(compgen -f -- "$shown"))
  elif [[ $command == ledger ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$shown"))
  else
    compopt -o nospace
    COMPREPLY=($(compgen -W ")" +
         types + R"(" -- "$shown"))
  fi
}
complete -F _pld pld
)";
}

}  // namespace pld::cli
