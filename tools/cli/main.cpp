#include <algorithm>
#include <cctype>
#include <exception>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "colour.hpp"
#include "commands.hpp"
#include "core/dashes.hpp"
#include "empty_values.hpp"
#include "examples.hpp"
#include "formats/fields.hpp"
#include "formats/near_name.hpp"
#include "pld/core/contradictions.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/time_limit.hpp"
#include "pld/formats/read_error.hpp"
#include "pld/version.hpp"
#include "subcommands.hpp"
#include "terminal_lines.hpp"

namespace {

using pld::did_you_mean;
using pld::listed;
using pld::cli::ExitCode;

/// The message on one line of bounded length, whatever bytes the input had.
std::string one_line(std::string_view message) {
  constexpr std::size_t longest = 1000;
  std::string line;
  for (const char c : message.substr(0, longest)) line += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? ' ' : c;
  return message.size() > longest ? line + "..." : line;
}

ExitCode refuse(std::string_view message, ExitCode status) {
  constexpr std::string_view begin = "pld: ";
  const std::string line = one_line(message);
  std::cerr << pld::cli::alarming("pld:", STDERR_FILENO) << " "
            << pld::cli::wrapped(line, pld::cli::width_of(STDERR_FILENO), begin.size()) << '\n';
  return status;
}

std::string see_help(const CLI::App& command);

std::string missing_subcommand(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : pld::cli::subcommands_of(app)) names.push_back(command->get_name());
  const auto words = app.remaining();
  const std::string given = words.empty() ? "missing" : "'" + words.front() + "'" + did_you_mean(words.front(), names);
  return "command is " + given + ", but must be one of " + listed(names) + see_help(app);
}

/// "pld ledger init"
std::string path_of(const CLI::App& command) {
  const CLI::App* const outer = command.get_parent();
  return outer == nullptr ? command.get_name() : path_of(*outer) + " " + command.get_name();
}

/// The words after which `pld --help` shows what a command takes.
std::string see_help(const CLI::App& command) { return " (see " + path_of(command) + " --help)"; }

/// Where an option is what a mechanism's words say, as of DP-SGD, and the command takes mechanisms.
std::string key_of_mechanism(const CLI::App& command, const std::string& option) {
  if (command.get_option_no_throw("mechanism") == nullptr) return {};
  const std::string key = pld::near_name(option, pld::keys_in_text(pld::mechanism_type("gaussian", "option")));
  return key.empty() ? key : " (did you mean " + key + "= of a mechanism, as gaussian:sigma=1,q=0.01?)";
}

std::vector<std::string> long_options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// Commands at any depth.
std::vector<const CLI::App*> commands_under(const CLI::App& outer) {
  std::vector<const CLI::App*> all;
  for (const CLI::App* command : pld::cli::subcommands_of(outer)) {
    all.push_back(command);
    for (const CLI::App* inner : commands_under(*command)) all.push_back(inner);
  }
  return all;
}

/// Those of them that have the option, or one near to it: " (--epsilon is an option of pld delta, pld calibrate)".
std::string option_among(const CLI::App& outer, const std::string& option) {
  std::string near, commands;
  for (const CLI::App* command : commands_under(outer)) {
    const std::string name = pld::near_name(option, long_options_of(*command));
    if (near.empty()) near = name;
    if (!name.empty() && name == near) commands += (commands.empty() ? "" : ", ") + path_of(*command);
  }
  return near.empty() ? near : " (" + near + " is an option of " + commands + ")";
}

/// The option's commands next to this one: those beside it before all others.
std::string option_of_others(const CLI::App& command, const std::string& option) {
  std::string hint;
  for (const CLI::App* outer = command.get_parent(); outer != nullptr && hint.empty(); outer = outer->get_parent())
    hint = option_among(*outer, option);
  return hint;
}

/// What an option was likely meant to be: one of the command's, a mechanism's word, or another command's option.
std::string hint_of_option(const CLI::App& command, const std::string& option) {
  std::string hint = did_you_mean(option, long_options_of(command));
  if (hint.empty()) hint = key_of_mechanism(command, option);
  return hint.empty() ? option_of_others(command, option) : hint;
}

/// The option that was mistyped, which CLI11 may pass over for one that is missing. Empty where there is none.
std::string unknown_option(const CLI::App& command) {
  const auto words = command.remaining();
  const auto unknown =
      std::find_if(words.begin(), words.end(), [](const std::string& word) { return word.starts_with("-"); });
  if (unknown == words.end()) return {};
  const std::string given = unknown->substr(0, unknown->find('='));
  return command.get_name() + ": option '" + given + "' is not known" + hint_of_option(command, given);
}

/// CLI11's complaint in this command's words.
std::string complaint(const CLI::App& command, const CLI::ParseError& error) {
  const std::string unknown = unknown_option(command);
  if (!unknown.empty()) return unknown;
  const std::vector<std::string> words = command.remaining();
  if (!words.empty())
    return command.get_name() + ": '" + words.front() + "' is not expected" +
           (command.get_name() == "batch" ? ", queries come from standard input: pld batch < " + words.front() : "");
  for (const CLI::Option* option : command.get_options())
    if (option->count() > 1 && option->get_expected_max() == 1)
      return command.get_name() + ": " + option->get_name() + " is given " + std::to_string(option->count()) +
             " times, but must be given once";
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return text;
  return command.get_name() + ": " + text.substr(0, text.find(':')) + " is without one, but must have a value";
}

