#include "sampling/schemes.hpp"

#include <algorithm>

#include "core/number_text.hpp"
#include "pld/core/errors.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "pld/sampling/random_allocation.hpp"
#include "pld/sampling/shuffled.hpp"
#include "pld/sampling/truncated_poisson.hpp"
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

/// The largest double below 1: all of the data are no batch.
constexpr double largest_share = 0x1.fffffffffffffp-1;

SamplingNumber whole_number(const char* field, const char* word, bool safer_when_larger, double highest = 1e9) {
  return {.field = field,
          .words = {word},
          .safer_when_larger = safer_when_larger,
          .whole = true,
          .lowest = 1,
          .highest = highest};
}

/// A number of a cut sample: more records fill the batch sooner, and have a smaller share of it.
SamplingNumber number_of_cut(const char* field, const char* word, bool safer_when_larger) {
  SamplingNumber number = whole_number(field, word, safer_when_larger);
  number.order = SamplingOrder::none;
  return number;
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
      {.numbers = {{.field = "poisson", .words = {"q", "poisson"}}},
       .meaning = "rate of Poisson sampling, in [0, 1]; poisson where q is a list, as for mass-table",
       .column = "Poisson",
       .example = {{"poisson", 0.5}},
       .assumption = "with q=, each record takes part independently with that probability in each step (Poisson "
                     "sampling); fixed-size batches (wor=, batch= and dataset=) or shuffled passes are something else",
       .each_by_itself = true,
       .of = [](const Mechanism& base, const SamplingNumbers& n) { return poisson_sampled(base, n.at("poisson")); }},
      {.numbers = {{.field = "without_replacement", .words = {"wor"}, .highest = largest_share}},
       .meaning = "share of the data in a fixed-size batch drawn without replacement; or batch and dataset, two sizes "
                  "whose quotient it is",
       .column = "without replacement",
       .example = {{"without_replacement", 0.5}},
       .assumption = "with wor= (batch= of dataset=), each step draws a batch of that fixed size anew, all choices of "
                     "records alike",
       .of_fixed_number = true,
       .of = [](const Mechanism& base,
                const SamplingNumbers& n) { return without_replacement(base, n.at("without_replacement")); }},
      {.numbers = {whole_number("allocation", "allocation", true)},
       .meaning = "steps of an epoch, in one of which, drawn at random, each record takes part; count: epochs",
       .column = "random allocation",
       .example = {{"allocation", 8}},
       .assumption = "with allocation=, each record is put into one step of each epoch, drawn uniformly, by itself and "
                     "anew for each epoch (balls in bins); batches then have random sizes, and passes over a shuffled "
                     "list cut into equal batches are something else",
       .ranged_by_base = true,
       .releases_of_a_record = [](const SamplingNumbers& /*n*/) { return 1.0; },
       .each_by_itself = true,
       .of = [](const Mechanism& base,
                const SamplingNumbers& n) { return randomly_allocated(base, n.at("allocation")); }},
      {.numbers = {whole_number("allocation", "allocation", true),
                   whole_number("participations", "participations", false, 1e6)},
       .meaning = "steps of an epoch, in so many of which, drawn at random, each record takes part; count: epochs",
       .column = "several steps",
       .example = {{"allocation", 8}, {"participations", 2}},
       .assumption = "with participations=, each record is put into that many different steps of each epoch, all "
                     "choices alike, by itself and anew for each epoch",
       .ranged_by_base = true,
       .releases_of_a_record = [](const SamplingNumbers& n) { return n.at("participations"); },
       .each_by_itself = true,
       .of =
           [](const Mechanism& base, const SamplingNumbers& n) {
             return randomly_allocated_to_several(base, n.at("allocation"), n.at("participations"));
           }},
      {.numbers = {whole_number("allocation", "allocation", true), whole_number("passes", "passes", false, 1e6)},
       .meaning = "steps of a pass, in one of which, drawn at random, each record takes part, in the same one in so "
                  "many passes; count: drawn anew",
       .column = "persistent bins",
       .example = {{"allocation", 8}, {"passes", 2}},
       .assumption = "with passes=, each record is put into one step, drawn uniformly and by itself, and stays there "
                     "for that many passes over the steps",
       .ranged_by_base = true,
       .releases_of_a_record = [](const SamplingNumbers& n) { return n.at("passes"); },
       .each_by_itself = true,
       .of = [](const Mechanism& base,
                const SamplingNumbers& n) { return allocated_once(base, n.at("allocation"), n.at("passes")); }},
      {.numbers = {whole_number("shuffled", "shuffled", true)},
       .meaning = "batches of an epoch over shuffled data; count: epochs",
       .column = "shuffled",
       .example = {{"shuffled", 2}},
       .assumption = "with shuffled=, every epoch (count=) puts all records in a new random order and cuts them into "
                     "that many batches of fixed size, the last of which may be smaller",
       .of = [](const Mechanism& base, const SamplingNumbers& n) { return shuffled(base, n.at("shuffled")); }},
      {.numbers = {{.field = "truncated_poisson", .words = {"truncated"}, .order = SamplingOrder::tried},
                   number_of_cut("largest_batch", "cap", true),
                   number_of_cut("records", "records", false)},
       .meaning = "rate of a Poisson sample of so many records (those of your data set), cut to cap of them",
       .column = "truncated Poisson",
       .example = {{"truncated_poisson", 0.5}, {"largest_batch", 2}, {"records", 3}},
       .assumption =
           "with truncated=, each of the records= takes part independently with that probability; of more than "
           "cap= of them that many are kept at random, and sums are not divided by how many were drawn; records= is "
           "your data set's size, and neighbours of one record less or more are counted",
       .of_fixed_number = true,
       .of =
           [](const Mechanism& base, const SamplingNumbers& n) {
             return truncated_poisson(base, {n.at("truncated_poisson"), n.at("largest_batch"), n.at("records")});
           }},
  };
  return schemes;
}

const RefusedScheme* refused_scheme(const std::string& word) {
  static const std::vector<RefusedScheme> refused{
      {{"weights", "weighted"},
       "a weighted sampler has no theorem here: rates that depend on the data tell of the records. Nearest are Poisson "
       "samples at the largest of rates fixed before any record is seen, q="},
      {{"replacement", "with_replacement"},
       "sampling with replacement has no theorem here: a record may be in one batch several times. Nearest are batches "
       "without replacement, batch= with dataset="},
      {{"normalised", "normalized", "mean", "data_dependent", "data_dependent_batch_size"},
       "sums divided by the number of records drawn have no theorem here: the divisor tells who took part. Nearest are "
       "Poisson samples, q=, with sums divided by the expected number"},
      {{"window", "buffer", "buffer_size"},
       "a shuffle buffer smaller than the data has no theorem here: its order is not uniform. Nearest are passes in "
       "any "
       "order, one release each: zero-out, with count= passes"},
  };
  const auto found = std::find_if(refused.begin(), refused.end(), [&](const RefusedScheme& scheme) {
    return std::find(scheme.words.begin(), scheme.words.end(), word) != scheme.words.end();
  });
  return found == refused.end() ? nullptr : &*found;
}

const std::string& one_sample_of_several() {
  static const std::string text =
      "one sample for several releases is one sample of their joint pair, not one of each, and no theorem here has it. "
      "Gaussian releases on one sample are one of sensitivity sqrt(s_1^2/sigma_1^2 + ...) at sigma 1";
  return text;
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

const SamplingNumber* sampling_number_called(const std::string& name) {
  const SamplingNumber* const of_field = sampling_number_of_field(name);
  return of_field != nullptr ? of_field : sampling_number_of_word(name);
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
