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

double MixturePair::least_renyi(double order) const {
  double most = 0;
  for (const auto& [log_weight, pair] : parts()) {
    const double whole = pld::least_renyi(*pair, order), share = log_weight / (order - 1);
    most = std::max(most, whole + share - 8 * unit_roundoff * (whole - share));
  }
  return most;
}

}  // namespace pld
