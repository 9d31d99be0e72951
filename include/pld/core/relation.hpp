#pragma once

namespace pld {

/// Which data sets are neighbours: one has a record more than the other; one record of each differs; or one record of
/// the one is, in the other, a null record that contributes nothing (Kairouz, McMahan, Song, Thakkar, Thakurta, Xu
/// 2021).
enum class Relation { add_remove, replace_one, zero_out };

[[nodiscard]] constexpr const char* name(Relation relation) {
  switch (relation) {
    case Relation::replace_one:
      return "replace-one";
    case Relation::zero_out:
      return "zero-out";
    case Relation::add_remove:
      break;
  }
  return "add-remove";
}

}  // namespace pld
