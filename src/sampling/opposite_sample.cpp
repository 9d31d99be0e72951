#include "sampling/opposite_sample.hpp"

#include <algorithm>
#include <cmath>

namespace pld {

// P has more of a tail to the right than X, and Q less: both parts of the tail's loss lie between 0 and that loss. To
// the left likewise.
double OppositeSample::loss_error(LossRange within, LossRange right, LossRange left) const {
  const LossRange tails{std::min(0.0, within.lowest), std::max(0.0, within.highest)};
  right = {std::min(right.lowest, tails.lowest), std::max(right.highest, tails.highest)};
  left = {std::min(left.lowest, -tails.highest), std::max(left.highest, -tails.lowest)};
  double reach = 0;
  for (const double end : {right.lowest, right.highest, left.lowest, left.highest})
    if (std::isfinite(end)) reach = std::max(reach, std::fabs(end));
  return sample_.loss_error(right) + sample_.loss_error(left) + 4 * unit_roundoff * reach;
}

// Q is at least (1-q) X: P^order Q^(1-order) is at most that of the sample against X, with order - 1 times -log(1-q)
// more.
double OppositeSample::log_tail_moment(double order, double from) const {
  const double moment = sample_.log_tail_moment(order, from), more = (order - 1) * -std::log1p(-q_);
  return std::isinf(moment) ? moment : moment + more + 1e-12 * (1 + std::fabs(moment) + more);
}

double OppositeSample::most_renyi(double order) const {
  return round_up(pld::most_renyi(sample_, order) - std::log1p(-q_), 8);
}

}  // namespace pld
