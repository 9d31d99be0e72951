#pragma once

#include <cstdint>

namespace pld::audit {

/// Bounds on tails of the binomial law of n trials, each a success with probability p, and their inverses in p
/// (Clopper, Pearson 1934). Boost's incomplete beta function, in long doubles, is taken to be off by a part in 1e9,
/// some million times more than was seen beside exact sums (tests/audit/binomial_test.cpp); bounds are moved outward by
/// that. Domain: 0 <= k <= n, 1 <= n, 0 <= p <= 1, 0 < level < 1.

/// No less than P(X >= k), P(X <= k).
[[nodiscard]] double at_least_upper(std::int64_t k, std::int64_t n, double p);
[[nodiscard]] double at_most_upper(std::int64_t k, std::int64_t n, double p);

/// A p at which P(X <= k) is at most the level: with k successes seen, p is no larger, with confidence 1 - level.
[[nodiscard]] double rate_upper(std::int64_t k, std::int64_t n, double level);

/// A p at which P(X >= k) is at most the level.
[[nodiscard]] double rate_lower(std::int64_t k, std::int64_t n, double level);

}  // namespace pld::audit
