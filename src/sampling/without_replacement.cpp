#include "pld/sampling/without_replacement.hpp"

#include <memory>
#include <optional>
#include <utility>

#include "core/number_text.hpp"
#include "core/standard_arithmetic.hpp"
#include "sampling/sampled_laws.hpp"
#include "sampling/zeroed_pair.hpp"

namespace pld {
namespace {

/// Under add-remove, of data that are all in the batch. A data set of one record less has no such batch. One of a
/// record more, n + 1, has it at rate n/(n+1): 1 is the supremum over n, which nobody attains, 1/2 the least.
Law law_of_whole_batch(const Law& replaced, std::string text) {
  Law law{std::move(text), replaced.remove, replaced.add, replaced.kind};
  law.below = attained_law(one_sided_law(replaced, 0.5, law.text));
  law.kind.attained = Attainment::nowhere;
  return law;
}

/// A law with the pair that `pair_of` makes of a shift of noise with a density on the whole line; none of others.
std::optional<Law> law_of_shift(const Law& shifted, double rate,
                                PairPtr (*pair_of)(const LocationFamily&, double, Direction)) {
  const auto family = shifted.remove->location_family();
  if (!family || family->noise->largest() < infinity) return std::nullopt;
  return Law{shifted.text + ",wor=" + number_text(rate), pair_of(*family, rate, Direction::remove),
             pair_of(*family, rate, Direction::add), shifted.kind};
}

/// Under zero-out, with companions that serve the record worst. Below 0 and above these are not the same: only in one
/// release some attain it.
std::optional<Law> law_of_zeroed(const Law& zeroed, double rate) {
  std::optional<Law> law = law_of_shift(zeroed, rate, zeroed_pair);
  if (!law) return std::nullopt;
  const bool is_attained = zeroed.kind.attained == Attainment::together;
  law->kind.attained = is_attained ? Attainment::alone : Attainment::nowhere;
  if (const auto attained = attained_law(zeroed)) {
    auto below = law_of_shift(*attained, rate, zeroed_among_opposite);
    law->below = std::make_shared<const Law>(below ? *std::move(below) : one_sided_law(*attained, rate, law->text));
  }
  return law;
}

/// Refuses a guarantee under another adjacency. Where a replace_sensitivity was given, removed records have a pair.
[[noreturn]] void refuse_guarantee(const Mechanism& base, Relation relation) {
  const bool is_guarantee = base.under(Relation::add_remove).law().kind.guarantee;
  throw MissingTheorem(base.text() + " without replacement", "adjacency", name(relation),
                       is_guarantee ? "replace-one: two batches of one size differ by a replacement, for which a "
                                      "guarantee under another adjacency says nothing"
                                    : "replace-one, or without replace_sensitivity: two batches of one size differ by "
                                      "a replacement, which is taken to move it by twice the sensitivity then");
}

Law law_of_batch(const Mechanism& base, double rate, Relation relation) {
  // The batch is the data set: the release is the unsampled one.
  if (rate == 1 && relation == Relation::zero_out) return base.under(relation).law();
  const Law replaced = law_of_replacement(base, {std::string("sampling under ") + name(relation), "without replacement",
                                                 "a Poisson sample or an allocation under add-remove or zero-out"});
  if (rate == 1 && relation == Relation::replace_one) return replaced;
  if (relation != Relation::replace_one && replaced.kind.guarantee) refuse_guarantee(base, relation);
  std::string text = replaced.text + ",wor=" + number_text(rate);
  if (rate == 0) return law_of_nothing(std::move(text));
  if (rate == 1) return law_of_whole_batch(replaced, std::move(text));
  if (relation == Relation::add_remove) return one_sided_law(replaced, rate, std::move(text));
  const Law unsampled = relation == Relation::replace_one ? replaced : base.under(Relation::zero_out).law();
  if (relation == Relation::zero_out)
    if (auto law = law_of_zeroed(unsampled, rate)) return *std::move(law);
  Law law = spliced_law(replaced, rate, std::move(text));
  // Not in composition: above 0 it is the pair of data sets whose other records are all like the one of them, below 0
  // of those whose others are like the other one. Zeroed, with others that contribute nothing, a record is sampled
  // alone.
  const bool attained = law.kind.attained != Attainment::nowhere;
  law.kind.attained = attained && relation == Relation::replace_one ? Attainment::alone : Attainment::nowhere;
  law.below = attained_law(one_sided_law(unsampled, rate, law.text));
  return law;
}

}  // namespace

Mechanism without_replacement(const Mechanism& base, double rate) {
  const StandardArithmetic arithmetic;
  require(rate >= 0 && rate <= 1, "without_replacement", "rate", rate, "0 <= rate <= 1");
  require_unsampled("without_replacement", base, "of a sample of a batch no dominating pair is known");
  const Mechanism::Laws laws = [base, rate](Relation relation) { return law_of_batch(base, rate, relation); };
  return {base.text() + ",wor=" + number_text(rate), laws,
          Mechanism::Sampling{std::make_shared<Mechanism>(base), {{"without_replacement", rate}}},
          groups_of_fixed_number("without_replacement", {base, 1, laws})};
}

}  // namespace pld
