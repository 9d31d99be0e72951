#include "pld/formats/entry.hpp"

#include "core/standard_arithmetic.hpp"
#include "formats/tries_text.hpp"
#include "pld/mechanisms/registry.hpp"
#include "sampling/schemes.hpp"

namespace pld {
namespace {

/// The private selection, for whichever neighbours it is asked about.
Mechanism selection_of(const Entry& entry) {
  const Tries tries = tries_from_text(entry.tries, "selection");
  const auto tried = [all = entry.tried](const Neighbours& neighbours) {
    Composition one(neighbours);
    for (const Entry& each : all) {
      const Release release = release_of(each);
      one.add(release.mechanism, release.count);
    }
    return one;
  };
  const auto under = [tried, tries](const Neighbours& neighbours) {
    return private_selection(tried(neighbours), tries).under(neighbours).law();
  };
  return {describe(tries, tried({})), [under](Relation relation) { return under(relation); },
          [under](const Neighbours& neighbours) { return under(neighbours); }};
}

}  // namespace

Release release_of(const Entry& entry) {
  const StandardArithmetic arithmetic;
  if (!entry.tries.empty()) return {selection_of(entry), entry.count};
  return {sampled(make_mechanism(entry.type, entry.parameters, entry.lists), entry.sampling), entry.count};
}

}  // namespace pld
