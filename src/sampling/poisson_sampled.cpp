#include "pld/sampling/poisson_sampled.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/number_text.hpp"
#include "core/standard_arithmetic.hpp"
#include "pairs/mirrored_pair.hpp"
#include "pairs/shifted_masses_pair.hpp"
#include "pld/core/doubles_around.hpp"
#include "pld/core/rounding.hpp"
#include "sampling/group_integer_pair.hpp"
#include "sampling/group_pair.hpp"
#include "sampling/opposite_integer_pair.hpp"
#include "sampling/opposite_pair.hpp"
#include "sampling/sampled_laws.hpp"

namespace pld {
namespace {

/// The text of a sample: poisson= where the base has a parameter q.
std::string sample_text(const std::string& base, double q) {
  return base + (base.find(",q=") == std::string::npos ? ",q=" : ",poisson=") + number_text(q);
}

/// The opposite sample of noise with finitely many masses, outcome by outcome. Null where the masses are not symmetric
/// to the last digit.
PairPtr opposite_masses(const ShiftedMassesPair& removal, double q) {
  const std::vector<Extended>& masses = removal.masses();
  if (!std::equal(masses.begin(), masses.end(), masses.rbegin())) return nullptr;
  const std::size_t shift = removal.shift(), outcomes = masses.size() + 2 * shift;
  const std::vector<Extended> still = moved_masses(masses, shift, outcomes);
  const auto mixed = [&](std::size_t before) {
    std::vector<Extended> sample = moved_masses(masses, before, outcomes);
    const auto drawn = static_cast<Extended>(q);
    for (std::size_t i = 0; i < outcomes; ++i) sample[i] = (1 - drawn) * still[i] + drawn * sample[i];
    return sample;
  };
  return std::make_shared<AtomicPair>(atoms_of_masses(mixed(2 * shift), mixed(0)));
}

/// Null where removing a record is no shift of symmetric log-concave noise, or one by as much as bounded noise reaches.
PairPtr pair_of_opposite_values(const PairPtr& removal, double q, const PairPtr& replaced) {
  if (const auto family = removal->location_family()) return opposite_pair(*family, q);
  if (const auto masses = std::dynamic_pointer_cast<const ShiftedMassesPair>(removal))
    return opposite_masses(*masses, q);
  if (const auto moved = std::dynamic_pointer_cast<const WholeOutcomePair>(removal); moved && moved->symmetric())
    return std::make_shared<OppositeIntegerPair>(moved, q, replaced->renyi_slope());
  return nullptr;
}

/// Refuses a guarantee for replaced records. Where a replace_sensitivity was given, removed ones have a pair.
[[noreturn]] void refuse_replaced_guarantee(const Mechanism& base, const Law& removal) {
  throw MissingTheorem(base.text() + " on a Poisson sample", "adjacency", "replace-one",
                       removal.kind.guarantee
                           ? "add-remove, or sampling without replacement: samples with and without the record differ "
                             "by a removal, for which a guarantee under replace-one says nothing"
                           : "add-remove, or without replace_sensitivity: no pair is known to dominate two values on a "
                             "sample that are not opposite; without it they are taken to be, which is an upper bound");
}

Law law_of_sample(const Mechanism& base, double q, Relation relation) {
  const Law unsampled = base.under(relation).law();
  std::string text = sample_text(unsampled.text, q);
  if (q == 0) return law_of_nothing(std::move(text));
  if (relation != Relation::replace_one) return one_sided_law(unsampled, q, std::move(text));
  const Law removal = base.under(Relation::add_remove).law();
  if (unsampled.kind.guarantee) refuse_replaced_guarantee(base, removal);
  Law law;
  if (const PairPtr pair = pair_of_opposite_values(removal.remove, q, unsampled.remove)) {
    law = {std::move(text), pair, pair, removal.kind};
  } else {
    law = spliced_law(unsampled, q, std::move(text));
    law.kind.attained = Attainment::nowhere;
  }
  // One of the two records may contribute nothing.
  if (law.kind.attained != Attainment::together) law.below = attained_law(one_sided_law(removal, q, law.text));
  return law;
}

/// The pair of a group's shift mixture; null where the noise is bounded or no shift of log-concave noise, or where the
/// group is replaced and it is not symmetric.
PairPtr pair_of_group(const Mechanism& base, double q, const Neighbours& neighbours) {
  const bool replaced = neighbours.relation == Relation::replace_one;
  const PairPtr one = base.under(Relation::add_remove).law().remove;
  if (const auto family = one->location_family(); family && family->noise->largest() == infinity)
    return std::make_shared<GroupPair>(*family, neighbours.group, q, replaced);
  const auto on_integers = std::dynamic_pointer_cast<const WholeOutcomePair>(one);
  if (on_integers == nullptr || (replaced && !one->symmetric())) return nullptr;
  std::vector<std::shared_ptr<const WholeOutcomePair>> moved;
  for (int j = 1; j <= neighbours.group; ++j) {
    moved.push_back(on_integers->moved(j));
    if (!moved.back())
      moved.back() = std::dynamic_pointer_cast<const WholeOutcomePair>(
          base.under(Neighbours(Relation::add_remove, j)).law().remove);
  }
  return std::make_shared<GroupIntegerPair>(std::move(moved), q, replaced,
                                            base.under(neighbours).law().remove->renyi_slope());
}

/// Each record of a group is drawn by itself. None where the pair is not known.
std::optional<Law> law_of_group_sample(const Mechanism& base, double q, const Neighbours& neighbours) {
  const Law one = law_of_sample(base, q, neighbours.relation);
  if (q == 0) return one;
  if (!attained_in_composition(base.under(neighbours).law().kind.attained)) return std::nullopt;
  const PairPtr remove = pair_of_group(base, q, neighbours);
  if (!remove) return std::nullopt;
  const PairPtr add = remove->symmetric() ? remove : std::make_shared<MirroredPair>(remove);
  return Law{one.text + " in groups of " + std::to_string(neighbours.group), remove, add, one.kind};
}

}  // namespace

Mechanism poisson_sampled(const Mechanism& mechanism, double q) {
  const StandardArithmetic arithmetic;
  require(q >= 0 && q <= 1, "Poisson sample", "q", q, "0 <= q <= 1");
  if (q == 1) return mechanism;
  const auto& inner = mechanism.sampling();
  if (inner && !inner->numbers.contains("poisson"))
    throw MissingTheorem("poisson_sampled", "mechanism", mechanism.text(),
                         "one that is not on batches of fixed size: their share of a random sample is no number");
  const Mechanism& base = inner ? *inner->base : mechanism;
  // A sample of a sample is a sample. Its rate need be no double; a larger one gives away more.
  const DoublesAround rates = inner ? doubles_around_product(q, inner->numbers.at("poisson")) : DoublesAround{q, q};
  const auto laws = [base, rates](Relation relation) {
    Law law = law_of_sample(base, rates.above, relation);
    return is_double(rates) ? law : law_between(law_of_sample(base, rates.below, relation), std::move(law));
  };
  const auto of_groups = [base, rates](const Neighbours& neighbours) {
    std::optional<Law> law = law_of_group_sample(base, rates.above, neighbours);
    if (law && !is_double(rates))
      law = law_between(*law_of_group_sample(base, rates.below, neighbours), *std::move(law));
    return law;
  };
  return {sample_text(base.text(), rates.above), laws,
          Mechanism::Sampling{std::make_shared<Mechanism>(base), {{"poisson", rates.above}}}, of_groups};
}

}  // namespace pld
