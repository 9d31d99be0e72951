#pragma once

#include <initializer_list>
#include <string>

namespace pld::cli {

/// An option by the words that messages have for it, and whether it was given.
struct MaybeGiven {
  const char* words;
  bool given;
};

/// The words of the first that was given; empty where none was.
[[nodiscard]] inline std::string first_given(std::initializer_list<MaybeGiven> options) {
  for (const MaybeGiven& one : options)
    if (one.given) return one.words;
  return {};
}

}  // namespace pld::cli
