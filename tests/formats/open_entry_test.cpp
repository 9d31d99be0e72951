#include "pld/formats/open_entry.hpp"

#include <string>

#include "pld/pld.hpp"
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

TEST_CASE("formats.open_entry.of_what_a_selection_tries") {
  const OpenEntry selection{.entry = {.count = 2, .tries = "geometric:mean=3"},
                            .tried = {open_entry_from_text("gaussian:sigma=?"), open_entry_from_text("zcdp:rho=0.1")}};
  const std::vector<OpenEntry> entries{selection, open_entry_from_text("gaussian:sigma=20")};
  CHECK(is_open(selection));
  CHECK(!is_open(entries[1]));
  const NamedUnknown found = unknown_of(entries);
  CHECK(found.name == "sigma");
  CHECK(found.unknown.safer == Unknown::Safer::larger);
  Composition want;
  const Entry closed{.tries = "geometric:mean=3",
                     .tried = {open_entry_from_text("gaussian:sigma=4").entry, selection.tried[1].entry}};
  want.add(release_of(closed).mechanism, 2).add(Gaussian{.sigma = 20});
  for (const Composition& got : {found.unknown.at(4), composition_at(entries, 4, {})}) {
    REQUIRE(got.releases().size() == 2);
    CHECK(got.releases()[0].mechanism.text() == want.releases()[0].mechanism.text());
    CHECK(got.releases()[0].count == 2);
    CHECK(epsilon(got, {.delta = 1e-6}).upper == epsilon(want, {.delta = 1e-6}).upper);
  }
  // At the safe end what the noise hides is left out.
  const std::string left = found.unknown.safest.releases()[0].mechanism.text();
  CHECK(left == "best of geometric:mean=3 tries of 1 x zcdp:rho=0.1,xi=0");
}

}  // namespace pld
