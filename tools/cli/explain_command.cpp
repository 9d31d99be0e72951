#include <iostream>
#include <memory>

#include "commands.hpp"
#include "explain_html.hpp"
#include "formats/read_number.hpp"
#include "pld/formats/read_error.hpp"
#include "progress.hpp"
#include "query_options.hpp"
#include "report/explanation.hpp"
#include "whole_file.hpp"

namespace pld::cli {

namespace {

struct ExplainCommand {
  std::string delta, output, title = "What this release gives away";
  QueryOptions options;

  [[nodiscard]] ExitCode run() const {
    const TimeLimit limit = options.time_limit();
    if (!output.empty() && !output.ends_with(".html"))
      throw ReadError("explain", "output", "'" + output + "'", "a name that ends in .html");
    if (options.direction() != DirectionChoice::worst)
      throw ReadError("explain: direction is one of remove and add, but must be worst: the page tells of both");
    const double asked = delta.empty() ? usual_delta : finite_from_text(delta, "explain", "delta");
    const Composition composition = options.composition();
    if (!delta.empty()) options.warn_of(asked);
    Explanation explanation =
        counting_seconds([&] { return explanation_of(composition, options.tolerance(), options.engine(), asked); });
    say_if_shuffled(options.shuffled_instead(), EpsilonQuery{.delta = asked}, explanation.answer().upper);
    explanation.only_proved = options.only_proved();
    explanation.assume_sampler(options.assumed_sampler());
    if (!output.empty()) {
      if (!explanation.selects && composition.neighbours().group == 1)
        explanation.shuffled = shuffled_instead(options.entries(), asked, explanation.answer());
      write_whole_file(output, counting_seconds([&] { return html_page(explanation, composition, title); }));
    }
    if (options.json()) {
      OrderedJson fields = explanation_fields(explanation, composition, options.tolerance());
      fields.update(options.assumed());
      std::cout << fields.dump() << '\n';
    } else if (output.empty()) {
      std::cout << page(explanation, composition);
    }
    return explanation.converged() ? ExitCode::answered : ExitCode::tolerance_not_reached;
  }
};

}  // namespace

void add_explain_command(CLI::App& app, ExitCode& status) {
  auto state = std::make_shared<ExplainCommand>();
  CLI::App* command =
      app.add_subcommand("explain", "one page for a person: what a composition gives away, and what costs it");
  command->add_option(
      "--delta", state->delta,
      "the delta that the page is about, in (0, 1) (1e-6; epsilon at four deltas stands there in any case)");
  command->add_option("--output", state->output,
                      "FILE.html: one page with drawings for those whom the data are about (--json prints as well)");
  const auto* const titled = command->add_option("--title", state->title, "of that page")->capture_default_str();
  state->options.add_to(*command, "1e-4");
  QueryOptions::hide(*command, "--direction");
  command->callback([state, titled, &status] {
    if (titled->count() > 0 && !state->title.empty() && state->output.empty())
      throw ReadError("explain: --title is of the page that --output FILE.html writes: name one, or leave it out");
    status = state->run();
  });
}

}  // namespace pld::cli
