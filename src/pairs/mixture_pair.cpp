#include "pairs/mixture_pair.hpp"

#include <algorithm>

namespace pld {

bool MixturePair::symmetric() const {
  return std::all_of(parts().begin(), parts().end(), [](const Part& part) { return part.pair->symmetric(); });
}

double MixturePair::renyi_slope() const {
  double most = 0;
  for (const Part& part : parts()) most = std::max(most, part.pair->renyi_slope());
  return most;
}

}  // namespace pld
