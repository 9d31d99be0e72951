#pragma once

#include <cstddef>
#include <vector>

#include "sampling/ratio_law.hpp"

namespace pld {

/// Masses, and masses times ratios, summed over any run of a law's atoms by two additions of stored sums. No sum is the
/// difference of two larger ones, so that those of a tail keep their digits.
///
/// At level l the atoms lie in blocks of 2^{l+1}, each with its sums from its middle to every atom on either side. A
/// run of two atoms or more has its ends in the two halves of one block.
class RunSums {
 public:
  explicit RunSums(const RatioLaw& law);

  struct Sums {
    double mass = 0, moment = 0;
  };

  /// Over begin <= i < end, end - begin >= 2: each off by 5 u of itself at most.
  [[nodiscard]] Sums of(std::size_t begin, std::size_t end) const {
    const std::vector<Sums>& level = levels_[level_of(begin, end - 1)];
    const Sums &left = level[begin], &right = level[end - 1];
    return {left.mass + right.mass, left.moment + right.moment};
  }

 private:
  [[nodiscard]] static std::size_t level_of(std::size_t first, std::size_t last);

  std::vector<std::vector<Sums>> levels_;
};

}  // namespace pld
