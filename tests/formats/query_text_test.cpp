#include "formats/query_text.hpp"

#include "formats/refusals.hpp"
#include "support/checks.hpp"

TEST_CASE("ledger.query_text.directions") {
  CHECK(pld::direction_from_text("worst", "here") == pld::DirectionChoice::worst);
  CHECK(pld::direction_from_text("remove", "here") == pld::DirectionChoice::remove);
  CHECK(pld::direction_from_text("add", "here") == pld::DirectionChoice::add);
  for (const char* text : {"", "Worst", "both", "0"}) {
    CHECK_REFUSED(pld::direction_from_text(text, "here"), "here: direction is '", text, "worst, remove, add");
  }
}

TEST_CASE("ledger.query_text.engines") {
  CHECK(pld::engine_from_text("auto", "here") == pld::Engine::automatic);
  CHECK(pld::engine_from_text("lattice", "here") == pld::Engine::lattice);
  CHECK(pld::engine_from_text("contour", "here") == pld::Engine::contour);
  CHECK(pld::engine_from_text("closed-form", "here") == pld::Engine::closed_form);
  for (const char* text : {"", "automatic", "fft", "1"}) {
    CHECK_REFUSED(pld::engine_from_text(text, "here"), "here: engine is '", text,
                  "auto, lattice, contour, closed-form");
  }
}
