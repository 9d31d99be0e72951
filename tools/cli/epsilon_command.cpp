#include <memory>

#include "commands.hpp"
#include "formats/read_number.hpp"
#include "progress.hpp"
#include "query_options.hpp"
#include "report.hpp"
#include "stopwatch.hpp"

namespace pld::cli {

namespace {

struct EpsilonCommand {
  std::string delta;
  QueryOptions options;

  [[nodiscard]] ExitCode run() const {
    const TimeLimit limit = options.time_limit();
    const Stopwatch stopwatch;
    const EpsilonQuery query{.delta = finite_from_text(delta, "epsilon", "delta"),
                             .tolerance = options.tolerance(),
                             .direction = options.direction(),
                             .engine = options.engine()};
    const Composition composition = options.composition();
    const auto answer = counting_seconds([&] { return pld::epsilon(composition, query); });
    const double seconds = stopwatch.seconds();
    options.warn_of(query.delta);
    say_if_shuffled(options.shuffled_instead(), query, answer.upper);
    return report(composition, query, answer, seconds, options.printing());
  }
};

}  // namespace

void add_epsilon_command(CLI::App& app, ExitCode& status) {
  auto state = std::make_shared<EpsilonCommand>();
  CLI::App* command =
      app.add_subcommand("epsilon", "smallest epsilon for a delta (negative where delta exceeds the total variation)");
  command->add_option("--delta", state->delta, "in [0, 1]")->required();
  state->options.add_to(*command, "1e-4");
  state->options.add_digits_to(*command);
  command->callback([state, &status] { status = state->run(); });
}

}  // namespace pld::cli
