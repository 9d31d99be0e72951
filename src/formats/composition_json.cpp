#include "pld/formats/composition_json.hpp"

#include <algorithm>
#include <utility>

#include "core/number_text.hpp"
#include "core/standard_arithmetic.hpp"
#include "formats/composition_fields.hpp"
#include "formats/dp_event.hpp"
#include "formats/dp_event_form.hpp"
#include "formats/fields.hpp"
#include "formats/json_position.hpp"
#include "formats/mechanism_words.hpp"
#include "formats/open_entry_json.hpp"
#include "formats/open_tries.hpp"
#include "formats/query_text.hpp"
#include "formats/read_number.hpp"
#include "formats/selection_text.hpp"
#include "formats/strict_json.hpp"
#include "formats/told_with_place.hpp"
#include "formats/training_run.hpp"
#include "formats/tries_text.hpp"
#include "formats/written_number.hpp"
#include "pld/core/errors.hpp"
#include "pld/formats/entry.hpp"
#include "pld/formats/mechanism_text.hpp"
#include "pld/formats/read_error.hpp"
#include "sampling/schemes.hpp"

namespace pld {
namespace {

/// "poisson", or "a with b" of a scheme of several numbers.
std::string fields_of(const SamplingScheme& scheme) {
  std::string text;
  for (const SamplingNumber& number : scheme.numbers) text += (text.empty() ? "" : " with ") + number.field;
  return text;
}

/// Of numbers that are no scheme's: what the schemes that have them take besides.
ReadError incomplete(const SamplingNumbers& given, const std::vector<std::string>& schemes, const std::string& where) {
  std::string names;
  for (const auto& [field, value] : given) names += (names.empty() ? "" : " and ") + field;
  const std::string missing = missing_beside(given, [](const SamplingNumber& number) { return number.field; });
  if (given.empty() || missing.empty())
    return ReadError(where + ": one of " + listed(schemes) + ", or batch with dataset must be given");
  return ReadError(where + ": beside " + names + " must be given " + missing);
}

double sampling_field(const nlohmann::json& sampling, const std::string& name, const SamplingNumber& number,
                      const std::string& where) {
  return number.whole ? written_number(sampling, name, where) : written_share(sampling, name, where);
}

void read_sampling(const nlohmann::json& sampling, const std::string& where, Entry& entry) {
  std::vector<std::string> fields, schemes;
  for (const SamplingNumber& number : sampling_numbers()) fields.push_back(number.field);
  for (const SamplingScheme& scheme : sampling_schemes()) schemes.push_back(fields_of(scheme));
  fields.insert(fields.end(), {"batch", "dataset"});
  std::vector<std::string> accepted = fields;
  if (sampling.is_object())
    for (const auto& [field, unused] : sampling.items()) {
      require_theorem(field, where);
      if (sampling_number_called(field) != nullptr) accepted.push_back(field);
    }
  const auto hint = [](const std::string& field) {
    return std::string(field == "rate" ? "did you mean poisson?" : "");
  };
  require_object(sampling, accepted, where, hint);
  const bool sizes = sampling.contains("batch") || sampling.contains("dataset");
  for (const auto& [name, unused] : sampling.items()) {
    const SamplingNumber* const number = sampling_number_called(name);
    if (number != nullptr &&
        !entry.sampling.emplace(number->field, sampling_field(sampling, name, *number, where)).second)
      throw ReadError(where + ": " + name + " and " + number->field + " are one number: give one of them");
  }
  if (sizes && !entry.sampling.empty()) throw ReadError(where + ": batch with dataset must be given alone");
  if (!sizes && sampling_scheme(entry.sampling) == nullptr) throw incomplete(entry.sampling, schemes, where);
  if (!sizes) return;
  entry.sizes = {{"batch", written_number(sampling, "batch", where)},
                 {"dataset", written_number(sampling, "dataset", where)}};
  entry.sampling["without_replacement"] = share_of(entry.sizes["batch"], entry.sizes["dataset"], where);
}

/// What an object says of a word of a mechanism.
struct JsonValue {
  const nlohmann::json& object;
  const std::string &word, &where;

