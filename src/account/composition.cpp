#include "pld/account/composition.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/standard_arithmetic.hpp"
#include "pld/core/errors.hpp"

namespace pld {
namespace {

/// A mechanism whose law for the neighbours at hand is on other nodes; for others it is what it was.
Mechanism on_nodes(const Mechanism& mechanism, const Neighbours& at_hand, const Law& law) {
  const auto of_others = [mechanism, at_hand, law](const Neighbours& neighbours) {
    return neighbours == at_hand ? law : mechanism.under(neighbours).law();
  };
  return {mechanism.text(), of_others, of_others};
}

/// What a pair of neighbours has of a release: its law, or else `below`, nothing where that is null.
void add_attained(const Release& release, const Law* below, Composition& out) {
  if (release.mechanism.law().kind.attained == Attainment::together)
    out.add(release.mechanism, release.count);
  else if (below)
    out.add(Mechanism::of_law("below " + release.mechanism.text(), *below), release.count);
}

}  // namespace

Composition& Composition::add(const Mechanism& mechanism, std::int64_t count) {
  const StandardArithmetic arithmetic;
  constexpr const char* accepted = "0 <= count <= 1e12, repetitions of the same mechanism together";
  require(0 <= count && count <= max_count, "composition", "count", static_cast<double>(count), accepted);
  if (count == 0) return *this;
  const auto place = places_.find(mechanism.text());
  if (place == places_.end()) {
    releases_.push_back({mechanism.under(neighbours_), count});
    places_.emplace(mechanism.text(), releases_.size() - 1);
    return *this;
  }
  std::int64_t& of_same = releases_[place->second].count;
  require(of_same + count <= max_count, "composition", "count", static_cast<double>(of_same + count), accepted);
  of_same += count;
  return *this;
}

bool Composition::is_exact() const { return is_one_profile() || has_worst_neighbours(); }

bool Composition::has_worst_neighbours() const {
  return std::all_of(releases_.begin(), releases_.end(),
                     [](const Release& r) { return attained_in_composition(r.mechanism.law().kind.attained); });
}

bool Composition::is_one_profile() const {
  const bool single = releases_.size() == 1 && releases_.front().count == 1;
  return is_one_law() || (single && releases_.front().mechanism.law().kind.attained == Attainment::alone);
}

bool Composition::is_one_law() const {
  return std::all_of(releases_.begin(), releases_.end(),
                     [](const Release& r) { return r.mechanism.law().kind.attained == Attainment::together; });
}

bool Composition::is_only_guaranteed() const {
  return std::any_of(releases_.begin(), releases_.end(),
                     [](const Release& r) { return r.mechanism.law().kind.only_guaranteed; });
}

Composition Composition::at_nodes(const std::function<Nodes(const Release&)>& nodes) const {
  Composition out(neighbours_);
  for (const Release& release : releases_) {
    const auto& finer = release.mechanism.law().at_nodes;
    if (!finer) {
      out.add(release.mechanism, release.count);
      continue;
    }
    out.add(on_nodes(release.mechanism, neighbours_, finer(nodes(release))), release.count);
  }
  return out;
}

Composition Composition::of_pairs() const {
  const StandardArithmetic arithmetic;
  Composition out(neighbours_);
  for (const Release& release : releases_) {
    Law law = release.mechanism.law();
    law.kind.attained = Attainment::together;
    out.add(Mechanism::of_law(release.mechanism.text(), std::move(law)), release.count);
  }
  return out;
}

Composition Composition::attained() const {
  const StandardArithmetic arithmetic;
  Composition out(neighbours_);
  for (const Release& release : releases_) add_attained(release, release.mechanism.law().below.get(), out);
  return out;
}

std::vector<Composition> Composition::attained_by_each() const {
  const StandardArithmetic arithmetic;
  constexpr std::size_t most = 16;  // of many kinds each costs much
  std::vector<std::vector<Law>> others;
  std::size_t pairs = 0;
  for (const Release& release : releases_) {
    const Law& law = release.mechanism.law();
    const bool has_others = law.kind.attained != Attainment::together && law.below && law.below->others;
    others.push_back(has_others && releases_.size() <= most ? law.below->others() : std::vector<Law>{});
    pairs = std::max(pairs, others.back().size());
  }
  std::vector<Composition> all{attained()};
  for (std::size_t i = 0; i < pairs; ++i) {
    Composition& one = all.emplace_back(neighbours_);
    for (std::size_t j = 0; j < releases_.size(); ++j) {
      const Law& law = releases_[j].mechanism.law();
      add_attained(releases_[j], i < others[j].size() ? &others[j][i] : law.below.get(), one);
    }
  }
  return all;
}

}  // namespace pld
