#include "formats/mechanism_words.hpp"

#include <algorithm>

#include "core/number_text.hpp"
#include "formats/columns_file.hpp"
#include "formats/fields.hpp"
#include "formats/near_name.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

/// Why numbers of sampling do not belong together; the one that nobody `wrote` is of two sizes.
std::string words_of(const SamplingNumbers& numbers, const std::map<std::string, std::string>& wrote) {
  std::string text;
  const auto word = [](const SamplingNumber& number) { return number.words.front(); };
  for (const auto& [field, value] : numbers) {
    const SamplingNumber& number = *sampling_number_of_field(field);
    text += text.empty() ? "" : " and ";
    text += wrote.contains(number.words.back()) ? word(number) : "batch with dataset";
  }
  const std::string missing = missing_beside(numbers, word);
  return text + (missing.empty() ? " are two samplings, but only one is accepted" : " must be given with " + missing);
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

WordKind kind_of_word(const MechanismType& type, const std::string& word) {
  if (has(text_words(), word)) return WordKind::text;
  if (has(type.lists(), word)) return WordKind::numbers;
  const SamplingNumber* const number = sampling_number_of_word(word);
  return number != nullptr && !number->whole ? WordKind::share : WordKind::number;
}

std::string missing_beside(const SamplingNumbers& numbers,
                           const std::function<std::string(const SamplingNumber&)>& name) {
  std::string missing;
  for (const SamplingScheme& scheme : sampling_schemes()) {
    std::string others;
    std::size_t of_it = 0;
    for (const SamplingNumber& number : scheme.numbers) {
      if (numbers.contains(number.field))
        ++of_it;
      else
        others += (others.empty() ? "" : " and ") + name(number);
    }
    if (of_it == numbers.size()) missing += (missing.empty() ? "" : ", or ") + others;
  }
  return missing;
}

std::string converted_word(const std::string& type, const std::string& word) {
  struct Conversion {
    std::string_view type, word, meant;  // of any type where that is empty
  };
  constexpr std::string_view best_of =
      "--tries, of all mechanisms together, as --tries geometric:mean=10, in Python best_of(\"geometric:mean=10\")";
  static constexpr Conversion conversions[] = {
      {"", "tries", best_of},
      {"", "selection", best_of},
      {"", "group",
       "that of all mechanisms together: --group 3, in JSON \"group\": 3 beside them, in Python in_groups(3)"},
      {"", "adjacency", "that of all mechanisms together: --adjacency replace-one"},
      {"laplace", "epsilon", "scale = sensitivity / epsilon"},
      {"logistic", "epsilon", "scale = sensitivity / epsilon"},
      {"report-noisy-max", "epsilon", "scale = 2 sensitivity / epsilon"},
      {"exponential", "sensitivity", "epsilon, of which e^(epsilon u / (2 sensitivity)) is each utility's share"},
      {"zcdp", "epsilon", "dp:epsilon=EPSILON, of which more is known than of its rho = epsilon^2 / 2"},
      {"zcdp", "sigma", "rho = sensitivity^2 / (2 sigma^2)"},
      {"discrete-laplace", "epsilon", "a = epsilon / sensitivity"},
      {"discrete-laplace", "scale", "a = 1 / scale"},
      {"randomized-response", "epsilon", "p = e^epsilon / (e^epsilon + k - 1)"},
      {"gaussian", "rho", "sigma = sensitivity / sqrt(2 rho)"},
      {"discrete-gaussian", "rho", "sigma = sensitivity / sqrt(2 rho)"},
      {"gaussian", "mu", "sigma = sensitivity / mu"},
      {"gaussian", "epsilon", "calibrate, which finds the sigma of an epsilon and a delta"},
      {"gaussian", "delta", "calibrate, which finds the sigma of an epsilon and a delta"},
      {"gaussian", "variance", "sigma = sqrt(variance)"},
      {"discrete-gaussian", "variance", "sigma = sqrt(variance)"},
      {"dp", "rho", "zcdp:rho=RHO"},
      {"", "delta", "that of the question: --delta, in Python epsilon(delta=...)"}};
  for (const Conversion& one : conversions)
    if ((one.type.empty() || one.type == type) && one.word == word)
      return "did you mean " + std::string(one.meant) + "?";
  return {};
}

void require_known_word(const std::string& word, const MechanismType& type, const std::vector<std::string>& beside) {
  std::vector<std::string> accepted = keys_in_text(type);
  accepted.insert(accepted.end(), beside.begin(), beside.end());
  if (has(accepted, word)) return;
  require_theorem(word, type.name);
  const std::string converted = converted_word(type.name, word);
  throw ReadError(type.name + ": parameter '" + word + "' is not known" +
                  (converted.empty() ? did_you_mean(word, accepted) : " (" + converted + ")") + ", accepted are " +
                  listed(accepted));
}

void require_theorem(const std::string& word, const std::string& where) {
  if (const RefusedScheme* const refused = refused_scheme(word)) throw ReadError(where + ": " + refused->why);
}

bool MechanismWords::is_list(const std::string& key) const { return has(lists_, key); }

const SamplingNumber* MechanismWords::sampling_number(const std::string& key) const {
  return is_list(key) ? nullptr : sampling_number_of_word(key);
}

std::string MechanismWords::first_time(const std::string& word) {
  const std::string key = plain_key(type_, word);
  multiplied_ = multiplied_ || (key == "sigma" && word != key);
  const SamplingNumber* const hidden = is_list(key) ? sampling_number_of_word(key) : nullptr;
  const std::string hint = hidden != nullptr ? " (a sampling rate is written " + hidden->words.back() + "=)" : "";
  const SamplingNumber* const number = sampling_number(key);
  if (!seen_.emplace(number != nullptr ? number->words.back() : key, word).second)
    throw ReadError(where_ + ": " + key + " is given twice, but must be given once" + hint);
  return key;
}

void MechanismWords::take(const std::string& key, double value, Entry& entry) {
  if (const SamplingNumber* const number = sampling_number(key)) {
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

void MechanismWords::take(const std::string& key, const std::string& value) {
  if (value.empty()) throw ReadError(where_, key, "''", key == "sampler" ? "the name of one" : "the name of a file");
  (key == "sampler" ? run_.sampler : key == "file" ? file_ : matrix_.path) = value;
}

std::string MechanismWords::of_sampling() const {
  for (const auto& [key, word] : seen_) {
    const bool of_matrix = key == "participations" && !matrix_.path.empty();
    if (has({"sampler", "batch", "dataset"}, key) || (sampling_number(key) != nullptr && !of_matrix)) return word;
  }
  return {};
}

void MechanismWords::read_file(Entry& entry) const {
  for (const std::string& name : lists_)
    if (seen_.contains(name)) throw ReadError(where_ + ": " + name + " is given and stands in the file too");
  for (auto& [name, column] : columns_of_file(file_, lists_, files_)) entry.lists[name] = std::move(column);
}

void MechanismWords::require_multiplier(const Entry& entry) const {
  if (entry.parameters.contains("sensitivity"))
    throw ReadError(where_ + ": noise_multiplier is sigma / sensitivity: give it alone, or sigma and sensitivity");
  const auto sigma = entry.parameters.find("sigma");
  if (sigma != entry.parameters.end() && !(sigma->second > 0))
    throw ReadError(where_, "noise_multiplier", number_text(sigma->second), "> 0 and finite");
}

void MechanismWords::finish(Entry& entry) const {
  if (run_.epochs && seen_.contains("count"))
    throw ReadError(where_ + ": epochs stands for count: give one or the other");
  if (seen_.contains("file")) read_file(entry);
  run_.write_to(entry, where_);
  if (const auto count = seen_.find("count"); count != seen_.end() && count->second == "steps")
    require_steps(entry, where_);
  if (multiplied_ && !matrix_.path.empty())
    throw ReadError(
        where_ + ": noise_multiplier is sigma / sensitivity, and a matrix has its own: give sigma, the noise itself");
  matrix_.write_to(entry, files_, where_);
  if (multiplied_) require_multiplier(entry);
  if (!entry.sampling.empty() && sampling_scheme(entry.sampling) == nullptr)
    throw ReadError(where_ + ": " + words_of(entry.sampling, seen_));
}

}  // namespace pld