  [[nodiscard]] double number() const { return written_number(object, word, where); }
  [[nodiscard]] std::string written() const { return number_excerpt(object[word]); }
  [[nodiscard]] double share() const { return written_share(object, word, where); }
  [[nodiscard]] std::vector<double> numbers() const { return written_numbers(object, word, where); }
  [[nodiscard]] std::string text() const { return text_field(object, word, where); }
};

/// Where a mechanism has a field that is not known; empty for other words.
std::string place_of_field(const std::string& field) {
  if (field == "name" || field == "note") return "names and notes are a spend's: pld ledger spend";
  return sampling_number_of_field(field) == nullptr ? "" : "did you mean \"sampling\": {\"" + field + "\": ...}?";
}

Entry selection_from(const nlohmann::json& object, const std::string& where, FileAccess files) {
  Entry entry = selection_fields(object, where);
  for (const auto& mechanism : object["mechanisms"])
    entry.tried.push_back(
        entry_from(mechanism, where + ".mechanisms[" + std::to_string(entry.tried.size()) + "]", files));
  return entry;
}

std::string sampler_field(const nlohmann::json& object, const std::string& field, const std::string& where) {
  const std::string name = text_field(object, field, where);
  const std::vector<std::string> names = sampler_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) throw not_one_of(where, field, name, names);
  return name;
}

/// Takes the sampler that nobody named: the one that the sampling is of, or a page would tell of another.
void read_assumed_sampler(const nlohmann::json& object, const std::string& where, Entry& entry) {
  if (!object.contains("assumed_sampler")) return;
  const std::string assumed = sampler_field(object, "assumed_sampler", where), own = sampler_name_of(entry);
  if (assumed != own)
    throw ReadError(where, "assumed_sampler", "'" + assumed + "'",
                    own.empty() ? "left out: nothing is said of a sample" : own + ", which the sampling is of");
  entry.assumed_sampler = assumed;
}

}  // namespace

Entry selection_fields(const nlohmann::json& object, const std::string& where) {
  require_object(object, {"tries", "mechanisms", "count"}, where);
  Entry entry{.tries = tries_field(object, where)};
  if (array_field(object, "mechanisms", where).empty())
    throw ReadError(where, "mechanisms", "empty", "one mechanism or more");
  if (object.contains("count"))
    entry.count = count_from_number(written_number(object, "count", where), where, number_excerpt(object["count"]));
  return entry;
}

Entry entry_from(const nlohmann::json& object, const std::string& where, FileAccess files) {
  if (object.is_string())
    return told_with_place(where, [&] { return entry_from_text(object.get<std::string>(), files); });
  if (!object.is_object()) require_object(object, {}, where);
  if (object.contains("sampling") && object.contains("mechanisms"))
    throw ReadError(where + ": " + one_sample_of_several());
  if (object.contains("tries")) return selection_from(object, where, files);
  Entry entry{.type = text_field(object, "type", where)};
  const MechanismType& type = mechanism_type(entry.type, where);
  std::vector<std::string> accepted = keys_in_text(type);
  accepted.insert(accepted.end(), {"type", "sampling", "assumed_sampler"});
  require_object(object, accepted, where, [&](const std::string& field) {
    require_theorem(field, where);
    const std::string place = place_of_field(field);
    return place.empty() ? converted_word(entry.type, field) : place;
  });
  const bool samples = object.contains("sampling");
  if (samples) read_sampling(object["sampling"], where + ".sampling", entry);
  MechanismWords words(type, where, files);
  for (const auto& [word, unused] : object.items())
    if (word != "type" && word != "sampling" && word != "assumed_sampler")
      words.read(word, JsonValue{object, word, where}, entry);
  if (const std::string word = words.of_sampling(); samples && !word.empty())
    throw ReadError(where + ": sampling and " + word + " both say how records get into it: give one or the other");
  words.finish(entry);
  read_assumed_sampler(object, where, entry);
  return entry;
}

