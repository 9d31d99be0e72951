#include "audit/independent_runs.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "audit/binomial.hpp"
#include "core/standard_arithmetic.hpp"

namespace pld::audit {

bool refutes(const RunCounts& counts, const AttackFrontier& hypothesis, double level) {
  const StandardArithmetic arithmetic;
  const double each = level / 2;  // a true rate outside either limit is the error that is allowed
  const double most_false = rate_upper(counts.false_positives, counts.out, each);
  const double least_true = rate_lower(counts.true_positives, counts.in, each);
  // The frontier increases: no point of the rectangle is closer to what is allowed than this corner.
  return least_true > hypothesis.most_true_positives(most_false);
}

RankedScores::RankedScores(Scores scores) : scores_(std::move(scores)) {
  std::sort(scores_.in.begin(), scores_.in.end(), std::greater<>());
  std::sort(scores_.out.begin(), scores_.out.end(), std::greater<>());
}

RunCounts RankedScores::above(std::size_t rank) const {
  const auto& [in, out] = scores_;
  const double threshold = out[rank - 1];
  const auto above = std::partition_point(in.begin(), in.end(), [=](double score) { return score > threshold; });
  return {above - in.begin(), static_cast<std::int64_t>(in.size()), static_cast<std::int64_t>(rank) - 1,
          static_cast<std::int64_t>(out.size())};
}

}  // namespace pld::audit
