#include "pld/formats/open_entry.hpp"

#include <string>

#include "support/checks.hpp"

namespace pld {

// Found by probing, of converted guarantees without converting one: where an order has no bound nothing is known.
TEST_CASE("formats.open_entry.which_values_are_safer") {
  const auto safer = [](const std::string& word) { return unknown_of({open_entry_from_text(word)}).unknown.safer; };
  for (const char* word : {"gaussian:sigma=?", "tcdp:rho=.001,omega=?", "binomial:n=?", "zcdp:rho=.1,allocation=?"}) {
    CAPTURE(std::string(word));
    CHECK(safer(word) == Unknown::Safer::larger);
  }
  for (const char* word :
       {"zcdp:rho=?", "zcdp:rho=.1,xi=?", "tcdp:rho=?,omega=20", "zcdp:rho=?,q=.1", "dp:epsilon=?"}) {
    CAPTURE(std::string(word));
    CHECK(safer(word) == Unknown::Safer::smaller);
  }
}

}  // namespace pld
