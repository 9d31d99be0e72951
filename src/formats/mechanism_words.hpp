#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "formats/read_number.hpp"
#include "formats/strategy_words.hpp"
#include "formats/training_run.hpp"
#include "pld/formats/entry.hpp"
#include "pld/formats/file_access.hpp"
#include "pld/mechanisms/registry.hpp"
#include "sampling/schemes.hpp"

namespace pld {

/// What a word of keys_in_text() takes; a share is a number that may be written as a quotient of sizes.
enum class WordKind { number, share, numbers, text };
[[nodiscard]] WordKind kind_of_word(const MechanismType& type, const std::string& word);

/// What another parameter than a type's own is in its terms: "did you mean scale = sensitivity / epsilon?". Empty
/// where that is not known.
[[nodiscard]] std::string converted_word(const std::string& type, const std::string& word);

/// Throws ReadError unless the word is one of keys_in_text(), or of those that stand `beside` them where it is written;
/// it tells the one that was likely meant.
void require_known_word(const std::string& word, const MechanismType& type,
                        const std::vector<std::string>& beside = {});

/// Throws ReadError for a word by which a sampling without a theorem may be asked for.
void require_theorem(const std::string& word, const std::string& where);

/// What the schemes that have all of these numbers, and others, take besides: "a and b, or c", each number as `name`
/// has it. Empty where there is none.
[[nodiscard]] std::string missing_beside(const SamplingNumbers& numbers,
                                         const std::function<std::string(const SamplingNumber&)>& name);

/// The words of one mechanism on their way into its entry, whether text or JSON says them.
class MechanismWords {
 public:
  MechanismWords(const MechanismType& type, std::string where, FileAccess files)
      : type_(type), where_(std::move(where)), files_(files), lists_(type.lists()) {}

  /// Reads a word of keys_in_text(); its value gives a number() as it is written(), a share(), the numbers() or the
  /// text() that it takes.
  template <class Value>
  void read(const std::string& word, const Value& value, Entry& entry) {
    const std::string key = first_time(word);
    switch (kind_of_word(type_, word)) {
      case WordKind::number:
        if (key == "count") {
          entry.count = count_from_number(value.number(), where_, value.written());
          return;
        }
        return take(key, value.number(), entry);
      case WordKind::share:
        return take(key, value.share(), entry);
      case WordKind::numbers:
        entry.lists[key] = value.numbers();
        return;
      case WordKind::text:
        return take(key, value.text());
    }
  }

  /// A word read that says how records get into the release; empty where none does.
  [[nodiscard]] std::string of_sampling() const;

  /// Writes what only all words together tell. Throws ReadError.
  void finish(Entry& entry) const;

 private:
  /// The key that the word stands for. Throws ReadError where it was given before.
  std::string first_time(const std::string& word);
  void take(const std::string& key, double value, Entry& entry);
  void take(const std::string& key, const std::string& value);
  /// The sampling number that a key stands for: a list of the type takes the name for itself.
  [[nodiscard]] const SamplingNumber* sampling_number(const std::string& key) const;
  [[nodiscard]] bool is_list(const std::string& key) const;
  void read_file(Entry& entry) const;
  /// Throws ReadError for a noise multiplier that is not above 0, or beside a sensitivity.
  void require_multiplier(const Entry& entry) const;

  const MechanismType& type_;
  std::string where_;
  FileAccess files_;
  std::vector<std::string> lists_;
  std::map<std::string, std::string> seen_{};  ///< key -> the word that was read
  TrainingRun run_{};
  StrategyWords matrix_{};
  std::string file_{};
  bool multiplied_ = false;  ///< sigma was given as a noise multiplier
};

}  // namespace pld
