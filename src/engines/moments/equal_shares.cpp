#include "engines/moments/equal_shares.hpp"

#include <algorithm>
#include <cmath>

#include "engines/closed_form/closed_form.hpp"
#include "numeric/log_doubt.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

double log_delta_of_equal_shares(const Terms& terms, double total, double log_infinity) {
  double releases = 0, log_upper = log_infinity;
  for (const Term& t : terms) releases += static_cast<double>(t.count);
  const double share = round_down(total / releases, 4);
  for (const Term& t : terms) {
    const double log_count = std::log(static_cast<double>(t.count));
    const double log_part = log_count + closed_form_log_finite_delta_upper(*t.pair, share);
    if (log_part > -infinity)
      log_upper = log_sum(log_upper, log_part + 8 * unit_roundoff * (1 + log_count + std::fabs(log_part)));
  }
  log_upper += doubt(log_upper, 4 * static_cast<double>(terms.size()));
  return std::min(0.0, log_upper + total_spread(terms).p);
}

}  // namespace pld
