#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace pld::cli {

/// Those that are listed to a person: hidden ones have no group.
inline std::vector<const CLI::App*> subcommands_of(const CLI::App& app) {
  std::vector<const CLI::App*> shown;
  for (const CLI::App* command : app.get_subcommands(nullptr))
    if (!command->get_group().empty()) shown.push_back(command);
  return shown;
}

/// The one of them with that name; null where there is none.
inline const CLI::App* subcommand_named(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : subcommands_of(app))
    if (command->get_name() == name) return command;
  return nullptr;
}

}  // namespace pld::cli
