#include "pld/formats/mechanism_text.hpp"

#include <algorithm>
#include <set>

#include "formats/columns_file.hpp"
#include "formats/fields.hpp"
#include "pld/formats/read_error.hpp"
#include "pld/formats/read_number.hpp"

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

/// Reads the assignments of one mechanism into its entry.
class Reader {
 public:
  Reader(const MechanismType& type, FileAccess files) : type_(type), files_(files), lists_(type.lists()) {
    std::vector<std::string> others{"poisson", "wor", "batch", "dataset", "count"};
    if (!is_list("q")) others.insert(others.begin(), "q");
    if (!lists_.empty()) others.insert(others.begin(), "file");
    accepted_ = accepted_fields(type, others);
  }

  /// Gives one "key=value" its place in the entry.
  void read(std::string_view assignment, Entry& entry) {
    const std::string& where = type_.name;
    const auto equals = assignment.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      throw ReadError(where, "parameter", "'" + std::string(assignment) + "'", "written key=value");
    }
    const std::string key(assignment.substr(0, equals));
    const std::string_view value = assignment.substr(equals + 1);
    if (std::find(accepted_.begin(), accepted_.end(), key) == accepted_.end()) {
      throw ReadError(where + ": parameter '" + key + "' is not known, accepted are " + listed(accepted_));
    }
    see(key);
    if (key == "file") {
      read_file(std::string(value), entry);
    } else if (is_list(key)) {
      entry.lists[key] = list_from_text(value, where, key);
    } else {
      read_number(key, finite_from_text(value, where, key), entry);
    }
  }

  /// What only all assignments together tell.
  void finish(Entry& entry) const {
    if (batch_ || dataset_) {
      if (!batch_ || !dataset_) throw ReadError(type_.name + ": batch and dataset belong together: give both");
      if (entry.batch_rate)
        throw ReadError(type_.name + ": wor is the quotient of batch and dataset: give one or the other");
      entry.batch_rate = share_of(*batch_, *dataset_, type_.name);
    }
    if (entry.poisson_rate && entry.batch_rate)
      throw ReadError(type_.name + ": q and wor are two samplings, but only one is accepted");
  }

 private:
  [[nodiscard]] bool is_list(const std::string& key) const {
    return std::find(lists_.begin(), lists_.end(), key) != lists_.end();
  }

  /// `poisson` is the long form of q, and the only one where q is a list.
  void see(const std::string& key) {
    const std::string hint = key == "q" && is_list(key) ? " (a sampling rate is written poisson=)" : "";
    if (!seen_.insert(key == "q" && !is_list(key) ? "poisson" : key).second)
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
    } else if (key == "q" || key == "poisson") {
      entry.poisson_rate = value;
    } else if (key == "wor") {
      entry.batch_rate = value;
    } else if (key == "batch") {
      batch_ = value;
    } else if (key == "dataset") {
      dataset_ = value;
    } else {
      entry.parameters[key] = value;
    }
  }

  const MechanismType& type_;
  FileAccess files_;
  std::vector<std::string> lists_, accepted_;
  std::set<std::string> seen_{};
  std::optional<double> batch_{}, dataset_{};
};

}  // namespace

Entry entry_from_text(std::string_view word, FileAccess files) {
  const auto colon = word.find(':');
  Entry entry{.type = std::string(word.substr(0, colon))};
  const MechanismType& type = mechanism_type(entry.type, "mechanism '" + std::string(word) + "'");
  if (colon == std::string_view::npos) return entry;
  Reader reader(type, files);
  for (std::string_view rest = word.substr(colon + 1);;) {
    const auto comma = rest.find(',');
    reader.read(rest.substr(0, comma), entry);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  reader.finish(entry);
  return entry;
}

}  // namespace pld
