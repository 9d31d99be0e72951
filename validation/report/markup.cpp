#include "markup.hpp"

namespace pld::validation {

namespace {

std::string escaped(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '|':
      return "&#124;";  // would end a cell of a Markdown table
    case '*':
      return "&#42;";  // would begin Markdown's emphasis
    case '_':
      return "&#95;";
    default:
      return {c};
  }
}

/// Reads marked-up text from `at` to the brace that closes it, or to the end.
std::string read(const std::string& text, std::size_t& at) {
  std::string out;
  bool bold = false;
  for (; at < text.size() && text[at] != '}'; ++at) {
    const char c = text[at], next = at + 1 < text.size() ? text[at + 1] : '\0';
    if ((c == '^' || c == '_') && next == '{') {
      const std::string tag = c == '^' ? "sup" : "sub";
      at += 2;
      out += "<" + tag + ">" + read(text, at) + "</" + tag + ">";
    } else if (c == '*' && next == '*') {
      out += bold ? "</b>" : "<b>";
      bold = !bold;
      ++at;
    } else {
      out += escaped(c);
    }
  }
  return out;
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += escaped(c);
  return out;
}

std::string marked_up(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    out += read(text, at);
    if (at < text.size()) out += '}';  // one that closes nothing
  }
  return out;
}

}  // namespace pld::validation
