#include "pdf_title.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace pld::cli {

namespace {

/// The number after the last such key.
std::optional<long> last_number(const std::string& pdf, const std::string& key) {
  const auto at = pdf.rfind(key);
  if (at == std::string::npos) return std::nullopt;
  return std::strtol(pdf.c_str() + at + key.size(), nullptr, 10);
}

std::string hex(std::uint32_t unit) {
  char digits[8];
  std::snprintf(digits, sizeof digits, "%04X", static_cast<unsigned>(unit & 0xffff));
  return digits;
}

/// UTF-8 as UTF-16 in hexadecimal digits, with the mark that PDF tells it by.
std::string utf16_digits(const std::string& text) {
  std::string digits = hex(0xfeff);
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
    std::uint32_t point = more == 0 ? lead : lead & (0x3fU >> more);
    for (; more > 0 && i < text.size(); --more) point = point << 6 | (static_cast<unsigned char>(text[i++]) & 0x3fU);
    if (point < 0x10000)
      digits += hex(point);
    else
      digits += hex(0xd800 + ((point - 0x10000) >> 10)) + hex(0xdc00 + (point & 0x3ff));
  }
  return digits;
}

/// Blanks out when it was drawn: of the same curves there is one file.
void blank_date(std::string& pdf) {
  const auto from = pdf.rfind("/CreationDate ("), to = pdf.find(')', from);
  if (from == std::string::npos || to == std::string::npos) return;
  std::fill_n(pdf.begin() + static_cast<std::ptrdiff_t>(from), to + 1 - from, ' ');
}

}  // namespace

std::string with_title(std::string pdf, const std::string& title) {
  blank_date(pdf);
  const auto objects = last_number(pdf, "/Size "), root = last_number(pdf, "/Root "),
             table = last_number(pdf, "startxref");
  if (!objects || !root || !table || pdf.rfind("\ntrailer") == std::string::npos) return pdf;
  const std::string own = std::to_string(*objects);
  char place[16];
  std::snprintf(place, sizeof place, "%010zu", pdf.size());
  pdf += own + " 0 obj\n<< /Title <" + utf16_digits(title) + "> >>\nendobj\n";
  const std::string new_table = std::to_string(pdf.size());
  return pdf + "xref\n" + own + " 1\n" + place + " 00000 n \ntrailer\n<< /Size " + std::to_string(*objects + 1) +
         " /Root " + std::to_string(*root) + " 0 R /Info " + own + " 0 R /Prev " + std::to_string(*table) +
         " >>\nstartxref\n" + new_table + "\n%%EOF\n";
}

}  // namespace pld::cli
