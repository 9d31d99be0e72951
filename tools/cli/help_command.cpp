#include <iostream>
#include <vector>

#include "account/engine_table.hpp"
#include "commands.hpp"
#include "formats/fields.hpp"
#include "pld/mechanisms/registry.hpp"
#include "subcommands.hpp"
#include "type_text.hpp"

namespace pld::cli {

namespace {

constexpr const char* engines = "engines";

[[noreturn]] void refuse(const CLI::App& app, const std::string& word, bool first) {
  std::vector<std::string> names;
  for (const CLI::App* command : subcommands_of(app)) names.push_back(command->get_name());
  if (first)
    for (const MechanismType& type : mechanism_types()) names.push_back(type.name);
  if (first) names.emplace_back(engines);
  if (names.empty()) throw ReadError("help", "name", "'" + word + "'", "the last word");
  throw not_one_of("help", "name", word, names);
}

/// A command's --help, what `pld mechanisms` says of a mechanism, or the table of engines.
std::string help_on(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.size() == 1 && subcommand_named(app, words.front()) == nullptr)
    if (const MechanismType* const type = find_mechanism_type(words.front()))
      return text_of(*type) + how_it_is_written();
  if (words == std::vector<std::string>{engines}) return engine_table_text();
  if (words.size() > 1 && (words.front() == engines || find_mechanism_type(words.front()) != nullptr))
    throw ReadError("help", "name", "'" + words[1] + "'", "left out: " + words.front() + " is the last word");
  const CLI::App* command = &app;
  std::string path = app.get_name();
  for (const std::string& word : words) {
    const CLI::App* const next = subcommand_named(*command, word);
    if (next == nullptr) refuse(*command, word, command == &app);
    path += " " + word;
    command = next;
  }
  // Not help(), which goes on to the subcommand that was called: this one.
  return command->get_formatter()->make_help(command, path, CLI::AppFormatMode::Normal);
}

}  // namespace

void add_help_command(CLI::App& app, ExitCode& status) {
  CLI::App* command = app.add_subcommand(
      "help", "what a command, a mechanism or an engine takes: pld help epsilon, pld help gaussian, pld help engines");
  command->prefix_command();
  command->callback([&app, command, &status] {
    std::cout << help_on(app, command->remaining());
    status = ExitCode::answered;
  });
}

}  // namespace pld::cli
