#include "formats/tries_text.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "formats/fields.hpp"
#include "formats/near_name.hpp"
#include "formats/read_number.hpp"
#include "pld/core/errors.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

const std::map<std::string, std::set<std::string>> numbers_of_laws{
    {"geometric", {"mean"}}, {"negative-binomial", {"shape", "gamma"}}, {"poisson", {"mean"}}};

std::vector<std::string> names_of_laws() {
  std::vector<std::string> names;
  for (const auto& [name, numbers] : numbers_of_laws) names.push_back(name);
  return names;
}

/// What was likely meant by the first that is not accepted.
std::string hint_of_other(const std::set<std::string>& keys, const std::set<std::string>& accepted) {
  for (const std::string& key : keys)
    if (!accepted.contains(key)) return did_you_mean(key, {accepted.begin(), accepted.end()});
  return {};
}

/// `accepted`: what the law takes.
std::map<std::string, double> numbers_from(const std::string& text, const std::string& where,
                                           const std::string& accepted) {
  std::map<std::string, double> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string assignment = text.substr(begin, end - begin);
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos)
      throw ReadError(where, "tries", "'" + assignment + "'", accepted + ", written key=value");
    const std::string key = assignment.substr(0, equals);
    if (!numbers.emplace(key, finite_from_text(assignment.substr(equals + 1), where, key)).second)
      throw ReadError(where, "tries", "'" + key + "' twice", "given once");
    begin = end + 1;
  }
  return numbers;
}

Composition selection_from(const Composition& base, const Tries& tries) {
  return Composition(base.neighbours()).add(private_selection(base, tries));
}

}  // namespace

Tries tries_from_text(const std::string& text, const std::string& where) {
  const std::size_t colon = text.find(':');
  const std::string law = text.substr(0, colon);
  const auto found = numbers_of_laws.find(law);
  if (found == numbers_of_laws.end() || colon == std::string::npos)
    throw ReadError(
        where, "tries", "'" + text + "'" + (found == numbers_of_laws.end() ? did_you_mean(law, names_of_laws()) : ""),
        "geometric:mean=M, negative-binomial:shape=S,gamma=G or poisson:mean=M: the number of tries must be "
        "random (so many that are all put out are count=)");
  const std::string accepted = law + " with " + listed({found->second.begin(), found->second.end()});
  const std::map<std::string, double> numbers = numbers_from(text.substr(colon + 1), where, accepted);
  std::set<std::string> keys;
  for (const auto& [key, value] : numbers) keys.insert(key);
  if (keys != found->second)
    throw ReadError(where, "tries", "'" + text + "'" + hint_of_other(keys, found->second), accepted);
  Tries tries;
  if (law == "poisson") {
    tries = {.law = Tries::Law::poisson, .mean = numbers.at("mean")};
  } else if (law == "negative-binomial") {
    tries = {.shape = numbers.at("shape"), .gamma = numbers.at("gamma")};
  } else {
    if (!(numbers.at("mean") >= 1)) throw ReadError(where, "tries", "'" + text + "'", "of a mean from 1 on");
    tries = {.shape = 1, .gamma = 1 / numbers.at("mean")};
  }
  static_cast<void>(mean_of(tries));  // throws for what is out of range
  return tries;
}

Composition selected(Composition base, const std::string& tries, const std::string& where) {
  if (tries.empty()) return base;
  return selection_from(base, tries_from_text(tries, where));
}

}  // namespace pld
