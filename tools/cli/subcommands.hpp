#pragma once

#include <CLI/CLI.hpp>
#include <vector>

namespace pld::cli {

/// Those that are listed to a person: hidden ones have no group.
inline std::vector<const CLI::App*> subcommands_of(const CLI::App& app) {
  std::vector<const CLI::App*> shown;
  for (const CLI::App* command : app.get_subcommands(nullptr))
    if (!command->get_group().empty()) shown.push_back(command);
  return shown;
}

}  // namespace pld::cli
