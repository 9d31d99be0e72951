#include "core/dashes.hpp"

namespace pld {

std::string_view other_dash_in(std::string_view text) {
  // U+2010 to U+2015, U+2212, U+FE58, U+FE63, U+FF0D
  constexpr std::string_view dashes[] = {"\xe2\x80\x90", "\xe2\x80\x91", "\xe2\x80\x92", "\xe2\x80\x93",
                                         "\xe2\x80\x94", "\xe2\x80\x95", "\xe2\x88\x92", "\xef\xb9\x98",
                                         "\xef\xb9\xa3", "\xef\xbc\x8d"};
  auto first = std::string_view::npos;
  std::string_view found;
  for (const std::string_view dash : dashes)
    if (const auto at = text.find(dash); at < first) first = at, found = dash;
  return found;
}

}  // namespace pld
