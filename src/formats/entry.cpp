#include "pld/formats/entry.hpp"

#include "core/standard_arithmetic.hpp"
#include "pld/mechanisms/registry.hpp"
#include "sampling/schemes.hpp"

namespace pld {

Release release_of(const Entry& entry) {
  const StandardArithmetic arithmetic;
  return {sampled(make_mechanism(entry.type, entry.parameters, entry.lists), entry.sampling), entry.count};
}

}  // namespace pld
