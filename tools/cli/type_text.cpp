#include "type_text.hpp"

#include <vector>

#include "core/number_text.hpp"
#include "sampling/schemes.hpp"

namespace pld::cli {

namespace {

/// "a", "a or b" of two words for one number, "a, b and c" of three numbers.
std::string words_of(const SamplingScheme& scheme) {
  const bool one = scheme.numbers.size() == 1;
  std::vector<std::string> words;
  for (const SamplingNumber& number : scheme.numbers) words.push_back(number.words.front());
  if (one) words = scheme.numbers.front().words;
  std::string text = words.front();
  for (std::size_t i = 1; i < words.size(); ++i)
    text += (i + 1 < words.size() ? ", " : one ? " or " : " and ") + words[i];
  return text;
}

/// "sigma > 0", and its default where it has one.
std::string range_of(const ParameterInfo& parameter) {
  return parameter.accepted + (parameter.is_list ? ", a list" : "") +
         (parameter.default_value ? " (default " + number_text(*parameter.default_value) + ")" : "");
}

}  // namespace

std::string text_of(const MechanismType& type) {
  std::string text = type.name + ": " + type.meaning + '\n';
  for (const ParameterInfo& parameter : type.parameters)
    text += "    " + parameter.name + ": " + parameter.meaning + "; " + range_of(parameter) + '\n';
  return text + "    source: " + type.source + '\n';
}

std::string how_it_is_written() {
  std::string samplings;
  for (const SamplingScheme& scheme : sampling_schemes())
    samplings += "    " + words_of(scheme) + ": " + scheme.meaning + '\n';
  return "Each also takes count or steps (how many times it is released, a whole number up to 1e12; default 1; passes\n"
         "have no steps, but epochs) and one sampling:\n" +
         samplings +
         "as in gaussian:sigma=0.8,q=0.005,count=1000. Rates may be quotients of whole numbers, as in q=256/50000.\n"
         "gaussian:noise_multiplier=0.8 is sigma in units of the sensitivity (the norm clipped to).\n"
         "gaussian:sigma=8,matrix=FILE,participations=K,min_separation=B has the sensitivity of a strategy matrix "
         "(.csv\n"
         "or .npy) to a record that is in up to K steps (1), B or more apart (1).\n"
         "A list is written 0/1/2; file=PATH stands for all lists: a JSON object of arrays where the name ends in\n"
         ".json, else comma-separated columns under their names.\n";
}

}  // namespace pld::cli
