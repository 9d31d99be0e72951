#pragma once

#include <string>

#include "pld/core/errors.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {

/// What `make` makes of numbers that stand at a place of a text; what is refused of them is told with that place.
template <class Make>
auto made_at(const std::string& place, const Make& make) {
  try {
    return make();
  } catch (const MissingTheorem& missing) {
    throw missing.placed_in(place);
  } catch (const DomainError& error) {
    throw ReadError(place + ": " + error.what());
  }
}

/// What `read` makes of a text; what it refuses is told with the place of that text.
template <class Read>
auto told_with_place(const std::string& place, const Read& read) {
  return made_at(place, [&] {
    try {
      return read();
    } catch (const ReadError& error) {
      throw ReadError(place + ": " + error.what());
    }
  });
}

}  // namespace pld
