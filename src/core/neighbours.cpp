#include "pld/core/neighbours.hpp"

#include <cmath>

#include "pld/core/errors.hpp"

namespace pld {

Neighbours::Neighbours(Relation of, double records) : relation(of) {
  require(records >= 1 && records <= largest_group && records == std::floor(records), "neighbours", "group", records,
          "a whole number of records from 1 to 1000");
  group = static_cast<int>(records);
}

}  // namespace pld
