#include "completion.hpp"

#include <algorithm>
#include <map>

#include "curve.hpp"
#include "formats/fields.hpp"
#include "formats/query_text.hpp"
#include "formats/training_run.hpp"
#include "pld/ledger/budget.hpp"
#include "pld/mechanisms/registry.hpp"
#include "subcommands.hpp"

namespace pld::cli {

namespace {

using Words = std::vector<std::string>;

const Words files{":files"};

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() != 0; }

const CLI::Option* option_named(const CLI::App& command, const std::string& word) {
  return word.starts_with("-") ? command.get_option_no_throw(word) : nullptr;
}

/// What may follow an option; empty where it is a number or a text of one's own.
Words values_of(const CLI::Option& option) {
  static const std::map<std::string, Words> known{
      {"--adjacency", relation_names()},
      {"--direction", direction_names()},
      {"--engine", engine_names()},
      {"--of", curve_kind_names()},
      {"--against", {"delta", "epochs", "noise_multiplier", "q", "rate", "sigma", "steps"}},
      {"--sampler", sampler_names()},
      {"--x-axis", {"auto", "linear", "log"}},
      {"--filter", filter_names()},
      {"--kind", budget_kind_names()},
      {"--ledger", files},
      {"--output", files},
      {"--plan", files},
      {"--in", files},
      {"--out", files}};
  const auto found = known.find(option.get_name(false, false));
  return found == known.end() ? Words() : found->second;
}

Words names_of_types(const char* end) {
  Words names;
  for (const MechanismType& type : mechanism_types()) names.push_back(type.name + end);
  return names;
}

Words names_of(const std::vector<const CLI::App*>& commands) {
  Words names;
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  return names;
}

/// "gaussian:sigma=1,c" may go on with each key that is not yet given, "sampler=" with each name.
Words keys_after(const std::string& word) {
  const auto colon = word.find(':');
  const MechanismType* const type = find_mechanism_type(word.substr(0, colon));
  if (type == nullptr) return {};
  const std::string given = word.substr(0, word.find_last_of(":,") + 1);
  constexpr const char* sampler = "sampler=";
  Words all;
  if (word.substr(given.size()).starts_with(sampler)) {
    for (const std::string& name : sampler_names()) all.push_back(given + sampler + name);
    return all;
  }
  for (const std::string& key : keys_in_text(*type)) {
    const bool used =
        given.find(":" + key + "=") != std::string::npos || given.find("," + key + "=") != std::string::npos;
    if (!used) all.push_back(given + key + "=");
  }
  return all;
}

Words mechanisms(const std::string& word) {
  return word.find(':') == std::string::npos ? names_of_types(":") : keys_after(word);
}

/// The positional argument that a word after `given` others is.
std::string positional_at(const CLI::App& command, std::size_t given) {
  Words names;
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional()) names.push_back(option->get_name(true));
  return names.empty() ? "" : names[std::min(given, names.size() - 1)];
}

Words positionals(const CLI::App& command, std::size_t given, const std::string& word) {
  const std::string name = positional_at(command, given);
  if (name == "file" || name == "lines") return files;
  if (name == "shell") return shells();
  if (name != "mechanism") return {};
  Words all = mechanisms(word);
  if (command.get_name() == "curve" && given > 0) all.emplace_back("vs");
  return all;
}

Words long_options(const CLI::App& command) {
  Words all;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    for (const std::string& name : option->get_lnames()) all.push_back("--" + name);
  }
  return all;
}

/// The words after `command` that are neither options nor their values.
std::size_t positionals_in(const CLI::App& command, const Words& words, std::size_t from) {
  std::size_t count = 0;
  for (std::size_t i = from; i + 1 < words.size(); ++i) {
    const CLI::Option* option = option_named(command, words[i]);
    if (option != nullptr && takes_value(*option))
      ++i;
    else if (!words[i].starts_with("-"))
      ++count;
  }
  return count;
}

Words candidates(const CLI::App& app, const Words& words) {
  const CLI::App* command = &app;
  std::size_t at = 0;
  for (; at + 1 < words.size(); ++at) {
    const CLI::App* const inner = subcommand_named(*command, words[at]);
    if (inner == nullptr) break;
    command = inner;
  }
  const std::string& word = words.back();
  const CLI::Option* before = words.size() > at + 1 ? option_named(*command, words[words.size() - 2]) : nullptr;
  if (before != nullptr && takes_value(*before)) return values_of(*before);
  if (word.starts_with("-")) return long_options(*command);
  if (command->get_name() == "help") {
    Words all = names_of(subcommands_of(app)), types = names_of_types("");
    all.insert(all.end(), types.begin(), types.end());
    return all;
  }
  const auto inner = subcommands_of(*command);
  return inner.empty() ? positionals(*command, positionals_in(*command, words, at), word) : names_of(inner);
}

// Bash breaks words at ':' and '=': what it takes for the word is the rest of the one that is completed.
constexpr const char* bash_script = R"(# bash completion for pld, which is asked itself
_pld() {
  local line=${COMP_LINE:0:COMP_POINT} shown=${COMP_WORDS[COMP_CWORD]} words word
  case $shown in :|=) shown= ;; esac
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  word=${words[${#words[@]}-1]}
  mapfile -t COMPREPLY < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
  if [[ ${COMPREPLY[0]} == :files ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$shown")
    return
  fi
  [[ ${COMPREPLY[0]} == *[:=] ]] && compopt -o nospace
  COMPREPLY=("${COMPREPLY[@]#"${word%"$shown"}"}")
}
complete -F _pld pld
)";

constexpr const char* zsh_script = R"(#compdef pld
# zsh completion for pld, which is asked itself
_pld() {
  local -a all
  all=("${(@f)$("${words[1]}" complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $all[1] == :files ]]; then
    _files
  else
    compadd -S '' -- ${(M)all:#*[:=]}
    compadd -- ${all:#*[:=]}
  fi
}
if [[ $funcstack[1] == _pld ]]; then _pld; else compdef _pld pld; fi
)";

constexpr const char* fish_script = R"(# fish completion for pld, which is asked itself
function __pld_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l all ($words[1] complete $words[2..] "$current" 2>/dev/null)
    if test "$all[1]" = :files
        __fish_complete_path "$current"
    else
        printf '%s\n' $all
    end
end
complete -c pld -f -a '(__pld_complete)'
)";

}  // namespace

Words completions(const CLI::App& app, const Words& words) {
  Words all = words.empty() ? Words() : candidates(app, words);
  if (all == files) return all;
  std::erase_if(all, [&](const std::string& one) { return !one.starts_with(words.back()); });
  return all;
}

Words shells() { return {"bash", "zsh", "fish"}; }

std::string completion_script(const std::string& shell) {
  if (shell == "bash") return bash_script;
  if (shell == "zsh") return zsh_script;
  if (shell == "fish") return fish_script;
  throw not_one_of("completion", "shell", shell, shells());
}

}  // namespace pld::cli
