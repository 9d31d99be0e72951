#include "core/dashes.hpp"

#include "support/checks.hpp"

TEST_CASE("core.dashes.the_first_that_is_no_ascii_minus") {
  for (const char* dash :
       {"\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2015", "\u2212", "\ufe58", "\ufe63", "\uff0d"}) {
    CHECK(pld::other_dash_in(dash) == dash);
    CHECK(pld::other_dash_in("-1" + std::string(dash) + "2\u2212") == dash);
  }
  for (const char* text : {"", "-", "--delta", "1e-5", "\u00e9", "\xe2\x88", "\xe2"})
    CHECK(pld::other_dash_in(text).empty());
}
