#include "sampling/opposite_sample.hpp"

#include <algorithm>
#include <cmath>

namespace pld {

double OppositeSample::loss_error(LossRange right, LossRange left) const {
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

}  // namespace pld
