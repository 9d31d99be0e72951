#pragma once

// Compositions of rare large losses among small ones, whose profiles are known: exact sums of random laws of few
// outcomes, and sampled Gaussians by the contour engine.

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "engines/contour/contour.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/mass_table.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/checks.hpp"
#include "support/contour_profile.hpp"
#include "support/exact_laws.hpp"

namespace pld::test {

struct FiniteLaw {
  PairPtr pair;
  Outcomes outcomes;
};

/// Of these probabilities, rounded as the mechanism rounds them: divided by their sums.
inline FiniteLaw law_of(const std::vector<double>& p, const std::vector<double>& q) {
  Real p_sum = 0, q_sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) p_sum += p[i], q_sum += q[i];
  FiniteLaw law{Mechanism(MassTable{.p = p, .q = q}).pair(Direction::remove), {}};
  for (std::size_t i = 0; i < p.size(); ++i) law.outcomes.push_back({p[i] / p_sum, q[i] / q_sum});
  return law;
}

inline Real exact_log_delta(const std::vector<FiniteLaw>& laws, const std::vector<std::int64_t>& counts,
                            double epsilon) {
  Outcomes all{{1, 1}};
  for (std::size_t j = 0; j < laws.size(); ++j) all = composed(all, repeated(laws[j].outcomes, counts[j]));
  return log(OutcomeProfile(all)(epsilon));
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  double log_uniform(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  /// Mostly small losses, one outcome or two of large ones, now and then of an infinite one.
  FiniteLaw law() {
    std::vector<double> p, q;
    const int plain = whole(1, 3), hits = whole(1, 2);
    const auto normalised = [](std::vector<double> x) {
      double sum = 0;
      for (const double v : x) sum += v;
      for (double& v : x) v /= sum;
      return x;
    };
    for (int i = 0; i < plain; ++i)
      q.push_back(log_uniform(0.1, 1)), p.push_back(q.back() * std::exp(uniform(-0.1, 0.1)));
    for (int i = 0; i < hits; ++i)
      p.push_back(log_uniform(1e-12, 1e-2)), q.push_back(p.back() * std::exp(-log_uniform(0.05, 10)));
    if (whole(0, 4) == 0) p.push_back(log_uniform(1e-14, 1e-6)), q.push_back(0);
    return law_of(normalised(p), normalised(q));
  }

 private:
  std::mt19937_64 random_;
};

/// Steps whose own losses are a hundredth of epsilon and less.
struct RarelyHitGaussian {
  double sigma, q;
  std::int64_t count;
  double epsilon;
  [[nodiscard]] Terms terms() const {
    return {{poisson_sampled(Gaussian{.sigma = sigma}, q).pair(Direction::remove), count}};
  }
  /// The contour engine's: all of them are where it takes seconds or less.
  [[nodiscard]] Bracket log_delta() const {
    const auto found = contour_profile(terms(), epsilon, 1e-7);
    REQUIRE(found.has_value());
    REQUIRE(found->log_delta.width() < 1e-3);
    return found->log_delta;
  }
};
inline std::vector<RarelyHitGaussian> rarely_hit_gaussians() {
  return {{0.8, 1e-4, 10'000, 0.6},
          {0.8, 1e-4, 10'000, 4.3},
          {0.7, 1e-4, 3'000, 3},
          {0.6, 1e-4, 3'000, 3},
          {0.9, 1e-4, 30'000, 1}};
}

}  // namespace pld::test
