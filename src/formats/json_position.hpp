#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pld/formats/read_error.hpp"

namespace pld {

/// A place in a text, both from 1.
struct TextPosition {
  std::size_t line = 1, column = 1;

  [[nodiscard]] std::string text() const {
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
  }
};

/// Line and column of the character at an offset; columns count bytes.
[[nodiscard]] TextPosition position_at(std::string_view text, std::size_t offset);

/// A message that begins with a place, without the line of a text that has one line.
[[nodiscard]] std::string without_line(const std::string& message);

/// A field of an object that is not accepted: where the object is ("mechanisms[0].sampling") and the field's name.
class UnknownField : public ReadError {
 public:
  /// `hint` says what was likely meant; empty: the nearest of the accepted names does.
  UnknownField(const std::string& where, std::string name, const std::string& excerpt,
               const std::vector<std::string>& accepted, const std::string& hint);

  /// The same error with the field's line and column in the text it was read from, where it is found there.
  [[nodiscard]] ReadError placed_in(std::string_view text) const;

 private:
  std::string where_, name_;
};

/// `read()`, whose refusals of fields tell their line and column in the text.
template <class Read>
auto with_positions(std::string_view text, const Read& read) {
  try {
    return read();
  } catch (const UnknownField& error) {
    throw error.placed_in(text);
  }
}

}  // namespace pld
