#include "pld/formats/mechanism_text.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/standard_arithmetic.hpp"
#include "formats/columns_file.hpp"
#include "formats/fields.hpp"
#include "formats/near_name.hpp"
#include "formats/read_number.hpp"
#include "formats/strategy_words.hpp"
#include "formats/training_run.hpp"
#include "pld/formats/read_error.hpp"
#include "sampling/schemes.hpp"

namespace pld {

namespace {

std::vector<double> list_from_text(std::string_view text, const std::string& where, const std::string& key) {
  std::vector<double> values;
  while (true) {
    const auto slash = text.find('/');
    values.push_back(finite_from_text(text.substr(0, slash), where, key));
    if (slash == std::string_view::npos) return values;
    text.remove_prefix(slash + 1);
  }
}

/// Why numbers of sampling do not belong together.
std::string words_of(const SamplingNumbers& numbers) {
  std::string text;
  for (const auto& [field, value] : numbers)
    text += (text.empty() ? "" : " and ") + sampling_number_of_field(field)->words.front();
  if (numbers.size() == 1) return text + " is given alone, but belongs to others";
  return text + " are two samplings, but only one is accepted";
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string_view without_leading_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

/// Reads the assignments of one mechanism into its entry.
class Reader {
 public:
  Reader(const MechanismType& type, FileAccess files)
      : type_(type), files_(files), lists_(type.lists()), accepted_(keys_in_text(type)) {}

  /// Gives one "key=value" its place in the entry.
  void read(std::string_view assignment, Entry& entry) {
    const std::string& where = type_.name;
    const auto equals = assignment.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      throw ReadError(where, "parameter", "'" + std::string(assignment) + "'",
                      std::string("written key=value") + (is_digits(assignment) ? " (decimals take a point)" : ""));
    }
    const std::string word(assignment.substr(0, equals)), key = plain_key(type_, word);
    const std::string_view value = assignment.substr(equals + 1);
    if (std::find(accepted_.begin(), accepted_.end(), word) == accepted_.end()) {
      if (const RefusedScheme* const refused = refused_scheme(word)) throw ReadError(where + ": " + refused->why);
      throw ReadError(where + ": parameter '" + word + "' is not known" + did_you_mean(word, accepted_) +
                      ", accepted are " + listed(accepted_));
    }
    see(key);
    multiplied_ = multiplied_ || (key == "sigma" && word != key);
    if (key == "sampler") {
      run_.sampler = std::string(value);
    } else if (key == "file") {
      read_file(std::string(value), entry);
    } else if (key == "matrix") {
      matrix_.path = std::string(value);
    } else if (is_list(key)) {
      entry.lists[key] = list_from_text(value, where, key);
    } else {
      const bool share = sampling_number(key) != nullptr && !sampling_number(key)->whole;
      read_number(key, share ? share_from_text(value, where, key) : finite_from_text(value, where, key), entry);
    }
  }

  /// What only all assignments together tell.
  void finish(Entry& entry) const {
    if (run_.epochs && seen_.contains("count"))
      throw ReadError(type_.name + ": epochs stands for count: give one or the other");
    run_.write_to(entry, type_.name);
    matrix_.write_to(entry, files_, type_.name);
    if (multiplied_ && entry.parameters.contains("sensitivity"))
      throw ReadError(type_.name +
                      ": noise_multiplier is sigma / sensitivity: give it alone, or sigma and sensitivity");
    if (!entry.sampling.empty() && sampling_scheme(entry.sampling) == nullptr)
      throw ReadError(type_.name + ": " + words_of(entry.sampling));
  }

 private:
  [[nodiscard]] bool is_list(const std::string& key) const {
    return std::find(lists_.begin(), lists_.end(), key) != lists_.end();
  }

  /// The sampling number that a key stands for: a list of the type takes the name for itself.
  [[nodiscard]] const SamplingNumber* sampling_number(const std::string& key) const {
    return is_list(key) ? nullptr : sampling_number_of_word(key);
  }

  void see(const std::string& key) {
    const SamplingNumber* const hidden = is_list(key) ? sampling_number_of_word(key) : nullptr;
    const std::string hint = hidden != nullptr ? " (a sampling rate is written " + hidden->words.back() + "=)" : "";
    const SamplingNumber* const number = sampling_number(key);
    if (!seen_.insert(number != nullptr ? number->words.back() : key).second)
      throw ReadError(type_.name + ": " + key + " is given twice, but must be given once" + hint);
  }

  void read_file(const std::string& path, Entry& entry) {
    for (const std::string& name : lists_) {
      see(name);
    }
    for (auto& [name, column] : columns_of_file(path, lists_, files_)) entry.lists[name] = std::move(column);
  }

  void read_number(const std::string& key, double value, Entry& entry) {
    if (key == "count") {
      entry.count = count_from_number(value, type_.name);
    } else if (const SamplingNumber* const number = sampling_number(key)) {
      entry.sampling[number->field] = value;
    } else if (key == "min_separation") {
      matrix_.min_separation = value;
    } else if (key == "batch") {
      run_.batch = value;
    } else if (key == "dataset") {
      run_.dataset = value;
    } else if (key == "epochs") {
      run_.epochs = value;
    } else {
      entry.parameters[key] = value;
    }
  }

  const MechanismType& type_;
  FileAccess files_;
  std::vector<std::string> lists_, accepted_;
  std::set<std::string> seen_{};
  TrainingRun run_{};
  StrategyWords matrix_{};
  bool multiplied_ = false;  ///< sigma was given as a noise multiplier
};

}  // namespace

Entry entry_from_text(std::string_view word, FileAccess files) {
  const StandardArithmetic arithmetic;
  const auto colon = word.find(':');
  Entry entry{.type = std::string(word.substr(0, colon))};
  if (entry.type.find('=') != std::string::npos)
    throw ReadError(
        "'" + std::string(word) +
        "' has no type: what belongs to a mechanism is joined to it by a comma, as in gaussian:sigma=1,q=0.01");
  const MechanismType& type = mechanism_type(entry.type, "mechanism '" + std::string(word) + "'");
  if (colon == std::string_view::npos) return entry;
  Reader reader(type, files);
  for (std::string_view rest = word.substr(colon + 1);;) {
    const auto comma = rest.find(',');
    reader.read(without_leading_blanks(rest.substr(0, comma)), entry);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  reader.finish(entry);
  return entry;
}

}  // namespace pld
