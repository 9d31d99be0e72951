#include "pld/ledger/composition_json.hpp"

#include "ledger/composition_fields.hpp"
#include "ledger/dp_event.hpp"
#include "ledger/fields.hpp"
#include "ledger/json_position.hpp"
#include "ledger/strict_json.hpp"
#include "pld/core/errors.hpp"
#include "pld/ledger/entry.hpp"
#include "pld/ledger/read_number.hpp"
#include "pld/ledger/read_error.hpp"

namespace pld {

namespace {

double read_poisson_rate(const nlohmann::json& sampling, const std::string& where) {
  require_object(sampling, {"poisson"}, where);
  return number_field(sampling, "poisson", where);
}

}  // namespace

Entry entry_from(const nlohmann::json& object, const std::string& where) {
  if (!object.is_object()) require_object(object, {}, where);
  Entry entry{.type = text_field(object, "type", where)};
  const MechanismType& type = mechanism_type(entry.type, where);
  require_object(object, accepted_fields(type, {"type", "sampling", "count"}), where);
  for (const ParameterInfo& parameter : type.parameters) {
    if (object.contains(parameter.name)) entry.parameters[parameter.name] = number_field(object, parameter.name, where);
  }
  if (object.contains("sampling")) entry.poisson_rate = read_poisson_rate(object["sampling"], where + ".sampling");
  if (object.contains("count")) entry.count = count_from_number(number_field(object, "count", where), where);
  return entry;
}

nlohmann::ordered_json entry_json(const Entry& entry) {
  nlohmann::ordered_json out{{"type", entry.type}};
  for (const auto& [name, value] : entry.parameters) out[name] = value;
  if (entry.poisson_rate) out["sampling"] = {{"poisson", *entry.poisson_rate}};
  if (entry.count != 1) out["count"] = entry.count;
  return out;
}

namespace {

std::string place(std::size_t index) { return "mechanisms[" + std::to_string(index) + "]"; }

/// Adds one entry; what its mechanism refuses is told with its place.
void add_entry(const Entry& entry, const std::string& where, Composition& composition) {
  try {
    const Release release = release_of(entry);
    composition.add(release.mechanism, release.count);
  } catch (const DomainError& error) {
    throw ReadError(where + ": " + error.what());
  }
}

std::vector<Entry> entry_fields(const nlohmann::json& object, const std::string& where) {
  if (object.contains("adjacency")) {
    const std::string adjacency = text_field(object, "adjacency", where);
    if (adjacency != "add-remove") throw ReadError(where, "adjacency", "'" + adjacency + "'", "add-remove");
  }
  std::vector<Entry> entries;
  for (const auto& mechanism : array_field(object, "mechanisms", where))
    entries.push_back(entry_from(mechanism, place(entries.size())));
  return entries;
}

void require_ledger(const nlohmann::json& ledger) {
  require_object(ledger, {"version", "adjacency", "mechanisms"}, "ledger");
  if (ledger.contains("version") && ledger["version"] != 1)
    throw ReadError("ledger", "version", ledger["version"].dump().substr(0, 40), "1");
}

}  // namespace

namespace {

Composition composition_of(const std::vector<Entry>& entries) {
  Composition composition;
  std::size_t index = 0;
  for (const Entry& entry : entries) add_entry(entry, place(index++), composition);
  return composition;
}

}  // namespace

Composition composition_fields(const nlohmann::json& object, const std::string& where) {
  return composition_of(entry_fields(object, where));
}

std::vector<Entry> entries_from_json(std::string_view text) {
  return with_positions(text, [&] {
    const nlohmann::json ledger = strict_json(text);
    if (is_dp_event(ledger)) return entries_of_dp_event(ledger);
    require_ledger(ledger);
    return entry_fields(ledger, "ledger");
  });
}

Composition composition_from_json(std::string_view text) { return composition_of(entries_from_json(text)); }

}  // namespace pld
