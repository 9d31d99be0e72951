#include "sampling/run_sums.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "numeric/compensated_sum.hpp"

namespace pld {

std::size_t RunSums::level_of(std::size_t first, std::size_t last) {
  return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(first ^ last))) - 1;
}

RunSums::RunSums(const RatioLaw& law) {
  const std::size_t size = law.ratios.size();
  for (std::size_t half = 1; half < size; half *= 2) {
    std::vector<Sums> level(size);
    for (std::size_t middle = half; middle < size + half; middle += 2 * half) {
      CompensatedSum mass, moment;
      const auto take = [&](std::size_t i) {
        mass.add(law.masses[i]), moment.add(law.masses[i] * law.ratios[i]);
        level[i] = {mass.value(), moment.value()};
      };
      if (middle > size) continue;  // no run has its ends in both halves
      for (std::size_t i = middle; i-- > middle - half;) take(i);
      mass = moment = {};
      for (std::size_t i = middle; i < std::min(middle + half, size); ++i) take(i);
    }
    levels_.push_back(std::move(level));
  }
}

}  // namespace pld
