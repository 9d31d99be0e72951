// An event of dp-accounting saved as JSON: refused in one line, or entries that can be made, that repeat as the event
// does, and that come back from the event written of them.

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "formats/dp_event.hpp"
#include "formats/dp_event_form.hpp"
#include "formats/strict_json.hpp"
#include "fuzz_target.hpp"
#include "pld/formats/composition_json.hpp"
#include "pld/formats/entry.hpp"

namespace {

using namespace pld;
using fuzz::promise;

nlohmann::json wrapped(const char* name, const char* field, const nlohmann::json& value) {
  return {{"module_name", "dp_accounting.dp_event"}, {"class_name", name}, {field, value}};
}

/// Whether `b` is what is kept of `a`: a noise parameter is rounded, and to no more noise.
bool kept(const char* number, double a, double b) {
  return a == b || (number == std::string("p") && b >= a && b - a <= 1e-14);
}

void promise_kept(const Entry& entry, const Entry& back) {
  promise(back.type == entry.type && back.lists == entry.lists, "the type and the lists come back");
  promise(back.count == entry.count && back.sampling == entry.sampling, "the count and the sampling come back");
  promise(back.tries.empty() == entry.tries.empty() && back.tried.size() == entry.tried.size(), "tries come back");
  for (std::size_t i = 0; i < entry.tried.size(); ++i) promise_kept(entry.tried[i], back.tried[i]);
  promise(back.parameters.size() == entry.parameters.size(), "as many parameters come back");
  for (const auto& [name, value] : entry.parameters)
    promise(kept(name.c_str(), value, back.parameters.at(name)), "a parameter comes back");
}

void promise_kept(const std::vector<Entry>& entries, const std::vector<Entry>& back) {
  promise(back.size() == entries.size(), "as many entries come back");
  for (std::size_t i = 0; i < entries.size(); ++i) promise_kept(entries[i], back[i]);
}

void check(const nlohmann::json& event, Relation relation) {
  const auto read = [&](const nlohmann::json& of) { return entries_of_dp_event(of, relation); };
  std::vector<Entry> entries = read(event);
  for (const Entry& entry : entries) static_cast<void>(release_of(entry));
  promise_kept(entries, read(wrapped("ComposedDpEvent", "events", nlohmann::json::array({event}))));
  fuzz::read_or_refuse([&] { promise_kept(entries, read(dp_event_of(entries, relation))); });
  fuzz::read_or_refuse([&] {
    nlohmann::json repeated = wrapped("SelfComposedDpEvent", "event", event);
    repeated["count"] = 3;
    const std::vector<Entry> thrice = read(repeated);
    for (Entry& entry : entries) entry.count *= 3;
    promise_kept(entries, thrice);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text(data, size);
  for (const Relation relation : {Relation::add_remove, Relation::replace_one, Relation::zero_out})
    fuzz::read_or_refuse([&] {
      const nlohmann::json event = strict_json(text);
      if (is_dp_event(event)) check(event, relation);
    });
  return 0;
}
