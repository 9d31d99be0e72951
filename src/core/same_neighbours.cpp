#include "core/same_neighbours.hpp"

#include "pld/core/errors.hpp"

namespace pld {

void require_same(const Neighbours& given, const Neighbours& required, const std::string& where,
                  const std::string& whose) {
  if (given.relation != required.relation)
    throw DomainError(where, "adjacency", name(given.relation), std::string(name(required.relation)) + ", " + whose);
  if (given.group != required.group)
    throw DomainError(where, "group", std::to_string(given.group), std::to_string(required.group) + ", " + whose);
}

}  // namespace pld
