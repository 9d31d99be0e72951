#include <iostream>

#include "commands.hpp"
#include "manual.hpp"

namespace pld::cli {

void add_manual_command(CLI::App& app, ExitCode& status) {
  CLI::App* command = app.add_subcommand("man-page", "print the manual page");
  command->callback([&app, &status] {
    std::cout << man_page(app);
    status = ExitCode::answered;
  });
}

}  // namespace pld::cli
