#include "account/falling_epsilons.hpp"

#include <algorithm>

namespace pld {

void make_fall(std::vector<Bracket>& of_falling_deltas) {
  for (std::size_t i = 1; i < of_falling_deltas.size(); ++i) {
    const double lower = of_falling_deltas[i - 1].lower;
    Bracket& here = of_falling_deltas[i];
    if (lower <= here.upper) here.lower = std::max(here.lower, lower);
  }
  for (std::size_t i = of_falling_deltas.size(); i-- > 1;) {
    const double upper = of_falling_deltas[i].upper;
    Bracket& here = of_falling_deltas[i - 1];
    if (upper >= here.lower) here.upper = std::min(here.upper, upper);
  }
  for (Bracket& here : of_falling_deltas) here.estimate = std::clamp(here.estimate, here.lower, here.upper);
}

}  // namespace pld
