#include <iostream>
#include <memory>

#include "commands.hpp"
#include "pld/formats/read_error.hpp"
#include "query_options.hpp"
#include "report/explanation.hpp"

namespace pld::cli {

namespace {

struct ExplainCommand {
  QueryOptions options;

  [[nodiscard]] ExitCode run() const {
    if (options.direction() != DirectionChoice::worst)
      throw ReadError("explain: direction is one of remove and add, but must be worst: the page tells of both");
    const Composition composition = options.composition();
    const Explanation explanation = explanation_of(composition, options.tolerance(), options.engine());
    std::cout << (options.json() ? json_text(explanation) : page(explanation, composition));
    return explanation.converged() ? ExitCode::answered : ExitCode::tolerance_not_reached;
  }
};

}  // namespace

void add_explain_command(CLI::App& app, ExitCode& status) {
  auto state = std::make_shared<ExplainCommand>();
  CLI::App* command =
      app.add_subcommand("explain", "one page for a person: what a composition gives away, and what costs it");
  state->options.add_to(*command, "1e-4");
  command->callback([state, &status] { status = state->run(); });
}

}  // namespace pld::cli
