#include "pld/account/composition.hpp"

#include "core/standard_arithmetic.hpp"
#include "pld/core/errors.hpp"

namespace pld {

Composition& Composition::add(const Mechanism& mechanism, std::int64_t count) {
  const StandardArithmetic arithmetic;
  constexpr const char* accepted = "0 <= count <= 1e12, repetitions of the same mechanism together";
  require(0 <= count && count <= max_count, "composition", "count", static_cast<double>(count), accepted);
  if (count == 0) return *this;
  const auto place = places_.find(mechanism.text());
  if (place == places_.end()) {
    releases_.push_back({mechanism.under(relation_), count});
    places_.emplace(mechanism.text(), releases_.size() - 1);
    return *this;
  }
  std::int64_t& of_same = releases_[place->second].count;
  require(of_same + count <= max_count, "composition", "count", static_cast<double>(of_same + count), accepted);
  of_same += count;
  return *this;
}

bool Composition::is_exact() const {
  return is_one_law() || std::all_of(releases_.begin(), releases_.end(), [](const Release& r) {
           return attained_in_composition(r.mechanism.law().kind.attained);
         });
}

bool Composition::is_one_law() const {
  const auto attained_as = [this](Attainment how) {
    return std::all_of(releases_.begin(), releases_.end(),
                       [how](const Release& r) { return r.mechanism.law().kind.attained == how; });
  };
  const bool single = releases_.size() == 1 && releases_.front().count == 1;
  return attained_as(Attainment::together) || (single && attained_as(Attainment::alone));
}

Composition Composition::at_nodes(int nodes) const {
  Composition out(relation_);
  for (const Release& release : releases_) {
    const auto& finer = release.mechanism.law().at_nodes;
    if (!finer) {
      out.add(release.mechanism, release.count);
      continue;
    }
    out.add(Mechanism(release.mechanism.text(), [law = finer(nodes)](Relation) { return law; }), release.count);
  }
  return out;
}

Composition Composition::of_pairs() const {
  const StandardArithmetic arithmetic;
  Composition out(relation_);
  for (const Release& release : releases_) {
    Law law = release.mechanism.law();
    law.kind.attained = Attainment::together;
    out.add(Mechanism(release.mechanism.text(), [law](Relation) { return law; }), release.count);
  }
  return out;
}

Composition Composition::attained() const {
  const StandardArithmetic arithmetic;
  Composition out(relation_);
  for (const Release& release : releases_) {
    const Law& law = release.mechanism.law();
    if (law.kind.attained == Attainment::together) {
      out.add(release.mechanism, release.count);
    } else if (law.below) {
      const auto below = [law = *law.below](Relation) { return law; };
      out.add(Mechanism("below " + release.mechanism.text(), below), release.count);
    }
  }
  return out;
}

}  // namespace pld