nlohmann::ordered_json entry_json(const Entry& entry) {
  nlohmann::ordered_json out;
  if (entry.tries.empty()) {
    out["type"] = entry.type;
  } else {
    out["tries"] = entry.tries;
    for (const Entry& each : entry.tried) out["mechanisms"].push_back(entry_json(each));
  }
  for (const auto& [name, value] : entry.parameters) out[name] = value;
  for (const auto& [name, values] : entry.lists) out[name] = values;
  for (const auto& [field, value] : entry.sampling) out["sampling"][field] = value;
  if (entry.count != 1) out["count"] = entry.count;
  if (!entry.assumed_sampler.empty()) out["assumed_sampler"] = entry.assumed_sampler;
  return out;
}

nlohmann::ordered_json mechanisms_json(const Composition& composition) {
  auto mechanisms = nlohmann::ordered_json::array();
  for (const Release& release : composition.releases()) {
    try {
      const std::string& text = release.mechanism.text();
      const std::optional<Entry> selection = selection_from_text(text);
      Entry entry = selection ? *selection : entry_from_text(text);
      entry.count = release.count;
      mechanisms.push_back(entry_json(entry));
    } catch (const ReadError&) {  // a mechanism of a program's own
      return nullptr;
    }
  }
  return mechanisms;
}

namespace {

std::string place(std::size_t index) { return "mechanisms[" + std::to_string(index) + "]"; }

/// Adds one entry; what its mechanism refuses is told with its place.
void add_entry(const Entry& entry, const std::string& where, Composition& composition) {
  made_at(where, [&] {
    const Release release = release_of(entry);
    composition.add(release.mechanism, release.count);
  });
}

std::vector<Entry> entry_fields(const nlohmann::json& object, const std::string& where, FileAccess files) {
  std::vector<Entry> entries;
  for (const auto& mechanism : array_field(object, "mechanisms", where))
    entries.push_back(entry_from(mechanism, place(entries.size()), files));
  return entries;
}

void require_ledger(const nlohmann::json& ledger) {
  if (ledger.is_object() && ledger.contains("sampling")) throw ReadError("ledger: " + one_sample_of_several());
  require_object(ledger, {"version", "adjacency", "group", "tries", "mechanisms"}, "ledger");
  if (ledger.contains("version") && ledger["version"] != 1)
    throw ReadError("ledger", "version", ledger["version"].dump().substr(0, 40), "1");
}

Composition composition_of(const std::vector<Entry>& entries, const Neighbours& neighbours) {
  Composition composition(neighbours);
  std::size_t index = 0;
  for (const Entry& entry : entries) add_entry(entry, place(index++), composition);
  return composition;
}

std::vector<Entry> ledger_entries(const nlohmann::json& ledger, const AskedNeighbours& asked, FileAccess files) {
  if (is_dp_event(ledger)) return entries_of_dp_event(ledger, asked.neighbours().relation);
  require_ledger(ledger);
  return entry_fields(ledger, "ledger", files);
}

}  // namespace

Relation relation_field(const nlohmann::json& object, const std::string& where, std::optional<Relation> asked) {
  if (!object.contains("adjacency")) return asked.value_or(Relation::add_remove);
  const Relation written = relation_from_text(text_field(object, "adjacency", where), where);
  if (asked && *asked != written)
    throw ReadError(where, "adjacency", std::string("'") + name(written) + "'",
                    std::string(name(*asked)) + ", as was asked for");
  return written;
}

