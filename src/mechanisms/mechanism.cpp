#include "pld/mechanisms/mechanism.hpp"

#include "core/standard_arithmetic.hpp"

namespace pld {

Mechanism::Mechanism(std::string text, Laws laws) : text_(std::move(text)), laws_(std::move(laws)) {
  const StandardArithmetic arithmetic;
  try {
    law_ = laws_(relation_);
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

Mechanism::Mechanism(std::string text, Laws laws, Sampling sampling) : Mechanism(std::move(text), std::move(laws)) {
  sampling_ = std::move(sampling);
}

Mechanism Mechanism::under(Relation relation) const {
  const StandardArithmetic arithmetic;
  Mechanism other = *this;
  if (relation == relation_ && law_) return other;
  other.relation_ = relation;
  other.law_ = laws_(relation);
  return other;
}

const Law& Mechanism::law() const {
  const StandardArithmetic arithmetic;
  if (!law_) static_cast<void>(laws_(relation_));  // throws
  return *law_;
}

}  // namespace pld
