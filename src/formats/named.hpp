#pragma once

#include <string>
#include <vector>

#include "formats/fields.hpp"

namespace pld {

/// The names of all of them, by their name().
template <class All>
std::vector<std::string> names_of(const All& all) {
  std::vector<std::string> names;
  for (const auto one : all) names.emplace_back(name(one));
  return names;
}

/// The one of them with that name. Throws ReadError naming `where`, `what` and all of them.
template <class All>
typename All::value_type one_of(const All& all, const std::string& text, const std::string& where, const char* what) {
  for (const auto one : all)
    if (text == name(one)) return one;
  throw not_one_of(where, what, text, names_of(all));
}

}  // namespace pld