Neighbours neighbours_fields(const nlohmann::json& object, const std::string& where, const AskedNeighbours& asked) {
  AskedNeighbours found{relation_field(object, where, asked.relation), asked.group};
  if (object.contains("group")) {
    const double written = written_number(object, "group", where);
    if (asked.group && *asked.group != written)
      throw ReadError(where, "group", number_text(written), number_text(*asked.group) + ", as was asked for");
    found.group = written;
  }
  return found.neighbours();
}

std::string tries_field(const nlohmann::json& object, const std::string& where) {
  if (!object.contains("tries")) return {};
  const std::string law = text_field(object, "tries", where);
  if (law.empty()) throw ReadError(where, "tries", "''", "a law, as geometric:mean=10");
  return law;
}

ReadComposition composition_fields(const nlohmann::json& object, const std::string& where, FileAccess files) {
  const Neighbours neighbours = neighbours_fields(object, where);
  std::vector<Entry> entries = entry_fields(object, where, files);
  Composition run = selected(composition_of(entries, neighbours), tries_field(object, where), where);
  return {std::move(run), std::move(entries)};
}

std::vector<Entry> entries_from_json(std::string_view text, const AskedNeighbours& asked, FileAccess files) {
  const StandardArithmetic arithmetic;
  return with_positions(text, [&] {
    const nlohmann::json ledger = strict_json(text);
    std::vector<Entry> entries = ledger_entries(ledger, asked, files);
    if (is_dp_event(ledger)) return entries;
    static_cast<void>(neighbours_fields(ledger, "ledger", asked));  // throws for others than are asked about
    return selected(std::move(entries), tries_field(ledger, "ledger"), "ledger");
  });
}

std::string composition_to_json(const Composition& composition) {
  nlohmann::ordered_json out{{"adjacency", name(composition.relation())}};
  if (composition.neighbours().group != 1) out["group"] = composition.neighbours().group;
  out["mechanisms"] = mechanisms_json(composition);
  if (out["mechanisms"].is_null())
    throw ReadError("composition: a mechanism of it is not written in words: write its entries");
  return out.dump();
}

ReadComposition read_composition(std::string_view text, const AskedNeighbours& asked, FileAccess files) {
  return with_positions(text, [&] {
    const nlohmann::json ledger = strict_json(text);
    std::vector<Entry> entries = ledger_entries(ledger, asked, files);
    if (is_dp_event(ledger)) {
      Composition run = composition_of(entries, asked.neighbours());
      return ReadComposition{std::move(run), std::move(entries)};
    }
    Composition run = selected(composition_of(entries, neighbours_fields(ledger, "ledger", asked)),
                               tries_field(ledger, "ledger"), "ledger");
    return ReadComposition{std::move(run), std::move(entries)};
  });
}

ReadOpenEntries read_open_entries(std::string_view text, const AskedNeighbours& asked, FileAccess files) {
  return with_positions(text, [&] {
    const nlohmann::json ledger = strict_json(text);
    ReadOpenEntries read{asked.neighbours(), {}};
    std::string tries;
    if (is_dp_event(ledger)) {
      for (Entry& entry : entries_of_dp_event(ledger, read.neighbours.relation))
        read.entries.push_back({std::move(entry)});
    } else {
      require_ledger(ledger);
      read.neighbours = neighbours_fields(ledger, "ledger", asked);
      read.entries = open_entries_from(array_field(ledger, "mechanisms", "ledger"), "", files);
      tries = tries_field(ledger, "ledger");
    }
    // What is out of range is told with its place.
    Composition closed(read.neighbours);
    for (std::size_t i = 0; i < read.entries.size(); ++i)
      if (!is_open(read.entries[i])) add_entry(read.entries[i].entry, place(i), closed);
    read.entries = selected(std::move(read.entries), tries, "ledger");
    return read;
  });
}

Composition composition_from_json(std::string_view text, const AskedNeighbours& asked, FileAccess files) {
  const StandardArithmetic arithmetic;
  return read_composition(text, asked, files).composition;
}

}  // namespace pld
