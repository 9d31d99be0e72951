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

// Each trial of a search once made all laws anew, some of which take hundredths of a second.
TEST_CASE("formats.open_entry.what_is_known_is_made_once") {
  const Unknown unknown = unknown_of({open_entry_from_text("zcdp:rho=0.1"), open_entry_from_text("gaussian:sigma=?"),
                                      open_entry_from_text("gaussian:sigma=?*2")})
                              .unknown;
  const auto pair_at = [&](double value, std::size_t place) {
    return unknown.at(value).releases()[place].mechanism.pair(Direction::remove);
  };
  CHECK(pair_at(2, 0) == pair_at(3, 0));
  CHECK(pair_at(2, 1) != pair_at(3, 1));
}

}  // namespace pld
