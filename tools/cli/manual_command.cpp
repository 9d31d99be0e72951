#include <iostream>

#include "commands.hpp"
#include "manual.hpp"

namespace pld::cli {

void add_manual_command(CLI::App& app, ExitCode& status) {
  const auto add = [&](const char* name, const char* meaning, std::string (*text)(const CLI::App&)) {
    CLI::App* command = app.add_subcommand(name, meaning);
    command->group("");  // for the build, which installs what it prints
    command->callback([&app, &status, text] {
      std::cout << text(app);
      status = ExitCode::answered;
    });
  };
  add("man-page", "print the manual page", man_page);
  add("bash-completion", "print a completion script for bash", bash_completion);
}

}  // namespace pld::cli
