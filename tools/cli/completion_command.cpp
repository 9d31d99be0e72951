#include <iostream>
#include <memory>

#include "commands.hpp"
#include "completion.hpp"

namespace pld::cli {

void add_completion_commands(CLI::App& app, ExitCode& status) {
  auto shell = std::make_shared<std::string>();
  CLI::App* script = app.add_subcommand("completion", "print the completion script for bash, zsh or fish");
  script->add_option("shell", *shell, "bash, zsh or fish")->required();
  script->callback([shell, &status] {
    std::cout << completion_script(*shell);
    status = ExitCode::answered;
  });
  CLI::App* complete = app.add_subcommand("complete", "what the last word may go on to be, for those scripts");
  complete->group("");
  complete->set_help_flag();
  complete->prefix_command();
  complete->callback([&app, complete, &status] {
    for (const std::string& word : completions(app, complete->remaining())) std::cout << word << '\n';
    status = ExitCode::answered;
  });
}

}  // namespace pld::cli
