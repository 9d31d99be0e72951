#include "formats/json_position.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "formats/fields.hpp"
#include "formats/key_reader.hpp"
#include "formats/near_name.hpp"

namespace pld {
namespace {

/// Finds one field by its path, as messages write it: mechanisms[0].sampling.poisson
class FieldFinder : public nlohmann::json_sax<nlohmann::json> {
 public:
  FieldFinder(std::string_view text, std::string path) : text_(text), path_(std::move(path)) {}

  [[nodiscard]] std::optional<std::size_t> find() {
    read_counting(text_, *this, read_);
    return found_;
  }

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool start_object(std::size_t) override { return open(false); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    levels_.back().here = (levels_.back().base.empty() ? "" : levels_.back().base + ".") + name;
    if (levels_.back().here == path_) found_ = start_of_key(text_, read_);
    return !found_;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override { return false; }

 private:
  struct Level {
    std::string base, here;
    bool is_array = false;
    std::size_t index = 0;
  };

  /// The path of the value that begins.
  std::string next_path() {
    if (levels_.empty()) return "";
    Level& level = levels_.back();
    return level.is_array ? level.base + "[" + std::to_string(level.index++) + "]" : level.here;
  }
  bool value() {
    static_cast<void>(next_path());
    return true;
  }
  bool open(bool is_array) {
    levels_.push_back({next_path(), "", is_array, 0});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }

  std::string_view text_;
  std::string path_;
  std::size_t read_ = 0;
  std::vector<Level> levels_;
  std::optional<std::size_t> found_;
};

/// Messages call the whole text by what it is: those names are no fields.
std::string without_root(const std::string& where) {
  for (const std::string root : {"ledger", "query", "budget", "record", "event"}) {
    if (where == root) return "";
    if (where.starts_with(root + ".")) return where.substr(root.size() + 1);
  }
  return where;
}

}  // namespace

TextPosition position_at(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const auto last = before.rfind('\n');
  return {lines + 1, offset - (last == std::string_view::npos ? 0 : last + 1) + 1};
}

std::string without_line(const std::string& message) {
  constexpr std::string_view line = "line 1, ";
  return message.starts_with(line) ? message.substr(line.size()) : message;
}

UnknownField::UnknownField(const std::string& where, std::string name, const std::string& excerpt,
                           const std::vector<std::string>& accepted, const std::string& hint)
    : ReadError(where + ": field " + excerpt + " is not known" +
                (hint.empty() ? did_you_mean(name, accepted) : " (" + hint + ")") + ", accepted are " +
                listed(accepted)),
      where_(where),
      name_(std::move(name)) {}

ReadError UnknownField::placed_in(std::string_view text) const {
  const std::string base = without_root(where_);
  const auto offset = FieldFinder(text, (base.empty() ? "" : base + ".") + name_).find();
  return offset ? ReadError(position_at(text, *offset).text() + ": " + what()) : ReadError(*this);
}

}  // namespace pld
