#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "account/answers_met.hpp"
#include "core/work.hpp"
#include "engines/question.hpp"

namespace pld {

/// `count` upper bounds of one number by `find(i, tolerance)`. Each is found roughly first, then those as narrow as
/// asked that may be the least, those whose own brackets reach down to it or that are next to it: a bound that takes
/// all the work there is would leave none for a lower one.
template <class Find>
auto upper_bounds(std::size_t count, double tolerance, const Find& find) {
  constexpr double rough = 0.03, share_of_rough = 0.6, may_fall_by = 0.1;
  std::vector<decltype(find(count, tolerance))> bounds;
  const double first = count > 1 ? std::max(tolerance, rough) : tolerance;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  {
    const PartOfQuestion part((count > 1 ? share_of_rough : 1) * Work::left());
    use_each(order, [&](std::size_t i) { bounds.push_back(find(i, first)); });
  }
  if (!(first > tolerance)) return bounds;
  const auto upper = [&](std::size_t i) { return asked_of(bounds[i]).upper; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return upper(i) < upper(j); });
  const double least = upper(order.front()), in_play = least + may_fall_by * std::fabs(least);
  std::erase_if(order, [&](std::size_t i) { return upper(i) > in_play && asked_of(bounds[i]).lower > least; });
  use_each(order, [&](std::size_t i) {
    const auto finer = find(i, tolerance);
    if (!(upper(i) < asked_of(finer).upper)) bounds[i] = finer;
    bounds[i].converged = finer.converged;
  });
  return bounds;
}

}  // namespace pld
