#include "formats/open_tries.hpp"

#include <algorithm>
#include <utility>

#include "formats/tries_text.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {

OpenEntry open_selection(Entry selection, std::vector<OpenEntry> tried, const std::string& where) {
  if (selection.tries.find('?') != std::string::npos)
    throw ReadError(where, "tries", "'" + selection.tries + "'", "known numbers: the unknown is one of a mechanism's");
  static_cast<void>(tries_from_text(selection.tries, where));
  OpenEntry out{std::move(selection)};
  if (std::any_of(tried.begin(), tried.end(), is_open)) {
    out.tried = std::move(tried);
  } else {
    for (OpenEntry& one : tried) out.entry.tried.push_back(std::move(one.entry));
  }
  return out;
}

std::vector<Entry> selected(std::vector<Entry> entries, const std::string& tries, const std::string& where) {
  if (tries.empty()) return entries;
  static_cast<void>(tries_from_text(tries, where));
  if (entries.empty()) return entries;
  return {Entry{.tries = tries, .tried = std::move(entries)}};
}

std::vector<OpenEntry> selected(std::vector<OpenEntry> entries, const std::string& tries, const std::string& where) {
  if (tries.empty()) return entries;
  return {open_selection({.tries = tries}, std::move(entries), where)};
}

}  // namespace pld
