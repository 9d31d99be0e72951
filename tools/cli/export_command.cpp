#include <iostream>
#include <memory>

#include "commands.hpp"
#include "formats/answer_fields.hpp"
#include "formats/composition_fields.hpp"
#include "formats/dp_event.hpp"
#include "query_options.hpp"
#include "whole_file.hpp"

namespace pld::cli {

namespace {

struct ExportCommand {
  bool dp_event = false;
  std::string output;
  QueryOptions options;

  [[nodiscard]] ExitCode run() const {
    options.refuse_tries("queries, such as `pld epsilon`");
    const std::vector<Entry> entries = options.entries();
    const Neighbours neighbours = options.asked_neighbours();
    if (dp_event && neighbours.group > 1)
      throw ReadError("export", "group", std::to_string(neighbours.group),
                      "1 with --dp-event: an event has no place for a group, and is answered for one record");
    const std::string text = (dp_event ? dp_event_of(entries) : mechanisms_of(entries, neighbours)).dump() + '\n';
    if (dp_event && neighbours != Neighbours())
      std::cerr << "pld: note: an event does not say which data sets are neighbours (here " << name(neighbours.relation)
                << "): tell dp-accounting's accountant\n";
    if (output.empty())
      std::cout << text;
    else
      write_whole_file(output, text);
    return ExitCode::answered;
  }

  static nlohmann::ordered_json mechanisms_of(const std::vector<Entry>& entries, const Neighbours& neighbours) {
    nlohmann::ordered_json all;
    add_neighbours(all, neighbours);
    all["mechanisms"] = nlohmann::ordered_json::array();
    for (const Entry& entry : entries) all["mechanisms"].push_back(entry_json(entry));
    return all;
  }
};

}  // namespace

void add_export_command(CLI::App& app, ExitCode& status) {
  auto state = std::make_shared<ExportCommand>();
  CLI::App* command =
      app.add_subcommand("export", "mechanisms, or what was spent of a budget, as JSON for --ledger or dp-accounting");
  command->add_flag("--dp-event", state->dp_event, "an event of Google's dp-accounting instead");
  command->add_option("--output", state->output, "FILE instead of standard output");
  state->options.add_composition_to(*command);
  QueryOptions::hide(*command, "--tries");
  command->callback([state, &status] { status = state->run(); });
}

}  // namespace pld::cli