/// A message of bad input, with what may be wrong about the word that it is about, quoted as `value`: a shell puts the
/// name of a file of one letter in the place of a "?".
std::string with_expanded_mark(const std::string& message, const std::string& value, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i], quoted = "'" + word + "'";
    if (word.size() == 1 && std::isalpha(static_cast<unsigned char>(word[0])) != 0 && value.starts_with(quoted) &&
        std::filesystem::exists(word))
      return message + " (" + quoted +
             " is a file here: did a shell put it in the place of a ?, which must be quoted?)";
  }
  return message;
}

/// A message of bad input, with what may be wrong about an option that begins with another dash than '-': it was taken
/// for a mechanism.
std::string with_other_dash(const std::string& message, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const auto letter = static_cast<std::size_t>(
        std::find_if(word.begin(), word.end(), [](unsigned char c) { return std::isalpha(c) != 0; }) - word.begin());
    const std::string_view begin = word.substr(0, letter);
    const std::string dash(pld::other_dash_in(begin));
    if (dash.empty() || letter == word.size() || !(begin.starts_with('-') || begin.starts_with(dash))) continue;
    return message + " ('" + std::string(word) + "' begins with '" + dash +
           "' instead of the keyboard's '-': did you mean --" + std::string(word.substr(letter)) + "?)";
  }
  return message;
}

ExitCode refuse_input(const std::string& message, const std::string& value, int argc, char** argv) {
  return refuse(with_other_dash(with_expanded_mark(message, value, argc, argv), argc, argv), ExitCode::bad_input);
}

/// The first of the words that had no place, as messages quote it; empty where there is none.
std::string first_of(const std::vector<std::string>& words) { return words.empty() ? "" : "'" + words.front() + "'"; }

/// CLI11 throws for --help and --version as well as for words it cannot place.
ExitCode report_parse_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    app.exit(error);
    return ExitCode::answered;
  }
  if (app.get_subcommands().empty())
    return refuse_input(missing_subcommand(app), first_of(app.remaining()), argc, argv);
  const CLI::App* command = app.get_subcommands().front();
  if (command->get_require_subcommand_min() > 0) {
    if (command->get_subcommands().empty())
      return refuse_input(command->get_name() + ": " + missing_subcommand(*command), first_of(command->remaining()),
                          argc, argv);
    command = command->get_subcommands().front();
  }
  return refuse_input(complaint(*command, error) + see_help(*command), first_of(command->remaining()), argc, argv);
}

ExitCode run(int argc, char** argv) {
  CLI::App app("Certified differential-privacy accounting: each answer is an interval that holds the exact value.",
               "pld");
  app.set_version_flag("--version", PLD_VERSION);
  app.get_formatter()->label("TEXT", "VALUE");
  app.get_formatter()->label("REQUIRED", "(required)");
  app.require_subcommand(1);
  ExitCode status = ExitCode::answered;
  pld::cli::add_epsilon_command(app, status);
  pld::cli::add_delta_command(app, status);
  pld::cli::add_curve_command(app, status);
  pld::cli::add_explain_command(app, status);
  pld::cli::add_calibrate_command(app, status);
  pld::cli::add_ledger_command(app, status);
  pld::cli::add_batch_command(app, status);
  pld::cli::add_compare_command(app, status);
  pld::cli::add_audit_command(app, status);
  pld::cli::add_mechanisms_command(app, status);
  pld::cli::add_export_command(app, status);
  pld::cli::add_help_command(app, status);
  pld::cli::add_completion_commands(app, status);
  pld::cli::add_manual_command(app, status);
  pld::cli::add_examples(app);
  pld::cli::refuse_empty_values(app);
  for (CLI::App* command : app.get_subcommands({})) command->set_version_flag("--version", PLD_VERSION)->group("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report_parse_error(app, error, argc, argv);
  } catch (const pld::ReadError& error) {
    return refuse_input(error.what(), error.value(), argc, argv);
  } catch (const pld::DomainError& error) {
    return refuse_input(error.what(), error.value(), argc, argv);
  }
  return status;
}

/// The words of the command line, to be reported with an error.
std::string command_line(int argc, char** argv) {
  std::string words;
  for (int i = 0; i < argc; ++i) words += (i > 0 ? " " : "") + std::string(argv[i]);
  return words;
}

/// An answer made of bounds that exclude each other has been widened, and is not one to rely on.
ExitCode own_up(int argc, char** argv) {
  return refuse("internal error: two certified bounds of one number excluded each other (" +
                    std::to_string(pld::contradictions()) +
                    " times); the interval is as wide as either allows, but please report: " + command_line(argc, argv),
                ExitCode::tolerance_not_reached);
}

}  // namespace

int main(int argc, char** argv) {
  ExitCode status = ExitCode::internal_error;
  try {
    status = run(argc, argv);
  } catch (const pld::TimeIsUp& error) {
    status = refuse(error.what(), ExitCode::tolerance_not_reached);
  } catch (const pld::WorkSpent& error) {
    const bool is_late = pld::TimeLimit::is_over();
    status = refuse(is_late ? "nothing is known within the time limit" : error.what(), ExitCode::tolerance_not_reached);
  } catch (const std::runtime_error& error) {
    refuse(error.what(), status);  // a disk or another program that failed
  } catch (const std::exception& error) {
    refuse(std::string("internal error: ") + error.what(), status);
  }
  if (pld::contradictions() > 0) status = own_up(argc, argv);
  if (!std::cout.flush()) status = refuse("cannot write to standard output", ExitCode::internal_error);
  return static_cast<int>(status);
}
