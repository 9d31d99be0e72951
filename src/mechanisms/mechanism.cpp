#include "pld/mechanisms/mechanism.hpp"

#include "core/standard_arithmetic.hpp"
#include "pairs/stepped_pair.hpp"
#include "pairs/two_atom_pair.hpp"

namespace pld {
namespace {

/// The law of a group that is changed record by record, where no theorem tells more. Its pairs are where outputs may
/// have nothing in common, unless they are worked out. From below it is that of one record, which a group may be
/// of, or where `names_guarantee` that of the mechanism which keeps the guarantee and loses most in groups.
Law law_by_records(const Law& one, int group, bool names_guarantee) {
  const auto pair_of = [group](const DominatingPair& record) {
    SteppedPair pair = pair_of_steps(record, group);
    if (!pair.above) pair.above = std::make_shared<TwoAtomPair>(0, 0, -infinity, 0);
    return pair;
  };
  const SteppedPair remove = pair_of(*one.remove), add = one.add == one.remove ? remove : pair_of(*one.add);
  Law law{one.text + " in groups of " + std::to_string(group), remove.above, add.above, one.kind};
  const bool is_attained = names_guarantee && one.kind.attained == Attainment::together && remove.below && add.below;
  law.kind.attained = Attainment::nowhere;
  law.below =
      is_attained ? std::make_shared<const Law>(Law{law.text, remove.below, add.below, one.kind}) : attained_law(one);
  if (one.at_nodes)
    law.at_nodes = [one, group, names_guarantee](const Nodes& nodes) {
      return law_by_records(one.at_nodes(nodes), group, names_guarantee);
    };
  return law;
}

/// `of_groups` of the mechanism `text`. A parameter that the group has carried out of its range is told as the group's:
/// nobody wrote it.
std::optional<Law> told_as_group(const Mechanism::GroupLaws& of_groups, const Neighbours& neighbours,
                                 const std::string& text) {
  try {
    return of_groups(neighbours);
  } catch (const MissingTheorem&) {
    throw;
  } catch (const DomainError& error) {
    throw DomainError(text + " in groups of " + std::to_string(neighbours.group), error.argument(), error.value(),
                      error.accepted());
  }
}

}  // namespace

std::shared_ptr<const Law> attained_law(const Law& law) {
  return law.kind.attained == Attainment::together ? std::make_shared<const Law>(law) : law.below;
}

Law law_between(const Law& below, Law above) {
  if (below.text == above.text) return above;
  above.below = attained_law(below);
  above.kind.attained = above.kind.attained == Attainment::together ? Attainment::between : Attainment::nowhere;
  return above;
}

Mechanism::Mechanism(std::string text, Laws laws, GroupLaws of_groups)
    : text_(std::move(text)), source_(std::make_shared<Source>(Source{std::move(laws), std::move(of_groups)})) {
  const StandardArithmetic arithmetic;
  try {
    law_ = law_for(neighbours_);
  } catch (const MissingTheorem&) {
    // Told by law(), to whoever asks for this relation.
  }
}

Mechanism::Mechanism(const std::string& text, const PairPtr& remove, const PairPtr& add)
    : Mechanism(text, [text, remove, add](Relation relation) -> Law {
        if (relation != Relation::replace_one) return {text, remove, add, {}};
        throw MissingTheorem(text, "adjacency", "replace-one",
                             "add-remove or zero-out: no pair was given for the replacement of a record");
      }) {}

Mechanism::Mechanism(std::string text, Laws laws, Sampling sampling, GroupLaws of_groups)
    : Mechanism(std::move(text), std::move(laws), std::move(of_groups)) {
  sampling_ = std::move(sampling);
}

Mechanism Mechanism::of_law(std::string text, Law law) {
  return {std::move(text), [law](Relation) { return law; }, [law](const Neighbours&) { return law; }};
}

Law Mechanism::law_for(const Neighbours& neighbours) const {
  const auto& [laws, of_groups] = *source_;
  if (neighbours.group == 1) return laws(neighbours.relation);
  if (of_groups)
    if (auto law = told_as_group(of_groups, neighbours, text_)) return *std::move(law);
  const Law one = laws(neighbours.relation);
  return law_by_records(one, neighbours.group, one.kind.only_guaranteed && !sampling_);
}

Mechanism Mechanism::under(const Neighbours& neighbours) const {
  const StandardArithmetic arithmetic;
  Mechanism other = *this;
  if (neighbours == neighbours_ && law_) return other;
  other.neighbours_ = neighbours;
  other.law_ = law_for(neighbours);
  return other;
}

const Law& Mechanism::law() const {
  const StandardArithmetic arithmetic;
  if (!law_) static_cast<void>(law_for(neighbours_));  // throws
  return *law_;
}

}  // namespace pld
