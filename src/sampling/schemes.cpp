#include "sampling/schemes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/number_text.hpp"
#include "pld/core/errors.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "pld/sampling/random_allocation.hpp"
#include "pld/sampling/without_replacement.hpp"

namespace pld {
namespace {

std::vector<SamplingNumber> numbers_of_all_schemes() {
  std::vector<SamplingNumber> all;
  for (const SamplingScheme& scheme : sampling_schemes()) {
    for (const SamplingNumber& number : scheme.numbers) {
      const auto same = [&](const SamplingNumber& other) { return other.field == number.field; };
      if (std::none_of(all.begin(), all.end(), same)) all.push_back(number);
    }
  }
  return all;
}

template <class Test>
const SamplingNumber* number_where(const Test& test) {
  const auto& all = sampling_numbers();
  const auto found = std::find_if(all.begin(), all.end(), test);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

const std::vector<SamplingScheme>& sampling_schemes() {
  static const std::vector<SamplingScheme> schemes{
      {.numbers = {{.field = "poisson", .words = {"q", "poisson"}, .meaning = "rate of Poisson sampling, in [0, 1]"}},
       .column = "Poisson",
       .example = {{"poisson", 0.5}},
       .assumption = "with q=, each record takes part independently with that probability in each step (Poisson "
                     "sampling); fixed-size batches (wor=, batch= and dataset=) or shuffled passes are something else",
       .of = [](const Mechanism& base, const SamplingNumbers& n) { return poisson_sampled(base, n.at("poisson")); }},
      {.numbers = {{.field = "without_replacement",
                    .words = {"wor"},
                    .meaning = "share of the data in a fixed-size batch drawn without replacement"}},
       .column = "without replacement",
       .example = {{"without_replacement", 0.5}},
       .assumption = {},
       .of = [](const Mechanism& base,
                const SamplingNumbers& n) { return without_replacement(base, n.at("without_replacement")); }},
      {.numbers = {{.field = "allocation",
                    .words = {"allocation"},
                    .meaning = "steps of an epoch, in one of which, drawn at random, each record takes part; one "
                               "release is one epoch",
                    .safer_when_larger = true,
                    .whole = true,
                    .lowest = 1,
                    .highest = 1e9}},
       .column = "random allocation",
       .example = {{"allocation", 8}},
       .assumption = "with allocation=, each record is put into one step of each epoch, drawn uniformly, by itself and "
                     "anew for each epoch (balls in bins); batches then have random sizes, and passes over a shuffled "
                     "list cut into equal batches are something else",
       .of =
           [](const Mechanism& base, const SamplingNumbers& n) {
             const double steps = n.at("allocation");
             require(1 <= steps && steps <= 1e9 && steps == std::floor(steps), base.text().c_str(), "allocation", steps,
                     "a whole number, 1 <= allocation <= 1e9");
             return randomly_allocated(base, static_cast<std::int64_t>(steps));
           }},
  };
  return schemes;
}

const std::vector<SamplingNumber>& sampling_numbers() {
  static const std::vector<SamplingNumber> all = numbers_of_all_schemes();
  return all;
}

const SamplingNumber* sampling_number_of_word(const std::string& word) {
  return number_where([&](const SamplingNumber& number) {
    return std::find(number.words.begin(), number.words.end(), word) != number.words.end();
  });
}

const SamplingNumber* sampling_number_of_field(const std::string& field) {
  return number_where([&](const SamplingNumber& number) { return number.field == field; });
}

const SamplingScheme* sampling_scheme(const SamplingNumbers& numbers) {
  const auto& all = sampling_schemes();
  const auto found = std::find_if(all.begin(), all.end(), [&](const SamplingScheme& scheme) {
    return scheme.numbers.size() == numbers.size() &&
           std::all_of(scheme.numbers.begin(), scheme.numbers.end(),
                       [&](const SamplingNumber& number) { return numbers.contains(number.field); });
  });
  return found == all.end() ? nullptr : &*found;
}

Mechanism sampled(const Mechanism& base, const SamplingNumbers& numbers) {
  if (numbers.empty()) return base;
  if (const SamplingScheme* const scheme = sampling_scheme(numbers)) return scheme->of(base, numbers);
  std::string given;
  for (const auto& [field, value] : numbers) given += (given.empty() ? "" : ", ") + field + "=" + number_text(value);
  throw DomainError(base.text(), "sampling", given, "the numbers of one sampling scheme");
}

}  // namespace pld
