#include "formats/sampling_rates.hpp"

#include <algorithm>
#include <cmath>

#include "core/number_text.hpp"
#include "formats/samplers.hpp"
#include "pld/core/errors.hpp"

namespace pld {
namespace {

/// How a batch's size is given where a rate of that field is meant.
std::string hint_of_size(const std::string& field) {
  const auto* const found =
      std::find_if(std::begin(samplers), std::end(samplers), [&](const Sampler& one) { return one.field == field; });
  return found == std::end(samplers)
             ? ""
             : std::string("; a batch's size is given as batch with dataset and sampler=") + found->name;
}

}  // namespace

void require_rates(const std::string& type, const SamplingNumbers& sampling, bool has_q) {
  for (const auto& [field, value] : sampling) {
    const SamplingNumber* const number = sampling_number_of_field(field);
    if (number == nullptr || number->whole || (value >= 0 && value <= 1)) continue;
    const bool is_size = value > 1 && value == std::floor(value);
    throw DomainError(type, has_q ? number->words.back() : number->words.front(), number_text(value),
                      "from 0 to 1: a share of the data" + (is_size ? hint_of_size(field) : ""));
  }
}

}  // namespace pld
