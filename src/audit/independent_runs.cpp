#include "audit/independent_runs.hpp"

#include "audit/binomial.hpp"

namespace pld::audit {

bool refutes(const RunCounts& counts, const AttackFrontier& hypothesis, double level) {
  const double each = level / 2;  // a true rate outside either limit is the error that is allowed
  const double most_false = rate_upper(counts.false_positives, counts.out, each);
  const double least_true = rate_lower(counts.true_positives, counts.in, each);
  // The frontier increases: no point of the rectangle is closer to what is allowed than this corner.
  return least_true > hypothesis.most_true_positives(most_false);
}

}  // namespace pld::audit
