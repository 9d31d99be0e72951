#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "pairs/two_atom_pair.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "sampling/sampled_pair.hpp"
#include "sampling/spliced_pair.hpp"
#include "sampling/unsampled_group.hpp"

namespace pld {

/// Throws MissingTheorem for a mechanism that is sampled already; `why` says what is not known of that.
inline void require_unsampled(const char* where, const Mechanism& base, const std::string& why) {
  if (base.sampling()) throw MissingTheorem(where, "mechanism", base.text(), "one that is not sampled itself: " + why);
}

/// A scheme whose laws are, at least in part, those of a replaced record, in the words of who asked for it.
struct SchemeByReplacement {
  std::string argument, value;  ///< what is refused of noise for which no replacement has a law
  std::string known;            ///< what has one
};

/// The law of a replaced record. Throws MissingTheorem where there is none.
inline Law law_of_replacement(const Mechanism& base, const SchemeByReplacement& scheme) {
  try {
    return base.under(Relation::replace_one).law();
  } catch (const MissingTheorem& missing) {
    const std::string relations = "add-remove or zero-out", &accepted = missing.accepted();
    const std::string others = accepted.starts_with(relations) ? accepted.substr(relations.size()) : ": " + accepted;
    throw MissingTheorem(base.text(), scheme.argument, scheme.value, scheme.known + others);
  }
}

/// The group laws of a scheme in which a batch's share of the data is part of the law: one of all data sets that have
/// as many records. Throws MissingTheorem under add-remove.
inline Mechanism::GroupLaws groups_of_fixed_number(const std::string& what, DrawnReleases drawn) {
  return [what, drawn = std::move(drawn)](const Neighbours& neighbours) -> std::optional<Law> {
    if (neighbours.relation != Relation::add_remove) return law_of_unsampled_group(drawn, neighbours);
    throw MissingTheorem(
        what, "group", std::to_string(neighbours.group),
        "1 under add-remove, or under replace-one or zero-out: with every record that leaves, the "
        "others' share of a batch changes, and no bound for a group is known. Poisson samples have one");
  };
}

/// Nothing takes part: no data set differs from another.
inline Law law_of_nothing(std::string text) {
  const PairPtr nothing = pair_without_loss();
  return {std::move(text), nothing, nothing, {}};
}

/// remove ((1-g) Q + g P, Q), add (P, (1-g) P + g Q), 0 < g < 1.
inline Law one_sided_law(const Law& base, double rate, std::string text) {
  Law law{std::move(text), std::make_shared<SampledPair>(base.remove, rate, Direction::remove),
          std::make_shared<SampledPair>(base.add, rate, Direction::add), base.kind};
  if (base.below) law.below = std::make_shared<const Law>(one_sided_law(*base.below, rate, law.text));
  return law;
}

/// Both at once, for a symmetric relation. Throws MissingTheorem for a base whose two orders differ: the sample without
/// the record may meet either.
inline Law spliced_law(const Law& base, double rate, std::string text) {
  if (base.remove != base.add)
    throw MissingTheorem(
        text, "its pair", "one that changes when its two sides are swapped",
        "a symmetric one: replacement goes both ways, and a pair of one order need not dominate the other");
  const auto pair = spliced_sample(base.remove, rate);
  return {std::move(text), pair, pair, base.kind};
}

}  // namespace pld
