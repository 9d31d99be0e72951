#include <memory>

#include "commands.hpp"
#include "formats/read_number.hpp"
#include "progress.hpp"
#include "query_options.hpp"
#include "report.hpp"
#include "stopwatch.hpp"

namespace pld::cli {

namespace {

struct DeltaCommand {
  std::string epsilon;
  QueryOptions options;

  [[nodiscard]] ExitCode run() const {
    const TimeLimit limit = options.time_limit();
    const Stopwatch stopwatch;
    const DeltaQuery query{.epsilon = extended_from_text(epsilon, "delta", "epsilon"),
                           .tolerance = options.tolerance(),
                           .direction = options.direction(),
                           .engine = options.engine()};
    const Composition composition = options.composition();
    const auto answer = counting_seconds([&] { return pld::delta(composition, query); });
    const double seconds = stopwatch.seconds();
    say_if_shuffled(options.shuffled_instead(), query, answer.upper);
    return report(composition, query, answer, seconds, options.printing());
  }
};

}  // namespace

void add_delta_command(CLI::App& app, ExitCode& status) {
  auto state = std::make_shared<DeltaCommand>();
  CLI::App* command = app.add_subcommand("delta", "delta at an epsilon");
  command->add_option("--epsilon", state->epsilon, "any real number, inf or -inf")->required();
  state->options.add_to(*command, "1e-3");
  state->options.add_digits_to(*command);
  command->callback([state, &status] { status = state->run(); });
}

}  // namespace pld::cli
