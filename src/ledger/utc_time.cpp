#include "ledger/utc_time.hpp"

#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <ctime>

#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

std::time_t seconds_since_1970() {
  const char* const given = std::getenv("SOURCE_DATE_EPOCH");
  if (given == nullptr) return std::time(nullptr);
  constexpr std::int64_t end_of_9999 = 253402300799;
  const std::string_view text = given;
  std::int64_t seconds = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds < 0 || seconds > end_of_9999)
    throw ReadError("environment", "SOURCE_DATE_EPOCH", "'" + std::string(text) + "'", "seconds since 1970");
  return static_cast<std::time_t>(seconds);
}

}  // namespace

std::string utc_time() {
  const std::time_t now = seconds_since_1970();
  std::tm date{};
  gmtime_r(&now, &date);
  char text[40];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &date)};
}

bool is_utc_time(std::string_view text) {
  constexpr std::string_view form = "0000-00-00T00:00:00Z";
  if (text.size() != form.size()) return false;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    if (form[i] == '0' ? !digit : text[i] != form[i]) return false;
  }
  return true;
}

}  // namespace pld
