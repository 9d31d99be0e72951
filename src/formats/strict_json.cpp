#include "formats/strict_json.hpp"

#include <algorithm>
#include <set>

#include "core/number_text.hpp"
#include "formats/json_position.hpp"
#include "formats/key_reader.hpp"
#include "formats/text_file.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

/// What nlohmann itself lets pass: it keeps the last of equal keys, reads 1e-400 as 0, and nothing after a NUL.
class StrictReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  /// What it refuses it tells by the words of the text, or by their place alone.
  enum class Telling { words, place };
  StrictReader(std::string_view text, Telling telling) : text_(text), telling_(telling) {}
  void read() {
    if (is_utf16(text_)) throw ReadError(position_at(text_, 0).text() + ": it must be UTF-8, but is UTF-16");
    read_counting(text_, *this, read_);
    if (const std::size_t nul = text_.find('\0'); nul != std::string_view::npos) refuse_as_json(nul);
  }

  bool null() override { return count(); }
  bool boolean(bool) override { return count(); }
  bool number_integer(number_integer_t) override { return count(); }
  bool number_unsigned(number_unsigned_t) override { return count(); }
  bool number_float(number_float_t value, const string_t& text) override {
    const std::string_view digits = std::string_view(text).substr(0, text.find_first_of("eE"));
    if (value == 0 && digits.find_first_of("123456789") != std::string_view::npos)
      refuse(read_, "number " + text + " is too small: it must be 0 or of a magnitude of 4.94e-324 or more");
    return count();
  }
  bool string(string_t&) override { return count(); }
  bool binary(binary_t&) override { return count(); }
  bool start_object(std::size_t) override {
    keys_of_open_objects_.emplace_back();
    return open();
  }
  bool key(string_t& key) override {
    if (!keys_of_open_objects_.back().insert(key).second) {
      const std::size_t start = start_of_key(text_, read_);
      refuse(start, position_at(text_, start).text() + ": field '" + key +
                        "' is given twice in one object, but must be given once");
    }
    return true;
  }
  bool end_object() override {
    keys_of_open_objects_.pop_back();
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override { return open(); }
  bool end_array() override {
    --depth_;
    return true;
  }
  /// A syntax error, or a number too large for a double.
  bool parse_error(std::size_t read, const std::string&, const nlohmann::json::exception&) override {
    refuse_as_json(read == 0 ? 0 : read - 1);
  }

 private:
  /// Values take some fifty times the memory of their text.
  bool count() {
    constexpr std::size_t most_values = 1'000'000;
    if (++values_ > most_values) refuse_at_hand("more than a million values, but must be fewer");
    return true;
  }
  /// Far below what copies of nested values take of the smallest stack.
  bool open() {
    constexpr std::size_t deepest = 100;
    if (++depth_ > deepest) refuse_at_hand("nested more than 100 deep, but must be nested less");
    return count();
  }
  [[noreturn]] void refuse_at_hand(const std::string& what) const {
    throw ReadError(position_at(text_, read_ == 0 ? 0 : read_ - 1).text() + ": JSON is " + what);
  }
  [[noreturn]] void refuse(std::size_t at, const std::string& words) const {
    if (telling_ == Telling::words) throw ReadError(words);
    refuse_as_json(at);
  }
  [[noreturn]] void refuse_as_json(std::size_t at) const {
    throw ReadError(position_at(text_, at).text() + ": it must be JSON, each field once, each number a double" +
                    (telling_ == Telling::words ? hint_of_number(at) : ""));
  }
  /// Where a number goes on as the command line has it, or an infinity begins, whose place is a string.
  [[nodiscard]] std::string hint_of_number(std::size_t at) const {
    constexpr std::string_view digits = "0123456789", marks = "/%";
    if (at < text_.size() && text_[at] == 'I') return R"( (an infinity is the string "inf"))";
    const bool number = at > 0 && at < text_.size() && digits.find(text_[at - 1]) != std::string_view::npos;
    if (!number || marks.find(text_[at]) == std::string_view::npos) return {};
    return R"( (quotients and percentages are strings: "1/60000", "0.5%"))";
  }

  std::string_view text_;
  Telling telling_;
  std::size_t read_ = 0, depth_ = 0, values_ = 0;
  std::vector<std::set<std::string>> keys_of_open_objects_;
};

const nlohmann::json& field_of(const nlohmann::json& object, const std::string& field, const std::string& accepted,
                               const std::string& where) {
  const auto found = object.find(field);
  if (found == object.end()) throw ReadError(where, field, "missing", accepted);
  return *found;
}

}  // namespace

nlohmann::json strict_json(std::string_view text) {
  StrictReader(text, StrictReader::Telling::words).read();
  return nlohmann::json::parse(text);
}

void require_json(std::string_view text, const std::string& name) {
  try {
    StrictReader(text, StrictReader::Telling::place).read();
  } catch (const ReadError& error) {
    throw ReadError(name + ", " + error.what());
  }
}

std::string excerpt(const nlohmann::json& value) {
  if (value.is_structured()) return std::string("an ") + value.type_name();
  const std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

std::string number_excerpt(const nlohmann::json& number) {
  return number.is_number_float() ? number_text(number.get<double>()) : excerpt(number);
}

void require_object(const nlohmann::json& value, const std::vector<std::string>& accepted, const std::string& where,
                    const FieldHint& hint) {
  if (!value.is_object()) throw ReadError(where + " is " + excerpt(value) + ", but must be an object");
  for (const auto& [field, unused] : value.items()) {
    if (std::find(accepted.begin(), accepted.end(), field) == accepted.end())
      throw UnknownField(where, field, excerpt(field), accepted, hint ? hint(field) : "");
  }
}

double number_field(const nlohmann::json& object, const std::string& field, const std::string& where) {
  const auto& value = field_of(object, field, "a number", where);
  if (!value.is_number()) throw ReadError(where, field, excerpt(value), "a number");
  return value.get<double>();
}

std::string text_field(const nlohmann::json& object, const std::string& field, const std::string& where) {
  const auto& value = field_of(object, field, "a string", where);
  if (!value.is_string()) throw ReadError(where, field, excerpt(value), "a string");
  return value.get<std::string>();
}

std::vector<double> numbers_field(const nlohmann::json& object, const std::string& field, const std::string& where) {
  std::vector<double> numbers;
  for (const auto& value : array_field(object, field, where)) {
    const std::string place = field + "[" + std::to_string(numbers.size()) + "]";
    if (!value.is_number()) throw ReadError(where, place, excerpt(value), "a number");
    numbers.push_back(value.get<double>());
  }
  return numbers;
}

const nlohmann::json& array_field(const nlohmann::json& object, const std::string& field, const std::string& where) {
  const auto& value = field_of(object, field, "an array", where);
  if (!value.is_array()) throw ReadError(where, field, excerpt(value), "an array");
  return value;
}

}  // namespace pld
