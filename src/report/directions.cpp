#include "report/directions.hpp"

#include "account/directed_run.hpp"

namespace pld {

bool directions_differ(const Composition& composition) {
  return composition.relation() != Relation::replace_one && !symmetric(composition);
}

}  // namespace pld
