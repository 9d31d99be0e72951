#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "core/number_text.hpp"
#include "formats/answer_fields.hpp"
#include "pld/formats/read_error.hpp"
#include "pld/mechanisms/registry.hpp"
#include "pld/version.hpp"
#include "sampling/schemes.hpp"
#include "type_text.hpp"

namespace pld::cli {

namespace {

void print_list() {
  for (const MechanismType& type : mechanism_types()) std::cout << text_of(type) << '\n';
  std::cout << how_it_is_written();
}

/// Text inside a cell of a Markdown table.
std::string table_cell(std::string text) {
  for (auto at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, 1, '\\');
  return text;
}

/// What is known of a mechanism under a relation: where some neighbours have its pair's profile.
const char* knowledge(const Mechanism& mechanism, Relation relation) {
  try {
    switch (mechanism.under(relation).law().kind.attained) {
      case Attainment::together:
      case Attainment::between:
        return "exact";
      case Attainment::alone:
        return "alone";
      case Attainment::nowhere:
        break;
    }
    return "upper";
  } catch (const MissingTheorem&) {
    return "refused";
  }
}

/// Under each relation; one word where all have the same.
std::string knowledge_of(const Mechanism& mechanism) {
  const std::string add_remove = knowledge(mechanism, Relation::add_remove),
                    replace_one = knowledge(mechanism, Relation::replace_one),
                    zero_out = knowledge(mechanism, Relation::zero_out);
  const bool alike = add_remove == replace_one && replace_one == zero_out;
  return alike ? add_remove : add_remove + ", " + replace_one + ", " + zero_out;
}

/// A row's cells, and the types that have them.
struct KnowledgeRow {
  std::string cells, types;
};

/// Of each type's example under every sampling.
std::vector<KnowledgeRow> knowledge_rows() {
  std::vector<KnowledgeRow> rows;
  for (const MechanismType& type : mechanism_types()) {
    const Mechanism mechanism = make_mechanism(type.name, type.example.numbers, type.example.lists);
    std::string cells = knowledge_of(mechanism);
    for (const SamplingScheme& scheme : sampling_schemes())
      cells += " | " + knowledge_of(scheme.of(mechanism, scheme.example));
    const auto same =
        std::find_if(rows.begin(), rows.end(), [&](const KnowledgeRow& row) { return row.cells == cells; });
    const std::string name = '`' + type.name + '`';
    if (same == rows.end())
      rows.push_back({cells, name});
    else
      same->types += ", " + name;
  }
  return rows;
}

constexpr const char* notes_on_list =
    "A cell is under add-remove, replace-one and zero-out, in this order, or one word where all three have the same.\n"
    "**exact**: one pair of neighbours has the pair that is composed, in every release; **alone**: at every epsilon "
    "some neighbours\n"
    "have its profile, not the same ones at all: exact for a single release, composed an upper bound; **upper**: the "
    "pair\n"
    "dominates, but may be loose; **refused**: no theorem is known, and the message names the one that is missing. A "
    "mechanism\n"
    "given by a guarantee (`dp`, `dp-points`, `trade-off`, `zcdp`, `tcdp`, `rdp`, `mass-table`) is read as one under "
    "the "
    "adjacency asked for.\n"
    "Under replace-one, noise and utilities have twice their sensitivity (triangle inequality; opposite values attain "
    "it).\n"
    "Poisson sampling: Zhu, Dong, Wang 2022, theorem 11 (add-remove, zero-out); under replace-one two opposite values\n"
    "(docs/poisson_replace_one.md), else Balle, Barthe, Gaboardi 2018, theorem 2. Without replacement: Zhu, Dong, "
    "Wang\n"
    "2022, proposition 30, and Balle, Barthe, Gaboardi 2018, theorem 11; under zero-out, of noise with a density on "
    "the "
    "whole line,\n"
    "docs/fixed_batches.md. Shuffled: Chua, Ghazi, Kamath et al. 2024 (from below).\n"
    "Random allocation: Feldman, Shenfeld 2025 (docs/random_allocation.md); exact means known from two sides, as "
    "narrow as asked.\n"
    "Truncated Poisson: include/pld/sampling/truncated_poisson.hpp.\n"
    "Asymmetric noise (unfair coins, unequal Poisson means) is refused where both orders can occur; an asymmetric "
    "table counts there\n"
    "as the larger of its two orders.\n";

void print_knowledge() {
  std::string head = "| types | all data |", rule = "|---|---|";
  for (const SamplingScheme& scheme : sampling_schemes()) {
    head += " " + scheme.column + " |";
    rule += "---|";
  }
  std::cout << head << '\n' << rule << '\n';
  for (const KnowledgeRow& row : knowledge_rows()) std::cout << "| " << row.types << " | " << row.cells << " |\n";
  std::cout << '\n' << notes_on_list;
}

/// Every type and every sampling scheme, as docs/json.md has it.
void print_json() {
  OrderedJson types = OrderedJson::array(), samplings = OrderedJson::array();
  for (const MechanismType& type : mechanism_types()) {
    OrderedJson parameters = OrderedJson::array();
    for (const ParameterInfo& parameter : type.parameters) {
      parameters.push_back(
          {{"name", parameter.name}, {"meaning", parameter.meaning}, {"accepted", parameter.accepted}});
      parameters.back()["default"] = parameter.default_value ? OrderedJson(*parameter.default_value) : nullptr;
      parameters.back()["list"] = parameter.is_list;
    }
    types.push_back(
        {{"type", type.name}, {"meaning", type.meaning}, {"parameters", parameters}, {"source", type.source}});
  }
  for (const SamplingScheme& scheme : sampling_schemes()) {
    OrderedJson numbers = OrderedJson::array();
    for (const SamplingNumber& number : scheme.numbers)
      numbers.push_back({{"field", number.field}, {"words", number.words}});
    samplings.push_back({{"numbers", numbers}, {"meaning", scheme.meaning}});
  }
  std::cout << OrderedJson{{"query", "mechanisms"},
                           {"types", types},
                           {"samplings", samplings},
                           {"version", PLD_VERSION}}
            << '\n';
}

void print_markdown() {
  std::cout << "| type | what it is | parameters | source |\n|---|---|---|---|\n";
  for (const MechanismType& type : mechanism_types()) {
    std::string parameters;
    for (const ParameterInfo& parameter : type.parameters)
      parameters += (parameters.empty() ? "`" : ", `") + parameter.name + '`' + (parameter.is_list ? " (list)" : "") +
                    (parameter.default_value ? " (" + number_text(*parameter.default_value) + ")" : "");
    std::cout << "| `" << type.name << "` | " << table_cell(type.meaning) << " | " << table_cell(parameters) << " | "
              << table_cell(type.source) << " |\n";
  }
  std::cout
      << "\nIn parentheses: what is taken where a parameter is left out. `pld help TYPE` tells what each one is, and "
         "its range.\n\n";
  print_knowledge();
}

}  // namespace

void add_mechanisms_command(CLI::App& app, ExitCode& status) {
  auto markdown = std::make_shared<bool>(false), json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("mechanisms", "list each type, its parameters, their ranges and the source");
  command->add_flag("--markdown", *markdown,
                    "print Markdown tables: the types, and what is known under which sampling and adjacency");
  command->add_flag("--json", *json, "print one JSON object on one line");
  command->callback([markdown, json, &status] {
    if (*markdown && *json) throw ReadError("mechanisms: --json and --markdown are two forms: give one of them");
    *json ? print_json() : *markdown ? print_markdown() : print_list();
    status = ExitCode::answered;
  });
}

}  // namespace pld::cli
