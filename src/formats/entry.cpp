#include "pld/formats/entry.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "core/standard_arithmetic.hpp"
#include "formats/sampling_rates.hpp"
#include "formats/tries_text.hpp"
#include "pld/mechanisms/registry.hpp"
#include "sampling/schemes.hpp"

namespace pld {
namespace {

/// What a composition merges these to, for which no theorem is needed.
std::vector<Release> merged(const std::vector<Release>& all) {
  std::vector<Release> out;
  for (const Release& one : all) {
    const auto same = std::find_if(
        out.begin(), out.end(), [&](const Release& other) { return other.mechanism.text() == one.mechanism.text(); });
    if (same == out.end())
      out.push_back(one);
    else
      same->count += one.count;
  }
  std::erase_if(out, [](const Release& one) { return one.count == 0; });
  return out;
}

/// The private selection, for whichever neighbours it is asked about. Its copies share the run, which may hold others.
Mechanism selection_of(const Entry& entry) {
  const Tries tries = tries_from_text(entry.tries, "selection");
  const auto run = std::make_shared<std::vector<Release>>();
  for (const Entry& each : entry.tried) run->push_back(release_of(each));
  const auto tried = [run](const Neighbours& neighbours) {
    Composition one(neighbours);
    for (const Release& release : *run) one.add(release.mechanism, release.count);
    return one;
  };
  const auto under = [tried, tries](const Neighbours& neighbours) {
    return private_selection(tried(neighbours), tries).under(neighbours).law();
  };
  return {describe(tries, merged(*run)), [under](Relation relation) { return under(relation); },
          [under](const Neighbours& neighbours) { return under(neighbours); }};
}

}  // namespace

Release release_of(const Entry& entry) {
  const StandardArithmetic arithmetic;
  if (!entry.tries.empty()) return {selection_of(entry), entry.count};
  require_rates(entry.type, entry.sampling, entry.lists.contains("q"));
  return {sampled(make_mechanism(entry.type, entry.parameters, entry.lists), entry.sampling), entry.count};
}

}  // namespace pld
