#include <cfenv>
#include <cstdio>
#include <pld/pld.hpp>

int main() {
  pld::Composition run;
  run.add(pld::poisson_sampled(pld::Gaussian{.sigma = 0.8}, 0.005), 1000);  // DP-SGD: 1000 steps
  run.add(pld::Laplace{.scale = 50}, 200);                                  // and 200 noisy counts

  const auto epsilon = pld::epsilon(run, {.delta = 1e-6});
  const auto delta = pld::delta(run, {.epsilon = 10});

  std::fesetround(FE_UPWARD);  // upper bounds are printed rounded up
  std::printf("epsilon <= %.4f at delta 1e-6 (%s)\n", epsilon.upper, epsilon.exact ? "exact" : "at most");
  std::printf("delta <= %.3e at epsilon 10 (%s)\n", delta.upper, delta.exact ? "exact" : "at most");
}
