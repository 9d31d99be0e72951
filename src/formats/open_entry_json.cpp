#include "formats/open_entry_json.hpp"

#include <map>
#include <utility>

#include "formats/composition_fields.hpp"
#include "formats/fields.hpp"
#include "formats/mechanism_words.hpp"
#include "formats/open_tries.hpp"
#include "formats/strict_json.hpp"
#include "formats/told_with_place.hpp"
#include "pld/formats/read_error.hpp"
#include "sampling/schemes.hpp"

namespace pld {
namespace {

/// Whether a number is looked for: "?" or "?*FACTOR".
bool is_unknown(const nlohmann::json& value) {
  return value.is_string() && value.get_ref<const std::string&>().starts_with('?');
}

/// A private selection, of which the count may be "?" and numbers of what it tries.
OpenEntry open_selection_from(nlohmann::json object, const std::string& place, FileAccess files) {
  std::map<std::string, double> open;
  if (object.contains("count") && is_unknown(object["count"])) {
    open["count"] = factor_from_text(object["count"].get<std::string>(), place, "count");
    object["count"] = 1;
  }
  Entry selection = selection_fields(object, place);
  OpenEntry out =
      open_selection(std::move(selection), open_entries_from(object["mechanisms"], place + ".", files), place);
  out.open = std::move(open);
  return out;
}

/// A mechanism of the ledger's form, any number of which may be the string "?" or "?*FACTOR".
OpenEntry open_entry_from(nlohmann::json object, const std::string& place, FileAccess files) {
  if (object.is_string())
    return told_with_place(place, [&] { return open_entry_from_text(object.get<std::string>(), files); });
  if (object.is_object() && object.contains("tries")) return open_selection_from(std::move(object), place, files);
  OpenEntry open;
  if (object.is_object()) {
    const MechanismType& type = mechanism_type(text_field(object, "type", place), place);
    for (auto& [word, value] : object.items()) {
      if (!is_unknown(value) || word == "type" || word == "assumed_sampler") continue;
      if (kind_of_word(type, word) == WordKind::text) continue;
      leave_open(type, word, value.get<std::string>(), place, open);
      value = 1;
    }
    if (object.contains("sampling") && object["sampling"].is_object()) {
      for (auto& [field, value] : object["sampling"].items()) {
        const SamplingNumber* const number = sampling_number_called(field);
        if ((number == nullptr && field != "batch") || !is_unknown(value)) continue;
        open.open[number == nullptr ? field : number->words.front()] =
            factor_from_text(value.get<std::string>(), place, field);
        value = 1;
      }
    }
  }
  open.entry = entry_from(object, place, files);
  return open;
}

}  // namespace

std::vector<OpenEntry> open_entries_from(const nlohmann::json& mechanisms, const std::string& begin, FileAccess files) {
  std::vector<OpenEntry> all;
  for (const auto& mechanism : mechanisms)
    all.push_back(open_entry_from(mechanism, begin + "mechanisms[" + std::to_string(all.size()) + "]", files));
  return all;
}

}  // namespace pld
