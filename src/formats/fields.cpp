#include "formats/fields.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/number_text.hpp"
#include "formats/near_name.hpp"
#include "formats/read_number.hpp"
#include "pld/core/rounding.hpp"
#include "sampling/schemes.hpp"

namespace pld {
namespace {

constexpr const char* noise_multiplier = "noise_multiplier";
constexpr double largest_size = 1e15;  ///< whole numbers up to here are doubles

bool is_whole(double x) { return x >= 0 && x <= largest_size && x == std::floor(x); }

/// Of whole numbers. A fused multiply-add rounds once, so its sign is the exact one.
double quotient_rounded_up(double part, double whole) {
  const double nearest = part / whole;
  return std::fma(nearest, whole, -part) < 0 ? std::nextafter(nearest, infinity) : nearest;
}

}  // namespace

const MechanismType* find_mechanism_type(const std::string& name) {
  const auto& all = mechanism_types();
  const auto found = std::find_if(all.begin(), all.end(), [&](const MechanismType& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

namespace {

/// Of "1000*gaussian", or with another sign of times, where the count belongs; empty for other names.
std::string hint_of_count(const std::string& name) {
  const std::string count = name.substr(0, name.find_first_not_of("0123456789"));
  const auto type = name.find_first_not_of("0123456789 *x×");
  if (count.empty() || type == std::string::npos || find_mechanism_type(name.substr(type)) == nullptr) return {};
  return " (did you mean " + name.substr(type) + " with count=" + count + "?)";
}

/// Of words that people write between mechanisms; empty for others.
std::string hint_between(const std::string& name) {
  for (const char* const word : {"+", "&", "and", ",", ";"})
    if (name == word) return " (mechanisms are named one after another, with nothing between them)";
  for (const char* const word : {"VS", "vs.", "versus", "against"})
    if (name == word) return " (did you mean vs, which begins another composition of pld curve?)";
  return {};
}

}  // namespace

const MechanismType& mechanism_type(const std::string& name, const std::string& where) {
  if (const MechanismType* const found = find_mechanism_type(name)) return *found;
  std::vector<std::string> names;
  for (const MechanismType& type : mechanism_types()) names.push_back(type.name);
  const std::string hint = hint_of_count(name) + hint_between(name);
  if (hint.empty()) throw not_one_of(where, "type", name, names);
  throw ReadError(where, "type", "'" + name + "'" + hint, "one of " + listed(names));
}

std::vector<std::string> keys_in_text(const MechanismType& type) {
  const std::vector<std::string> lists = type.lists();
  std::vector<std::string> keys;
  for (const ParameterInfo& parameter : type.parameters) keys.push_back(parameter.name);
  if (!lists.empty()) keys.emplace_back("file");
  for (const SamplingNumber& number : sampling_numbers())
    std::copy_if(number.words.begin(), number.words.end(), std::back_inserter(keys),
                 [&](const std::string& word) { return std::find(lists.begin(), lists.end(), word) == lists.end(); });
  keys.insert(keys.end(), {"sampler", "batch", "dataset", "epochs", "count", "steps"});
  if (type.name == "gaussian") keys.insert(keys.end(), {noise_multiplier, "matrix", "min_separation"});
  return keys;
}

std::vector<std::string> text_words() { return {"sampler", "file", "matrix"}; }

std::string plain_key(const MechanismType& type, const std::string& key) {
  if (key == "steps") return "count";
  return key == noise_multiplier && type.name == "gaussian" ? "sigma" : key;
}

double share_from_text(std::string_view text, const std::string& where, const std::string& what) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return finite_from_text(text, where, what);
  const double part = finite_from_text(text.substr(0, slash), where, what);
  const double whole = finite_from_text(text.substr(slash + 1), where, what);
  if (!is_whole(part) || !is_whole(whole) || whole == 0)
    throw ReadError(where, what, "'" + std::string(text) + "'",
                    "a number, or a quotient of whole numbers up to 1e15, as 256/50000");
  return quotient_rounded_up(part, whole);
}

double share_of(double batch, double dataset, const std::string& where) {
  if (!(dataset >= 1 && dataset <= 1e15 && dataset == std::floor(dataset)))
    throw ReadError(where, "dataset", number_text(dataset), "a whole number from 1 to 1e15");
  if (!(batch >= 0 && batch <= dataset && batch == std::floor(batch)))
    throw ReadError(where, "batch", number_text(batch),
                    "a whole number from 0 to the dataset's size, " + number_text(dataset));
  return quotient_rounded_up(batch, dataset);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

ReadError not_one_of(const std::string& where, const std::string& what, const std::string& given,
                     const std::vector<std::string>& accepted) {
  return {where, what, "'" + given + "'" + did_you_mean(given, accepted), "one of " + listed(accepted)};
}

}  // namespace pld
