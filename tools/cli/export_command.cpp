#include <iostream>
#include <memory>

#include "commands.hpp"
#include "formats/answer_fields.hpp"
#include "formats/composition_fields.hpp"
#include "formats/dp_event.hpp"
#include "formats/fields.hpp"
#include "query_options.hpp"
#include "whole_file.hpp"

namespace pld::cli {

namespace {

struct ExportCommand {
  bool dp_event = false;
  std::string output;
  QueryOptions options;

  [[nodiscard]] ExitCode run() const {
    const std::vector<Entry> entries = options.entries();
    const Neighbours neighbours = options.asked_neighbours();
    if (dp_event && neighbours.group > 1)
      throw ReadError("export", "group", std::to_string(neighbours.group),
                      "1 with --dp-event: an event has no place for a group, and is answered for one record");
    const OrderedJson exported =
        dp_event ? dp_event_of(entries, neighbours.relation) : mechanisms_of(entries, neighbours);
    const std::string text = exported.dump() + '\n';
    if (dp_event) say_if_unreleased(exported);
    if (dp_event && neighbours != Neighbours())
      std::cerr << "pld: note: an event does not say which data sets are neighbours (here " << name(neighbours.relation)
                << "): tell dp-accounting's accountant\n";
    if (output.empty())
      std::cout << text;
    else
      write_whole_file(output, text);
    return ExitCode::answered;
  }

  static void say_if_unreleased(const OrderedJson& event) {
    const std::vector<std::string> classes = unreleased_classes(event);
    if (!classes.empty())
      std::cerr << "pld: note: dp-accounting 0.6.0 has no " << listed(classes)
                << ": it takes a version of dp-accounting from its repository to read the event\n";
  }

  static OrderedJson mechanisms_of(const std::vector<Entry>& entries, const Neighbours& neighbours) {
    OrderedJson all;
    add_neighbours(all, neighbours);
    all["mechanisms"] = OrderedJson::array();
    for (const Entry& entry : entries) all["mechanisms"].push_back(entry_json(entry));
    return all;
  }
};

}  // namespace

void add_export_command(CLI::App& app, ExitCode& status) {
  auto state = std::make_shared<ExportCommand>();
  CLI::App* command =
      app.add_subcommand("export", "mechanisms, or what was spent of a budget, as JSON for --ledger or dp-accounting");
  command->add_flag(
      "--dp-event", state->dp_event,
      "an event of Google's dp-accounting instead (of dp and discrete-gaussian one that its release 0.6.0 has not)");
  command->add_option("--output", state->output, "FILE instead of standard output");
  state->options.add_composition_to(*command);
  command->callback([state, &status] { status = state->run(); });
}

}  // namespace pld::cli
