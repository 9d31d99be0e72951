#include "engines/moments/equal_shares.hpp"

#include "engines/closed_form/closed_form.hpp"
#include "numeric/log_bound.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

double log_delta_of_equal_shares(const Terms& terms, double total, double log_infinity) {
  double releases = 0;
  for (const Term& t : terms) releases += static_cast<double>(t.count);
  const double share = round_down(total / releases, 4);
  LogBound sum(log_infinity, Side::upper);
  for (const Term& t : terms) {
    const LogBound one(closed_form_log_finite_delta_upper(*t.pair, share), Side::upper);
    sum = sum.plus(one.times(log_count(t)).log());
  }
  return sum.times(total_spread(terms).p).log_probability();
}

}  // namespace pld
