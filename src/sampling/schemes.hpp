#pragma once

#include <map>
#include <string>
#include <vector>

#include "pld/mechanisms/mechanism.hpp"

namespace pld {

/// Numbers that say how records get into a release, by their fields in JSON, e.g. {"poisson", 0.005}.
using SamplingNumbers = std::map<std::string, double>;

/// Whether privacy rises or falls with a number throughout, whatever the others are: where it does not it is no
/// unknown, and where that depends on them it is tried.
enum class SamplingOrder { throughout, tried, none };

/// One of them: its names, and where it is searched when it is the unknown.
struct SamplingNumber {
  std::string field;               ///< in JSON: "sampling": {FIELD: number}
  std::vector<std::string> words;  ///< in text, e.g. q or poisson; the first may be the name of a type's list instead
  bool safer_when_larger = false;
  bool whole = false;
  double lowest = 1e-12, highest = 1;
  SamplingOrder order = SamplingOrder::throughout;
};

/// A way in which records get into a release. A further one is a row of the table and a law.
struct SamplingScheme {
  std::vector<SamplingNumber> numbers;  ///< given together; no other scheme has the same
  std::string meaning;                  ///< of the numbers, as help says it
  std::string column;                   ///< what the tables of what is known call it
  SamplingNumbers example;
  std::string assumption;  ///< what has to hold of the data loader, as explanations say it; may be empty
  /// The order of its bases stays, and the bases are quicker to look at: their unknown numbers are ranged without it.
  bool ranged_by_base = false;
  /// The releases that a record takes part in, whichever they are; null where that is left to chance.
  double (*releases_of_a_record)(const SamplingNumbers& numbers) = nullptr;
  /// Whether a record is drawn does not depend on others, which are drawn without it as they are with it.
  bool each_by_itself = false;
  /// Records are drawn alike on both of two data sets with as many of them, and its pair is of a replaced one: a record
  /// that is blanked out differs in one release at most.
  bool of_fixed_number = false;
  /// Throws DomainError for a number out of range, MissingTheorem for a base whose sample no theorem is known for.
  Mechanism (*of)(const Mechanism& base, const SamplingNumbers& numbers);
};

[[nodiscard]] const std::vector<SamplingScheme>& sampling_schemes();

/// A way of sampling that no theorem here covers.
struct RefusedScheme {
  std::vector<std::string> words;  ///< by which it may be asked for, in text or as a field of "sampling"
  std::string why;                 ///< the theorem that is missing and the nearest scheme that has one
};

/// The refused scheme with this word. Null where there is none.
[[nodiscard]] const RefusedScheme* refused_scheme(const std::string& word);

/// Why several releases on one sample are refused, and what stands for them.
[[nodiscard]] const std::string& one_sample_of_several();

/// Every number of every scheme, once.
[[nodiscard]] const std::vector<SamplingNumber>& sampling_numbers();

/// The number with this name in text, or in JSON, or in either. Null where there is none.
[[nodiscard]] const SamplingNumber* sampling_number_of_word(const std::string& word);
[[nodiscard]] const SamplingNumber* sampling_number_of_field(const std::string& field);
[[nodiscard]] const SamplingNumber* sampling_number_called(const std::string& name);

/// The scheme that has these numbers. Null where none has them all and no others.
[[nodiscard]] const SamplingScheme* sampling_scheme(const SamplingNumbers& numbers);

/// The mechanism run on what the numbers describe; itself where there are none. Throws DomainError where no scheme has
/// these numbers.
[[nodiscard]] Mechanism sampled(const Mechanism& base, const SamplingNumbers& numbers);

}  // namespace pld
